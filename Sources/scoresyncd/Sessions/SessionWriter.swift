import SessionCRDT
import SyncEngine
import SyncProtocol

/// Local writes: owns those that wait for the disk, and answers them.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class SessionWriter: @unchecked Sendable {
    private let loop: EngineLoop
    private var waiting: [RequestID: (Result<Void, ControlError>) -> Void] = [:]
    private var lastRequest: UInt64 = 0

    init(_ loop: EngineLoop) { self.loop = loop }

    /// Whether no write waits for its answer.
    var isIdle: Bool { waiting.isEmpty }

    /// Makes the mutations one commit; the completion comes once it is on disk, or cannot be.
    func write(
        _ mutations: [Mutation],
        to session: Session,
        then completion: @escaping (Result<Void, ControlError>) -> Void
    ) {
        do throws(ControlError) { try SessionWriter.check(mutations) } catch {
            return completion(.failure(error))
        }
        lastRequest += 1
        let request = RequestID(lastRequest)
        waiting[request] = completion
        loop.handle(.write(request, session.id, mutations))
    }

    /// Takes in what a file has of a session, with the lines of its journal that are missing here;
    /// the completion comes once all of it is on disk, or cannot be.
    func take(
        _ delta: Delta,
        telling lines: [JournalLine],
        into session: Session,
        then completion: @escaping (Result<Void, ControlError>) -> Void
    ) {
        lastRequest += 1
        let request = RequestID(lastRequest)
        waiting[request] = completion
        loop.handle(.imported(request, session.id, delta, lines))
    }

    /// Refuses what peers would refuse, with the whole delta that it is in, for ever.
    static func check(_ mutations: [Mutation]) throws(ControlError) {
        for mutation in mutations {
            if let reason = EntryLimits.violation(mutation.key, mutation.value) {
                throw ControlError(.refused, reason)
            }
        }
    }

    /// Tells whoever waits for a write how it ended.
    func answer(_ request: RequestID, _ outcome: WriteOutcome) {
        guard let completion = waiting.removeValue(forKey: request) else { return }
        switch outcome {
        case .saved: completion(.success(()))
        case .failed(let reason):
            completion(.failure(ControlError(.failed, "it is not known to be saved: \(reason)")))
        case .full:
            let text = "the session is too large to take more; finish it and begin a new one"
            completion(.failure(ControlError(.refused, text)))
        }
    }
}

/// By what all that one commit wrote is known, on every laptop: who wrote it and when.
struct CommitName: Hashable, Sendable {
    private let author: DeviceID
    private let stamp: Stamp

    /// The commit that wrote an entry.
    init(_ entry: Entry) {
        author = entry.author
        stamp = entry.stamp
    }
}
