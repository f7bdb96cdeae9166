import SessionCRDT

/// What is written of one player, row by row.
struct BookColumn: Placed, Hashable, Sendable {
    /// Whose.
    let player: PlayerID
    /// The rows in which anybody has ever written, by their ids.
    private(set) var rows = OrderedPieces<BookRow>()
    /// How many cells say something.
    private(set) var written = 0

    var place: PlayerID { player }
    var weight: Int64 { Int64(written) }

    /// The column of a player of whom nothing is written.
    init(_ player: PlayerID) { self.player = player }

    /// The column of a player with these cells of each row, in any order.
    init(_ player: PlayerID, _ cells: [Symbol: [RoundCell]]) {
        self.player = player
        rows = OrderedPieces(cells.map { BookRow($0.key, OrderedPieces($0.value)) })
        written = rows.reduce(0) { $0 + $1.written }
    }

    /// The cells of a row; nil where nobody has written in it.
    func cells(of row: Symbol) -> OrderedPieces<RoundCell>? { rows[row]?.cells }

    /// Writes in a cell.
    ///
    /// - Returns: what was live in it.
    mutating func write(_ live: LiveSet, in cell: Cell) -> LiveSet? {
        let roundCell = RoundCell(round: cell.round, live: live)
        let change = rows.change(cell.row) { row -> RoundCell? in row.cells.set(roundCell) }
        if change == nil { rows.set(BookRow(cell.row, OrderedPieces([roundCell]))) }
        let before = change ?? nil
        written += Int(roundCell.weight - (before?.weight ?? 0))
        return before?.live
    }
}

/// What is written of one player in one row, round by round.
struct BookRow: Placed, Hashable, Sendable {
    /// Which row.
    let row: Symbol
    /// The cells by round, cleared ones too.
    var cells: OrderedPieces<RoundCell>

    var place: Symbol { row }
    var weight: Int64 { 0 }
    /// How many cells say something.
    var written: Int { Int(cells.weight) }

    /// A row of these cells.
    init(_ row: Symbol, _ cells: OrderedPieces<RoundCell>) {
        self.row = row
        self.cells = cells
    }
}

/// What is live in one round of a row.
struct RoundCell: Placed, Hashable, Sendable {
    /// The round; nil where the row has none.
    let round: UInt32?
    /// What is live in it.
    let live: LiveSet

    /// Without a round before round 0, which only a broken entry has: where an order has ties, two
    /// devices can sort differently.
    var place: Int64 { RoundCell.place(of: round) }
    /// 1 where it says something, so that sums count what is written.
    var weight: Int64 { live.saysNothing ? 0 : 1 }

    /// The place of a round in its row.
    static func place(of round: UInt32?) -> Int64 { round.map(Int64.init) ?? -1 }
}

extension LiveSet {
    /// Whether nobody's value is live, so that the cell is as good as never written.
    var saysNothing: Bool {
        winner.value == .null && (count == 1 || entries.allSatisfy { $0.value == .null })
    }
}
