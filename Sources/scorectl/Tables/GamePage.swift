import ScoreSheets
import SyncProtocol

/// What `games show` prints: a game in short, all of it computed from its sheet.
struct GamePage {
    private let sheet: Sheet
    private let game: GameSummary
    private let columns: Int

    /// The page of a game for a terminal of so many columns.
    init(_ game: GameSummary, _ sheet: Sheet, columns: Int) {
        self.game = game
        self.sheet = sheet
        self.columns = columns
    }

    /// The lines of the page.
    var lines: [Line] {
        var blocks = [heading]
        blocks.append(text(sheet.help))
        blocks.append(section("Rows", rows))
        blocks.append(section("Options", options))
        blocks.append(section("Rules in short", sheet.rulesInShort.flatMap { text($0, by: 2) }))
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }

    // MARK: Parts

    private var heading: [Line] {
        let name = Line(sheet.name, .strong) + Line(" (\(game.id))", .faint)
        var facts = Line(PlayerCountWords.of(game.players))
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
        // A formula says exactly what the help says plainly.
        return row.hasFormula ? "\(row.help) \(sentence)" : "\(sentence) \(row.help)"
    }

    private var options: [Line] {
        WrappedList.lines(
            // What the game records by itself nobody sets.
            sheet.options.filter { sheet.rules.isChoice($0.name) }.map { option in
                let usual = Line(OptionList.shown(Scalar(option.kind.defaultValue)), .faint)
                return (
                    [Line("  \(option.name)", .strong), usual],
                    OptionList.words(takes: option.takes, help: option.help)
                )
            },
            columns: columns
        )
    }

    // MARK: Text

    private func section(_ title: String, _ content: [Line]) -> [Line] {
        content.isEmpty ? [] : [Line(title, .faint)] + content
    }

    private func text(_ text: String, by indent: Int = 0) -> [Line] {
        TextWidth.wrapped(text, to: max(20, columns - indent)).map { line in
            Line(String(repeating: " ", count: indent) + line)
        }
    }
}
