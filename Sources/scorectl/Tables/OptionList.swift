import ScoreSheets
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

    /// What was set by these words, in one line; all options where nothing was.
    static func lines(
        _ options: [OptionSummary],
        named words: [String],
        columns: Int
    ) -> [Line] {
        let named = words.compactMap { word -> OptionSummary? in
            let name = word.prefix { $0 != "=" }
            guard case .one(let option) = Match(String(name), among: options, \.name) else {
                return nil
            }
            return option
        }
        guard !named.isEmpty, named.count == words.count else {
            return lines(options, columns: columns)
        }
        let texts = named.map { option in
            let isUsual = option.value == option.default
            return "\(option.name) = \(shown(option.value))" + (isUsual ? " (the default)" : "")
        }
        return [Line(texts.joined(separator: ", "))]
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
