package import SessionCRDT

/// Something about a game that can be set for each session.
package struct SheetOption: Hashable, Sendable {
    /// What players type: `target`.
    package let name: Symbol
    /// What can be chosen, and what holds where nobody chose.
    package let kind: OptionKind
    /// Whether people can choose odd numbers only, as for the best of so many games.
    ///
    /// An even one that is there all the same, by a merge or from a version before, still holds.
    package let isOdd: Bool
    /// What it does, in a sentence; may be empty.
    package let help: String

    /// What can be chosen, in words.
    package var takes: String {
        guard isOdd, case .integer(let bounds, _) = kind else { return kind.words }
        return bounds == .all ? "an odd number" : "an odd number \(bounds)"
    }

    /// Why this value cannot be chosen; nil when it can, as nothing, the default, always can.
    package func violation(of value: Value) -> RuleViolation? {
        let isAllowed =
            switch (kind, value) {
            case (_, .null), (.boolean, .boolean): true
            case (.integer(let bounds, _), .integer(let number)): bounds.contains(number)
            case (.choice(let choices, _), .text(let text)):
                choices.contains { $0.description == text.string }
            case (.text, .text): true
            case (.boolean, _), (.integer, _), (.choice, _), (.text, _): false
            }
        return isAllowed ? nil : .wrongOption(name, takes: takes, found: value.words)
    }

    /// The value that a text means for this option.
    ///
    /// Choices may be shortened, yes and no may be on and off or true and false, and `default` goes
    /// back to the default.
    package func value(of text: String) throws(RuleViolation) -> Value {
        let word = text.lowercased()
        if word == "default" { return .null }
        let wrong = RuleViolation.wrongOption(name, takes: takes, found: text.quoted)
        switch kind {
        case .boolean:
            guard let isSet = text.saysYes else { throw wrong }
            return .boolean(isSet)
        case .integer(let bounds, _):
            guard let number = Sum(text)?.number, bounds.contains(number),
                !isOdd || number.isOdd
            else { throw wrong }
            return .integer(number)
        case .choice(let choices, _):
            guard case .one(let choice) = Match(text, among: choices, \.description) else {
                throw wrong
            }
            return .text(choice.description)
        case .text: return .text(text)
        }
    }
}

/// What can be chosen for an option, and what holds where nobody chose.
package enum OptionKind: Hashable, Sendable {
    /// Yes or no.
    case boolean(default: Bool)
    /// A whole number within bounds; without a default the option is off until it is set.
    case integer(Bounds, default: Int64?)
    /// One of some words.
    case choice([Symbol], default: Symbol)
    /// Any text; without a default the option is off until it is set.
    case text(default: String?)

    /// What holds where nobody chose; `null` for an option that is off.
    package var defaultValue: Value {
        switch self {
        case .boolean(let isSet): .boolean(isSet)
        case .integer(_, let number): number.map(Value.integer) ?? .null
        case .choice(_, let choice): .text(choice.description)
        case .text(let text): text.map(Value.text) ?? .null
        }
    }

    /// What can be chosen, in words.
    package var words: String {
        switch self {
        case .boolean: "yes or no"
        case .integer(let bounds, _): bounds.wholeNumber
        case .choice(let choices, _): choices.map(\.description).joined(separator: ", ")
        case .text: "a text"
        }
    }
}

extension Int64 {
    /// Whether two do not divide it.
    var isOdd: Bool { self & 1 == 1 }
}
