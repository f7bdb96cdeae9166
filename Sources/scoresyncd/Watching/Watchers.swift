import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

/// Who watches which session, and who waits for something there.
///
/// What happens within one turn of the queue is told once. A session that nobody watches or waits
/// for costs a look into two dictionaries. A class, because telling a watcher may end its
/// connection, which changes who watches. Invariant for `@unchecked Sendable`: used on the daemon's
/// queue only.
final class Watchers: @unchecked Sendable {
    private let queue: EventQueue
    private var sheets: [SessionID: WatchedSheet] = [:]
    private var waits: [SessionID: [Wait]] = [:]
    /// The sessions in which something has changed in this turn of the queue.
    private var changedSessions: Set<SessionID> = []

    /// Nobody, yet.
    init(on queue: EventQueue) {
        self.queue = queue
    }

    /// The sheet of a session that somebody watches.
    subscript(session: SessionID) -> WatchedSheet? { sheets[session] }

    /// Lets a connection watch a session until it closes, and no other one.
    func add(_ connection: ControlConnection, of session: any WatchedSession) {
        let id = session.id
        for (other, sheet) in sheets where other != id {
            sheet.feed.remove(connection)
            forgetUnwatched(other)
        }
        let sheet = sheets[id] ?? WatchedSheet(session)
        sheets[id] = sheet
        sheet.feed.add(connection)
        connection.onClose { @Sendable [weak self] in self?.forgetUnwatched(id) }
    }

    /// Lets somebody wait until something is so, unless it is so already.
    func add(_ wait: Wait) {
        wait.check()
        // Those that are over by now were answered, ran out or were given up.
        forgetOver(wait.session)
        if !wait.isOver { waits[wait.session, default: []].append(wait) }
    }

    /// Tells who watches or waits that something differs in a session: on its scoreboard, or, with
    /// no such change, of what this device knows about it.
    func changed(_ session: SessionID, _ change: ScoreboardChange = ScoreboardChange()) {
        guard sheets[session] != nil || waits[session] != nil else { return }
        if changedSessions.isEmpty { queue.async { @Sendable [weak self] in self?.tell() } }
        changedSessions.insert(session)
        sheets[session]?.changed(change)
    }

    /// Tells all who watch that another session is the current one.
    func changedCurrent() {
        for session in sheets.keys.sorted() { changed(session) }
    }

    private func tell() {
        let changed = changedSessions.sorted()
        changedSessions = []
        for session in changed {
            sheets[session]?.tell()
            for wait in waits[session] ?? [] { wait.check() }
            forgetOver(session)
        }
    }

    /// The session is no longer held here.
    func left(_ session: SessionID) {
        let reason = ControlError(.notFound, "the session was left")
        sheets[session]?.feed.end(reason)
        for wait in waits[session] ?? [] { wait.abandon(reason) }
        waits[session] = nil
    }

    /// The daemon stops: who waits is told so, and is not waited for.
    func stop() {
        let reason = ControlError(.noDaemon, "the daemon is stopping")
        for (_, some) in waits.sorted(by: { $0.key < $1.key }) {
            for wait in some { wait.abandon(reason) }
        }
        waits = [:]
    }

    private func forgetUnwatched(_ session: SessionID) {
        if sheets[session]?.feed.isEmpty == true { sheets[session] = nil }
    }

    private func forgetOver(_ session: SessionID) {
        waits[session]?.removeAll(where: \.isOver)
        if waits[session]?.isEmpty == true { waits[session] = nil }
    }
}
