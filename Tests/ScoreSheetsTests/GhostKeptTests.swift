import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept game of Ghost, on random games and hostile books")
struct GhostKeptTests {
    private static let options = ["minimum", "circle", "x"].compactMap { Symbol($0) }

    /// Somebody who plays, corrects and spoils a game at random.
    private struct Random {
        var garbage: Garbage
        var generator: SeededGenerator

        init(seed: UInt64) {
            garbage = Garbage(seed: seed)
            generator = SeededGenerator(seed: seed)
        }

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

        mutating func table() -> Table {
            var table = Table()
            table.players = (1...UInt64(1 + below(4))).map { number in
                Player(id: player(number), name: "P\(number)", isPresent: below(6) > 0)
            }
            table.isFinished = below(10) == 0
            let circle = (0..<1 + below(4)).map { _ in "\(player(UInt64(1 + below(5))))" }
            let sets: [(StaticString, Value)] = [
                ("variant", .text("table")), ("variant", .text("table")), ("minimum", .integer(3)),
                ("circle", .text(circle.joined(separator: " "))), ("minimum", .text("x")),
                ("words", .text("english f1")),
            ]
            for (name, value) in sets where below(2) == 0 {
                table.options[Symbol(known: name)] = value
            }
            return table
        }

        mutating func letter() -> Value {
            let beginnings = ["a", "ab", "abc", "abcd", "b", "ba", "", "A", "1"]
            let verdicts = [" open", " open", " open", " complete", " impossible", "", " x"]
            return .text(beginnings[below(9)] + verdicts[below(7)])
        }

        mutating func live(_ value: Value? = nil) -> LiveSet {
            let count = below(8) == 0 ? 1 + below(3) : 1
            return LiveSet(
                (0..<count).map { _ in
                    garbage.entry(
                        value ?? [.null, garbage.value(), letter(), letter(), letter()][below(5)]
                    )
                }
            ) ?? LiveSet(garbage.entry(.null))
        }

        mutating func cell() -> Cell {
            let rounds: [UInt32?] = [nil, 0, 999, 1_000_000, 1_000_001, .max]
            return Cell(
                player: player(UInt64(1 + below(5))),
                row: below(20) == 0 ? Symbol(known: "points") : Symbol(known: "letter"),
                round: below(15) == 0 ? rounds[below(rounds.count)] : UInt32(1 + below(9))
            )
        }
    }

    @Test("hostile books, changed in batches", arguments: Seeds.below(20))
    func hostile(seed: UInt64) throws {
        var random = Random(seed: seed)
        var law = KeptGameLaw(random.table(), try builtIn("ghost").rules)
        for step in 0..<60 {
            var cells: [Cell: LiveSet] = [:]
            for _ in 0...random.below(3) { cells[random.cell()] = random.live() }
            law.write(cells, "seed \(seed), step \(step)")
            let written = law.table.cells.sorted { $0.key < $1.key }
            let (cell, live) = written[random.below(written.count)]
            law.ask(
                Move([["a", "b", "c", "dd"][random.below(4)]]),
                Score(cell, live.winner.value),
                Self.options[random.below(3)],
                "seed \(seed), step \(step)"
            )
        }
    }

    @Test("long games at the table, with corrections anywhere", arguments: Seeds.below(6))
    func long(seed: UInt64) throws {
        var random = Random(seed: seed)
        var table = Table("Ann", "Bob", "Cid")
        table.options[Symbol(known: "variant")] = .text("table")
        table.options[Symbol(known: "circle")] = .text("\(player(2)) \(player(1)) \(player(3))")
        var law = KeptGameLaw(table, try builtIn("ghost").rules)
        var beginning = ""
        for step in 0..<150 {
            var cells: [Cell: LiveSet] = [:]
            let standings = law.standings
            if case .text(_, let lines) = law.state.panels.first {
                let shown = lines.first ?? ""
                beginning = shown == "no letter yet" ? "" : shown.lowercased()
            }
            if let mover = standings.turn {
                let counted = standings.players.flatMap(\.cells).filter { $0.points != nil }
                let cell = Cell(
                    player: mover,
                    row: Symbol(known: "letter"),
                    round: UInt32(counted.count + 1)
                )
                let verdict = beginning.count > 20 && random.below(20) == 0 ? "impossible" : "open"
                cells[cell] = random.live(.text("\(beginning)a \(verdict)"))
            }
            if random.below(15) == 0 {
                let written = law.table.cells.keys.sorted()
                cells[written.isEmpty ? random.cell() : written[random.below(written.count)]] =
                    random.live()
            }
            law.write(cells, "seed \(seed), step \(step)")
        }
    }
}
