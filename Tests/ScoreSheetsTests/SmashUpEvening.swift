import ScoreSheets
import SessionCRDT
import SyncTestKit

/// Some people at a table of Smash Up, and the laptop that they type on.
struct SmashUpEvening {
    var table: Table
    var sheet: Sheet
    var aids: MoveContext
    private var writes: UInt64
    private let actor: UInt64

    /// An evening of these people; `actor` tells laptops apart.
    init(_ names: [String], seed: UInt64 = 1, actor: UInt64 = 1) throws {
        table = Table(names)
        sheet = try builtIn("smash-up")
        aids = MoveContext(random: SeededGenerator(seed: seed))
        writes = 0
        self.actor = actor
    }

    /// Another laptop that has the same book now.
    func copy(actor: UInt64) throws -> SmashUpEvening {
        var copy = try SmashUpEvening([], seed: 1000 + actor, actor: actor)
        copy.table = table
        copy.writes = writes
        return copy
    }

    var standings: Standings { sheet.rules.standings(of: table.book) }
    var panels: [Panel] { sheet.rules.game(of: table.book).panels }

    /// Plays what somebody typed, and tells the notes.
    @discardableResult
    mutating func play(_ text: String, by number: UInt64? = nil) throws -> [String] {
        let words = text.split(separator: " ").map(String.init)
        let played = try sheet.rules.play(
            Move(words, by: number.map(player)),
            in: table.book,
            with: &aids
        )
        for score in played.writes { write(score) }
        table.options.merge(played.options) { $1 }
        return played.told
    }

    /// Plays several lines.
    mutating func play(lines: String...) throws {
        for line in lines { try play(line) }
    }

    /// Writes over whatever is live in the cell.
    mutating func write(_ score: Score) {
        writes += 1
        table.cells[score.cell] = LiveSet(
            Entry(
                dot: Dot(actor: ActorID(high: 0, low: actor), sequence: writes),
                stamp: Stamp(bits: writes * 10 + actor),
                author: DeviceID(high: 0, low: actor),
                value: score.value
            )
        )
    }

    /// Takes in what another laptop wrote since both had the same book.
    ///
    /// A cell that both wrote keeps both values, as writes that did not know of each other do.
    mutating func merge(_ other: SmashUpEvening, since base: Table) {
        for (cell, live) in other.table.cells where live != base.cells[cell] {
            let mine = table.cells[cell].map { $0 == base.cells[cell] ? [] : $0.entries } ?? []
            table.cells[cell] = LiveSet(mine + live.entries)
        }
        for (option, value) in other.table.options where value != base.options[option] {
            table.options[option] = value
        }
    }

    /// Why a move is refused; nil where it is played.
    func refusal(_ text: String, by number: UInt64? = nil) -> String? {
        var copy = self
        do {
            try copy.play(text, by: number)
            return nil
        } catch { return "\(error)" }
    }

    /// Why a raw score is refused; nil where it may be written.
    func refusal(
        _ number: UInt64,
        _ row: StaticString,
        _ round: UInt32? = nil,
        _ value: Value
    ) -> String? {
        let score = Score(table.cell(number, row, round), value)
        do {
            try sheet.rules.check(score, in: table.book)
            return nil
        } catch { return "\(error)" }
    }

    /// The rows of the scoreboard, one per line.
    var board: [String] {
        panels.flatMap { panel -> [String] in
            guard case .table(let grid) = panel else { return [] }
            return [grid.title]
                + grid.rows.map { "\($0.label): \($0.cells.joined(separator: ", "))" }
        }
    }
}
