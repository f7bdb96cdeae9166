import SyncProtocol

/// What the keys of the live view do, and what can be typed.
enum LiveHelp {
    /// The page.
    static func lines(_ show: ShowReply, _ form: PageForm) -> [Line] {
        let isPlayed = LiveWords.isPlayed(show)
        let typed = [
            isPlayed
                ? ("d3, 60, end", "a move, as after 'scorectl play'")
                : ("Ann birds=50, 12", "scores, as after 'scorectl score'"),
            ("clear Ann birds", "any command of scorectl: undo, resolve, player add Dan, …"),
        ]
        let keys = [
            ("Tab", "goes on with a word; alone: the next page"),
            ("Up, Down", "lines typed before; alone, the page where it is longer"),
            ("PgUp, PgDn", "the page; Left and Right alone: sideways"),
            ("u", "undo"), ("c", "conflicts, settled with a digit"), ("g", "the chart"),
            ("n", "the session that is on, where it is another one"),
            ("Esc", "clears what is typed; alone: back to the table"),
            ("q, Ctrl-C", "the end"), ("Ctrl-Z", "a pause; fg goes on"),
        ]
        let style =
            "u, c, g, n and q mean that on an empty line, unless a player, a row or a move"
            + " begins with the letter: then type the word, or the letter and Enter."
        return [Line("  Type", .strong)] + table(typed, form)
            + [Line(), Line("  Keys", .strong)] + table(keys, form) + [Line()]
            + TextWidth.wrapped(style, to: min(70, form.columns - 2)).map {
                Line("  " + $0, .faint)
            }
    }

    /// What stands at the left, and beside it, in as many lines as it takes, what that does.
    private static func table(_ rows: [(String, String)], _ form: PageForm) -> [Line] {
        let width = rows.map { TextWidth.of($0.0) }.max() ?? 0
        let cells = rows.flatMap { name, text in
            TextWidth.wrapped(text, to: max(10, form.columns - width - 4)).enumerated().map {
                [Line($0.offset == 0 ? "  " + name : ""), Line($0.element, .faint)]
            }
        }
        return Table.aligned(cells, [.left, .left], gap: 2)
    }
}
