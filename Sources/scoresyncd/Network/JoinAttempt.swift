import Descriptors
import PeerTransport
import SyncEngine
import SyncProtocol

/// One try to join by a code: asks whoever announces an invite, or one address, until somebody
/// opens.
///
/// "Wrong code" is said only when a holder of the code's hint refused it and nobody accepted it;
/// invites of others on the same network refuse for other reasons.
///
/// Used on the daemon's queue only.
final class JoinAttempt: @unchecked Sendable {
    /// How it ended: a welcome and where it came from.
    typealias Outcome = Result<(welcome: Welcome, from: Endpoint), ControlError>

    /// How long to wait for somebody who announces an invite.
    static let patience = Duration.seconds(8)
    /// How long to go on after a holder of the hint refused the code.
    static let afterRefusal = Duration.seconds(2)

    /// How many addresses are asked at a time.
    private static let mostDials = 16
    /// The least time between two dials to one address.
    private static let spacing = Duration.milliseconds(500)

    /// What is known of an address that was asked.
    private enum Attempt {
        case at(SuspendingClock.Instant)
        /// It has answered, and would again.
        case answered

        func allowsNext(at now: SuspendingClock.Instant) -> Bool {
            switch self {
            case .at(let last): last.advanced(by: JoinAttempt.spacing) <= now
            case .answered: false
            }
        }
    }

    private let key: PreSharedKey
    private let queue: EventQueue
    private let named: [Endpoint]?
    private var completion: ((Outcome) -> Void)?
    private var dials: [Endpoint: TransportLink] = [:]
    /// When each address was asked last.
    private var tried: [Endpoint: Attempt] = [:]
    private var wasRefused = false
    private var decoder = PeerMessageDecoder()
    private var lastReason: CloseReason?

    /// A try with the code's key; `named`: only these addresses, which the user gave.
    init(
        key: PreSharedKey,
        named: [Endpoint]?,
        on queue: EventQueue,
        then completion: @escaping (Outcome) -> Void
    ) {
        self.key = key
        self.named = named
        self.queue = queue
        self.completion = completion
    }

    /// Whether it has ended.
    var isOver: Bool { completion == nil }

    /// Begins with the addresses that are known.
    func start(_ inviters: [Endpoint]) {
        for endpoint in named ?? inviters { dial(endpoint) }
        queue.async(after: JoinAttempt.patience) { @Sendable [weak self] in
            self?.giveUp()
        }
    }

    /// Asks one more who announced an invite.
    func tryPeer(_ endpoint: Endpoint) {
        if named == nil { dial(endpoint) }
    }

    private func dial(_ endpoint: Endpoint) {
        let now = SuspendingClock.now
        // Anybody may announce invites from any address; none may make this one dial without end.
        guard completion != nil, dials[endpoint] == nil, dials.count < JoinAttempt.mostDials,
            tried.count < Limits.addresses,
            tried[endpoint]?.allowsNext(at: now) ?? true
        else { return }
        tried[endpoint] = .at(now)
        dials[endpoint] = TransportLink.dial(to: endpoint, key: key, on: queue) {
            [weak self] event in self?.happened(event, at: endpoint)
        }
    }

    private func happened(_ event: LinkEvent, at endpoint: Endpoint) {
        switch event {
        case .frame(let payload):
            guard let message = try? decoder.receive(payload),
                case .welcome(let welcome) = message
            else { return }
            finish(.success((welcome, endpoint)))
        case .closed(let reason):
            dials[endpoint] = nil
            refused(reason, by: endpoint)
        case .opened, .heard, .drained: break
        }
    }

    private func refused(_ reason: CloseReason, by endpoint: Endpoint) {
        lastReason = reason
        if case .tls(.wrongKey) = reason, !wasRefused {
            wasRefused = true
            queue.async(after: JoinAttempt.afterRefusal) {
                @Sendable [weak self] in self?.giveUp()
            }
        }
        if case .tls = reason {
            // Who answered like this answers so again; who did not may just be starting.
            tried[endpoint] = .answered
        }
        if named != nil, dials.isEmpty { giveUp() }
    }

    private func giveUp() {
        if wasRefused {
            return finish(.failure(ControlError(.wrongCode, "the join code is wrong")))
        }
        guard named != nil else {
            let text = """
                nobody here holds this invite; is the other laptop on the same network, and is the \
                invite still open? (to name its address: scorectl join CODE --peer HOST)
                """
            return finish(.failure(ControlError(.notFound, text)))
        }
        let why = lastReason.map { ": \($0)" } ?? ""
        finish(.failure(ControlError(.notFound, "that device does not hold this invite\(why)")))
    }

    private func finish(_ outcome: Outcome) {
        guard let completion else { return }
        self.completion = nil
        for link in dials.values { link.abort() }
        dials = [:]
        completion(outcome)
    }
}
