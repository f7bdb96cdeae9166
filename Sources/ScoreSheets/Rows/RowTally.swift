import SessionCRDT

/// What one player has in one row, and what it is worth.
struct RowTally: Sendable {
    /// The cells that count, by round.
    private(set) var marks = OrderedPieces<Mark>()
    /// What a row is worth that nobody entered; nil of a row with cells that count.
    var unentered: Unentered?
    /// What a formula makes of other rows, before others are compared with it; nil of nothing.
    var number: Int64?

    private var sum: Int128 = 0

    /// What nobody entered: an empty cell that counts as something, or a row that is worked out.
    struct Unentered: Hashable, Sendable {
        /// What other rows read.
        let count: Int64
        /// What it is worth.
        let points: Int64
        /// What it adds to the total.
        let added: Int64
    }

    /// What was entered together, or worked out; nil of nothing.
    var count: Int64? { marks.isEmpty ? unentered?.count : Bounds.cut(sum) }

    /// What it adds to the total.
    var total: Int128 { marks.weight + Int128(unentered?.added ?? 0) }

    /// Takes in what a cell counts as now; nil where it does not count.
    ///
    /// - Returns: what it counted as.
    mutating func set(_ mark: Mark?, at place: Int64) -> Mark? {
        let before = mark.map { marks.set($0) } ?? marks.remove(place)
        sum += Int128(mark?.count ?? 0) - Int128(before?.count ?? 0)
        return before
    }
}

/// What a cell that counts comes to.
struct Mark: Placed, Hashable, Sendable {
    /// The number that it counts as; nil of a text.
    let count: Int64?
    /// The place of its round, which is one that people can enter, or of none.
    private let round: Int32
    /// What it adds to the total; nil where a rule took it out again.
    var points: Int64?

    /// A cell that counts.
    init(place: Int64, count: Int64?, points: Int64) {
        round = Int32(clamping: place)
        self.count = count
        self.points = points
    }

    var place: Int64 { Int64(round) }
    var weight: Int64 { points ?? 0 }
}

/// A cell that does not count, in the order of the sheet, then by round.
struct FlaggedCell: Placed, Hashable, Sendable {
    /// Where.
    let place: SheetPlace
    /// Why.
    let reason: RuleViolation

    var weight: Int64 { 0 }
}

/// A place among the cells of a player in the order of the sheet; unknown rows follow by name.
struct SheetPlace: Comparable, Hashable, Sendable {
    private let line: Int
    private let row: Symbol
    private let round: UInt32?

    /// The place of a cell in the row of this place.
    init(_ cell: Cell, at place: Int?) {
        line = place ?? .max
        row = cell.row
        round = cell.round
    }

    /// The cell of a player that stands here.
    func cell(of player: PlayerID) -> Cell { Cell(player: player, row: row, round: round) }

    static func < (left: SheetPlace, right: SheetPlace) -> Bool {
        (left.line, left.row, RoundCell.place(of: left.round))
            < (right.line, right.row, RoundCell.place(of: right.round))
    }
}
