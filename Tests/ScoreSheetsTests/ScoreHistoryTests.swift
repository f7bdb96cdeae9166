import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("The history of a game")
struct ScoreHistoryTests {
    private func totals(_ history: ScoreHistory) -> [[Points]] { history.players.map(\.totals) }

    @Test("goes round by round from zero, and a player with fewer rounds keeps the last total")
    func rounds() throws {
        var table = Table("Ann", "Bob")
        table.rounds(1, 5, 7, -2)
        table.rounds(2, 10)
        let history = ScoreHistory(of: table.book, by: try builtIn("rounds"))
        #expect(history.label == "Total")
        #expect(history.steps == [.round(0), .round(1), .round(2), .round(3)])
        #expect(totals(history) == [[0, 5, 12, 10], [0, 10, 10, 10]])
        #expect(history.players.map(\.player.name) == ["Ann", "Bob"])
        #expect(history.teams.isEmpty)
    }

    @Test("follows the time of writing where rows have no rounds")
    func moments() throws {
        var table = Table("Ann", "Bob")
        let row = Symbol(known: "points")
        for (number, millisecond, points) in [(2, 70, 4), (1, 90, 6)] as [(UInt64, UInt64, Int64)] {
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: number), sequence: 1),
                stamp: Stamp(milliseconds: millisecond),
                author: DeviceID(high: 0, low: 1),
                value: .integer(points)
            )
            table.cells[Cell(player: player(number), row: row)] = LiveSet(entry)
        }
        let history = ScoreHistory(of: table.book, by: try builtIn("points"))
        #expect(history.steps == [.moment(70), .moment(90)])
        #expect(totals(history) == [[0, 6], [4, 4]])
    }

    @Test("of darts has the points of the visits, since totals count legs")
    func darts() throws {
        var darts = try DartsTable("Ann", "Bob", start: 101, legs: 3)
        for visit in ["60", "26", "41", "60", "40"] { try darts.play(visit) }
        let history = ScoreHistory(of: darts.table.book, by: try builtIn("darts"))
        #expect(history.label == "Points")
        #expect(history.steps.last == .round(5))
        #expect(totals(history) == [[0, 60, 60, 101, 101, 141], [0, 0, 26, 26, 86, 86]])
    }

    @Test("of a match has its points, since totals count sets; they are equal if it has one")
    func match() throws {
        var match = try SportTable(.tableTennis, ["points": .integer(2), "best": .integer(3)])
        try match.playPoints("2a 1b 2a")
        let history = ScoreHistory(of: match.table.book, by: try builtIn("table-tennis"))
        #expect(match.standings.totalLabel == "Games" && history.label == "Points")
        #expect(history.players.map(\.totals.last) == [4, 1])
    }

    @Test("of Reversi has the discs after every move, from the first four")
    func discs() throws {
        var match = try ReversiMatch()
        for square in ["f5", "d6", "c3"] { try match.play(square) }
        let history = ScoreHistory(of: match.table.book, by: try builtIn("reversi"))
        #expect(history.label == "Discs")
        #expect(history.steps == [.round(0), .round(1), .round(2), .round(3)])
        #expect(totals(history) == [[2, 4, 3, 5], [2, 1, 3, 2]])
    }

    @Test("has the sums of teams, and omits removed players")
    func teams() throws {
        var table = Table("Ann", "Bob", "Cid", "Dan")
        table.teams("Red", "blue", "red", "")
        table.rounds(1, 1, 1)
        table.rounds(2, 5)
        table.rounds(3, 2, 4)
        table.rounds(4, 9)
        table.remove(4)
        let history = ScoreHistory(of: table.book, by: try builtIn("rounds"))
        #expect(history.players.map(\.player.name) == ["Ann", "Bob", "Cid"])
        #expect(history.teams.map(\.name) == ["Red", "blue"])
        #expect(history.teams.map(\.totals) == [[0, 3, 8], [0, 5, 5]])
    }

    @Test("has one line for each side if a team is one scorer, and one for who plays alone")
    func sides() throws {
        var table = Table("Ann", "Bob", "Cid", "Dan", "Eve")
        table.teams("Reds", "Blues", "reds", "Blues", "")
        table.write(1, "throw", 1, to: .integer(5))
        table.write(3, "throw", 2, to: .integer(7))
        table.write(4, "throw", 1, to: .integer(3))
        table.write(5, "throw", 1, to: .integer(9))
        let history = ScoreHistory(of: table.book, by: try builtIn("molkky"))
        #expect(history.players.map(\.player.name) == ["Reds", "Blues", "Eve"])
        #expect(totals(history) == [[0, 5, 12], [0, 3, 3], [0, 9, 9]])
        #expect(history.teams == [])
    }

    @Test("has a limited number of steps, of which the last is the end")
    func limit() throws {
        var table = Table("Ann")
        for round in 1...1000 as ClosedRange<UInt32> {
            table.write(1, "round", round, to: .integer(1))
        }
        let sheet = try builtIn("rounds")
        let history = ScoreHistory(of: table.book, by: sheet)
        #expect(history.steps.count == ScoreHistory.maxSteps)
        #expect(history.steps.last == .round(1000))
        #expect(history.players[0].totals.last == 1000)
        #expect(history.players[0].totals == history.players[0].totals.sorted())
        #expect(ScoreHistory(of: table.book, by: sheet, maxSteps: 1).steps == [.round(1000)])
    }

    @Test("always ends with the standings", arguments: SheetLibrary.builtIn.sheets)
    func law(sheet: Sheet) throws {
        // Sheets of rows differ in what they say, and less in what they do.
        for seed in Seeds.below(sheet.gameEngine == .rows ? 3 : 12) {
            var session = ScoreboardHistory(seed: seed, sheet, or: sheet)
            for _ in 0..<60 { _ = session.step() }
            guard let standings = session.board.standings else { continue }
            let history = ScoreHistory(of: session.board.book, by: sheet)
            let place: Comment = "seed \(seed) of \(sheet.id)"
            #expect(history.steps == Array(Set(history.steps)).sorted(), place)
            for line in history.players {
                #expect(line.totals.count == history.steps.count, place)
                guard let last = line.totals.last, let stand = standings[line.player.id] else {
                    continue
                }
                let points = stand.cells.compactMap(\.points).reduce(0, +)
                #expect(last == (sheet.rules.historyLabel == nil ? stand.total : points), place)
            }
            guard !history.steps.isEmpty, sheet.gameEngine == .rows else { continue }
            #expect(history.teams.map { $0.totals.last } == standings.teams.map(\.total), place)
        }
    }
}
