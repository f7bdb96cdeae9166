import SyncProtocol

/// What `session option` prints: what holds, what would hold else, and what can be chosen.
enum OptionList {
    /// The lines of the options, in so many columns.
    static func lines(_ options: [OptionSummary], columns: Int) -> [Line] {
        guard !options.isEmpty else { return [Line("This game has no options.")] }
        return WrappedList.lines(
            options.map { option in
                let isChosen = option.value != option.default
                let usual = isChosen ? "(default \(shown(option.default)))" : ""
                return (
                    [
                        Line(option.name, .strong),
                        Line(shown(option.value), isChosen ? .good : .plain),
                        Line(usual, .faint),
                    ],
                    words(takes: option.takes, help: option.help)
                )
            },
            columns: columns
        )
    }

    /// What an option does and can be set to.
    static func words(takes: String, help: String) -> String {
        (help.isEmpty ? "" : help + " ") + "Takes \(takes)."
    }

    /// A value of an option; nothing shows as `off`.
    static func shown(_ value: Scalar) -> String {
        value == .null ? "off" : TextWidth.truncated("\(value)", to: 24)
    }
}
