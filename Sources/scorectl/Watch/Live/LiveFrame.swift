import SyncProtocol

/// The whole screen of the live view: the page, below it what was answered, which pages there are,
/// and the line that is typed.
struct LiveFrame: Hashable, Sendable {
    /// As many lines as the terminal has rows.
    let lines: [Line]
    /// The column of the cursor in the last line, from 0.
    let column: Int
    /// How far the page can be scrolled.
    let reach: LiveView.Reach

    /// What stands around the page.
    struct Surroundings {
        /// Where the users have gone, if it is elsewhere.
        var elsewhere: NamedSession?
        /// Whether the daemon is away.
        var isLost = false
    }

    /// The screen of a state for a terminal of so many rows and columns.
    init(
        _ view: LiveView,
        _ around: Surroundings,
        _ form: PageForm,
        rows: Int,
        content: (_ rows: Int) -> PageContent
    ) {
        let columns = form.columns
        let prompt = LiveFrame.prompt(view.line, form)
        let told = LiveFrame.told(view.message, around, columns)
        let room = max(0, rows - 2 - told.count)
        let content = content(room)
        let window = content.window(rows: room, columns: columns, from: view.top)
        reach = LiveView.Reach(
            top: window.top,
            above: window.above,
            below: window.below,
            across: content.across,
            mostAcross: content.mostAcross,
            rows: max(1, window.rows)
        )
        let status = LiveFrame.status(view.page, reach, form)
        let all = window.lines + told + [status.cropped(to: columns), prompt.line]
        lines = Array(all.suffix(max(1, rows)))
        column = prompt.column
    }

    /// What was answered, and what to know before typing.
    private static func told(
        _ message: [Line],
        _ around: Surroundings,
        _ columns: Int
    ) -> [Line] {
        var lines = message.flatMap { line in
            let style = line.pieces.first?.style ?? .plain
            return TextWidth.wrapped(line.text, to: columns - 1).map { Line($0, style) }
        }
        if lines.count > LiveView.mostLines {
            lines = lines.prefix(LiveView.mostLines - 1) + [Line("…", .faint)]
        }
        if let next = around.elsewhere {
            let title = TextWidth.truncated(next.title, to: max(8, columns - 20))
            lines.append(Line("“\(title)” is on: n shows it", .warning))
        }
        if around.isLost {
            lines.append(Line("The daemon is away; waiting for it to come back.", .warning))
        }
        return lines.map { $0.cropped(to: columns) }
    }

    /// The pages, and how much of this one is out of sight.
    private static func status(
        _ page: LivePage,
        _ reach: LiveView.Reach,
        _ form: PageForm
    ) -> Line {
        let shown = LivePage.all.contains(page) ? LivePage.all : [page] + LivePage.all
        let names = shown.map { Line($0.name, $0 == page ? .strong : .faint) }
        let arrows = form.isUnicode ? ["↑", "↓", "←", "→"] : ["^", "v", "<", ">"]
        let hidden = [reach.above, reach.below, reach.across, reach.mostAcross - reach.across]
        let marks = zip(arrows, hidden).filter { $0.1 > 0 }.map { "\($0)\($1)" }
        let separator = form.columns < 50 ? " " : "  "
        return Line(names, separator: separator)
            + Line(separator + (marks + ["?"]).joined(separator: " "), .faint)
    }

    /// The line that is typed, or the part of it around the cursor, and the cursor's column.
    private static func prompt(_ input: InputLine, _ form: PageForm) -> (line: Line, column: Int) {
        let mark = form.isUnicode ? "› " : "> "
        let room = max(4, form.columns - TextWidth.of(mark) - 1)
        let before = TextWidth.of(input.head)
        // Half of the line stays in sight before the cursor.
        let hidden = before < room ? 0 : before - room / 2
        let text = Line(input.text).cropped(from: hidden, to: room)
        let shown = Line(input.head).cropped(from: hidden, to: room)
        return (Line(mark, .strong) + text, TextWidth.of(mark) + shown.width)
    }
}
