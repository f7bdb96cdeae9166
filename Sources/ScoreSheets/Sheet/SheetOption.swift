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
        return isAllowed ? nil : .wrongValue(name, takes: takes, found: value.words)
    }

    /// The value that a text means for this option.
    ///
    /// Choices may be shortened, yes and no may be on and off or true and false, and `default` goes
    /// back to the default.
    package func value(of text: String) throws(RuleViolation) -> Value {
        let word = text.lowercased()
        if word == "default" { return .null }
        let wrong = RuleViolation.wrongValue(name, takes: takes, found: text.quoted)
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

/// What a sheet says once and for all, or leaves to an option.
package indirect enum Setting<Constant: Hashable & Sendable>: Hashable, Sendable {
    /// Always this.
    case always(Constant)
    /// Whatever the option says.
    case option(Symbol)
    /// The one while something is set, else the other; nil of what is off then.
    case when(Condition, Setting, else: Setting?)

    /// All that it can be of what the sheet itself says.
    var constants: [Constant] {
        switch self {
        case .always(let constant): [constant]
        case .option: []
        case .when(_, let setting, let other): setting.constants + (other?.constants ?? [])
        }
    }

    /// The conditions that it refers to.
    var conditions: [Condition] {
        guard case .when(let condition, let setting, let other) = self else { return [] }
        return [condition] + setting.conditions + (other?.conditions ?? [])
    }

    /// The options whose value it may be.
    var options: [Symbol] {
        switch self {
        case .always: []
        case .option(let name): [name]
        case .when(_, let setting, let other): setting.options + (other?.options ?? [])
        }
    }
}

/// What has to be set for a row, or for a number of players, to be there.
package struct Condition: Hashable, Sendable {
    /// The option.
    package let option: Symbol
    /// The words of a choice that fulfil it; empty for other options, which have to be on.
    package let words: [Symbol]
}

extension Condition: CustomStringConvertible {
    /// One way to fulfil it: `oceania=yes`, `goals=green`.
    package var example: String { "\(option)=\(words.first?.description ?? "yes")" }

    /// What to set: `oceania=yes`, `goals=green or goals=blue`.
    package var description: String {
        words.isEmpty
            ? "\(option)=yes" : words.map { "\(option)=\($0)" }.joined(separator: " or ")
    }
}

/// The options of a game as they hold: what was chosen where that is allowed, else the default.
struct Settings: Hashable, Sendable {
    /// The value of each option of the sheet.
    let values: [Symbol: Value]
    /// What was chosen and does not hold.
    let flags: [Flag]

    /// The settings of a book.
    init(_ sheet: Sheet, _ book: Book) {
        var values: [Symbol: Value] = [:]
        for option in sheet.options { values[option.name] = option.kind.defaultValue }
        var flags: [Flag] = []
        let known = sheet.options.map(\.name)
        for (name, value) in book.options.sorted(by: { $0.key < $1.key }) {
            if let violation = Settings.violation(of: value, for: name, in: sheet, known) {
                flags.append(Flag(.option(name), violation))
            } else if value != .null {
                values[name] = value
            }
        }
        self.values = values
        self.flags = flags
    }

    private static func violation(
        of value: Value,
        for name: Symbol,
        in sheet: Sheet,
        _ known: [Symbol]
    ) -> RuleViolation? {
        guard let option = sheet.option(name) else {
            return .unknownOption(name.description, candidates: known)
        }
        return option.violation(of: value)
    }

    /// The win rule.
    func callAsFunction(_ setting: Setting<WinRule>) -> WinRule {
        switch setting {
        case .always(let rule): rule
        // A sheet leaves it only to an option of these words.
        case .option(let name): values[name]?.string.flatMap(WinRule.init) ?? .highest
        case .when(let condition, let setting, let other):
            (isOn(condition) ? setting : other).map { self($0) } ?? .highest
        }
    }

    /// The number; nil where the option is off.
    func callAsFunction(_ setting: Setting<Int64>) -> Int64? {
        switch setting {
        case .always(let number): number
        case .option(let name): values[name]?.integer
        case .when(let condition, let setting, let other):
            (isOn(condition) ? setting : other).flatMap { self($0) }
        }
    }

    /// Whether what a row or a number of players needs is set.
    func isOn(_ condition: Condition?) -> Bool {
        guard let condition, let value = values[condition.option] else { return condition == nil }
        return switch value {
        case .boolean(let flag): flag
        case .text(let text) where !condition.words.isEmpty:
            condition.words.contains { $0.description == text.string }
        case .integer, .text: true
        case .null, .foreign: false
        }
    }

    /// How many players the game is for.
    func players(of sheet: Sheet) -> Bounds {
        sheet.seats.first { isOn($0.condition) }?.players ?? sheet.players
    }
}
