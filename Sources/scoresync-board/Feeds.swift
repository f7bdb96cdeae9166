import BoardSite
import CMicroHTTPD
import CPlatform
import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization

/// The event streams of sessions: one that follows the current session, and one for each session
/// that the owner's pages show, which ends a while after its last page.
final class Feeds: Sendable {
    /// The maximum number of sessions that are shown at once.
    private static let maxFeeds = 16

    /// The stream of the current session.
    let main = Broadcast()

    private struct Feed {
        let broadcast = Broadcast()
        /// The writing end of a pipe whose end makes the watcher end.
        let pipe: Int32
        var wasEmpty = false
    }

    private struct State {
        var feeds: [String: Feed] = [:]
        var isClosed = false
    }

    private let paths: ControlPaths
    private let state = Mutex(State())

    init(_ paths: ControlPaths) { self.paths = paths }

    /// The number of open pages.
    var pageCount: Int {
        main.pageCount
            + state.withLock { $0.feeds.values.reduce(0) { $0 + $1.broadcast.pageCount } }
    }

    /// Adds a page to the stream that it shows; nil if there are too many.
    func subscribe(
        _ connection: OpaquePointer,
        _ page: Site.Page,
        port: UInt16
    ) -> (Broadcast, id: UInt64)? {
        guard case .owner(let session?) = page else {
            return unsafe main.subscribe(connection, page, port: port).map { (main, $0) }
        }
        let address = UInt(bitPattern: connection)
        return state.withLock { state in
            guard let broadcast = feed(of: session, &state),
                let connection = unsafe OpaquePointer(bitPattern: address)
            else { return nil }
            return unsafe broadcast.subscribe(connection, page, port: port).map { (broadcast, $0) }
        }
    }

    /// Returns the stream of a session, and starts to watch it if no page has shown it.
    private func feed(of session: String, _ state: inout State) -> Broadcast? {
        if let feed = state.feeds[session] { return feed.broadcast }
        var ends: [Int32] = [-1, -1]
        guard !state.isClosed, state.feeds.count < Feeds.maxFeeds, unsafe platform_pipe(&ends) >= 0
        else { return nil }
        let (reading, feed) = (ends[0], Feed(pipe: ends[1]))
        state.feeds[session] = feed
        let watcher = SessionWatcher(
            session: session,
            paths: paths,
            broadcast: feed.broadcast,
            board: nil,
            waitsForSession: true,
            endings: [reading],
            isNeeded: { @Sendable [self] in isNeeded(session) }
        )
        DispatchQueue(label: "scoresync.board.feed").async { @Sendable in
            try? watcher.run(until: nil)
            platform_close(reading)
        }
        return feed.broadcast
    }

    /// Returns whether a session has pages; if it had none when asked before, removes its stream.
    private func isNeeded(_ session: String) -> Bool {
        state.withLock { state in
            guard let feed = state.feeds[session] else { return false }
            let isEmpty = feed.broadcast.pageCount == 0
            guard isEmpty, feed.wasEmpty else {
                state.feeds[session]?.wasEmpty = isEmpty
                return true
            }
            state.feeds[session] = nil
            platform_close(feed.pipe)
            return false
        }
    }

    /// Closes all pages, or those that use one server.
    func close(port: UInt16? = nil) {
        main.close(port: port)
        state.withLock { state in
            if port == nil { state.isClosed = true }
            for feed in state.feeds.values {
                feed.broadcast.close(port: port)
                if port == nil { platform_close(feed.pipe) }
            }
            if port == nil { state.feeds = [:] }
        }
    }
}
