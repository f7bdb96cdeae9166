import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The store as the rooms use it: owns the queue of the disk, and turns its refusals into words.
///
/// Completions come on the daemon's queue, in the order of the calls. Invariant for
/// `@unchecked Sendable`: used on the daemon's queue only.
final class Disk: @unchecked Sendable {
    /// Something to do with the store.
    typealias Work<Success> = @Sendable (SessionStore) throws(StoreError) -> Success

    /// Told when something that is stored makes no sense.
    var whenDamaged: ((StoreError) -> Void)?

    private let store: StoreQueue
    private let alarms: Alarms

    /// The disk behind a store's queue.
    init(_ store: StoreQueue, _ alarms: Alarms) {
        self.store = store
        self.alarms = alarms
    }

    /// Does something with the store and answers; what it refuses is an error for the caller.
    func ask<Success: Sendable>(
        isLong: Bool = false,
        _ work: @escaping Work<Success>,
        then answer: @escaping Answer<Success>
    ) {
        perform(isLong: isLong, work) { result in
            answer(result.mapError { ControlError(.failed, "\($0)") })
        }
    }

    /// Does something with the store and tells how it went.
    ///
    /// While something long is done, the daemon goes on with all that needs no disk.
    func perform<Success: Sendable>(
        isLong: Bool = false,
        _ work: @escaping Work<Success>,
        then completion: @escaping @Sendable (Result<Success, StoreError>) -> Void
    ) {
        store.perform(work, isLong: isLong) { [self] in tell(of: $0, completion) }
    }

    /// Writes a batch down in one transaction and tells how it went.
    func commit(
        _ batch: Batch,
        of session: SessionID,
        then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        store.commit([(session, batch)], at: Clock.wallMilliseconds) { [self] in
            tell(of: $0, completion)
        }
    }

    /// What is done about damage comes before whatever follows from the failure.
    private func tell<Success>(
        of result: Result<Success, StoreError>,
        _ completion: (Result<Success, StoreError>) -> Void
    ) {
        if case .failure(let error) = result, error.isDamage { whenDamaged?(error) }
        completion(result)
    }

    /// Writes a copy of everything to a file, beside everything else.
    func copy(
        to file: String,
        replacing: Bool,
        then completion: @escaping @Sendable (Result<BackupContents, StoreError>) -> Void
    ) {
        store.backUp(to: file, replacing: replacing) { [self] in tell(of: $0, completion) }
    }

    /// Keeps a copy of everything beside the store.
    func keepCopy(then completion: @escaping @Sendable (Result<Backup, StoreError>) -> Void) {
        store.addWeeklyBackup(at: Clock.wallMilliseconds) { [self] in tell(of: $0, completion) }
    }

    /// Looks the whole database through beside everything else.
    func lookThrough(_ tell: @escaping @Sendable (StoreError?) -> Void) {
        store.checkInBackground(completion: tell)
    }

    /// Changes something small in the store; a failure is only told, since nothing waits for it.
    ///
    /// `failure` says what could not be done.
    func note(_ failure: String, _ work: @escaping Work<Void>) {
        perform(work) { [self] result in
            if case .failure(let error) = result { tell(error, failure) }
        }
    }

    /// Tells that something could not be done for which nobody waits.
    func tell(_ error: StoreError, _ failure: String) {
        // Of damage, who mends it tells.
        guard !error.isDamage else { return }
        alarms.raise(.storage, failure, "\(failure): \(error)")
    }

    /// Waits until everything that was asked for is done; nothing may be asked afterwards.
    func finish() { store.finish() }
}

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
            case .failure(let error): loop.handle(.loadFailed(session, reason: "\(error)"))
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
