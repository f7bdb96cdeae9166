import SessionStore
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
        _ work: @escaping Work<Success>,
        then answer: @escaping Answer<Success>
    ) {
        perform(work) { result in answer(result.mapError { ControlError(.failed, "\($0)") }) }
    }

    /// Does something with the store and tells how it went.
    func perform<Success: Sendable>(
        _ work: @escaping Work<Success>,
        then completion: @escaping @Sendable (Result<Success, StoreError>) -> Void
    ) {
        store.perform(work) { [self] result in
            // What is done about it comes before whatever follows from the failure.
            if case .failure(let error) = result, error.isDamage { whenDamaged?(error) }
            completion(result)
        }
    }

    /// Looks the whole database through beside everything else.
    func lookThrough(_ tell: @escaping @Sendable (StoreError?) -> Void) {
        store.lookThrough(tell)
    }

    /// Changes something small in the store; a failure is only told, since nothing waits for it.
    ///
    /// `failure` says what could not be done.
    func note(_ failure: String, _ work: @escaping Work<Void>) {
        perform(work) { [alarms] result in
            // Of damage, who mends it tells.
            guard case .failure(let error) = result, !error.isDamage else { return }
            alarms.raise(.storage, failure, "\(failure): \(error)")
        }
    }

    /// Waits until everything that was asked for is done; nothing may be asked afterwards.
    func finish() { store.finish() }
}
