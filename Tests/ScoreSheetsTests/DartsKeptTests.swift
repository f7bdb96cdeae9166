import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept match of darts, on random matches and hostile books")
struct DartsKeptTests {
    private static let seeds = Seeds.below(20)
    private static let options = ["start", "order", "x"].compactMap { Symbol($0) }

    /// Somebody who plays, corrects and spoils a match at random.
    private struct Random: RandomPlayer {
        var garbage: Garbage
        var generator: SeededGenerator
        let rules: any GameRules

        init(seed: UInt64) throws {
            garbage = Garbage(seed: seed)
            generator = SeededGenerator(seed: seed)
            rules = try builtIn("darts").rules
        }

        mutating func table() -> Table {
            var table = Table()
            table.players = players()
            let mode = "start=\([2, 101][below(2)]) out=master in=straight legs=3 sets=1"
            let sets: [(StaticString, Value)] = [
                ("start", .integer([2, 40, 101, 501][below(4)])), ("legs", .integer(3)),
                ("sets", .integer(Int64(1 + below(3)))), ("legs", .integer(99)),
                ("in", .text("double")), ("out", .text("straight")), ("legs", .text("x")),
                ("order", .text("1 \(player(1)) \(player(2));5 \(player(2)) \(player(3))")),
                ("order", .text("1 \(player(2))")), ("order", .text("no order")),
                ("order", .text("\(mode);1 \(player(1)) \(player(2))")),
            ]
            for (name, value) in sets where below(2) == 0 {
                table.options[Symbol(known: name)] = value
            }
            return table
        }

        mutating func value() -> Value {
            let texts = [
                "60", "180", "163", "T20 T20 T20", "D1", "BUST", "26/2", "2/1", "40/1", "S1", "0",
                "bust", "", "1", "26", "D20",
            ]
            return .text(texts[below(texts.count)])
        }

        mutating func cell() -> Cell {
            cell(
                in: "visit",
                or: "points",
                upTo: 12,
                strange: [nil, 0, 999, 1_000_000, 1_000_001, .max]
            )
        }

        mutating func words() -> [String] {
            [["bust"], ["60"], ["T20", "T20"], ["2/1"], ["D1"], ["26"], ["0"], ["x"]][below(8)]
        }
    }

    @Test("hostile books, changed in batches", arguments: seeds)
    func hostile(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var law = KeptGameLaw(random.table(), random.rules)
        for step in 0..<60 {
            random.spoil(&law, Self.options, "seed \(seed), step \(step)")
        }
    }

    @Test("long matches, with corrections anywhere", arguments: Seeds.below(6))
    func long(seed: UInt64) throws {
        var random = try Random(seed: seed)
        var table = Table("Ann", "Bob")
        table.options = [
            Symbol(known: "start"): .integer(101), Symbol(known: "legs"): .integer(99),
            Symbol(known: "sets"): .integer(Int64(1 + 4 * (seed % 2))),
        ]
        if seed % 3 > 0 {
            table.options[Symbol(known: "order")] = .text("1 \(player(1)) \(player(2))")
        }
        var law = KeptGameLaw(table, random.rules)
        for step in 0..<200 {
            let comment: Comment = "seed \(seed), step \(step)"
            var cells: [Cell: LiveSet] = [:]
            var aids = MoveContext(random: SeededGenerator(seed: 1))
            let words = ["\(random.below(80))", "26", "40", "D1", "bust", "1/1"][random.below(6)]
            let played = try? law.state.play(
                Move([words], details: ["darts": "3"]),
                in: law.table.book,
                with: &aids
            )
            for score in played?.writes ?? [] {
                cells[score.cell] = LiveSet(random.garbage.entry(score.value))
            }
            if random.below(20) == 0 {
                let written = law.table.cells.keys.sorted()
                let cell = written.isEmpty ? random.cell() : written[random.below(written.count)]
                cells[cell] = random.live()
            }
            law.write(cells, comment)
        }
    }

    @Test("a correction of an early leg does not change the legs after it")
    func longAgo() throws {
        var table = Table("Ann", "Bob")
        table.options = [
            Symbol(known: "start"): .integer(2), Symbol(known: "legs"): .integer(999),
            Symbol(known: "order"): .text("1 \(player(1)) \(player(2))"),
        ]
        // Of each leg one misses and the other wins, in turns of the whole match.
        for turn in 0..<400 {
            let thrower = UInt64((turn / 2 + turn) % 2 + 1)
            let visit = turn % 2 == 0 ? "0" : "2/1"
            table.write(thrower, "visit", UInt32(turn + 1), to: .text(visit))
        }
        var law = KeptGameLaw(table, try builtIn("darts").rules)
        #expect(law.standings.outcomes.count == 200)
        func write(_ cell: Cell, _ value: Value, _ comment: Comment) throws {
            table.write(cell, to: value)
            law.write([cell: try #require(table.cells[cell])], comment)
        }
        let first = table.cell(1, "visit", 1)
        try write(first, .text("1/1"), "bust")
        #expect(law.standings.flags == [] && law.standings.outcomes.count == 200)
        try write(table.cell(2, "visit", 5), .text("60"), "of the other player")
        #expect(law.standings.flags.count == 1 && law.standings.outcomes.count == 200)
        try write(first, .null, "a gap")
        #expect(law.standings.outcomes.isEmpty)
        try write(first, .text("0"), "closed")
        #expect(law.standings.flags.count == 1 && law.standings.outcomes.count == 200)
    }
}
