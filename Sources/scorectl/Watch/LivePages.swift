import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

/// The content of the pages of the live view: requested from the daemon when they are opened, and
/// again when the sheet has changed, as ``RefreshLimiter`` allows.
final class LivePages {
    private let call: Invocation
    private var cached: (page: LivePage, session: String, content: Content)?
    private var limiter = RefreshLimiter()

    /// Renders the content for the position of the view, the format and the height.
    private typealias Content = (LiveView, PageFormat, _ rows: Int) -> PageContent

    private static let maxHistory = 200

    init(_ call: Invocation) { self.call = call }

    func removeCached() { cached = nil }

    func invalidate() { limiter.invalidate() }

    func redrawMilliseconds(_ page: LivePage, _ session: String?) -> Int {
        guard let cached, cached.page == page, cached.session == session else {
            return RefreshLimiter.maxAgeMilliseconds
        }
        return limiter.remainingMilliseconds(at: Self.now)
    }

    private static var now: Int64 { platform_steady_milliseconds() }

    func content(of view: LiveView, _ show: ShowReply, _ form: PageFormat, rows: Int) -> PageContent
    {
        let now = call.console.now()
        switch view.page {
        case .table:
            return LiveTable(show, form, rows: rows, now: now).content(from: view.column)
        case .conflicts:
            return PageContent(body: ConflictPage(conflicts: show.conflicts).lines(now: now))
        case .help: return PageContent(body: LiveHelp.lines(show, form))
        case .answer(let lines):
            return Self.scrollable(lines.map { Line("  " + $0) })(view, form, rows)
        case .chart, .history, .peers: return current(view.page, show)(view, form, rows)
        }
    }

    /// Creates content from lines, which scroll sideways if they are wider than the screen.
    private static func scrollable(_ lines: [Line]) -> Content {
        let step = 8
        return { view, form, _ in
            let excess = max(0, (lines.map(\.width).max() ?? 0) - form.columns)
            let steps = (excess + step - 1) / step
            let column = min(steps, view.column ?? 0)
            let body = lines.map { $0.cropped(from: column * step, to: form.columns) }
            return PageContent(body: body, column: column, maxColumn: steps)
        }
    }

    private func current(_ page: LivePage, _ show: ShowReply) -> Content {
        let session = show.document.session.id
        if let cached, cached.page == page, cached.session == session,
            !limiter.isDue(at: Self.now)
        {
            return cached.content
        }
        let content: Content
        do throws(ControlError) { content = try requested(page, session) } catch {
            // Errors are cached too, so that not every key asks a daemon that does not answer.
            content = Self.scrollable([Line("  " + error.text, .warning)])
        }
        cached = (page, session, content)
        limiter.didRequest(at: Self.now)
        return content
    }

    private func requested(_ page: LivePage, _ session: String) throws(ControlError) -> Content {
        let client = try Invocation.client(call.paths())
        let now = call.console.now()
        switch page {
        case .chart:
            let chart = try client.call(.chart, .init(session: session))
            return { [call] _, form, rows in
                PageContent(body: ChartCommand.lines(chart, call, form, rows: rows))
            }
        case .history:
            let request = HistoryParameters(session: session, limit: Self.maxHistory)
            let entries = try client.call(.history, request).items
            return Self.scrollable(HistoryList.lines(entries, now: now))
        case .peers:
            let peers = try client.call(.peers, .init(session: session)).items
            return Self.scrollable(PeerCommands.lines(peers, now: now))
        case .table, .conflicts, .help, .answer: return Self.scrollable([])
        }
    }
}

enum LivePage: Hashable, Sendable {
    case table, chart, history, peers, conflicts, help
    case answer([String])

    /// The pages through which Tab goes.
    static let all: [LivePage] = [.table, .chart, .history, .peers]

    var name: String {
        switch self {
        case .table: "Table"
        case .chart: "Chart"
        case .history: "History"
        case .peers: "Peers"
        case .conflicts: "Conflicts"
        case .help: "Keys"
        case .answer: "Answer"
        }
    }

    var next: LivePage { after(1) }
    var previous: LivePage { after(LivePage.all.count - 1) }

    private func after(_ steps: Int) -> LivePage {
        let index = LivePage.all.firstIndex(of: self).map { $0 + steps } ?? 0
        return LivePage.all[index % LivePage.all.count]
    }
}

/// A page of the live view: a body that scrolls, between a fixed head and foot.
struct PageContent: Hashable, Sendable {
    var head: [Line] = []
    var body: [Line]
    var foot: [Line] = []
    /// The line of the body that stays visible, with the line below it, until the user scrolls.
    var focus: Int?
    /// The sideways scroll position, in steps that depend on the page.
    var column = 0
    var maxColumn = 0

    var lines: [Line] { head + body + foot }

    /// Returns the visible part, from a line of the body on; nil if the user has not scrolled.
    func window(
        rows: Int,
        columns: Int,
        from wanted: Int?
    ) -> (lines: [Line], range: LiveView.ScrollRange) {
        var (head, body, foot) = (head, body, foot)
        // If too little of the body would be visible, head and foot scroll as well.
        if rows - head.count - foot.count < min(body.count, 3) {
            (head, body, foot) = ([], lines, [])
        }
        let room = max(0, rows - head.count - foot.count)
        let latest = max(0, body.count - room)
        let usual = focus.map { $0 + 2 - room } ?? 0
        let top = min(max(0, wanted ?? usual), latest)
        let shown = body.dropFirst(top).prefix(room)
        let all = (head + shown + foot).prefix(max(0, rows)).map { $0.cropped(to: columns) }
        let blank = [Line](repeating: Line(), count: max(0, rows - all.count))
        let range = LiveView.ScrollRange(
            top: top,
            below: max(0, body.count - top - shown.count),
            column: column,
            maxColumn: maxColumn,
            rows: max(1, room)
        )
        return (all + blank, range)
    }
}

/// Limits the requests for an outdated page to one a second, since an answer costs as much as the
/// whole game and keys must wait for it.
struct RefreshLimiter: Hashable, Sendable {
    static let intervalMilliseconds: Int64 = 1_000
    /// The time after which an unchanged page is drawn again: "3 min ago" changes by itself.
    static let maxAgeMilliseconds = 30_000

    private var isOutdated = false
    private var earliest: Int64 = 0

    mutating func invalidate() { isOutdated = true }

    mutating func didRequest(at now: Int64) {
        isOutdated = false
        earliest = now + Self.intervalMilliseconds
    }

    func isDue(at now: Int64) -> Bool { isOutdated && now >= earliest }

    func remainingMilliseconds(at now: Int64) -> Int {
        isOutdated ? Int(clamping: max(0, earliest - now)) : Self.maxAgeMilliseconds
    }
}

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
        _ form: PageFormat,
        rows: Int,
        content: (_ rows: Int) -> PageContent
    ) {
        let columns = form.columns
        let prompt = LiveFrame.prompt(view.line, form)
        let messages = LiveFrame.messages(view.message, notices, columns)
        let room = max(0, rows - 2 - messages.count)
        let content = content(room)
        let window = content.window(rows: room, columns: columns, from: view.top)
        range = window.range
        let status = LiveFrame.status(view.page, range, form)
        let all = window.lines + messages + [status.cropped(to: columns), prompt.line]
        lines = Array(all.suffix(max(1, rows)))
        column = prompt.column
    }

    private static func messages(_ message: [Line], _ notices: Notices, _ columns: Int) -> [Line] {
        var lines = message.flatMap { line in
            let style = line.pieces.first?.style ?? .plain
            // The columns of a short table stay apart.
            let isNarrow = line.width < columns
            let texts = isNarrow ? [line.text] : TextWidth.wrapped(line.text, to: columns - 1)
            return texts.map { Line($0, style) }
        }
        if lines.count > LiveView.maxMessageLines {
            lines = lines.prefix(LiveView.maxMessageLines - 1) + [Line("…", .faint)]
        }
        if let next = notices.next {
            let title = TextWidth.truncated(next.title, to: max(8, columns - 20))
            lines.append(Line("“\(title)” has started. Press n to switch to it.", .warning))
        }
        if notices.isLost {
            let text = "The daemon has stopped; a command in another terminal starts it."
            lines.append(Line(text, .warning))
        }
        return lines.map { $0.cropped(to: columns) }
    }

    /// Renders the list of pages, and how much of the current one is hidden.
    private static func status(
        _ page: LivePage,
        _ range: LiveView.ScrollRange,
        _ form: PageFormat
    ) -> Line {
        let shown = LivePage.all.contains(page) ? LivePage.all : [page] + LivePage.all
        let names = shown.map { Line($0.name, $0 == page ? .strong : .faint) }
        let hidden = [range.top, range.below, range.column, range.maxColumn - range.column]
        let marks = zip(["↑", "↓", "←", "→"], hidden).filter { $0.1 > 0 }.map { "\($0)\($1)" }
        let separator = form.columns < 50 ? " " : "  "
        return Line(names, separator: separator)
            + Line(separator + (marks + ["?"]).joined(separator: " "), .faint)
    }

    /// Returns the typed line, or the part of it around the cursor, and the cursor's column.
    private static func prompt(_ input: InputLine, _ form: PageFormat) -> (line: Line, column: Int)
    {
        let mark = "› "
        let room = max(4, form.columns - TextWidth.of(mark) - 1)
        let before = TextWidth.of(input.head)
        // In a long line, up to half a screen before the cursor stays visible.
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
    private let form: PageFormat
    private let rows: Int
    private let page: SheetPage

    init(_ show: ShowReply, _ form: PageFormat, rows: Int, now: Int64) {
        (self.show, self.form, self.rows) = (show, form, rows)
        page = SheetPage(show: show, form: form, now: now)
    }

    /// Returns the content; if players are rows, from a round on, or for nil up to the last one.
    func content(from round: Int?) -> PageContent {
        guard show.document.panels.isEmpty, !show.document.finished else {
            return PageContent(body: page.lines(within: rows))
        }
        let table = SheetTable(show, columns: form.columns)
        guard !table.players.isEmpty else { return PageContent(body: page.lines) }
        var content = PageContent(body: [])
        if table.canBeColumns {
            content = table.playersAsColumns(table.players)
            content.focus = lastWritten
        }
        if !table.canBeColumns || !table.fits(content.lines) {
            content = playersAsRows(table, from: round)
        }
        content.head = page.heading + [Line()] + content.head
        let room = rows - content.head.count - content.body.count - content.foot.count
        // If the rows do not fit, most of the conflicts, notes and peers are left out.
        content.foot += remarks(in: max(min(3, rows / 8), room))
        return content
    }

    private var lastWritten: Int? {
        let written = Set(
            show.document.players.lazy.flatMap(\.cells).map { CellAddress.text($0.row, $0.round) }
        )
        return show.context.lines.lastIndex { written.contains(CellAddress.text($0.row, $0.round)) }
    }

    private func playersAsRows(_ table: SheetTable, from wanted: Int?) -> PageContent {
        let all = table.shownRows
        func parts(_ rows: Range<Int>) -> PageContent {
            table.playersAsRows(SheetTable.minWidth, all[rows])
        }
        func fits(_ rows: Range<Int>) -> Bool { table.fits(parts(rows).lines) }
        var maxFirst = max(0, all.count - 1)
        while maxFirst > 0, fits(maxFirst - 1..<all.count) { maxFirst -= 1 }
        let first = min(wanted ?? maxFirst, maxFirst)
        var end = first
        while end < all.count, fits(first..<end + 1) { end += 1 }
        var content = parts(first..<end)
        (content.column, content.maxColumn) = (first, maxFirst)
        return content
    }

    /// Returns as many of the conflicts, notes and peers as fit.
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

enum LiveHelp {
    static func lines(_ show: ShowReply, _ form: PageFormat) -> [Line] {
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

    /// Renders two columns and wraps the second.
    private static func table(_ rows: [(String, String)], _ form: PageFormat) -> [Line] {
        let width = rows.map { TextWidth.of($0.0) }.max() ?? 0
        let cells = rows.flatMap { name, text in
            TextWidth.wrapped(text, to: max(10, form.columns - width - 4)).enumerated().map {
                [Line($0.offset == 0 ? "  " + name : ""), Line($0.element, .faint)]
            }
        }
        return Table.aligned(cells, [.left, .left], gap: 2)
    }
}
