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

/// What a game calls its turns and itself.
package struct TurnWords: Hashable, Sendable {
    /// The game: `match`.
    package let game: String
    /// A turn: `visit`.
    package let turn: String
    /// What is done in a turn: `throw`.
    package let verb: String
    /// What a new game loses of one that is on: `leg`.
    package let part: String

    /// These words.
    package init(game: String, turn: String, verb: String, part: String) {
        self.game = game
        self.turn = turn
        self.verb = verb
        self.part = part
    }
}

/// Why a turn cannot be entered or does not count in any game in which everybody moves in turn.
package enum TurnRule: Hashable, Sendable {
    /// The turn is somebody else's.
    case otherTurn(UInt32, of: String?)
    /// A turn before this one is open.
    case gap(UInt32, of: String?)
    /// The turn is that of whoever moves since the players changed, which only `play` records.
    case seatedAnew(UInt32)
    /// The game has ended, and these have won.
    case over(winners: [String])
    /// There is nobody to move.
    case nobody
    /// No turn is left to write in.
    case noTurnLeft
    /// The order cannot grow.
    case orderFull
    /// The order is not chosen.
    case recordedOrder
    /// The order is not one.
    case wrongOrder
    /// Something beside a move that its game does not know.
    case unknownDetail(String, known: [String])
    /// A reset with nothing to take back.
    case nothingToReset(part: String)
    /// An option that the turns depend on.
    case modeFixed(String)
    /// An option that was chosen after the first turn.
    case modeRecorded(mode: String, chosen: String)

    /// The rule in the words of a game.
    func description(_ words: TurnWords) -> String {
        switch self {
        case .otherTurn(let turn, let mover): "\(words.turn) \(turn) is \(mover ?? "nobody")'s"
        case .gap(let turn, let mover):
            "\(words.turn) \(turn)" + (mover.map { ", which is \($0)'s," } ?? "")
                + " comes first and nothing counts there"
        case .seatedAnew(let turn):
            "the players changed; enter \(words.turn) \(turn) with play, "
                + "which records who \(words.verb)s now"
        case .over(let winners):
            TurnRule.ending(winners, words.game)
                + "; undo a \(words.turn), or begin another with session new --again"
        case .nobody: "there is nobody to \(words.verb); add a player first"
        case .noTurnLeft: "all turns of this session are used; begin another session"
        case .orderFull:
            "the players changed too often for one \(words.game); begin another session"
        case .recordedOrder:
            "order is recorded by the first \(words.turn); change the seats with player order"
        case .wrongOrder:
            "this is not a \(words.verb)ing order; the game writes it by itself"
        case .unknownDetail(let name, known: []):
            "a \(words.turn) takes no option, not \(name.quoted) either"
        case .unknownDetail(let name, let known):
            "a \(words.turn) takes \(known.map { "--\($0)" }.together) and no other option, "
                + "not \(name.quoted)"
        case .nothingToReset(let part):
            "no \(words.turn) of this \(part) was entered yet; undo takes back what was before"
        case .modeFixed(let option):
            "\(words.turn)s count already, so \(option) stays as it is; begin a new \(words.game) "
                + "with session new --again --option \(option)=…, "
                + "for which the \(words.part) in progress is lost"
        case .modeRecorded(let mode, let chosen):
            "this \(words.game) has \(mode), as its first \(words.turn) recorded; \(chosen) holds "
                + "from the next \(words.game) on"
        }
    }

    private static func ending(_ winners: [String], _ game: String) -> String {
        if winners.isEmpty { return "the \(game) is over" }
        return "\(winners.together) \(winners.count == 1 ? "has" : "have") won the \(game)"
    }
}

extension Move {
    /// Refuses what is said beside the words, but for what the game knows.
    func checkDetails(_ words: TurnWords, known: [String] = []) throws(RuleViolation) {
        guard let strange = details.keys.filter({ !known.contains($0) }).min() else { return }
        throw .game(.turns(.unknownDetail(strange, known: known), words))
    }
}
