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
        case .chart: return .chart(try client.call(ChartRequest(session: session)))
        case .history:
            let request = HistoryRequest(session: session, limit: Self.mostEntries)
            return .lines(HistoryList.lines(try client.call(request).entries, now: now))
        case .peers:
            let peers = try client.call(PeerListRequest(session: session)).peers
            return .lines(PeerCommands.lines(peers, now: now))
        case .table, .conflicts, .help, .answer: return .lines([])
        }
    }
}
