import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Batches on their way to disk, and what a failed commit does.
///
/// The engine decides what follows of it: every write that waits is answered as not known to be
/// saved, and the session is read again, here, because only the disk knows what it holds; see
/// `discard` in the engine. Owns which sessions were refused last.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Commits: @unchecked Sendable {
    /// The sessions of which the last write was refused: until one is saved, `status` says so.
    private var refused: Set<SessionID> = []
    private let sessions: SessionCatalog
    private let disk: Disk
    private let loop: EngineLoop
    private let alarms: Alarms

    init(_ sessions: SessionCatalog, _ disk: Disk, _ loop: EngineLoop, _ alarms: Alarms) {
        self.sessions = sessions
        self.disk = disk
        self.loop = loop
        self.alarms = alarms
    }

    /// Writes a batch down in one transaction.
    func commit(_ batch: Batch, of session: SessionID, as id: BatchID) {
        disk.commit(batch, of: session) { [self] result in
            switch result {
            case .success:
                refused.remove(session)
                alarms.clear(.storage, "\(session)")
                loop.handle(.persisted(id))
            case .failure(let error):
                refused.insert(session)
                loop.handle(.persistFailed(id, reason: "\(error)"))
            }
        }
    }

    /// Reads a session again.
    func load(_ session: SessionID) {
        guard let facts = sessions[session]?.facts else { return }
        disk.perform(isLong: true) {
            store throws(StoreError) in
            try store.loadOpened(session, facts)
        } then: { [self] result in
            switch result {
            case .success(let opened):
                if !refused.contains(session) { alarms.clear(.storage, "\(session)") }
                loop.handle(.opened(session, opened))
            case .failure(let error): loop.handle(.unloadable(session, reason: "\(error)"))
            }
        }
    }

    /// Tries again to read what could not be read at the start.
    func loadMissing() {
        for session in sessions.all where loop.engine.replicas[session.id] == nil {
            load(session.id)
        }
    }
}
