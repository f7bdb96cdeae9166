import BoardSite
import SyncProtocol
import Synchronization

/// One request, from its head to its answer: what is answered, and of a submission its body and
/// what became of it.
final class Exchange: Sendable {
    /// What became of a submission: the daemon's answer as JSON, or why there is none.
    typealias Outcome = Result<[UInt8], Refusal>

    /// What the head asks for.
    let answer: Site.Answer

    private struct State {
        var body: [UInt8] = []
        var outcome: Outcome?
    }

    private let state = Mutex(State())

    /// A request whose head has been read.
    init(_ answer: Site.Answer) { self.answer = answer }

    /// What became of the submission; nil until that is known.
    var outcome: Outcome? { state.withLock(\.outcome) }

    /// The body as far as it has come.
    var body: [UInt8] { state.withLock(\.body) }

    /// Takes in more of the body; whether it is not too long yet.
    func take(_ bytes: some Collection<UInt8>) -> Bool {
        state.withLock { state in
            guard state.body.count + bytes.count <= Submission.mostBytes else { return false }
            state.body += bytes
            return true
        }
    }

    /// Notes what became of the submission.
    func end(_ outcome: Outcome) { state.withLock { $0.outcome = outcome } }
}
