import SyncProtocol

/// The screen of the live view: the page, the output of the last command, the list of pages, and
/// the line that is being typed.
struct LiveFrame: Hashable, Sendable {
    let lines: [Line]
    /// The column of the cursor in the last line, from 0.
    let column: Int
    let range: LiveView.ScrollRange

    struct Notices {
        /// The session to which the players have moved on.
        var next: NamedSession?
        var isLost = false
    }

    init(
        _ view: LiveView,
        _ notices: Notices,
        _ form: PageForm,
        rows: Int,
        content: (_ rows: Int) -> PageContent
    ) {
        let columns = form.columns
        let prompt = LiveFrame.prompt(view.line, form)
        let messages = LiveFrame.messages(view.message, notices, columns)
        let room = max(0, rows - 2 - messages.count)
        let content = content(room)
        let window = content.window(rows: room, columns: columns, from: view.top)
        range = LiveView.ScrollRange(
            top: window.top,
            above: window.above,
            below: window.below,
            column: content.column,
            maxColumn: content.maxColumn,
            rows: max(1, window.rows)
        )
        let status = LiveFrame.status(view.page, range, form)
        let all = window.lines + messages + [status.cropped(to: columns), prompt.line]
        lines = Array(all.suffix(max(1, rows)))
        column = prompt.column
    }

    private static func messages(_ message: [Line], _ notices: Notices, _ columns: Int) -> [Line] {
        var lines = message.flatMap { line in
            let style = line.pieces.first?.style ?? .plain
            return TextWidth.wrapped(line.text, to: columns - 1).map { Line($0, style) }
        }
        if lines.count > LiveView.maxMessageLines {
            lines = lines.prefix(LiveView.maxMessageLines - 1) + [Line("…", .faint)]
        }
        if let next = notices.next {
            let title = TextWidth.truncated(next.title, to: max(8, columns - 20))
            lines.append(Line("“\(title)” has started: n shows it", .warning))
        }
        if notices.isLost {
            lines.append(Line("The daemon has stopped; waiting for it.", .warning))
        }
        return lines.map { $0.cropped(to: columns) }
    }

    /// The list of pages, and how much of the current one is hidden.
    private static func status(
        _ page: LivePage,
        _ range: LiveView.ScrollRange,
        _ form: PageForm
    ) -> Line {
        let shown = LivePage.all.contains(page) ? LivePage.all : [page] + LivePage.all
        let names = shown.map { Line($0.name, $0 == page ? .strong : .faint) }
        let arrows = form.isUnicode ? ["↑", "↓", "←", "→"] : ["^", "v", "<", ">"]
        let hidden = [range.above, range.below, range.column, range.maxColumn - range.column]
        let marks = zip(arrows, hidden).filter { $0.1 > 0 }.map { "\($0)\($1)" }
        let separator = form.columns < 50 ? " " : "  "
        return Line(names, separator: separator)
            + Line(separator + (marks + ["?"]).joined(separator: " "), .faint)
    }

    /// The typed line, or the part of it around the cursor, and the cursor's column.
    private static func prompt(_ input: InputLine, _ form: PageForm) -> (line: Line, column: Int) {
        let mark = form.isUnicode ? "› " : "> "
        let room = max(4, form.columns - TextWidth.of(mark) - 1)
        let before = TextWidth.of(input.head)
        // Of a long line, half a screen before the cursor stays visible.
        let hidden = before < room ? 0 : before - room / 2
        let text = Line(input.text).cropped(from: hidden, to: room)
        let shown = Line(input.head).cropped(from: hidden, to: room)
        return (Line(mark, .strong) + text, TextWidth.of(mark) + shown.width)
    }
}

/// The score sheet of the live view: names and totals stay visible while the rows scroll; if the
/// players are rows, the rounds scroll sideways.
struct LiveTable {
    private let show: ShowReply
    private let form: PageForm
    private let rows: Int
    private let page: SheetPage

    init(_ show: ShowReply, _ form: PageForm, rows: Int, now: Int64) {
        (self.show, self.form, self.rows) = (show, form, rows)
        page = SheetPage(show: show, form: form, now: now)
    }

    /// The content; if players are rows, from a round on, or up to the last one for nil.
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
        // If rows do not fit, most of the remarks are left out.
        content.foot += remarks(in: max(min(3, rows / 8), room))
        return content
    }

    /// The last row with an entry.
    private var lastWritten: Int? {
        let written = Set(
            show.document.players.lazy.flatMap(\.cells).map { CellAddress.text($0.row, $0.round) }
        )
        return show.context.lines.lastIndex { written.contains(CellAddress.text($0.row, $0.round)) }
    }

    /// Players as rows, with as many rounds as fit.
    private func playersAsRows(_ table: SheetTable, from wanted: Int?) -> PageContent {
        let all = table.shownRows
        func parts(_ rows: Range<Int>) -> SheetTable.Parts {
            table.playersAsRows(SheetTable.minWidth, all[rows])
        }
        func fits(_ rows: Range<Int>) -> Bool { table.fits(parts(rows).lines) }
        var most = max(0, all.count - 1)
        while most > 0, fits(most - 1..<all.count) { most -= 1 }
        let first = min(wanted ?? most, most)
        var end = first
        while end < all.count, fits(first..<end + 1) { end += 1 }
        var content = PageContent(parts(first..<end), focus: nil)
        (content.column, content.maxColumn) = (first, most)
        return content
    }

    /// The conflicts, notes and peers, as far as there is room.
    private func remarks(in room: Int) -> [Line] {
        let blocks = [page.conflicts, page.remarks, page.peers].filter { !$0.isEmpty }
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
    fileprivate init(_ table: SheetTable.Parts, focus: Int?) {
        self.init(head: table.head, body: table.rows, foot: table.foot, focus: focus)
    }
}

/// The help page of the live view.
enum LiveHelp {
    static func lines(_ show: ShowReply, _ form: PageForm) -> [Line] {
        let isPlayed = LiveCommands.isPlayed(show)
        let typed = [
            isPlayed
                ? ("d3, 60, end", "a move, as after 'scorectl play'")
                : ("Ann birds=50, 12", "scores, as after 'scorectl score'"),
            ("clear Ann birds", "any command of scorectl: undo, resolve, player add Dan, …"),
        ]
        let keys = [
            ("Tab", "completes a word; on an empty line: the next page"),
            ("Up, Down", "earlier lines; on an empty line: scroll"),
            ("PgUp, PgDn", "scroll; Left and Right on an empty line: sideways"),
            ("u", "undo"), ("c", "conflicts; a digit resolves one"), ("g", "the chart"),
            ("n", "the next session, if there is one"),
            ("Esc", "clears the line; if it is empty: back to the table"),
            ("q, Ctrl-C", "quit"), ("Ctrl-Z", "suspend; fg continues"),
        ]
        let note =
            "u, c, g, n and q work on an empty line, unless a player, a row or a move begins with"
            + " the letter: then type the word, or the letter and Enter."
        return [Line("  Type", .strong)] + table(typed, form)
            + [Line(), Line("  Keys", .strong)] + table(keys, form) + [Line()]
            + TextWidth.wrapped(note, to: min(70, form.columns - 2)).map {
                Line("  " + $0, .faint)
            }
    }

    /// Two columns, of which the second one is wrapped.
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
