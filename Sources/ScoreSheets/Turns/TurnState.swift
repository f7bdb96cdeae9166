import SessionCRDT

/// The state of a game of turns before a turn: everything that the next turn depends on.
///
/// Law: its size does not depend on the number of turns, so that a game can store snapshots and
/// replay from one of them after a correction.
protocol TurnState: Equatable, Sendable {
    associatedtype Setup: TurnSetup
    associatedtype Result: Hashable, Sendable
    /// A part of the game that ends, such as a leg; `Never` if there are none.
    associatedtype Part: Sendable = Never

    typealias Turn = CountedTurn<Setup.Move, Result>

    /// Whether a turn can only be in the cell of the player to move.
    ///
    /// Otherwise any player's cell may hold it, and the latest valid entry counts.
    static var isMoverFixed: Bool { get }

    /// Returns the points of a cell whose turn had this result; 0 if turns have no points.
    static func points(of result: Result) -> Int64

    init(_ setup: Setup)

    /// The seat that moves next; nil after the end.
    var mover: Int? { get }

    var isOver: Bool { get }

    /// The winning seats; none while the game is on.
    var winners: [Int] { get }

    /// Applies the recorded changes that start with the open turn, which is `turn`; idempotent.
    mutating func prepare(for turn: UInt32, _ setup: Setup)

    /// Returns the result of a move by a seat; throws if the move is invalid.
    func result(of move: Setup.Move, by seat: Int, _ setup: Setup) throws(RuleViolation) -> Result

    /// Applies a turn that counts, by its index among all; returns the part that ended with it.
    mutating func apply(_ turn: Turn, at index: Int, _ setup: Setup) -> Part?

    /// Returns the state among the players who are present now; `isPast` is true if moves follow
    /// the open turn.
    func adjusted(to setup: Setup, isPast: Bool) -> Self

    /// Returns the reason why nothing after the open turn, which is `turn`, counts.
    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: Setup) -> RuleViolation
}

extension TurnState {
    static var isMoverFixed: Bool { true }
    static func points(of result: Result) -> Int64 { 0 }

    var winners: [Int] { [] }

    mutating func prepare(for turn: UInt32, _ setup: Setup) {}
    func adjusted(to setup: Setup, isPast: Bool) -> Self { self }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: Setup) -> RuleViolation {
        isOver
            ? setup.words.over(winners: winners.map(setup.name))
            : setup.words.gap(turn, of: mover.map(setup.name))
    }
}

/// The players and settings of a game of turns, and the contents of its sheet other than turns.
protocol TurnSetup: Sendable {
    /// A move, as it is read from the value of a turn's cell.
    associatedtype Move: Hashable, Sendable

    /// The row of the turns: turn n of a player is its round n, counted over all players.
    static var row: Symbol { get }
    static var words: TurnWords { get }

    /// Parses a value as a move; throws if it is not one.
    static func move(of value: Value) throws(RuleViolation) -> Move

    init(_ sheet: Sheet, _ book: Book)

    var sheet: Sheet { get }

    /// The players who can have turns, by seat, including removed ones.
    var players: [Player] { get }
    var seats: [PlayerID: Int] { get }

    /// Whether this is still the setup of a book after cells of it changed.
    func isCurrent(in book: Book, afterChangesIn cells: [Cell]) -> Bool

    /// Updates the value of a cell that is not in the row of the turns.
    ///
    /// - Returns: the first turn whose start it changes, if any.
    mutating func update(_ cell: Cell, of book: Book) -> UInt32?

    /// Returns the flags on players and options.
    func flags(of book: Book) -> [Flag]

    /// Returns the reason why a turn of a player without a seat does not count.
    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation

    /// Returns the reason why only this seat can have a turn; the seat is nil if no player can.
    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation

    /// Returns the reason why only this seat can have a past turn that counts.
    func violation(atPast turn: UInt32, of seat: Int) -> RuleViolation
}

extension TurnSetup {
    var words: TurnWords { Self.words }

    mutating func update(_ cell: Cell, of book: Book) -> UInt32? { nil }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        words.otherTurn(turn, of: nil)
    }

    func violation(at turn: UInt32, of seat: Int?) -> RuleViolation {
        words.otherTurn(turn, of: seat.map(name))
    }

    func violation(atPast turn: UInt32, of seat: Int) -> RuleViolation {
        violation(at: turn, of: seat)
    }

    /// Returns the rejection of a move by any player but the one of this seat, who moves next.
    func otherTurn(_ turn: UInt32, of mover: Int) -> RuleViolation {
        let violation = violation(at: turn, of: mover)
        return RuleViolation(violation.message, code: .otherTurn, hint: violation.hint)
    }

    func cell(_ seat: Int, _ turn: Int) -> Cell {
        Cell(player: players[seat].id, row: Self.row, round: UInt32(clamping: turn))
    }

    func name(_ seat: Int) -> String { players[seat].name }

    /// Parses the value of a cell as a move; nil for an empty cell, throws if it is not a move.
    static func move(
        of value: Value,
        in cell: Cell,
        by sheet: Sheet
    ) throws(RuleViolation) -> Move? {
        try sheet.round(ofMove: value, in: cell, row) == nil ? nil : move(of: value)
    }
}

extension Sheet {
    /// Returns the round of a value in a row of moves; nil for an empty cell, throws for other
    /// rows.
    func round(ofMove value: Value, in cell: Cell, _ row: Symbol) throws(RuleViolation) -> UInt32? {
        if let violation = violation(of: value, in: cell) { throw violation }
        guard value != .null else { return nil }
        guard cell.row == row else {
            throw .unknownRow(cell.row.description, candidates: [row])
        }
        guard let round = cell.round, round > 0 else { throw .roundMissing(row: row) }
        return round
    }
}

/// The words that a game uses for itself, a turn, moving and the part that a reset loses, such as
/// `match`, `visit`, `throw` and `leg`; and the messages that all games share.
struct TurnWords: Hashable, Sendable {
    let game: String
    let turn: String
    let verb: String
    let part: String

    /// Returns the rejection of a value that is not in the stored form of a turn, with the form
    /// that may be meant.
    func misspelt(_ value: Value, meant: String?, examples: String) -> RuleViolation {
        RuleViolation(
            meant.map { "a \(turn) is written in one way: \($0), not \(value.words)" }
                ?? "\(value.words) is not a \(turn): \(examples)"
        )
    }

    func otherTurn(_ number: UInt32, of mover: String?) -> RuleViolation {
        RuleViolation(
            mover.map { "\(turn) \(number) is \($0)'s" } ?? "\(turn) \(number) belongs to no player"
        )
    }

    func gap(_ number: UInt32, of mover: String?) -> RuleViolation {
        let whose = mover.map { ", which is \($0)'s," } ?? ""
        return RuleViolation("\(turn) \(number)\(whose) comes first and nothing counts there")
    }

    /// Returns the rejection of a turn that passed to another player because the players changed,
    /// which only `play` records.
    func newlySeated(at number: UInt32) -> RuleViolation {
        RuleViolation(
            "the players changed; enter \(turn) \(number) with play, which records who "
                + "\(verb)s now"
        )
    }

    func over(winners: [String]) -> RuleViolation {
        let ending =
            winners.isEmpty
            ? "the \(game) is over"
            : "\(winners.together) \(winners.count == 1 ? "has" : "have") won the \(game)"
        return RuleViolation(
            ending,
            hint: "undo a \(turn), or begin another with: scorectl session new --again"
        )
    }

    var noPlayer: RuleViolation { RuleViolation("there is no player to \(verb); add one first") }

    var noTurnLeft: RuleViolation {
        RuleViolation("all turns of this session are used; begin another session")
    }

    var orderFull: RuleViolation {
        RuleViolation("the players changed too often for one \(game); begin another session")
    }

    var recordedOrder: RuleViolation {
        RuleViolation("order is recorded by the first \(turn); change the seats with player order")
    }

    var wrongOrder: RuleViolation {
        RuleViolation("this is not a \(verb)ing order; the game writes it by itself")
    }

    func unknownDetail(_ name: String, known: [String]) -> RuleViolation {
        RuleViolation(
            known.isEmpty
                ? "a \(turn) takes no option, not \(name.quoted) either"
                : "a \(turn) takes \(known.map { "--\($0)" }.together) and no other option, "
                    + "not \(name.quoted)"
        )
    }

    func nothingToReset(_ part: String) -> RuleViolation {
        RuleViolation("no \(turn) of this \(part) was entered yet; undo takes back what was before")
    }

    func optionFixed(_ option: Symbol) -> RuleViolation {
        RuleViolation(
            "\(turn)s count already, so \(option) stays as it is; a new \(game) can have another, "
                + "but the \(part) in progress is lost",
            hint: "to begin one: scorectl session new --again --option \(option)=…"
        )
    }

    func optionTooLate(recorded: String, chosen: String) -> RuleViolation {
        RuleViolation(
            "this \(game) has \(recorded), as its first \(turn) recorded; \(chosen) holds "
                + "from the next \(game) on"
        )
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
    /// The single words of texts that may hold several, separated by spaces and commas.
    var typedWords: [String] {
        // By bytes, because splitting a long text from an untrusted player by characters is slow.
        flatMap { text in
            text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
                .map { String(Substring($0)) }
        }
    }
}

extension Value {
    /// The text or number as players type it; empty for other values.
    var typed: String { string ?? integer.map(String.init) ?? "" }
}

extension Move {
    func checkDetails(_ words: TurnWords, known: [String] = []) throws(RuleViolation) {
        guard let unknown = details.keys.filter({ !known.contains($0) }).min() else { return }
        throw words.unknownDetail(unknown, known: known)
    }
}
