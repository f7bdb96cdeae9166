import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("A kept board of Reversi, on random games and hostile books")
struct ReversiKeptTests {
    @Test("games with corrections and strange cells anywhere", arguments: Seeds.below(20))
    func changed(seed: UInt64) throws {
        var garbage = Garbage(seed: seed)
        var generator = SeededGenerator(seed: seed)
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        var table = Table("Ann", "Bob", "Cid")
        if below(4) > 0 { table.players.removeLast() }
        if below(6) == 0 { table.remove(2) }
        if below(2) == 0 {
            table.options[Symbol(known: "sides")] = .text("\(player(2)) \(player(1))")
        }
        var law = KeptGameLaw(table, try builtIn("reversi").rules)
        for step in 0..<90 {
            var cells: [Cell: LiveSet] = [:]
            var aids = MoveContext(random: SeededGenerator(seed: 1))
            if let board = law.state.board, below(5) > 0,
                let square = board.legal.randomElement(using: &generator)
            {
                let move = Move([square])
                let played = try? law.state.play(move, in: law.table.book, with: &aids)
                for score in played?.writes ?? [] {
                    cells[score.cell] = LiveSet(garbage.entry(score.value))
                }
            }
            func square() -> Value { .text(ReversiSquare(index: below(64)).description) }
            let rounds: [UInt32?] = [nil, 0, 61, 1_000_001]
            let cell = Cell(
                player: player(UInt64(1 + below(4))),
                row: below(9) == 0 ? Symbol(known: "points") : Symbol(known: "move"),
                round: below(6) == 0 ? rounds[below(4)] : UInt32(1 + below(30))
            )
            if below(6) == 0 {
                cells[cell] = LiveSet(garbage.entry(below(2) == 0 ? garbage.value() : square()))
            }
            law.write(cells, "seed \(seed), step \(step)")
            law.ask(
                Move([ReversiSquare(index: below(64)).description]),
                Score(cell, square()),
                Symbol(known: "sides"),
                "seed \(seed), step \(step)"
            )
        }
    }
}
