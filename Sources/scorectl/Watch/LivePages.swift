import CPlatform
import ControlSocket
import SyncProtocol

/// The content of the pages of the live view: requested from the daemon when they are opened, and
/// again when the sheet has changed, as ``RefreshLimiter`` allows.
final class LivePages {
    private let call: Invocation
    private var cached: (page: LivePage, session: String, content: Content)?
    private var limiter = RefreshLimiter()

    private enum Content {
        case chart(ChartReply)
        case lines([Line])
    }

    private static let maxHistory = 200

    init(_ call: Invocation) { self.call = call }

    func removeCached() { cached = nil }

    /// Marks the cached content as outdated.
    func invalidate() { limiter.invalidate() }

    /// The time until a page must be drawn again.
    func redrawMilliseconds(_ page: LivePage, _ session: String?) -> Int {
        guard let cached, cached.page == page, cached.session == session else {
            return RefreshLimiter.maxAgeMilliseconds
        }
        return limiter.remainingMilliseconds(at: Self.now)
    }

    private static var now: Int64 { platform_steady_milliseconds() }

    /// The content of the current page.
    func content(of view: LiveView, _ show: ShowReply, _ form: PageForm, rows: Int) -> PageContent {
        let now = call.console.now()
        switch view.page {
        case .table:
            return LiveTable(show, form, rows: rows, now: now).content(from: view.column)
        case .conflicts: return PageContent(body: ConflictPage(show).lines(now: now))
        case .help: return PageContent(body: LiveHelp.lines(show, form))
        case .answer(let lines): return scrollable(lines.map { Line("  " + $0) }, view, form)
        case .chart, .history, .peers: break
        }
        switch current(view.page, show) {
        case .chart(let chart):
            return PageContent(body: ChartCommand.lines(chart, call, form, rows: rows))
        case .lines(let lines): return scrollable(lines, view, form)
        }
    }

    /// Lines that scroll sideways if they are wider than the screen.
    private func scrollable(_ lines: [Line], _ view: LiveView, _ form: PageForm) -> PageContent {
        let step = 8
        let excess = max(0, (lines.map(\.width).max() ?? 0) - form.columns)
        let steps = (excess + step - 1) / step
        let column = min(steps, view.column ?? 0)
        return PageContent(
            body: lines.map { $0.cropped(from: column * step, to: form.columns) },
            column: column,
            maxColumn: steps
        )
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
            content = .lines([Line("  " + error.text, .warning)])
        }
        cached = (page, session, content)
        limiter.didRequest(at: Self.now)
        return content
    }

    private func requested(_ page: LivePage, _ session: String) throws(ControlError) -> Content {
        let client = try Invocation.client(call.paths())
        let now = call.console.now()
        switch page {
        case .chart: return .chart(try client.call(.chart, .init(session: session)))
        case .history:
            let request = HistoryParameters(session: session, limit: Self.maxHistory)
            return .lines(HistoryList.lines(try client.call(.history, request).items, now: now))
        case .peers:
            let peers = try client.call(.peers, .init(session: session)).items
            return .lines(PeerCommands.lines(peers, now: now))
        case .table, .conflicts, .help, .answer: return .lines([])
        }
    }
}

/// The pages of the live view.
enum LivePage: Hashable, Sendable {
    case table
    case chart
    case history
    case peers
    case conflicts
    case help
    /// The output of a command.
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
    /// The line of the body that stays visible with the one below it until the user scrolls.
    var focus: Int?
    /// The sideways position, in steps of the page.
    var column = 0
    var maxColumn = 0

    /// The visible part of a page.
    struct Window: Hashable, Sendable {
        let lines: [Line]
        /// The first visible line of the body.
        let top: Int
        /// The number of hidden lines of the body above and below.
        let above: Int
        let below: Int
        /// The number of visible lines of the body.
        let rows: Int
    }

    /// The visible part from a line of the body on; nil if the user has not scrolled.
    func window(rows: Int, columns: Int, from wanted: Int?) -> Window {
        var (head, body, foot) = (head, body, foot)
        // If hardly anything of the body would be visible, head and foot scroll too.
        if rows - head.count - foot.count < min(body.count, 3) {
            (head, body, foot) = ([], head + body + foot, [])
        }
        let room = max(0, rows - head.count - foot.count)
        let latest = max(0, body.count - room)
        let usual = focus.map { $0 + 2 - room } ?? 0
        let top = min(max(0, wanted ?? usual), latest)
        let shown = body.dropFirst(top).prefix(room)
        let all = (head + shown + foot).prefix(max(0, rows)).map { $0.cropped(to: columns) }
        let blank = [Line](repeating: Line(), count: max(0, rows - all.count))
        return Window(
            lines: all + blank,
            top: top,
            above: top,
            below: max(0, body.count - top - shown.count),
            rows: room
        )
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

    /// The time until the page must be drawn again.
    func remainingMilliseconds(at now: Int64) -> Int {
        isOutdated ? Int(clamping: max(0, earliest - now)) : Self.maxAgeMilliseconds
    }
}
