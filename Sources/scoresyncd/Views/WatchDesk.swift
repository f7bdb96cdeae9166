import ControlSocket
import SessionCRDT
import SyncProtocol

/// Who watches which session, and who waits for something.
///
/// A class, because telling a watcher may end its connection, which changes the desk. Invariant for
/// `@unchecked Sendable`: used on the daemon's queue only.
final class WatchDesk: @unchecked Sendable {
    private struct Watcher {
        let session: SessionID
        let feed: WatchFeed
        let connection: ControlConnection
    }

    private var watchers: [ObjectIdentifier: Watcher] = [:]
    private var waits: [ObjectIdentifier: Wait] = [:]

    /// Lets a connection watch a session until it closes.
    func add(_ connection: ControlConnection, of session: SessionID, by daemon: Daemon) {
        let feed = WatchFeed(connection) { @Sendable [weak daemon] in
            try? daemon?.show(session)
        }
        let id = ObjectIdentifier(connection)
        watchers[id] = Watcher(session: session, feed: feed, connection: connection)
        connection.onClose { @Sendable [weak daemon] in daemon?.watchers.remove(id) }
        feed.start()
    }

    /// Lets a call wait until something is so.
    func add(_ wait: Wait) { waits[ObjectIdentifier(wait)] = wait }

    /// Tells who watches the session that something may look different.
    func changed(_ session: SessionID) {
        for watcher in watchers.values where watcher.session == session { watcher.feed.changed() }
        for wait in waits.values { wait.check() }
    }

    /// The session is no longer held here.
    func left(_ session: SessionID) {
        for watcher in watchers.values where watcher.session == session {
            watcher.connection.close()
        }
        watchers = watchers.filter { $0.value.session != session }
    }

    /// A connection closed.
    func remove(_ id: ObjectIdentifier) { watchers[id] = nil }

    /// Lets go of the calls that have been answered.
    func forgetOver() { waits = waits.filter { !$0.value.isOver } }
}
