import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept game of cricket, on random games and hostile books")
struct CricketKeptTests {
    private static let seeds = Seeds.below(20)
    private static let options = ["variant", "order", "x"].compactMap { Symbol($0) }

    /// Somebody who plays, corrects and spoils a game at random.
    private struct Random: RandomPlayer {
        var garbage: Garbage
        var generator: SeededGenerator
        let rules: any GameRules

        init(seed: UInt64) throws {
            garbage = Garbage(seed: seed)
            generator = SeededGenerator(seed: seed)
            rules = try builtIn("cricket").rules
        }

        mutating func table() -> Table {
            var table = Table()
            table.players = players()
            let variant = ["standard", "cut-throat", "no-score", "x"][below(4)]
            table.options[Symbol(known: "variant")] = .text(variant)
            table.options[Symbol(known: "targets")] = .text(["numbers", "rings", "beds"][below(3)])
            let orders = [
                "variant=cut-throat;1 \(player(1)) \(player(2));5 \(player(2)) \(player(3))",
                "1 \(player(2))", "variant=none;1 \(player(2))", "no order",
            ]
            if below(2) == 0 {
                table.options[Symbol(known: "order")] = .text(orders[below(orders.count)])
            }
            return table
        }

        mutating func words() -> [String] {
            if below(8) == 0 { return ["BED", ["S20", "T7", "BULL"][below(3)]] }
            let darts = [
                "T20", "T19", "D18", "S17", "T16", "T15", "BULL", "S25", "MISS", "S1", "TT20",
                "DD3", "DBULL",
            ]
            return (0...[0, 2, 2, 2][below(4)]).map { _ in darts[below(darts.count)] }
        }

        mutating func value() -> Value { .text(words().joined(separator: " ")) }

        mutating func cell() -> Cell {
            cell(
                in: "visit",
                or: "points",
                upTo: 12,
                strange: [nil, 0, 999, 1_000_001]
            )
        }
    }

    @Test("hostile books, changed in batches", arguments: seeds)
    func hostile(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var law = KeptGameLaw(random.table(), random.rules)
        for step in 0..<40 {
            random.spoil(&law, Self.options, "seed \(seed), step \(step)")
        }
    }

    @Test("whole games, with corrections anywhere", arguments: Seeds.below(6))
    func long(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var table = Table("Ann", "Bob", "Cid")
        table.options[Symbol(known: "variant")] = .text(["standard", "cut-throat"][Int(seed % 2)])
        var law = KeptGameLaw(table, random.rules)
        for step in 0..<100 {
            var cells: [Cell: LiveSet] = [:]
            var aids = MoveContext(random: SeededGenerator(seed: 1))
            let move = Move(random.words(), details: random.below(2) == 0 ? [:] : ["darts": "3"])
            let played = try? law.state.play(move, in: law.table.book, with: &aids)
            for score in played?.writes ?? [] {
                cells[score.cell] = LiveSet(random.garbage.entry(score.value))
            }
            if random.below(10) == 0 {
                let written = law.table.cells.keys.sorted()
                let cell = written.isEmpty ? random.cell() : written[random.below(written.count)]
                cells[cell] = random.live()
            }
            law.write(cells, "seed \(seed), step \(step)")
        }
    }
}
