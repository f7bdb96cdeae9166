package import SessionCRDT

/// The reason why something cannot be entered, or does not count if it was entered anyway.
///
/// One type for every game: whoever throws it says in `message` what is wrong, for everyone, and in
/// `hint` what to type instead, which makes sense on a command line only. `code` names the few
/// reasons that callers and tests tell apart.
package struct RuleViolation: Error, Hashable, Sendable {
    /// The reasons that somebody tells apart.
    package enum Code: Hashable, Sendable {
        /// The row does not exist.
        case unknownRow
        /// The row has fewer rounds.
        case roundPastLast
        /// Something is dropped that is not among what there is most of.
        case notTheMost
        /// Entries belong to players without a seat.
        case strays
        /// A check of a round fails.
        case roundCheck
        /// The total is beyond what devices show.
        case totalOutOfRange
        /// Any other.
        case other
    }

    package let code: Code
    package let message: String
    package let hint: String?
    /// What could have been meant.
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
}

extension RuleViolation: CustomStringConvertible {
    /// The message and the hint in one line, as a terminal shows them.
    package var description: String {
        guard let hint else { return message }
        let isSentence = message.last.map { ".?!".contains($0) } ?? true
        return message + (isSentence ? " " : "; ") + hint
    }
}

// MARK: - Reasons that are thrown in several places

extension RuleViolation {
    package static let finished = RuleViolation(
        "the session is finished",
        hint: "reopen it with: scorectl session reopen"
    )

    package static let nothingEntered = RuleViolation("nothing was entered yet")

    package static let totalOutOfRange = RuleViolation(
        "the total is beyond ±\(Value.largestInteger) and cut to that",
        code: .totalOutOfRange
    )

    package static func unknownRow(_ name: String, candidates: [Symbol]) -> RuleViolation {
        RuleViolation(
            "there is no row \(name.quoted)",
            code: .unknownRow,
            candidates: candidates.map(\.description)
        )
    }

    package static func ambiguousRow(_ name: String, candidates: [Symbol]) -> RuleViolation {
        RuleViolation(
            "\(name.quoted) could be any of: \(candidates.list)",
            candidates: candidates.map(\.description)
        )
    }

    package static func rowMissing(candidates: [Symbol]) -> RuleViolation {
        RuleViolation(
            "say which row, as in ROW=VALUE: \(candidates.list)",
            candidates: candidates.map(\.description)
        )
    }

    package static func roundMissing(row: Symbol) -> RuleViolation {
        RuleViolation("say which round, as in \(row).3")
    }

    package static func roundUnexpected(row: Symbol) -> RuleViolation {
        RuleViolation("\(row) has no rounds")
    }

    package static func roundOutOfRange(_ round: String) -> RuleViolation {
        RuleViolation("rounds count from 1 to \(Cell.lastRound), not \(round.quoted)")
    }

    package static func roundPastLast(row: Symbol, last: UInt32, found: UInt32) -> RuleViolation {
        RuleViolation(
            "\(row) has " + (last == 1 ? "round 1 only" : "rounds 1 to \(last)")
                + ", not \(found)",
            code: .roundPastLast
        )
    }

    package static func roundsFull(row: Symbol, last: UInt32) -> RuleViolation {
        RuleViolation(
            "\(row) has no round after \(last); to fill or correct one say which, as in "
                + "\(row).\(last)=…"
        )
    }

    package static func noRoundLeft(row: Symbol) -> RuleViolation {
        RuleViolation("every round of \(row) is full")
    }

    package static func valueMissing(row: Symbol) -> RuleViolation {
        RuleViolation("\(row) got no value; to empty a cell, clear it")
    }

    package static func notANumber(row: Symbol, found: String) -> RuleViolation {
        RuleViolation("\(row) takes a whole number, not \(found)")
    }

    package static func notAText(row: Symbol, found: String) -> RuleViolation {
        RuleViolation("\(row) takes a text, not \(found)")
    }

    package static func wrongValue(row: Symbol, takes: String, found: String) -> RuleViolation {
        RuleViolation("\(row) takes \(takes), not \(found)")
    }

    package static func outOfRange(row: Symbol, allowed: Bounds, found: String) -> RuleViolation {
        RuleViolation("\(row) takes a whole number \(allowed), not \(found)")
    }

    package static func computedRow(_ row: Symbol, sources: [Symbol]) -> RuleViolation {
        RuleViolation(
            "\(row) is worked out; enter \(sources.list) instead",
            candidates: sources.map(\.description)
        )
    }

    package static func rowOff(row: Symbol, needs: Condition) -> RuleViolation {
        RuleViolation(
            "\(row) needs the option \(needs)",
            hint: "set it with: scorectl session option \(needs.example)"
        )
    }

    package static func otherRow(
        row: Symbol,
        needs: Condition,
        instead: Symbol,
        round: UInt32
    ) -> RuleViolation {
        RuleViolation(
            "\(row) needs the option \(needs); here it is \(instead).\(round)",
            candidates: ["\(instead).\(round)"]
        )
    }

    package static func notSole(row: Symbol, holder: String) -> RuleViolation {
        RuleViolation("\(row) is of one player only, and \(holder) has some; clear that first")
    }

    package static func notTheMost(row: Symbol, most: [Symbol], found: Symbol) -> RuleViolation {
        RuleViolation(
            "\(row) takes one of the most, \(most.list), not \(found)",
            code: .notTheMost,
            candidates: most.map(\.description)
        )
    }

    package static func writtenTwice(_ row: Symbol, round: UInt32?) -> RuleViolation {
        RuleViolation("\(row)\(round.map { ".\($0)" } ?? "") is there twice")
    }

    package static func unknownPlayer(_ player: PlayerID) -> RuleViolation {
        RuleViolation("nobody here is the player \(player)")
    }

    package static func removedPlayer(name: String) -> RuleViolation {
        RuleViolation("\(name) was removed; restore the player first")
    }

    package static func strays(_ count: Int) -> RuleViolation {
        RuleViolation(
            count == 1
                ? "1 entry of players without a seat does not count"
                : "\(count) entries of players without a seat do not count",
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

    package static func roundCheck(
        _ check: RoundCheck,
        of round: String,
        found: String
    ) -> RuleViolation {
        RuleViolation(
            "\(round): \(check.words)" + (found.isEmpty ? "" : "; \(found)"),
            code: .roundCheck
        )
    }

    package static func unknownOption(_ name: String, candidates: [Symbol]) -> RuleViolation {
        RuleViolation(
            "there is no option \(name.quoted)"
                + (candidates.isEmpty ? "; this game has none" : ""),
            candidates: candidates.map(\.description)
        )
    }

    package static func ambiguousOption(_ name: String, candidates: [Symbol]) -> RuleViolation {
        ambiguousRow(name, candidates: candidates)
    }

    package static func wrongOption(_ option: Symbol, takes: String, found: String) -> RuleViolation
    {
        RuleViolation("\(option) takes \(takes), not \(found)")
    }

    package static func notAChoice(_ option: Symbol, help: String?) -> RuleViolation {
        RuleViolation(
            "the game writes \(option) by itself, nobody else does" + (help.map { ": \($0)" } ?? "")
        )
    }

    package static func noMoves(game: String) -> RuleViolation {
        RuleViolation("\(game) is not played move by move; enter scores instead")
    }

    package static func noComputers(game: String) -> RuleViolation {
        RuleViolation("\(game) has no computer players")
    }

    package static func enteredByPlay(row: Symbol, typed: String) -> RuleViolation {
        let move = typed.quoted.dropFirst().dropLast()
        return RuleViolation(
            "a \(row) is entered with play",
            hint: "for example: scorectl play \(move); to correct one, name it: \(row).3=\(move)"
        )
    }
}
