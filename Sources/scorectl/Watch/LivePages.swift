import CPlatform
import ControlSocket
import SyncProtocol

/// What the pages of the live view show: asked of the daemon when they are looked at, and again
/// when the sheet has changed, at the pace of ``PagePace``.
final class LivePages {
    private let call: Invocation
    /// What was asked for last.
    private var kept: (page: LivePage, session: String, content: Content)?
    private var pace = PagePace()

    /// What a page is made of.
    private enum Content {
        case chart(ChartReply)
        case lines([Line])
    }

    /// How much of the history is shown.
    private static let mostEntries = 200

    /// Pages of the daemon of a call.
    init(_ call: Invocation) { self.call = call }

    /// What was asked for is not to be shown any more.
    func forget() { kept = nil }

    /// The sheet has changed: what was asked for is asked for again, as soon as its pace allows.
    func age() { pace.age() }

    /// After how many milliseconds a page of a session is to be drawn again at the latest.
    func patience(of page: LivePage, _ session: String?) -> Int {
        guard let kept, kept.page == page, kept.session == session else { return PagePace.longest }
        return pace.patience(at: Self.now)
    }

    private static var now: Int64 { platform_steady_milliseconds() }

    /// What the page of a view shows, in so many rows.
    func content(
        of view: LiveView,
        _ show: ShowReply,
        _ form: PageForm,
        rows: Int
    ) -> PageContent {
        let now = call.console.now()
        switch view.page {
        case .table:
            return LiveTable(show, form, rows: rows, now: now).content(from: view.across)
        case .conflicts: return PageContent(body: Conflicts(show).lines(now: now))
        case .help: return PageContent(body: LiveHelp.lines(show, form))
        case .answer(let lines): return across(lines.map { Line("  " + $0) }, view, form)
        case .chart, .history, .peers: break
        }
        switch asked(view.page, show) {
        case .chart(let chart):
            return PageContent(body: ChartCommand.lines(chart, call, form, rows: rows))
        case .lines(let lines): return across(lines, view, form)
        }
    }

    /// Lines that scroll sideways where they are wider than the screen.
    private func across(_ lines: [Line], _ view: LiveView, _ form: PageForm) -> PageContent {
        let step = 8
        let excess = max(0, (lines.map(\.width).max() ?? 0) - form.columns)
        let steps = (excess + step - 1) / step
        let place = min(steps, view.across ?? 0)
        return PageContent(
            body: lines.map { $0.cropped(from: place * step, to: form.columns) },
            across: place,
            mostAcross: steps
        )
    }

    private func asked(_ page: LivePage, _ show: ShowReply) -> Content {
        let session = show.document.session.id
        if let kept, kept.page == page, kept.session == session, !pace.isDue(at: Self.now) {
            return kept.content
        }
        let content: Content
        do throws(ControlError) { content = try self.content(of: page, session) } catch {
            // Kept too: a daemon that does not answer is not asked again at each key.
            content = .lines([Line("  " + error.message, .warning)])
        }
        kept = (page, session, content)
        pace.asked(at: Self.now)
        return content
    }

    private func content(
        of page: LivePage,
        _ session: String
    ) throws(ControlError) -> Content {
        let client = try Invocation.client(call.paths())
        let now = call.console.now()
        switch page {
        case .chart: return .chart(try client.call(.chart, .init(session: session)))
        case .history:
            let request = HistoryParameters(session: session, limit: Self.mostEntries)
            return .lines(HistoryList.lines(try client.call(.history, request).entries, now: now))
        case .peers:
            let peers = try client.call(.peers, .init(session: session)).peers
            return .lines(PeerCommands.lines(peers, now: now))
        case .table, .conflicts, .help, .answer: return .lines([])
        }
    }
}

/// What the live view can show; Tab goes through those that come first.
enum LivePage: Hashable, Sendable {
    case table
    case chart
    case history
    case peers
    /// What was written differently, to be settled with a key.
    case conflicts
    /// What the keys do.
    case help
    /// What a command had to say.
    case answer([String])

    /// The pages through which Tab goes.
    static let all: [LivePage] = [.table, .chart, .history, .peers]

    /// What it is called.
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

    /// The page after this one.
    var next: LivePage { after(1) }

    /// The page before this one.
    var previous: LivePage { after(LivePage.all.count - 1) }

    private func after(_ steps: Int) -> LivePage {
        let place = LivePage.all.firstIndex(of: self).map { $0 + steps } ?? 0
        return LivePage.all[place % LivePage.all.count]
    }
}

/// A page of the live view, in parts: what scrolls, and what stays above and below it.
struct PageContent: Hashable, Sendable {
    /// What stays above.
    var head: [Line] = []
    /// What scrolls where it does not fit.
    var body: [Line]
    /// What stays below.
    var foot: [Line] = []
    /// The line of the body that is in sight where nobody has scrolled, with the one below it; nil
    /// of none.
    var focus: Int?
    /// How far it is scrolled sideways, in steps of its own.
    var across = 0
    /// How far it can be.
    var mostAcross = 0

    /// What is shown of it in so many rows and columns.
    struct Window: Hashable, Sendable {
        /// The lines, as many as there are rows.
        let lines: [Line]
        /// The first line of the body that is shown.
        let top: Int
        /// How many lines of the body are above and below.
        let above: Int
        let below: Int
        /// How many lines of the body have room.
        let rows: Int
    }

    /// What is shown in so many rows, from a line of the body on; nil where nobody has scrolled.
    func window(rows: Int, columns: Int, from wanted: Int?) -> Window {
        var (head, body, foot) = (head, body, foot)
        // Where hardly anything of the body would be seen, all scrolls.
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

/// When a page of which the sheet has changed is asked for again: at once, but only once a second,
/// because nothing is typed meanwhile, and the answer costs what the whole game does.
struct PagePace: Hashable, Sendable {
    /// The pause between two questions, in milliseconds.
    static let pause: Int64 = 1_000
    /// How long a page stays as it is where nothing happens: "3 min ago" grows older by itself.
    static let longest = 30_000

    private var isOld = false
    private var earliest: Int64 = 0

    /// Notes that what was asked for is old.
    mutating func age() { isOld = true }

    /// Notes that it was asked for.
    mutating func asked(at now: Int64) {
        isOld = false
        earliest = now + PagePace.pause
    }

    /// Whether it is to be asked for again now.
    func isDue(at now: Int64) -> Bool { isOld && now >= earliest }

    /// After how many milliseconds it is to be drawn again.
    func patience(at now: Int64) -> Int {
        isOld ? Int(clamping: max(0, earliest - now)) : PagePace.longest
    }
}
