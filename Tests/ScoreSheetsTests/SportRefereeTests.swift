import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Matches agree with an independent referee")
struct SportRefereeTests {
    /// A sheet with options, and the rules that it stands for.
    struct Format: CustomTestStringConvertible {
        let game: String
        var options: [String: Value] = [:]
        let rules: SportReferee.Format
        var first = 0

        var testDescription: String { "\(game) \(options.sorted { $0.key < $1.key })" }
    }

    private static let sets = SportReferee.Sets()
    private static let nine = SportReferee.Games(
        best: 5,
        to: 9,
        lead: 1,
        asksReceiver: true,
        isOpenedByWinner: true
    )
    private static let formats: [Format] = [
        Format(game: "tennis", rules: .sets(sets)),
        Format(game: "padel", rules: .sets(sets)),
        Format(game: "padel", options: ["cap": .integer(4)], rules: .sets(deciding(1))),
        Format(game: "padel", options: ["cap": .integer(6)], rules: .sets(deciding(3))),
        Format(
            game: "fast4",
            rules: .sets(
                SportReferee.Sets(
                    decides: 1,
                    games: 4,
                    tieBreakAt: 3,
                    tieBreak: (5, 1, "aabbaabbb"),
                    last: (10, 1)
                )
            )
        ),
        Format(game: "squash-nine", rules: .games(nine)),
        Format(
            game: "squash-nine",
            options: ["set-to": .integer(10), "set-by": .text("receiver")],
            rules: .games(
                SportReferee.Games(best: 5, to: 9, lead: 1, set: 10, isOpenedByWinner: true)
            )
        ),
        Format(
            game: "squash-nine",
            options: ["set-to": .integer(9), "server": .text("second")],
            rules: .games(
                SportReferee.Games(best: 5, to: 9, lead: 1, set: 9, isOpenedByWinner: true)
            ),
            first: 1
        ),
        Format(game: "pickleball", rules: .games(SportReferee.Games())),
        Format(
            game: "pickleball",
            options: ["servers": .integer(2), "points": .integer(15)],
            rules: .games(SportReferee.Games(to: 15, servers: 2))
        ),
        Format(
            game: "pickleball",
            options: ["scores": .text("both"), "best": .integer(5)],
            rules: .games(SportReferee.Games(best: 5, isSideOut: false))
        ),
    ]

    private static func deciding(_ deuce: Int) -> SportReferee.Sets {
        var sets = sets
        sets.decides = deuce
        return sets
    }

    @Test(
        "on 200 random matches: server, points, games and sets before every rally",
        arguments: formats
    )
    func random(format: Format) throws {
        var table = Table("Ann", "Bob")
        for (name, value) in format.options { table.options[try #require(Symbol(name))] = value }
        let sheet = try SheetLibrary.builtIn.sheet(named: format.game)
        let options = SportOptions(sheet, table.book)
        let service = SportService(sheet, table.book)
        var ended = 0
        for seed in 0..<UInt64(200) {
            var generator = SeededGenerator(seed: seed)
            let strength = Int.random(in: 40...60, using: &generator)
            let rallies = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
                Int.random(in: 0..<100, using: &generator) < strength ? 0 : 1
            }
            let settings = (0..<5).map { _ in Int.random(in: 9...10, using: &generator) }
            let referee = SportReferee(
                rallies,
                format.rules,
                first: format.first,
                settings: settings
            )
            var match = SportMatch(options, service)
            var calls = [call(of: match)]
            var setters: [Int] = []
            for rally in rallies {
                if let chooser = match.chooser {
                    match.choose(settings[setters.count] == 9 ? .one : .two)
                    setters.append(side(chooser))
                }
                match.add(by: MatchSide.allCases[rally])
                guard match.winner == nil else { break }
                calls.append(call(of: match))
            }
            if let chooser = match.chooser { setters.append(side(chooser)) }
            #expect(setters == referee.setters, "\(format.testDescription), seed \(seed)")
            #expect(calls == referee.calls, "\(format.testDescription), seed \(seed)")
            #expect(match.winner.map(side) == referee.winner, "seed \(seed)")
            if match.winner != nil { ended += 1 }
        }
        #expect(ended > 20)
    }

    private func side(_ side: MatchSide) -> Int { side == .first ? 0 : 1 }

    private func call(of match: SportMatch) -> SportReferee.Call {
        func both(_ count: SideCount) -> [Int] { [count[.first], count[.second]] }
        return SportReferee.Call(
            server: match.server.map(side) ?? -1,
            points: both(match.points),
            games: both(match.games),
            won: both(match.won)
        )
    }
}
