import BoardSite
import CPlatform
import ControlSocket
import SyncProtocol

/// Follows a session of the daemon, and tells the board of it; waits while it cannot be followed.
struct Follower {
    /// Which session; nil is the current one.
    let session: String?
    /// Where the daemon is called.
    let paths: ControlPaths
    let board: Board
    /// Whether phones enter, so that it matters who plays.
    let letsPhonesEnter: Bool
    /// What can be read once somebody ends the board.
    let ending: Int32

    /// The pause between two looks for a daemon, and between two for what a daemon refused.
    private static let rest: Int32 = 200
    private static let longRest: Int32 = 1000

    /// How far it has come.
    private struct Progress {
        /// Which session; nil is the current one.
        var session: String?
        /// Whether a sheet was shown already: the words that were typed made sense.
        var hasShown = false
        var evening = Evening()
        var heartbeat = Heartbeat()
    }

    /// Follows until somebody ends it, or until a time of the steady clock.
    ///
    /// - Throws: what the daemon refuses before anything was shown, such as a session that is not
    ///   there. What comes later, such as a sheet that cannot be read, ends no evening: somebody
    ///   may mend it.
    func run(until end: Int64) throws(ControlError) {
        var progress = Progress(session: session)
        while !isOver(end, pausing: 0) {
            do throws(ControlError) {
                return try follow(&progress, until: end)
            } catch {
                let isAway = error.isAbsence || error.kind == .timedOut
                guard isAway || progress.hasShown else { throw error }
                // The session was left: the board goes on with the current one.
                if error.kind == .notFound { progress.session = nil }
                board.broadcast.tellAway()
                if progress.heartbeat.isDue(at: platform_steady_milliseconds()) {
                    board.broadcast.beat()
                }
                let pause = isAway ? Follower.rest : Follower.longRest
                if isOver(end, pausing: pause) { return }
            }
        }
    }

    private func follow(_ progress: inout Progress, until end: Int64) throws(ControlError) {
        let client = try ControlClient(path: paths.socket, client: "board", home: paths.home)
        _ = try client.call(WatchRequest(session: progress.session))
        var (sheet, pace) = (LiveSheet(), ChartPace())
        while true {
            while let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                try sheet.apply(event)
                guard let show = sheet.show else { continue }
                // Another session may be the current one by the time that a daemon is back.
                progress.session = show.document.session.id
                progress.hasShown = true
                try tell(event.news, show, client)
                if event.news.isAboutScores { pace.change(at: platform_steady_milliseconds()) }
                if let next = progress.evening.next(after: show) {
                    _ = try client.call(WatchRequest(session: next))
                }
            }
            let now = platform_steady_milliseconds()
            if progress.heartbeat.isDue(at: now) { board.broadcast.beat() }
            if pace.ask(at: now) {
                try tellChart(of: progress.session, client)
                continue
            }
            guard now < end else { return }
            let pause = min(progress.heartbeat.due - now, end - now, (pace.due ?? .max) - now)
            guard try client.wait(orFor: ending, milliseconds: Int(pause)) != .other else { return }
        }
    }

    /// Tells what was told; a snapshot says that somebody else may play.
    private func tell(
        _ news: WatchEvent.News,
        _ show: ShowReply,
        _ client: ControlClient
    ) throws(ControlError) {
        switch news {
        case .change(let change): try board.broadcast.tell(change, leadingTo: show)
        case .snapshot:
            board.broadcast.tell(show)
            guard letsPhonesEnter else { return }
            let session = show.document.session.id
            let reply = try client.call(PlayerListRequest(session: session))
            try board.seat(reply.players, of: session)
        }
    }

    /// Tells how everybody came to stand as they do, where the daemon can say that.
    private func tellChart(of session: String?, _ client: ControlClient) throws(ControlError) {
        do throws(ControlError) {
            // What is told meanwhile waits in the client.
            try board.broadcast.tell(try client.call(ChartRequest(session: session)))
        } catch {
            // A sheet without a chart is shown all the same.
            guard !error.isAbsence, error.kind != .timedOut else { throw error }
        }
    }

    private func isOver(_ end: Int64, pausing milliseconds: Int32) -> Bool {
        platform_wait(ending, false, -1, milliseconds) == 1
            || platform_steady_milliseconds() >= end
    }
}

extension WatchEvent.News {
    /// Whether anything differs that a chart may show.
    fileprivate var isAboutScores: Bool {
        switch self {
        case .snapshot: true
        case .change(let change): !change.document.isEmpty
        }
    }
}
