package import SessionCRDT

/// Why something cannot be entered, or does not count where somebody entered it all the same.
package enum RuleViolation: Error, Hashable, Sendable {
    /// The sheet has no such row.
    case unknownRow(String, candidates: [Symbol])
    /// Several rows could be meant.
    case ambiguousRow(String, candidates: [Symbol])
    /// The sheet has several rows and none was named.
    case rowMissing(candidates: [Symbol])
    /// The row is entered round by round and no round was named.
    case roundMissing(row: Symbol)
    /// The row has no rounds and one was named.
    case roundUnexpected(row: Symbol)
    /// There is no such round in any game.
    case roundOutOfRange(String)
    /// All rounds that there can be are full.
    case noRoundLeft(row: Symbol)
    /// Nothing stands after the `=`.
    case valueMissing(row: Symbol)
    /// What stands there is not a number; it is already in words.
    case notANumber(row: Symbol, found: String)
    /// The row takes something else; what it takes and what was found are already in words.
    case wrongValue(row: Symbol, takes: String, found: String)
    /// The row is worked out from others.
    case computedRow(Symbol, sources: [Symbol])
    /// The row is there only once something is set.
    case rowOff(row: Symbol, needs: Condition)
    /// The row is there only once something is set, and as things are it is a round of another.
    case otherRow(row: Symbol, needs: Condition, instead: Symbol, round: UInt32)
    /// Only one player can have any of the row, and another has.
    case notSole(row: Symbol, holder: String)
    /// The row has fewer rounds.
    case roundPastLast(row: Symbol, last: UInt32, found: UInt32)
    /// What has no round said is of the one after the last.
    case roundsFull(row: Symbol, last: UInt32)
    /// What is to be dropped is not among what there is most of.
    case notTheMost(row: Symbol, most: [Symbol], found: Symbol)
    /// The row takes a text; what stands there is already in words.
    case notAText(row: Symbol, found: String)
    /// The number is too small or too great.
    case outOfRange(row: Symbol, allowed: Bounds, found: String)
    /// One command writes the same cell twice.
    case writtenTwice(Symbol, round: UInt32?)
    /// The score is of somebody who is not in the session.
    case unknownPlayer(PlayerID)
    /// So many entries are of those who have no seat, because there are too many or nobody added
    /// them.
    case strays(Int)
    /// The score is of somebody who was removed.
    case removedPlayer(name: String)
    /// The session is finished.
    case finished
    /// A formula has no value.
    case formulaFault(FormulaFault, row: Symbol, round: UInt32?)
    /// What has to hold of a round does not, with what the round is called and what the names of
    /// the check come to, in words.
    case roundCheck(RoundCheck, of: String, found: String)
    /// The total is greater than any device shows.
    case totalOutOfRange
    /// The game is for fewer or for more players.
    case playerCount(Int, allowed: Bounds)
    /// The sheet has no such option.
    case unknownOption(String, candidates: [Symbol])
    /// Several options could be meant.
    case ambiguousOption(String, candidates: [Symbol])
    /// The option cannot be set to this; what it takes and what was found are already in words.
    case wrongOption(Symbol, takes: String, found: String)
    /// An option that the game records by itself, as the order of play, with what it is for.
    case notAChoice(Symbol, help: String?)
    /// The game is not played move by move.
    case noMoves(game: String)
    /// No computer plays the game.
    case noComputers(game: String)
    /// The next turn of a coded game is entered as a move; what was typed.
    case enteredByPlay(row: Symbol, typed: String)
    /// There is nothing to take back.
    case nothingEntered
    /// A rule of a coded game.
    case game(GameRule)

    /// What could have been meant.
    package var candidates: [String] {
        switch self {
        case .unknownRow(_, let candidates), .ambiguousRow(_, let candidates),
            .rowMissing(let candidates), .unknownOption(_, let candidates),
            .ambiguousOption(_, let candidates):
            candidates.map(\.description)
        case .computedRow(_, let sources): sources.map(\.description)
        case .notTheMost(_, let most, _): most.map(\.description)
        case .otherRow(_, _, let instead, let round): ["\(instead).\(round)"]
        case .roundMissing, .roundUnexpected, .roundOutOfRange, .noRoundLeft, .valueMissing,
            .notANumber, .wrongValue, .rowOff, .notSole, .roundPastLast, .roundsFull, .notAText,
            .outOfRange, .writtenTwice, .unknownPlayer, .strays, .removedPlayer, .finished,
            .totalOutOfRange, .playerCount, .wrongOption, .notAChoice, .noMoves, .noComputers,
            .enteredByPlay, .nothingEntered, .formulaFault, .roundCheck, .game:
            []
        }
    }
}

extension RuleViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownRow(let name, _): "there is no row \(name.quoted)"
        case .ambiguousRow(let name, let candidates),
            .ambiguousOption(let name, let candidates):
            "\(name.quoted) could be any of: \(candidates.list)"
        case .rowMissing(let candidates): "say which row, as in ROW=VALUE: \(candidates.list)"
        case .roundMissing(let row): "say which round, as in \(row).3"
        case .roundUnexpected(let row): "\(row) has no rounds"
        case .roundOutOfRange(let round):
            "rounds count from 1 to \(Cell.lastRound), not \(round.quoted)"
        case .noRoundLeft(let row): "every round of \(row) is full"
        case .valueMissing(let row): "\(row) got no value; to empty a cell, clear it"
        case .notANumber(let row, let found): "\(row) takes a whole number, not \(found)"
        case .wrongValue(let row, let takes, let found): "\(row) takes \(takes), not \(found)"
        case .computedRow(let row, let sources):
            "\(row) is worked out; enter \(sources.list) instead"
        case .rowOff(let row, let needs): "\(row) needs the option \(needs)"
        case .otherRow(let row, let needs, let instead, let round):
            "\(row) needs the option \(needs); here it is \(instead).\(round)"
        case .notSole(let row, let holder):
            "\(row) is of one player only, and \(holder) has some; clear that first"
        case .roundPastLast(let row, let last, let found):
            "\(row) has " + (last == 1 ? "round 1 only" : "rounds 1 to \(last)") + ", not \(found)"
        case .roundsFull(let row, let last):
            "\(row) has no round after \(last); to fill or correct one say which, as in "
                + "\(row).\(last)=…"
        case .notTheMost(let row, let most, let found):
            "\(row) takes one of the most, \(most.list), not \(found)"
        case .notAText(let row, let found): "\(row) takes a text, not \(found)"
        case .outOfRange(let row, let allowed, let found):
            "\(row) takes a whole number \(allowed), not \(found)"
        case .writtenTwice(let row, let round):
            "\(row)\(round.map { ".\($0)" } ?? "") is there twice"
        case .unknownPlayer(let player): "nobody here is the player \(player)"
        case .strays(let count):
            count == 1
                ? "1 entry of players without a seat does not count"
                : "\(count) entries of players without a seat do not count"
        case .removedPlayer(let name): "\(name) was removed; restore the player first"
        case .finished: "the session is finished; reopen it to change scores"
        case .formulaFault(let fault, let row, let round):
            "the formula of \(row)\(round.map { ".\($0)" } ?? "") "
                + (fault == .divisionByZero ? "divides by zero" : "picks a value that is not there")
        case .roundCheck(let check, let round, let found):
            "\(round): \(check.words)" + (found.isEmpty ? "" : "; \(found)")
        case .totalOutOfRange: "the total is beyond ±\(Value.largestInteger) and cut to that"
        case .playerCount(let count, let allowed):
            "the game takes \(allowed.playerCount), not \(count)"
        case .unknownOption(let name, let candidates):
            "there is no option \(name.quoted)" + (candidates.isEmpty ? "; this game has none" : "")
        case .wrongOption(let option, let takes, let found):
            "\(option) takes \(takes), not \(found)"
        case .notAChoice(let option, let help):
            "the game writes \(option) by itself, nobody else does" + (help.map { ": \($0)" } ?? "")
        case .noMoves(let game): "\(game) is not played move by move; enter scores instead"
        case .noComputers(let game): "\(game) has no computer players"
        case .enteredByPlay(let row, let typed): RuleViolation.words(of: row, typed: typed)
        case .nothingEntered: "nothing was entered yet"
        case .game(let rule): rule.description
        }
    }

    private static func words(of row: Symbol, typed: String) -> String {
        let move = typed.quoted.dropFirst().dropLast()
        return "a \(row) is entered with play: scorectl play \(move); "
            + "to correct one, say which, as in \(row).3=\(move)"
    }
}
