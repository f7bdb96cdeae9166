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

/// The score sheet of the live view: the players' names and the totals stay in sight while the rows
/// scroll; where the players are rows, rounds scroll sideways behind their totals.
struct LiveTable {
    private let show: ShowReply
    private let form: PageForm
    private let rows: Int
    private let page: SheetPage

    /// The sheet for so many rows at a moment in milliseconds since 1970.
    init(_ show: ShowReply, _ form: PageForm, rows: Int, now: Int64) {
        self.show = show
        self.form = form
        self.rows = rows
        page = SheetPage(show, columns: form.columns, isUnicode: form.isUnicode, now: now)
    }

    /// What there is to see, where players are rows from a round on; nil is up to the last one.
    func content(from round: Int?) -> PageContent {
        guard show.document.panels.isEmpty, !show.document.finished else {
            return PageContent(body: page.lines(within: rows))
        }
        let table = SheetTable(show, columns: form.columns)
        guard !table.players.isEmpty else { return PageContent(body: page.lines) }
        let asColumns = table.playersAsColumns(table.players)
        var content =
            table.fits(asColumns.lines)
            ? PageContent(asColumns, focus: lastWritten) : playersAsRows(table, from: round)
        content.head = page.heading + [Line()] + content.head
        let room = rows - content.head.count - content.body.count - content.foot.count
        // Rows that do not fit go before what to know.
        content.foot += surroundings(in: max(min(3, rows / 8), room))
        return content
    }

    /// The row below which nobody has written; nil where there is none above it either.
    private var lastWritten: Int? {
        let written = Set(
            show.document.players.lazy.flatMap(\.cells).map { CellAddress.text($0.row, $0.round) }
        )
        return show.context.lines.lastIndex { written.contains(CellAddress.text($0.row, $0.round)) }
    }

    /// Players below each other with the rounds for which there is room.
    private func playersAsRows(_ table: SheetTable, from wanted: Int?) -> PageContent {
        let all = table.shownRows
        func parts(_ rows: Range<Int>) -> SheetTable.Parts {
            table.playersAsRows(SheetTable.leastWidth, all[rows])
        }
        func fits(_ rows: Range<Int>) -> Bool { table.fits(parts(rows).lines) }
        var most = max(0, all.count - 1)
        while most > 0, fits(most - 1..<all.count) { most -= 1 }
        let first = min(wanted ?? most, most)
        var end = first
        while end < all.count, fits(first..<end + 1) { end += 1 }
        var content = PageContent(parts(first..<end), focus: nil)
        (content.across, content.mostAcross) = (first, most)
        return content
    }

    /// What to know beside the table: as much as has room.
    private func surroundings(in room: Int) -> [Line] {
        let blocks = [page.conflicts, page.remarks, page.company].filter { !$0.isEmpty }
        let lines = Array(blocks.map { [Line()] + $0 }.joined())
        guard lines.count > room else { return lines }
        let dense = lines.dropFirst()
        guard dense.count > room else { return Array(dense) }
        guard room > 1 else { return [] }
        let kept = dense.prefix(room - 1)
        return kept + [Line("  … \(dense.count - kept.count) more lines", .faint)]
    }
}

extension PageContent {
    /// A table of which the rows scroll.
    fileprivate init(_ table: SheetTable.Parts, focus: Int?) {
        self.init(head: table.head, body: table.rows, foot: table.foot, focus: focus)
    }
}

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
