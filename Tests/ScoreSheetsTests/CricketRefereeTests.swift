import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Cricket and tactics agree with an independent referee")
struct CricketRefereeTests {
    /// A player's slate: hits of each number, at most three, and points.
    private struct Slate {
        var hits: [Int: Int] = [:]
        var points = 0
    }

    /// An independent model: hit after hit, each of a single number.
    private struct Referee {
        let variant: String
        let numbers: [Int]
        var slates: [Slate]
        var winner: Int?

        func isClosed(_ seat: Int, _ number: Int) -> Bool { slates[seat].hits[number] == 3 }

        mutating func hit(_ number: Int, by seat: Int) {
            if !isClosed(seat, number) {
                slates[seat].hits[number, default: 0] += 1
                return
            }
            let open = slates.indices.filter { $0 != seat && !isClosed($0, number) }
            if variant == "standard", !open.isEmpty { slates[seat].points += number }
            if variant == "cut-throat" { for other in open { slates[other].points += number } }
        }

        /// Sets the winner after a dart of a seat.
        mutating func judge(after seat: Int) {
            let points = slates.map(\.points)
            let best = variant == "cut-throat" ? points.min() : points.max()
            let able = slates.indices.filter { other in
                numbers.allSatisfy { isClosed(other, $0) } && slates[other].points == best
            }
            winner = able.contains(seat) ? seat : able.first
        }

        /// The totals as they are shown: points, or hits where there are none.
        var totals: [Points] {
            slates.map {
                Points(Int64(variant == "no-score" ? $0.hits.values.reduce(0, +) : $0.points))
            }
        }
    }

    private static let formats = ["standard", "cut-throat", "no-score"].flatMap { variant in
        [("cricket", 15), ("tactics", 10), ("tactics", 13)].map { (variant, $0.0, $0.1) }
    }

    @Test("on 200 random games: points, marks and the winner", arguments: formats)
    func random(format: (variant: String, game: String, lowest: Int)) throws {
        let (variant, game, lowest) = format
        let rules = try SheetLibrary.builtIn.sheet(named: game).rules
        var ended = 0
        for seed in 0..<UInt64(200) {
            var random = SeededGenerator(seed: seed)
            var table =
                Int.random(in: 2...3, using: &random) == 2
                ? Table("Ann", "Bob") : Table("Ann", "Bob", "Cid")
            table.options[Symbol(known: "variant")] = .text(variant)
            if game == "tactics" {
                table.options[Symbol(known: "lowest")] = .integer(Int64(lowest))
            }
            let numbers = Array(lowest...20) + [25]
            var referee = Referee(
                variant: variant,
                numbers: numbers,
                slates: table.players.map { _ in Slate() }
            )
            let visits = Int.random(in: 1...60, using: &random)
            for turn in 0..<visits where referee.winner == nil {
                let seat = turn % table.players.count
                var darts: [String] = []
                while darts.count < 3, referee.winner == nil {
                    // Mostly what the player needs, as people throw.
                    let open = numbers.filter { !referee.isClosed(seat, $0) }
                    let aim = Bool.random(using: &random) ? open.randomElement(using: &random) : nil
                    let number = aim ?? Array(8...20).randomElement(using: &random) ?? 20
                    let ring = Int.random(in: 1...(number == 25 ? 2 : 3), using: &random)
                    darts.append(
                        number == 25
                            ? ["25", "BULL"][ring - 1] : ["S", "D", "T"][ring - 1] + "\(number)"
                    )
                    guard numbers.contains(number) else { continue }
                    for _ in 0..<ring { referee.hit(number, by: seat) }
                    referee.judge(after: seat)
                }
                let text = darts.map { $0 == "25" ? "S25" : $0 }.joined(separator: " ")
                let cell = table.cell(UInt64(seat + 1), "visit", UInt32(turn + 1))
                table.write(cell, to: .text(text))
            }
            let standings = rules.standings(of: table.book)
            let name = "\(game) \(variant) \(lowest), seed \(seed)"
            #expect(standings.flags.isEmpty, "\(name)")
            #expect(standings.players.map(\.total) == referee.totals, "\(name)")
            #expect(standings.isFinished == (referee.winner != nil), "\(name)")
            if let winner = referee.winner {
                ended += 1
                #expect(standings.winners == [table.players[winner].id], "\(name)")
            }
        }
        #expect(ended > 20, "\(format)")
    }
}
