import BoardSite
import CPlatform
import ControlSocket
import SyncProtocol

/// Watches a session of the daemon and publishes it on pages; retries after errors.
struct SessionWatcher {
    /// The session by id or title; nil for the current one, also after that has changed.
    let session: String?
    let paths: ControlPaths
    let broadcast: Broadcast
    /// The board whose links are those of the session's players; nil if other people play it.
    let board: Board?
    /// Whether the pages wait while there is no session that can be shown.
    let waitsForSession: Bool
    /// Descriptors that become readable when the watcher must end.
    let endings: [Int32]
    /// Whether pages still need the watcher, asked with every heartbeat.
    let isNeeded: @Sendable () -> Bool

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

    /// Watches until one of `endings` is readable, or until a time; also while the machine sleeps,
    /// time goes by.
    ///
    /// - Throws: the daemon's error if nothing was shown yet, such as for an unknown session,
    ///   unless the pages wait for one. Later errors, such as an unreadable sheet, may be repaired
    ///   while the board is open.
    func run(until end: ContinuousClock.Instant?) throws(ControlError) {
        var progress = Progress(session: session)
        while !isOver(end, pausing: 0) {
            do throws(ControlError) {
                return try watch(&progress, until: end)
            } catch {
                let isAway = error.isAbsence || error.kind == .timedOut
                guard isAway || progress.hasShown || waitsForSession else { throw error }
                if isAway || progress.hasShown && !waitsForSession {
                    broadcast.sendDaemonLost()
                } else {
                    broadcast.send(error)
                }
                // This laptop has left the session: continue with the current one.
                if error.kind == .notFound, session == nil { progress.session = nil }
                if progress.heartbeat.isDue(at: platform_steady_milliseconds()) {
                    guard isNeeded() else { return }
                    broadcast.sendHeartbeat()
                }
                let pause = isAway ? SessionWatcher.retryPause : SessionWatcher.refusalPause
                if isOver(end, pausing: pause) { return }
            }
        }
    }

    private func watch(
        _ progress: inout Progress,
        until end: ContinuousClock.Instant?
    ) throws(ControlError) {
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
                // The laptop may have been given another game than the next one.
                let current = session == nil ? show.context.inUse?.id : nil
                if let next = progress.follower.next(after: show) ?? current {
                    _ = try client.call(.watch, .init(session: next))
                }
            }
            let now = platform_steady_milliseconds()
            if progress.heartbeat.isDue(at: now) {
                guard isNeeded() else { return }
                broadcast.sendHeartbeat()
                board?.publishLinks()
            }
            if throttle.isDue(at: now) {
                try publishChart(of: progress.session, client)
                continue
            }
            let rest = SessionWatcher.rest(until: end)
            guard rest > 0 else { return }
            let pause = min(progress.heartbeat.due - now, rest, (throttle.due ?? .max) - now)
            guard try client.wait(orFor: endings, milliseconds: Int(pause)) != .other else {
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
        case .change(let change): try broadcast.send(change, resultingIn: show)
        case .snapshot:
            broadcast.send(show)
            guard let board else { break }
            // A change of players is sent as a snapshot, not as a change.
            let reply = try client.call(.players, .init(session: show.document.session.id))
            board.updatePlayers(reply.items, of: show)
        }
        if board != nil { broadcast.send(play: try play(of: show, client)) }
    }

    /// Returns the code that hands a play over; nil before its end, and if it has too much for a
    /// code.
    private func play(
        of show: ShowReply,
        _ client: ControlClient
    ) throws(ControlError) -> QRCode? {
        guard show.document.finished else { return nil }
        do throws(ControlError) {
            let results = try client.call(.results, .init(game: show.document.session.game)).items
            let result = results.first { $0.session == show.document.session.id }
            guard let play = result.flatMap({ BGStatsPlay($0) }) else { return nil }
            return QRCode(try play.link)
        } catch {
            // Without a code, the sheet is shown alone.
            guard !error.isAbsence, error.kind != .timedOut else { throw error }
            return nil
        }
    }

    private func publishChart(of session: String?, _ client: ControlClient) throws(ControlError) {
        do throws(ControlError) {
            // The client queues events that arrive before the reply.
            try broadcast.send(try client.call(.chart, .init(session: session)))
        } catch {
            // Without a chart, the sheet is shown alone.
            guard !error.isAbsence, error.kind != .timedOut else { throw error }
        }
    }

    private func isOver(_ end: ContinuousClock.Instant?, pausing milliseconds: Int32) -> Bool {
        unsafe platform_wait_any(endings, Int32(endings.count), milliseconds) > 0
            || SessionWatcher.rest(until: end) <= 0
    }

    /// Returns the milliseconds until a time.
    private static func rest(until end: ContinuousClock.Instant?) -> Int64 {
        guard let end else { return .max }
        return Int64((ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up))
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
