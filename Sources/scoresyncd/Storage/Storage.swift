import Descriptors
import SessionStore
import SyncProtocol

/// The daemon's store; failures become errors of calls, or alarms.
///
/// Results are delivered on the event queue, in the order of the calls.
@EventLoop
final class Storage {
    /// A unit of work for the store.
    typealias Work<Success> = @Sendable (SessionStore) throws(StoreError) -> Success

    /// The handler of errors that show damage to the database, called before the caller gets the
    /// error.
    var onDamage: ((StoreError) -> Void)?

    let queue: StoreQueue
    private let alarms: Alarms

    init(_ queue: StoreQueue, _ alarms: Alarms) { (self.queue, self.alarms) = (queue, alarms) }

    /// Runs a unit of work; a failure is thrown as an error of the call.
    func run<Success: Sendable>(
        isLong: Bool = false,
        _ work: @escaping Work<Success>
    ) async throws(ControlError) -> Success {
        try await result(isLong: isLong, work).mapError { ControlError(.failed, "\($0)") }.get()
    }

    /// Returns the result of a unit of work.
    ///
    /// If `isLong`, it runs on another thread, so that only callers of the store wait for it.
    func result<Success: Sendable>(
        isLong: Bool = false,
        _ work: @escaping Work<Success>
    ) async -> Result<Success, StoreError> {
        await checkingDamage { queue.perform(work, isLong: isLong, completion: $0) }
    }

    /// Runs a unit of work in the background; a failure raises an alarm whose text starts with
    /// `failure`.
    func write(orAlarm failure: String, _ work: @escaping Work<Void>) {
        queue.perform(work) { [self] result in
            checkDamage(result)
            if case .failure(let error) = result { raise(error, failure) }
        }
    }

    /// Writes a backup to a file, without blocking the event queue.
    func backUp(to file: String, replacing: Bool) async -> Result<BackupContents, StoreError> {
        await checkingDamage { queue.backUp(to: file, replacing: replacing, completion: $0) }
    }

    /// Writes a backup to the directory of automatic backups.
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

    /// Reports damage, so that the repair starts before the caller handles the failure.
    func checkDamage<Success>(_ result: Result<Success, StoreError>) {
        if case .failure(let error) = result, error.isDamage { onDamage?(error) }
    }

    /// Raises an alarm for a failure; damage is instead reported by the repair.
    func raise(_ error: StoreError, _ failure: String) {
        guard !error.isDamage else { return }
        alarms.raise(.storage, failure, "\(failure): \(error)")
    }
}
