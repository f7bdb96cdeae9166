import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Cricket and tactics agree with an independent referee")
struct CricketRefereeTests {
    /// A player's slate: hits of each target, at most three, and points.
    ///
    /// Doubles are target -2, triples -3, and a bed -9.
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

        func isClosed(_ seat: Int, _ target: Int) -> Bool {
            slates[seat].hits[target] == (target == -9 ? 1 : 3)
        }

        mutating func hit(_ target: Int, worth points: Int, by seat: Int) {
            if !isClosed(seat, target) {
                slates[seat].hits[target, default: 0] += 1
                return
            }
            let open = slates.indices.filter { $0 != seat && !isClosed($0, target) }
            if variant == "standard", !open.isEmpty { slates[seat].points += points }
            if variant == "cut-throat" { for other in open { slates[other].points += points } }
        }

        /// A dart that its player takes for its ring, if that counts, or else for its number.
        mutating func dart(_ number: Int, _ ring: Int, isOfRing: Bool, by seat: Int) {
            let isOfRing = numbers.contains(-ring) && (isOfRing || !numbers.contains(number))
            guard !isOfRing else { return hit(-ring, worth: ring * number, by: seat) }
            guard numbers.contains(number) else { return }
            for _ in 0..<ring { hit(number, worth: number, by: seat) }
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
        [
            ("cricket", 15, []), ("tactics", 10, []), ("tactics", 13, [-2, -3]),
            ("cricket", 15, [-2, -3, -9]),
        ]
        .map { (variant, $0.0, $0.1, $0.2) }
    }

    @Test("on 200 random games: points, marks and the winner", arguments: formats)
    func random(format: (variant: String, game: String, lowest: Int, others: [Int])) throws {
        let (variant, game, lowest, others) = format
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
            let targets = ["numbers", "", "rings", "beds"][others.count]
            table.options[Symbol(known: "targets")] = .text(targets)
            let numbers = Array(lowest...20) + [25] + others
            var referee = Referee(
                variant: variant,
                numbers: numbers,
                slates: table.players.map { _ in Slate() }
            )
            let visits = Int.random(in: 1...60, using: &random)
            for turn in 0..<visits where referee.winner == nil {
                let seat = turn % table.players.count
                var darts: [String] = []
                if others.contains(-9), Int.random(in: 0..<12, using: &random) == 0 {
                    darts = ["BED", "T7"]
                    if !referee.isClosed(seat, -9) { referee.hit(-9, worth: 0, by: seat) }
                    referee.judge(after: seat)
                }
                while !darts.contains("BED"), darts.count < 3, referee.winner == nil {
                    // Mostly what the player needs, as people throw.
                    let open = numbers.filter { $0 > 0 && !referee.isClosed(seat, $0) }
                    let aim = Bool.random(using: &random) ? open.randomElement(using: &random) : nil
                    let number = aim ?? Array(8...20).randomElement(using: &random) ?? 20
                    let ring = Int.random(in: 1...(number == 25 ? 2 : 3), using: &random)
                    let isOfRing =
                        others.contains(-ring) && Int.random(in: 0..<3, using: &random) == 0
                    let dart =
                        number == 25
                        ? ["S25", "BULL"][ring - 1] : ["S", "D", "T"][ring - 1] + "\(number)"
                    darts.append((isOfRing ? ["", "D", "T"][ring - 1] : "") + dart)
                    referee.dart(number, ring, isOfRing: isOfRing, by: seat)
                    referee.judge(after: seat)
                }
                let text = darts.joined(separator: " ")
                let cell = table.cell(UInt64(seat + 1), "visit", UInt32(turn + 1))
                table.write(cell, to: .text(text))
            }
            let standings = rules.standings(of: table.book)
            let name = "\(game) \(variant) \(lowest) \(targets), seed \(seed)"
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
