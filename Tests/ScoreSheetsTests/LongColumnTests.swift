import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

@Suite("Columns of many chunks")
struct LongColumnTests {
    private static let rounds: UInt32 = 600
    private let row = Symbol(known: "round")

    @Test(
        "a long column has the same result if it is filled, corrected and cleared in any order",
        arguments: 0..<UInt64(4)
    )
    func order(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sheet = try builtIn("rounds")
        let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in sheet }
        var table = Table("Ann", "Bob")
        var live: [Key: LiveSet] = [.session(Field.game): write(&table, .text("rounds"))]
        live[.session(Field.option(Symbol(known: "target")) ?? row)] = write(&table, .integer(900))
        for number in 1...UInt64(2) {
            live[.membership(player(number))] = write(&table, .boolean(true))
        }
        var board = Scoreboard(live, findingSheet: finder)
        let all = (1...Self.rounds).flatMap { round in [(UInt64(1), round), (UInt64(2), round)] }
        // Every cell twice, so that many are corrected and some cleared.
        for (step, (number, round)) in (all + all).shuffled(using: &generator).enumerated() {
            let cell = Cell(player: player(number), row: row, round: round)
            let isCleared = Int.random(in: 0..<6, using: &generator) == 0
            let value =
                isCleared ? Value.null : .integer(Int64.random(in: -3...9, using: &generator))
            let after = write(&table, value)
            let change = KeyChange(key: .cell(cell), before: live[.cell(cell)], after: after)
            live[.cell(cell)] = after
            _ = board.apply([change], findingSheet: finder)
            guard step % 80 == 0 || step == 2 * all.count - 1 else { continue }
            let scratch = Scoreboard(live, findingSheet: finder)
            #expect(board.book == scratch.book, "seed \(seed), step \(step)")
            #expect(board.standings == scratch.standings, "seed \(seed), step \(step)")
            try expectCells(board, number, live, "seed \(seed), step \(step)")
        }
    }

    /// Expects what can be looked up to be what is live.
    private func expectCells(
        _ board: Scoreboard,
        _ number: UInt64,
        _ live: [Key: LiveSet],
        _ place: String
    ) throws {
        let owner = player(number)
        let written = (1...Self.rounds).filter { round in
            let set = live[.cell(Cell(player: owner, row: row, round: round))]
            return set.map { $0.winner.value != .null } ?? false
        }
        let cells = try #require(board.standings?[owner]?.cells)
        #expect(cells.map(\.bookCell.cell.round) == written.map(Optional.some), "\(place)")
        #expect(
            cells.allSatisfy { cells.cell(of: row, in: $0.bookCell.cell.round) == $0 },
            "\(place)"
        )
        let full = Set(written)
        let free = (1...Self.rounds + 1).filter { !full.contains($0) }
        let taken = Set(free.prefix(2).map { Cell(player: owner, row: row, round: $0) })
        #expect(try board.book.nextRound(of: row, for: owner) == free[0], "\(place)")
        if free.count > 2 {
            let next = try board.book.nextRound(of: row, for: owner, after: taken)
            #expect(next == free[2], "\(place)")
        }
    }

    /// A write of a table, for its dots and stamps.
    private func write(_ table: inout Table, _ value: Value) -> LiveSet {
        let cell = Cell(player: player(9), row: row)
        table.write(cell, to: value)
        return table.cells[cell]
            ?? LiveSet(
                Entry(
                    dot: Dot(actor: ActorID(high: 0, low: 0), sequence: 1),
                    stamp: Stamp(bits: 0),
                    author: DeviceID(high: 0, low: 0),
                    value: value
                )
            )
    }

    @Test("a copy of a scoreboard is not changed with it, nor it with the copy")
    func copies() throws {
        let sheet = try builtIn("rounds")
        let finder: Scoreboard.SheetFinder = { (_: SessionHeader) throws(SheetError) in sheet }
        var table = Table()
        var live: [Key: LiveSet] = [.membership(player(1)): write(&table, .boolean(true))]
        for round in 1...Self.rounds {
            live[.cell(Cell(player: player(1), row: row, round: round))] =
                write(&table, .integer(1))
        }
        let board = Scoreboard(live, findingSheet: finder)
        let before = try #require(board.standings)
        let cell = Cell(player: player(1), row: row, round: 300)
        let change = KeyChange(
            key: .cell(cell),
            before: live[.cell(cell)],
            after: write(&table, .integer(9))
        )
        let draft = board.applying([change], findingSheet: finder)
        #expect(draft.standings?[player(1)]?.total == Points(Int64(Self.rounds) + 8))
        #expect(board.standings == before)
        #expect(Scoreboard(live, findingSheet: finder).standings == before)
    }
}
