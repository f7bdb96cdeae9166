import SessionCRDT

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
