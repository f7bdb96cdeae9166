import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Writes the engine's batches to disk, and reloads sessions after a failure.
///
/// The engine decides what a failure means: every waiting write is answered as not confirmed, and
/// the session is loaded again, because only the disk knows what it holds; see `Replica.discard`.
@EventLoop
final class SessionCommits: DaemonPart {
    /// The sessions whose last write failed; `status` reports each until a write succeeds.
    private var failing: Set<SessionID> = []

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    func commit(_ batch: Batch, of session: SessionID, as id: BatchID) {
        storage.queue.commit([(session, batch)], at: Clock.wallMilliseconds) { [self] result in
            storage.checkDamage(result)
            switch result {
            case .success:
                failing.remove(session)
                alarms.clear(.storage, "\(session)")
                driver.handle(.persisted(id))
            case .failure(let error):
                failing.insert(session)
                driver.handle(.persistFailed(id, error.problem, reason: "\(error)"))
            }
        }
    }

    func load(_ session: SessionID) {
        guard let facts = sessions[session]?.facts else { return }
        EventLoop.start { [self] in
            let result = await storage.result(isLong: true) { store throws(StoreError) in
                try store.loadOpened(session, facts)
            }
            switch result {
            case .success(let opened):
                if !failing.contains(session) { alarms.clear(.storage, "\(session)") }
                driver.handle(.opened(session, opened))
            case .failure(let error): driver.handle(.loadFailed(session, reason: "\(error)"))
            }
        }
    }

    func loadMissing() {
        for session in sessions.all where driver.engine.replicas[session.id] == nil {
            load(session.id)
        }
    }
}

extension StoreError {
    /// The reason in the form that is sent to peers.
    fileprivate var problem: StorageProblem {
        switch self {
        case .diskFull: .diskFull
        case .readOnly: .readOnly
        default: .failed
        }
    }
}
