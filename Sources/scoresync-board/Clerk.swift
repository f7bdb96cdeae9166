import BoardSite
import ControlSocket
import Dispatch
import SyncProtocol
import Synchronization

/// Does what phones ask for, one after the other: each is a call of the daemon, which no page has
/// to wait for.
///
/// How many wait is bounded by the connections of the server: each holds its own.
final class Clerk: Sendable {
    /// How long the daemon may take for a submission, in milliseconds: it waits for computers
    /// itself.
    private static let patience = 10_000

    private let paths: ControlPaths
    private let queue = DispatchQueue(label: "scoresync.board.submissions")
    private let isOver = Mutex(false)

    /// A clerk who calls the daemon of these paths.
    init(_ paths: ControlPaths) { self.paths = paths }

    /// Does what a submission says for a player in a session, and hands over what became of it:
    /// later, or at once where nothing is taken any more.
    func take(
        _ submission: Submission,
        of player: String,
        in session: String,
        then answer: @escaping @Sendable (Exchange.Outcome) -> Void
    ) {
        let isTaken = isOver.withLock { isOver in
            if !isOver {
                queue.async { @Sendable [self] in
                    // What has waited until the end is not begun any more.
                    let isEnding = self.isOver.withLock(\.self)
                    answer(isEnding ? .failure(.ending) : outcome(of: submission, player, session))
                }
            }
            return !isOver
        }
        if !isTaken { answer(.failure(.ending)) }
    }

    /// Takes nothing any more, and waits until what was begun is done and all else refused.
    func finish() {
        isOver.withLock { $0 = true }
        queue.sync {}
    }

    private func outcome(
        of submission: Submission,
        _ player: String,
        _ session: String
    ) -> Exchange.Outcome {
        let id = submission.id
        do throws(ControlError) {
            switch submission.wish {
            case .words(let words):
                return .success(
                    try call(
                        PhoneScoreRequest(session: session, player: player, id: id, words: words)
                    )
                )
            case .move(let words, let details):
                return .success(
                    try call(
                        PhonePlayRequest(
                            session: session,
                            player: player,
                            id: id,
                            words: words,
                            details: details
                        )
                    )
                )
            case .undo:
                return .success(
                    try call(PhoneUndoRequest(session: session, player: player, id: id))
                )
            }
        } catch { return .failure(Refusal(error)) }
    }

    /// A connection for each call: none can be the one of a daemon that has gone.
    private func call(_ request: some ControlRequest) throws(ControlError) -> [UInt8] {
        let client = try ControlClient(
            path: paths.socket,
            client: "board",
            home: paths.home,
            first: request
        )
        let reply = try client.answer(
            to: type(of: request),
            timeoutMilliseconds: Clerk.patience
        )
        return try ControlJSON.encode(reply)
    }
}
