import Descriptors
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Submits local writes to the engine; owns those that are waiting for the disk.
@EventLoop
final class SessionWriter {
    private let driver: EngineDriver
    private var waiting: [RequestID: CheckedContinuation<Result<Void, ControlError>, Never>] = [:]
    private var lastRequest: UInt64 = 0

    init(_ driver: EngineDriver) { self.driver = driver }

    var isIdle: Bool { waiting.isEmpty }

    /// Writes mutations as one commit; returns after it is on disk, and throws if that is not
    /// confirmed.
    func write(_ mutations: [Mutation], to session: Session) async throws(ControlError) {
        try SessionWriter.check(mutations)
        try await reply { .write($0, session.id, mutations) }
    }

    /// Imports the delta and the journal lines of a file; returns after everything is on disk, and
    /// throws if that is not confirmed.
    func merge(
        _ delta: Delta,
        _ lines: [JournalLine],
        into session: Session
    ) async throws(ControlError) {
        try await reply { .imported($0, session.id, delta, lines) }
    }

    private func reply(
        to input: (RequestID) -> Input
    ) async throws(ControlError) {
        lastRequest += 1
        let request = RequestID(lastRequest)
        try await withCheckedContinuation { continuation in
            waiting[request] = continuation
            driver.handle(input(request))
        }.get()
    }

    /// Throws if mutations violate a limit, because peers would reject any delta that contains
    /// them.
    nonisolated static func check(_ mutations: [Mutation]) throws(ControlError) {
        for mutation in mutations {
            if let reason = EntryLimits.violation(mutation.key, mutation.value) {
                throw .refused(reason)
            }
        }
    }

    func answer(_ request: RequestID, _ outcome: WriteOutcome) {
        guard let write = waiting.removeValue(forKey: request) else { return }
        switch outcome {
        case .saved: write.resume(returning: .success(()))
        case .failed(let reason):
            let error = ControlError(
                .failed,
                "could not confirm that the score was saved: \(reason)"
            )
            write.resume(returning: .failure(error))
        case .sessionFull:
            let size = "\(Limits.sessionBytes >> 20) MiB"
            let text = "the session is full (\(size)). Finish it and start a new one"
            write.resume(returning: .failure(ControlError(.refused, text)))
        }
    }
}

/// Identifies a commit on every laptop by its author and stamp.
struct CommitID: Hashable, Sendable {
    private let author: DeviceID
    private let stamp: Stamp

    init(_ entry: Entry) {
        author = entry.author
        stamp = entry.stamp
    }
}
