import ControlSocket
import Dispatch
import SessionCRDT
import SyncProtocol

/// Who watches which session, and who waits for something.
///
/// What happens within one turn of the queue is told once. A class, because telling a watcher may
/// end its connection, which changes the desk. Invariant for `@unchecked Sendable`: used on the
/// daemon's queue only.
final class WatchDesk: @unchecked Sendable {
    private struct Watcher {
        let session: SessionID
        let feed: WatchFeed
        let connection: ControlConnection
    }

    private let queue: DispatchQueue
    private var watchers: [ObjectIdentifier: Watcher] = [:]
    private var waits: [ObjectIdentifier: Wait] = [:]
    private var changedSessions: Set<SessionID> = []

    /// A desk where nobody watches yet.
    init(on queue: DispatchQueue) {
        self.queue = queue
    }

    /// Lets a connection watch a session until it closes.
    func add(
        _ connection: ControlConnection,
        of session: SessionID,
        showing show: @escaping @Sendable () throws(ControlError) -> ShowReply
    ) {
        let feed = WatchFeed(connection, current: show)
        let id = ObjectIdentifier(connection)
        watchers[id] = Watcher(session: session, feed: feed, connection: connection)
        connection.onClose { @Sendable [weak self] in self?.watchers[id] = nil }
        feed.start()
    }

    /// Lets somebody wait until something is so.
    func add(_ wait: Wait) { waits[ObjectIdentifier(wait)] = wait }

    /// Tells who watches the session that something may look different, once for all that happens
    /// in this turn of the queue.
    func changed(_ session: SessionID) {
        if changedSessions.isEmpty { queue.async { @Sendable [weak self] in self?.tell() } }
        changedSessions.insert(session)
    }

    private func tell() {
        let changed = changedSessions
        changedSessions = []
        for watcher in watchers.values where changed.contains(watcher.session) {
            watcher.feed.changed()
        }
        for wait in waits.values where changed.contains(wait.session) { wait.check() }
        waits = waits.filter { !$0.value.isOver }
    }

    /// The session is no longer held here.
    func left(_ session: SessionID) {
        for watcher in watchers.values where watcher.session == session {
            watcher.connection.close()
        }
        for wait in waits.values where wait.session == session { wait.abandon() }
        watchers = watchers.filter { $0.value.session != session }
        waits = waits.filter { !$0.value.isOver }
    }
}
