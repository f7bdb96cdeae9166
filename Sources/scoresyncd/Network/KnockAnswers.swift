import PeerTransport
import SyncProtocol

/// Collects what came of knocking at several addresses.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class KnockAnswers: @unchecked Sendable {
    private var missing: Int
    private var answers: [Endpoint: Diagnosis.Address] = [:]
    private let tell: @Sendable ([Endpoint: Diagnosis.Address]) -> Void

    /// Tells once so many have answered.
    init(_ count: Int, then tell: @escaping @Sendable ([Endpoint: Diagnosis.Address]) -> Void) {
        missing = count
        self.tell = tell
    }

    /// Takes what came of one; no error: somebody listens there.
    func take(_ error: SystemError?, at endpoint: Endpoint) {
        answers[endpoint] = Diagnosis.Address(
            address: "\(endpoint)",
            outcome: error.map { Diagnosis.Outcome(errno: $0.code) } ?? .linked,
            text: error.map { "\($0)" },
            agoMs: 0
        )
        missing -= 1
        if missing == 0 { tell(answers) }
    }
}
