package import SessionCRDT

/// The reason why something cannot be entered, or does not count if it was entered anyway.
///
/// One type for every game: `message` states for everyone what is wrong, and `hint` what to type
/// instead, which makes sense on a command line only. `code` names the few reasons that callers and
/// tests tell apart.
package struct RuleViolation: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        case unknownRow
        case roundPastLast
        case notTheMost
        /// Entries belong to players without a seat.
        case strays
        case roundCheck
        case totalOutOfRange
        /// The move is valid, but it is another player's turn.
        case otherTurn
        case other
    }

    package let code: Code
    package let message: String
    package let hint: String?
    /// The names that the input could stand for.
    package let candidates: [String]

    package init(
        _ message: String,
        code: Code = .other,
        hint: String? = nil,
        candidates: [String] = []
    ) {
        (self.code, self.message) = (code, message)
        (self.hint, self.candidates) = (hint, candidates)
    }

    private init(_ message: String, code: Code = .other, candidates: [Symbol]) {
        self.init(message, code: code, candidates: candidates.map(\.description))
    }

    /// The message and the hint in one line, as a terminal shows them.
    package var description: String {
        guard let hint else { return message }
        let isSentence = message.last.map { ".?!".contains($0) } ?? true
        return message + (isSentence ? " " : "; ") + hint
    }
}

/// Reasons that are thrown in several places, or recognized by tests.
extension RuleViolation {
    package static let finished = RuleViolation(
        "the session is finished",
        hint: "reopen it with: scorectl session reopen"
    )

    package static let nothingEntered = RuleViolation("nothing has been entered yet")

    package static let totalOutOfRange = totalOutOfRange(beyond: .largest)

    static func totalOutOfRange(beyond largest: Points) -> RuleViolation {
        RuleViolation(
            "the total is beyond ±\(largest) and limited to that",
            code: .totalOutOfRange
        )
    }

    package static func ambiguous(_ name: String, candidates: [Symbol]) -> RuleViolation {
        RuleViolation("\(name.quoted) could be any of: \(candidates.list)", candidates: candidates)
    }

    package static func unknownRow(_ name: String, candidates: [Symbol]) -> RuleViolation {
        let message = "there is no row \(name.quoted)"
        return RuleViolation(message, code: .unknownRow, candidates: candidates)
    }

    package static func rowMissing(candidates: [Symbol]) -> RuleViolation {
        let message = "name the row, as in ROW=VALUE: \(candidates.list)"
        return RuleViolation(message, candidates: candidates)
    }

    package static func roundMissing(row: Symbol) -> RuleViolation {
        RuleViolation("name the round, as in \(row).3")
    }

    package static func roundUnexpected(row: Symbol) -> RuleViolation {
        RuleViolation("\(row) has no rounds")
    }

    package static func roundOutOfRange(_ round: String) -> RuleViolation {
        RuleViolation("rounds count from 1 to \(Cell.lastRound), not \(round.quoted)")
    }

    package static func roundPastLast(row: Symbol, last: UInt32, found: UInt32) -> RuleViolation {
        let rounds = last == 1 ? "round 1 only" : "rounds 1 to \(last)"
        return RuleViolation("\(row) has \(rounds), not \(found)", code: .roundPastLast)
    }

    package static func noRoundLeft(row: Symbol) -> RuleViolation {
        RuleViolation("every round of \(row) is full")
    }

    package static func valueMissing(row: Symbol) -> RuleViolation {
        RuleViolation("\(row) has no value; to empty a cell, clear it")
    }

    /// Rejects a value that a row or an option does not accept.
    package static func wrongValue(
        _ name: Symbol,
        accepts: String,
        found: String
    ) -> RuleViolation {
        RuleViolation("\(name) takes \(accepts), not \(found)")
    }

    package static func noTeams(game: String) -> RuleViolation {
        RuleViolation("\(game) is a game of single players; teams have no meaning in it")
    }

    package static func notANumber(row: Symbol, found: String) -> RuleViolation {
        wrongValue(row, accepts: "a whole number", found: found)
    }

    package static func computedRow(_ row: Symbol, sources: [Symbol]) -> RuleViolation {
        let message = "\(row) is computed; enter \(sources.list) instead"
        return RuleViolation(message, candidates: sources)
    }

    package static func rowOff(row: Symbol, needs: Condition) -> RuleViolation {
        RuleViolation(
            "\(row) needs the option \(needs)",
            hint: "set it with: scorectl session option \(needs.example)"
        )
    }

    /// Rejects a value in a row of which only one player can have any.
    package static func notSole(row: Symbol, holder: String) -> RuleViolation {
        RuleViolation("only one player can have \(row), and \(holder) has it; clear that first")
    }

    package static func notTheMost(row: Symbol, most: [Symbol], found: Symbol) -> RuleViolation {
        let message =
            most.isEmpty
            ? "\(row) takes one of the most frequent, and nothing can be dropped yet"
            : "\(row) takes one of the most frequent, \(most.list), not \(found)"
        return RuleViolation(message, code: .notTheMost, candidates: most)
    }

    package static func writtenTwice(_ row: Symbol, round: UInt32?) -> RuleViolation {
        RuleViolation("\(row)\(round.map { ".\($0)" } ?? "") is given twice")
    }

    package static func unknownPlayer(_ player: PlayerID) -> RuleViolation {
        RuleViolation("no player with id \(player) in this session")
    }

    package static func removedPlayer(name: String) -> RuleViolation {
        RuleViolation("\(name) was removed; restore the player first")
    }

    package static func strays(_ count: Int) -> RuleViolation {
        RuleViolation(
            count == 1
                ? "1 entry does not count, because its player is not in the game"
                : "\(count) entries do not count, because their players are not in the game",
            code: .strays
        )
    }

    package static func playerCount(_ count: Int, allowed: Bounds) -> RuleViolation {
        RuleViolation("the game takes \(allowed.playerCount), not \(count)")
    }

    package static func formulaFault(
        _ fault: FormulaFault,
        row: Symbol,
        round: UInt32?
    ) -> RuleViolation {
        RuleViolation(
            "the formula of \(row)\(round.map { ".\($0)" } ?? "") "
                + (fault == .divisionByZero ? "divides by zero" : "picks a value that is not there")
        )
    }

    package static func unknownOption(_ name: String, candidates: [Symbol]) -> RuleViolation {
        let more = candidates.isEmpty ? "; this game has none" : ""
        return RuleViolation("there is no option \(name.quoted)\(more)", candidates: candidates)
    }

    /// Rejects setting an option that the game itself records.
    package static func notAChoice(_ option: Symbol, help: String?) -> RuleViolation {
        RuleViolation("the game sets \(option) itself" + (help.map { ": \($0)" } ?? ""))
    }

    package static func noMoves(game: String) -> RuleViolation {
        RuleViolation("\(game) is not played move by move; enter scores instead")
    }

    package static func noComputers(game: String) -> RuleViolation {
        RuleViolation("\(game) has no computer players")
    }
}

/// Something in the book that does not count, and the reason.
package struct Flag: Hashable, Sendable {
    package let subject: Subject
    private let source: Source

    package enum Subject: Hashable, Sendable {
        case cell(Cell)
        case option(Symbol)
        case player(PlayerID)
        case game
    }

    private enum Source {
        case known(RuleViolation)
        case found(for: Cell, by: @Sendable (Cell) -> RuleViolation)
    }

    package init(_ subject: Subject, _ reason: RuleViolation) {
        (self.subject, source) = (subject, .known(reason))
    }

    /// Creates the flag of a cell whose reason is found each time that it is read.
    init(_ cell: Cell, reason: @escaping @Sendable (Cell) -> RuleViolation) {
        (subject, source) = (.cell(cell), .found(for: cell, by: reason))
    }

    /// Creates a flag of a cell with the reason of another flag.
    init(_ cell: Cell, reasonOf flag: Flag) {
        (subject, source) = (.cell(cell), flag.source)
    }

    /// The reason, which a game of turns finds as it is read: thousands of entries can follow the
    /// end of a game, and only some of them are shown.
    package var reason: RuleViolation {
        switch source {
        case .known(let reason): reason
        case .found(let cell, let reason): reason(cell)
        }
    }

    package static func == (left: Flag, right: Flag) -> Bool {
        left.subject == right.subject && left.reason == right.reason
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(subject) }

    /// Returns the flag as one line, with the names of the book and the game's words for its cells:
    /// `Ann, round.3: round takes…`.
    package func words(in book: Book, by gameWords: GameWords = GameWords()) -> String {
        func name(_ player: PlayerID) -> String { book.player(player)?.name ?? "player \(player)" }
        let subject: String? =
            switch subject {
            case .cell(let cell):
                name(cell.player) + ", "
                    + (gameWords.cell(cell) ?? "\(cell.row)\(cell.round.map { ".\($0)" } ?? "")")
            case .option(let option): "option \(option)"
            case .player(let player): name(player)
            case .game: nil
            }
        return (subject.map { $0 + ": " } ?? "") + reason.message
    }
}

/// A sentence that a game shows below its figures or after a move: who won, who is to move.
package struct Note: Hashable, Sendable, CustomStringConvertible {
    /// The sentence, with players by their names.
    package let text: String
    /// Whether it names something that a player must still enter.
    let isMissing: Bool

    package init(_ text: String, isMissing: Bool = false) {
        (self.text, self.isMissing) = (text, isMissing)
    }

    package var description: String { text }
}

extension Standings {
    /// Sentences about what is missing or wrong in a game of rows, to check before it ends.
    package var missing: [String] {
        notes.filter(\.isMissing).map(\.text)
            + flags.filter { $0.subject == .game }.map(\.reason.message)
    }
}
