import BoardSite
import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization

/// Sends the submissions of phones to the daemon, one by one, so that no page has to wait for one.
///
/// The limit of connections also limits the number of waiting submissions.
final class SubmissionQueue: Sendable {
    /// The daemon's reply as JSON, or the error.
    typealias Outcome = Result<[UInt8], HTTPError>

    /// The timeout of a call: a move may have to wait for computer players.
    private static let timeoutMilliseconds = 10_000

    private let paths: ControlPaths
    private let queue = DispatchQueue(label: "scoresync.board.submissions")
    private let isClosed = Mutex(false)

    init(_ paths: ControlPaths) { self.paths = paths }

    /// Submits for a player and calls `completion` on the queue, or immediately if the queue is
    /// closed.
    func submit(
        _ submission: Submission,
        of player: String,
        in session: String,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let isAccepted = isClosed.withLock { isClosed in
            if !isClosed {
                queue.async { @Sendable [self] in
                    // Submissions that are still waiting when the queue is closed are not started.
                    let isClosed = self.isClosed.withLock(\.self)
                    completion(isClosed ? .failure(.ending) : send(submission, player, session))
                }
            }
            return !isClosed
        }
        if !isAccepted { completion(.failure(.ending)) }
    }

    /// Rejects everything from now on, and waits for the call in progress.
    func close() {
        isClosed.withLock { $0 = true }
        queue.sync {}
    }

    private func send(_ submission: Submission, _ player: String, _ session: String) -> Outcome {
        let request = PhoneParameters(session: session, player: player, id: submission.id).with {
            $0.expecting = submission.expecting
        }
        do throws(ControlError) {
            let reply =
                switch submission.action {
                case .words(let words):
                    try call(.phoneScore, request.with { $0.words = words })
                case .clear(let cells):
                    try call(.phoneClear, request.with { $0.words = cells })
                case .move(let words, let details):
                    try call(.phonePlay, request.with { ($0.words, $0.details) = (words, details) })
                case .undo: try call(.phoneUndo, request)
                }
            return .success(reply)
        } catch { return .failure(HTTPError(error)) }
    }

    /// Calls the daemon over a new connection, because a kept one may lead to a daemon that has
    /// exited.
    private func call<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters
    ) throws(ControlError) -> [UInt8] {
        let client = try ControlClient(
            path: ControlLock.socket(paths) ?? paths.socket,
            client: "board",
            home: paths.home,
            first: method,
            parameters
        )
        let timeout = SubmissionQueue.timeoutMilliseconds
        let reply = try client.answer(to: method, timeoutMilliseconds: timeout)
        return try ControlJSON.encode(reply)
    }
}
