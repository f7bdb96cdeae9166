import ScoreSheets
import SyncProtocol

/// The output of `games list` and `games search`.
enum GameList {
    /// All games under the headings of their groups, user games last.
    static func lines(_ games: [GameSummary], columns: Int) -> [Line] {
        // One table, so that the columns of all groups are aligned.
        let blocks = zip(games, WrappedList.blocks(games.map { row($0) }, columns: columns))
        let groups = headings.compactMap { heading -> [Line]? in
            let lines = blocks.filter { Self.heading(of: $0.0) == heading }.flatMap(\.1)
            return lines.isEmpty ? nil : [Line(heading, .faint)] + lines
        }
        let hints = [
            Line("Find one:    scorectl games search WORD", .faint),
            Line("Explain one: scorectl games show GAME", .faint),
            Line("Start one:   scorectl session new GAME", .faint),
        ]
        return Array((groups + [hints]).joined(separator: [Line()]))
    }

    /// The games that match a search, each with the matches that its line does not show.
    static func found(_ games: [GameSummary], columns: Int) -> [Line] {
        WrappedList.blocks(games.map { row($0, reasons($0.found ?? [])) }, columns: columns)
            .flatMap(\.self)
    }

    private static let own = "Your games"
    private static let other = "Other games"
    private static let headings = GameGroup.allCases.map(\.heading) + [other, own]

    private static func heading(of game: GameSummary) -> String {
        // A newer daemon may use an unknown group.
        game.own ? own : game.group.flatMap(GameGroup.init)?.heading ?? other
    }

    private static func row(_ game: GameSummary, _ reasons: [String] = []) -> WrappedList.Row {
        let players = Line(PlayerCountText.short(game.players))
        return ([Line("  \(game.id)", .strong), players], [text(of: game)] + reasons)
    }

    /// The summary of a game, after its name if that differs from the id.
    private static func text(of game: GameSummary) -> String {
        let name = core(of: game.name) == core(of: game.id) ? [] : [game.name]
        let summary = game.summary.isEmpty ? [] : [game.summary]
        let version = game.version > 1 ? " · version \(game.version)" : ""
        return (name + summary).joined(separator: " – ") + version
    }

    private static func core(of text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func reasons(_ findings: [GameFinding]) -> [String] {
        findings.compactMap { finding in
            switch finding.place {
            case "name", "summary": nil
            case "group": "→ in the group “\(finding.text)”"
            case "row": "→ a row: \(finding.text)"
            case "help": "→ its help: \(finding.text)"
            case let place: "→ \(place): \(finding.text)"
            }
        }
    }
}

/// The output of `games show`: a summary of the sheet.
struct GamePage {
    let game: GameSummary
    let sheet: Sheet
    let columns: Int

    var lines: [Line] {
        var blocks = [heading]
        blocks.append(text(sheet.help))
        blocks.append(section("Rows", rows))
        blocks.append(section("Options", options))
        blocks.append(section("Rules in short", sheet.ruleSummary.flatMap { text($0, by: 2) }))
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }

    private var heading: [Line] {
        let name = Line(sheet.name, .strong) + Line(" (\(game.id))", .faint)
        var facts = Line(PlayerCountText.of(game.players))
        if sheet.version > 1 { facts += Line(" · version \(sheet.version)", .faint) }
        if game.own { facts += Line(" · yours", .good) }
        let whole = name + Line(" · ") + facts
        return (whole.width <= columns ? [whole] : [name, facts]) + text(sheet.summary)
    }

    private var rows: [Line] {
        WrappedList.lines(
            sheet.rows.map { row in
                ([Line("  \(row.id)", .strong), Line(row.label)], words(of: row))
            },
            columns: columns
        )
    }

    private func words(of row: Row) -> String {
        let words = sheet.words(for: row)
        let sentence = words.prefix(1).uppercased() + words.dropFirst() + "."
        guard !row.help.isEmpty else { return sentence }
        // Of a row with a formula, the plain help comes first.
        return row.hasFormula ? "\(row.help) \(sentence)" : "\(sentence) \(row.help)"
    }

    private var options: [Line] {
        WrappedList.lines(
            // Options that the game records by itself are left out.
            sheet.options.filter { sheet.rules.isChoice($0.name) }.map { option in
                let usual = Line(OptionList.shown(Scalar(option.kind.defaultValue)), .faint)
                return (
                    [Line("  \(option.name)", .strong), usual],
                    OptionList.words(takes: option.acceptedValues, help: option.help)
                )
            },
            columns: columns
        )
    }

    private func section(_ title: String, _ content: [Line]) -> [Line] {
        content.isEmpty ? [] : [Line(title, .faint)] + content
    }

    private func text(_ text: String, by indent: Int = 0) -> [Line] {
        TextWidth.wrapped(text, to: max(20, columns - indent)).map { line in
            Line(String(repeating: " ", count: indent) + line)
        }
    }
}

/// The output of `session option`: values, defaults and choices.
enum OptionList {
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

    /// The options that were set by arguments in one line, or all options without arguments.
    static func lines(_ options: [OptionSummary], named words: [String], columns: Int) -> [Line] {
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

    static func words(takes: String, help: String) -> String {
        (help.isEmpty ? "" : help + " ") + "Takes \(takes)."
    }

    /// A value of an option; `off` for none.
    static func shown(_ value: Scalar) -> String {
        value == .null ? "off" : TextWidth.truncated("\(value)", to: 24)
    }
}

/// The number of players of a game, for people.
enum PlayerCountText {
    /// In a sentence: `2 to 4 players`, `1 player`, `any number of players`.
    static func of(_ count: PlayerCount) -> String {
        switch (count.from, count.to) {
        case (1, 1): "1 player"
        case (let from, .some(let to)) where from == to: "\(from) players"
        case (let from, .some(let to)): "\(from) to \(to) players"
        case (...1, nil): "any number of players"
        case (let from, nil): "\(from) players or more"
        }
    }

    /// In a table: `2–4`, `1`, `3+`.
    static func short(_ count: PlayerCount) -> String {
        switch (count.from, count.to) {
        case (let from, .some(let to)) where from == to: "\(from)"
        case (let from, .some(let to)): "\(from)–\(to)"
        case (let from, nil): "\(from)+"
        }
    }
}
