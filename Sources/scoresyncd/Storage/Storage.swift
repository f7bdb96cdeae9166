import Descriptors
import SessionStore
import SyncProtocol

/// The store of the daemon; its failures become errors of calls and alarms.
///
/// Results arrive on the daemon's queue, in the order of the calls.
@EventLoop
final class Storage {
    /// A unit of work for the store.
    typealias Work<Success> = @Sendable (SessionStore) throws(StoreError) -> Success

    /// Called with an error that shows damage to the database, before the caller receives it.
    var onDamage: ((StoreError) -> Void)?

    let queue: StoreQueue
    private let alarms: Alarms

    init(_ queue: StoreQueue, _ alarms: Alarms) { (self.queue, self.alarms) = (queue, alarms) }

    /// Runs a unit of work; a failure of the store becomes an error of the call.
    func run<Success: Sendable>(
        isLong: Bool = false,
        _ work: @escaping Work<Success>
    ) async throws(ControlError) -> Success {
        try await result(isLong: isLong, work).mapError { ControlError(.failed, "\($0)") }.get()
    }

    /// Returns the result of a unit of work.
    ///
    /// If `isLong`, the daemon continues with everything that needs no store.
    func result<Success: Sendable>(
        isLong: Bool = false,
        _ work: @escaping Work<Success>
    ) async -> Result<Success, StoreError> {
        await checkingDamage { queue.perform(work, isLong: isLong, completion: $0) }
    }

    /// Stores something small in the background: a failure becomes an alarm that starts with
    /// `failure`.
    func write(orAlarm failure: String, _ work: @escaping Work<Void>) {
        queue.perform(work) { [self] result in
            checkDamage(result)
            if case .failure(let error) = result { raise(error, failure) }
        }
    }

    /// Writes a backup of everything to a file, without blocking the queue.
    func backUp(to file: String, replacing: Bool) async -> Result<BackupContents, StoreError> {
        await checkingDamage { queue.backUp(to: file, replacing: replacing, completion: $0) }
    }

    /// Writes a backup of everything to the backup directory.
    func addWeeklyBackup() async -> Result<Backup, StoreError> {
        await checkingDamage { queue.addWeeklyBackup(at: Clock.wallMilliseconds, completion: $0) }
    }

    private func checkingDamage<Success: Sendable>(
        _ start: (@escaping @EventLoop (Result<Success, StoreError>) -> Void) -> Void
    ) async -> Result<Success, StoreError> {
        await withCheckedContinuation { continuation in
            start { [self] in
                checkDamage($0)
                continuation.resume(returning: $0)
            }
        }
    }

    /// Reports damage, so that the repair starts before the failure is handled.
    func checkDamage<Success>(_ result: Result<Success, StoreError>) {
        if case .failure(let error) = result, error.isDamage { onDamage?(error) }
    }

    /// Raises an alarm for a failure; damage is reported by its repair.
    func raise(_ error: StoreError, _ failure: String) {
        guard !error.isDamage else { return }
        alarms.raise(.storage, failure, "\(failure): \(error)")
    }
}
