package import SessionCRDT

/// A setting of a game, chosen for each session.
package struct SheetOption: Hashable, Sendable {
    /// The name that players type: `target`.
    package let name: Symbol
    package let kind: OptionKind
    /// Whether only odd numbers can be chosen, as for “best of 5”.
    ///
    /// An even number from a merge or an earlier version is still in effect.
    package let isOdd: Bool
    /// The help text; may be empty.
    package let help: String

    /// The words of a choice; nil for other options.
    var choices: [Symbol]? { if case .choice(let choices, _) = kind { choices } else { nil } }

    package var acceptedValues: String {
        switch kind {
        case .boolean: "yes or no"
        case .integer(.all, _) where isOdd: "an odd number"
        case .integer(let bounds, _): isOdd ? "an odd number \(bounds)" : bounds.wholeNumber
        case .choice(let choices, _): choices.map(\.description).joined(separator: ", ")
        case .text: "a text"
        }
    }

    /// Returns the reason why this value cannot be chosen; nil if it can, as null, the default,
    /// always can.
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
        return isAllowed ? nil : .wrongValue(name, accepts: acceptedValues, found: value.words)
    }

    /// Parses a text that a player typed for this option.
    ///
    /// Choices may be shortened, yes and no may be written as on and off or true and false, and
    /// `default` resets the option, as `off` does one that is off by default.
    package func value(of text: String) throws(RuleViolation) -> Value {
        let word = text.lowercased()
        if word == "default" || word == "off" && kind.defaultValue == .null { return .null }
        let wrong = RuleViolation.wrongValue(name, accepts: acceptedValues, found: text.quoted)
        switch kind {
        case .boolean:
            guard let isSet = text.asBoolean else { throw wrong }
            return .boolean(isSet)
        case .integer(let bounds, _):
            guard let number = Sum(typed: text)?.whole, bounds.contains(number),
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

package enum OptionKind: Hashable, Sendable {
    case boolean(default: Bool)
    /// A number; without a default the option is off until it is set.
    case integer(Bounds, default: Int64?)
    case choice([Symbol], default: Symbol)
    /// A text; without a default the option is off until it is set.
    case text(default: String?)

    package var defaultValue: Value {
        switch self {
        case .boolean(let isSet): .boolean(isSet)
        case .integer(_, let number): number.map(Value.integer) ?? .null
        case .choice(_, let choice): .text(choice.description)
        case .text(let text): text.map(Value.text) ?? .null
        }
    }
}

extension Int64 {
    var isOdd: Bool { self & 1 == 1 }
}

/// A value that a sheet fixes, or that depends on options.
package indirect enum Setting<Constant: Hashable & Sendable>: Hashable, Sendable {
    case always(Constant)
    case option(Symbol)
    /// The first setting if the condition holds, else the second; nil is off.
    case when(Condition, Setting, else: Setting?)

    /// All constants that it can have as its value.
    var constants: [Constant] {
        switch self {
        case .always(let constant): [constant]
        case .option: []
        case .when(_, let setting, let other): setting.constants + (other?.constants ?? [])
        }
    }

    var conditions: [Condition] {
        guard case .when(let condition, let setting, let other) = self else { return [] }
        return [condition] + setting.conditions + (other?.conditions ?? [])
    }

    /// The options whose value it may have.
    var options: [Symbol] {
        switch self {
        case .always: []
        case .option(let name): [name]
        case .when(_, let setting, let other): setting.options + (other?.options ?? [])
        }
    }
}

/// An option that must be set.
package struct Condition: Hashable, Sendable, CustomStringConvertible {
    package let option: Symbol
    /// The words of a choice that satisfy the condition; empty for other options, which must be on.
    package let words: [Symbol]

    /// One way to satisfy it: `oceania=yes`, `goals=green`.
    package var example: String { "\(option)=\(words.first?.description ?? "yes")" }

    /// All ways to satisfy it: `oceania=yes`, `goals=green or goals=blue`.
    package var description: String {
        words.isEmpty
            ? "\(option)=yes" : words.map { "\(option)=\($0)" }.joined(separator: " or ")
    }
}

/// The options in effect: the choice if it is allowed, else the default.
struct Settings: Hashable, Sendable {
    let values: [Symbol: Value]
    /// Flags on choices that are not allowed.
    let flags: [Flag]

    init(_ sheet: Sheet, _ book: Book) {
        var values: [Symbol: Value] = [:]
        for option in sheet.options { values[option.name] = option.kind.defaultValue }
        var flags: [Flag] = []
        for (name, value) in book.options.sorted(by: { $0.key < $1.key }) {
            let violation: RuleViolation? =
                if let option = sheet.option(name) {
                    option.violation(of: value)
                } else {
                    .unknownOption(name.description, candidates: sheet.options.map(\.name))
                }
            if let violation {
                flags.append(Flag(.option(name), violation))
            } else if value != .null {
                values[name] = value
            }
        }
        self.values = values
        self.flags = flags
    }

    func callAsFunction(_ setting: Setting<WinRule>) -> WinRule { word(setting) ?? .highest }

    func callAsFunction(_ setting: Setting<TargetEnd>) -> TargetEnd { word(setting) ?? .round }

    func callAsFunction(_ setting: Setting<Bool>) -> Bool {
        switch setting {
        case .always(let isOn): isOn
        case .option(let name): isOn(Condition(option: name, words: []))
        case .when(let condition, let setting, let other):
            (isOn(condition) ? setting : other).map { self($0) } ?? false
        }
    }

    private func word<Word: RawRepresentable<String>>(_ setting: Setting<Word>) -> Word? {
        switch setting {
        case .always(let word): word
        // A valid sheet refers only to choices of these words here.
        case .option(let name): values[name]?.string.flatMap(Word.init)
        case .when(let condition, let setting, let other):
            (isOn(condition) ? setting : other).flatMap { word($0) }
        }
    }

    /// Returns the number of a setting; nil if the option is off.
    func callAsFunction(_ setting: Setting<Int64>) -> Int64? {
        switch setting {
        case .always(let number): number
        case .option(let name): values[name]?.integer
        case .when(let condition, let setting, let other):
            (isOn(condition) ? setting : other).flatMap { self($0) }
        }
    }

    /// Whether a condition holds; true without one.
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

    func players(of sheet: Sheet) -> Bounds {
        sheet.seats.first { isOn($0.condition) }?.players ?? sheet.players
    }
}
