import BoardSite
import CPlatform
import ControlSocket
import SyncProtocol

/// Watches a session of the daemon and publishes it on the board; retries after errors.
struct SessionWatcher {
    /// The session by id or title; nil for the current one.
    let session: String?
    let paths: ControlPaths
    let board: Board
    /// Whether phones enter scores, so that the board needs the players.
    let allowsPhones: Bool
    /// A descriptor that becomes readable when the program is asked to end.
    let ending: Int32

    /// The pauses before a retry, in milliseconds: without a daemon, and after an error that it
    /// returned.
    private static let retryPause: Int32 = 200
    private static let refusalPause: Int32 = 1000

    private struct Progress {
        /// The session to watch; nil for the current one.
        var session: String?
        /// Whether a sheet was ever shown, which proves that the arguments are valid.
        var hasShown = false
        var follower = SessionFollower()
        var heartbeat = Heartbeat()
    }

    /// Watches until `ending` is readable, or until a time of the monotonic clock.
    ///
    /// - Throws: the daemon's error if nothing was shown yet, such as for an unknown session. Later
    ///   errors, such as an unreadable sheet, may be repaired while the board is open.
    func run(until end: Int64) throws(ControlError) {
        var progress = Progress(session: session)
        while !isOver(end, pausing: 0) {
            do throws(ControlError) {
                return try watch(&progress, until: end)
            } catch {
                let isAway = error.isAbsence || error.kind == .timedOut
                guard isAway || progress.hasShown else { throw error }
                // This laptop has left the session: continue with the current one.
                if error.kind == .notFound { progress.session = nil }
                board.broadcast.sendDaemonLost()
                if progress.heartbeat.isDue(at: platform_steady_milliseconds()) {
                    board.broadcast.sendHeartbeat()
                }
                let pause = isAway ? SessionWatcher.retryPause : SessionWatcher.refusalPause
                if isOver(end, pausing: pause) { return }
            }
        }
    }

    private func watch(_ progress: inout Progress, until end: Int64) throws(ControlError) {
        let socket = ControlLock.socket(paths) ?? paths.socket
        let client = try ControlClient(path: socket, client: "board", home: paths.home)
        _ = try client.call(.watch, .init(session: progress.session))
        var (sheet, throttle) = (LiveSheet(), ChartThrottle())
        while true {
            while let event = try client.event(WatchEvent.self, method: WatchEvent.method) {
                try sheet.apply(event)
                guard let show = sheet.show else { continue }
                // Pinned, because the current session may be another one when the daemon is back.
                progress.session = show.document.session.id
                progress.hasShown = true
                try publish(event.content, show, client)
                if event.content.changesChart {
                    throttle.scheduleRequest(at: platform_steady_milliseconds())
                }
                if let next = progress.follower.next(after: show) {
                    _ = try client.call(.watch, .init(session: next))
                }
            }
            let now = platform_steady_milliseconds()
            if progress.heartbeat.isDue(at: now) { board.broadcast.sendHeartbeat() }
            if throttle.isDue(at: now) {
                try publishChart(of: progress.session, client)
                continue
            }
            guard now < end else { return }
            let pause = min(progress.heartbeat.due - now, end - now, (throttle.due ?? .max) - now)
            guard try client.wait(orFor: [ending], milliseconds: Int(pause)) != .other else {
                return
            }
        }
    }

    private func publish(
        _ news: WatchEvent.Content,
        _ show: ShowReply,
        _ client: ControlClient
    ) throws(ControlError) {
        switch news {
        case .change(let change): try board.broadcast.send(change, resultingIn: show)
        case .snapshot:
            board.broadcast.send(show)
            guard allowsPhones else { return }
            // A change of players is sent as a snapshot, not as a change.
            let session = show.document.session.id
            let reply = try client.call(.players, .init(session: session))
            try board.updatePlayers(reply.items, of: session)
        }
    }

    private func publishChart(of session: String?, _ client: ControlClient) throws(ControlError) {
        do throws(ControlError) {
            // The client queues events that arrive before the reply.
            try board.broadcast.send(try client.call(.chart, .init(session: session)))
        } catch {
            // Without a chart, the sheet is shown alone.
            guard !error.isAbsence, error.kind != .timedOut else { throw error }
        }
    }

    private func isOver(_ end: Int64, pausing milliseconds: Int32) -> Bool {
        platform_wait(ending, false, -1, milliseconds) == 1
            || platform_steady_milliseconds() >= end
    }
}

extension WatchEvent.Content {
    /// Whether the event may change the chart.
    fileprivate var changesChart: Bool {
        switch self {
        case .snapshot: true
        case .change(let change): !change.document.isEmpty
        }
    }
}
