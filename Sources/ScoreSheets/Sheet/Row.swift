package import SessionCRDT

/// One row of a sheet.
package struct Row: Hashable, Sendable {
    /// What players type: `birds`; without a dot, which separates the round.
    package let id: Symbol
    /// What tables show.
    package let label: String
    /// What is entered, and what it is worth.
    package let kind: RowKind
    /// The numbers that may be entered.
    package let range: Bounds
    /// Whether it adds to the total; a row that does not can still break ties.
    package let scores: Bool
    /// What to enter, in a sentence; may be empty.
    package let help: String

    /// Why this round cannot be entered; nil when it can.
    func violation(ofRound round: UInt32?) -> RuleViolation? {
        switch (kind.repeats, round) {
        case (true, nil): .roundMissing(row: id)
        case (false, .some): .roundUnexpected(row: id)
        case (true, .some(let round)) where !(1...Cell.lastRound).contains(round):
            .roundOutOfRange(String(round))
        case (true, .some), (false, nil): nil
        }
    }

    /// Why this value cannot be entered; nil when it can, as nothing at all always can.
    func violation(of value: Value) -> RuleViolation? {
        switch kind {
        case .number, .rounds:
            switch value {
            case .null: nil
            case .integer(let number):
                range.contains(number)
                    ? nil : .outOfRange(row: id, allowed: range, found: String(number))
            case .boolean, .text, .foreign: .notANumber(row: id, found: value.words)
            }
        case .text, .moves:
            switch value {
            case .null, .text, .integer: nil
            case .boolean, .foreign: .notAText(row: id, found: value.words)
            }
        }
    }

    /// The value that a text means in this row.
    func value(of text: String) throws(RuleViolation) -> Value {
        switch kind {
        case .number, .rounds:
            switch Sum(text) {
            case .number(let number):
                if let violation = violation(of: .integer(number)) { throw violation }
                return .integer(number)
            case .tooLarge: throw .outOfRange(row: id, allowed: range, found: text.quoted)
            case .none: throw .notANumber(row: id, found: text.quoted)
            }
        case .text, .moves: return .text(text)
        }
    }

    /// What a value that can stand in this row adds to it; nil of nothing.
    func points(of value: Value) -> Int64? {
        switch kind {
        case .number, .rounds: value.integer
        case .text, .moves: value == .null ? nil : 0
        }
    }
}

/// What is entered in a row, and what it is worth.
package enum RowKind: String, Hashable, Sendable, CaseIterable {
    /// One number, worth itself.
    case number
    /// Any number of rounds with a number each, worth their sum.
    case rounds
    /// A text, worth nothing.
    case text
    /// A text for each turn of a coded game, whose rules say what it means.
    case moves

    /// Whether it is entered round by round.
    package var repeats: Bool {
        switch self {
        case .number, .text: false
        case .rounds, .moves: true
        }
    }
}
