import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept table of Smash Up, on random evenings and hostile books")
struct SmashUpKeptTests {
    private static let options = ["faction.ninjas", "target", "x"].compactMap { Symbol($0) }

    private static func move(_ generator: inout SeededGenerator) -> Move {
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        let name = ["Ann", "Bob", "Cid", "Zoe"][below(4)]
        let text = [
            "deal", "reveal", "end", "end", "end", "replay", "use all", "madness \(name)=3",
            "base 4 2 1 Ann=\(below(9)) Bob=\(below(9))", "+\(1 + below(4))", "\(name) -1",
            "\(name) +\(1 + below(9))", "Ann +\(1 + below(9))",
        ][below(13)]
        return Move(text.split(separator: " ").map(String.init))
    }

    @Test("hostile books, changed in batches", arguments: Seeds.below(20))
    func hostile(seed: UInt64) throws {
        var garbage = SmashUpGarbage(seed: seed)
        var plain = Garbage(seed: seed)
        let pieces = garbage.pieces()
        var table = Table()
        table.players = pieces.players
        table.options = Dictionary(pieces.options) { first, _ in first }
        table.isFinished = pieces.isFinished
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &garbage.generator) }
        var law = KeptGameLaw(table, try builtIn("smash-up").rules)
        let batches = pieces.cells.shuffled(using: &garbage.generator)
        var rest = batches[...]
        var step = 0
        while step < 40 || !rest.isEmpty {
            step += 1
            var cells: [Cell: LiveSet] = [:]
            for (cell, live) in rest.prefix(below(4)) { cells[cell] = live }
            rest = rest.dropFirst(cells.count)
            if step > 10 || cells.isEmpty {
                let entries = (0...below(3)).map { _ in plain.entry(garbage.value()) }
                cells[garbage.cell()] = LiveSet(entries)
            }
            law.write(cells, "seed \(seed), step \(step)")
            law.ask(
                Self.move(&garbage.generator),
                Score(garbage.cell(), garbage.value()),
                Self.options[below(3)],
                "seed \(seed), step \(step)"
            )
        }
    }

    @Test("long evenings, with corrections anywhere", arguments: Seeds.below(6))
    func long(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var garbage = SmashUpGarbage(seed: seed)
        var plain = Garbage(seed: seed)
        var table = Table("Ann", "Bob", "Cid")
        if seed % 3 == 0 { table.remove(3) }
        if seed % 4 == 0 { table.options[Symbol(known: "target")] = .integer(40) }
        var law = KeptGameLaw(table, try builtIn("smash-up").rules)
        var aids = MoveContext(random: SeededGenerator(seed: seed))
        for step in 0..<120 {
            var cells: [Cell: LiveSet] = [:]
            let move = Self.move(&generator)
            let played = try? law.state.play(move, in: law.table.book, with: &aids)
            for score in played?.writes ?? [] {
                cells[score.cell] = LiveSet(plain.entry(score.value))
            }
            if Int.random(in: 0..<15, using: &generator) == 0 {
                let written = law.table.cells.keys.sorted()
                let cell = written.randomElement(using: &generator) ?? garbage.cell()
                cells[cell] = LiveSet((0...1).map { _ in plain.entry(garbage.value()) })
            }
            law.write(cells, "seed \(seed), step \(step)")
            law.ask(
                Self.move(&generator),
                Score(garbage.cell(), garbage.value()),
                Self.options[0],
                "seed \(seed), step \(step)"
            )
        }
    }
}
