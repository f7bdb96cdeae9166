import SessionCRDT

/// What a game of turns is played by and with whom, and what stands beside its turns: all of a book
/// that its turns do not change.
protocol TurnTerms: Sendable {
    /// What a cell of a turn says, once it is read.
    associatedtype Move: Hashable, Sendable

    /// The row that holds the turns: turn n of a player is its round n, counted over all players.
    static var row: Symbol { get }

    /// What the game calls its turns and itself.
    static var words: TurnWords { get }

    /// The move that a value says; refused where it says none.
    static func move(of value: Value) throws(RuleViolation) -> Move

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book)

    /// The sheet.
    var sheet: Sheet { get }

    /// Who can have turns, by seat; removed players too.
    var players: [Player] { get }

    /// Where everybody sits.
    var seats: [PlayerID: Int] { get }

    /// Whether these are still the terms of a book, after cells of it changed.
    func hold(in book: Book, after change: BookChange) -> Bool

    /// Takes in that a cell of another row says something else.
    ///
    /// - Returns: the turn that begins otherwise with it; nil of none.
    mutating func take(_ cell: Cell, of book: Book) -> UInt32?

    /// What is wrong with who plays and how the game is set.
    func flags(of book: Book) -> [Flag]

    /// Why what is written of somebody without a seat does not count.
    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation

    /// Why a turn is not that of others than whoever sits there; nil where it is nobody's.
    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation

    /// Why a turn that counts is not that of others than whoever sits there.
    func violation(atPast turn: UInt32, of seat: Int) -> RuleViolation

    /// Why somebody whose turn it is since the players changed cannot enter it by `score`.
    func violation(ofSeatedAnew turn: UInt32) -> RuleViolation
}

extension TurnTerms {
    /// Nothing stands beside the turns.
    mutating func take(_ cell: Cell, of book: Book) -> UInt32? { nil }

    /// A rule in the words of the game.
    func violation(_ rule: TurnRule) -> RuleViolation { .game(.turns(rule, Self.words)) }

    /// That it is nobody's.
    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        violation(.otherTurn(turn, of: nil))
    }

    /// Whose it is.
    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        violation(.otherTurn(turn, of: seat.map(name)))
    }

    /// As of the open turn.
    func violation(atPast turn: UInt32, of seat: Int) -> RuleViolation {
        violation(at: turn, of: seat)
    }

    /// That only `play` records it.
    func violation(ofSeatedAnew turn: UInt32) -> RuleViolation { violation(.seatedAnew(turn)) }

    /// The cell of a turn of whoever sits there.
    func cell(_ seat: Int, _ turn: Int) -> Cell {
        Cell(player: players[seat].id, row: Self.row, round: UInt32(clamping: turn))
    }

    /// What whoever sits there is called.
    func name(_ seat: Int) -> String { players[seat].name }

    /// The move that a value in a cell is; nil of nothing, refused where it is none.
    static func move(
        of value: Value,
        in cell: Cell,
        by sheet: Sheet
    ) throws(RuleViolation) -> Move? {
        try sheet.round(ofMove: value, in: cell, row) == nil ? nil : move(of: value)
    }
}

extension Sheet {
    /// The round of a value in a row of moves; nil of nothing, refused where it has no place there.
    func round(
        ofMove value: Value,
        in cell: Cell,
        _ row: Symbol
    ) throws(RuleViolation) -> UInt32? {
        if let violation = violation(of: value, in: cell) { throw violation }
        guard value != .null else { return nil }
        guard cell.row == row else {
            throw .unknownRow(cell.row.description, candidates: [row])
        }
        guard let round = cell.round, round > 0 else { throw .roundMissing(row: row) }
        return round
    }
}

extension TurnColumns.Verdict {
    /// Of a cell that does not count: something is wrong with it, unless nothing but a loser of a
    /// conflict is in it, where it has a place in the sheet.
    init(uncounted bookCell: BookCell, by sheet: Sheet) {
        let isWrong =
            bookCell.value != .null || sheet.violation(of: .null, in: bookCell.cell) != nil
        self.init(points: nil, isFlagged: isWrong)
    }
}
