import Descriptors
import PeerTransport
import SyncEngine
import SyncProtocol

/// One try to join by a code: asks whoever announces an invite, or one address, until somebody
/// opens.
///
/// "Wrong code" is said only when a holder of the code's hint refused it and nobody accepted it;
/// invites of others on the same network refuse for other reasons. A refusal comes before there is
/// a key to prove it with, so that who refuses is asked for a code of chance, too: who refuses that
/// for the same reason holds no invite.
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
    static let mostDials = 64
    /// How long an address that was only announced may take to connect: who is there answers within
    /// a few milliseconds, and of many false ones two hundred a second can be asked.
    static let connecting = Duration.milliseconds(300)

    private let code: JoinCode
    private let key: PreSharedKey
    private let queue: EventQueue
    private let isNamed: Bool
    private var inviters: Inviters
    private var completion: ((Outcome) -> Void)?
    private var dials: [Endpoint: TransportLink] = [:]
    /// Who refused the code, and holds its hint.
    private var refuser: Endpoint?
    private var decoder = PeerMessageDecoder()
    private var lastReason: CloseReason?

    /// A try with a code and its key; `isNamed`: the user gave the addresses; no other is asked.
    init(
        _ code: JoinCode,
        key: PreSharedKey,
        _ inviters: Inviters,
        isNamed: Bool,
        on queue: EventQueue,
        then completion: @escaping (Outcome) -> Void
    ) {
        self.code = code
        self.key = key
        self.inviters = inviters
        self.isNamed = isNamed
        self.queue = queue
        self.completion = completion
    }

    /// Whether it has ended.
    var isOver: Bool { completion == nil }

    /// Begins with the addresses that are known.
    func start() {
        dialNext()
        queue.async(after: JoinAttempt.patience) { @Sendable [weak self] in
            self?.giveUp()
        }
    }

    /// An invite was announced at an address.
    func hear(of endpoint: Endpoint) {
        guard !isNamed, !isOver else { return }
        inviters.hear(of: endpoint, at: Clock.now.uptime)
        dialNext()
    }

    private func dialNext() {
        while !isOver, dials.count < JoinAttempt.mostDials,
            let endpoint = inviters.next(at: Clock.now.uptime)
        {
            dial(endpoint, key) { [weak self] reason in self?.ended(reason, at: endpoint) }
        }
    }

    private func dial(
        _ endpoint: Endpoint,
        _ key: PreSharedKey,
        then closed: @escaping (CloseReason) -> Void
    ) {
        let connecting = isNamed ? LinkDurations.standard.connect : JoinAttempt.connecting
        dials[endpoint] = TransportLink.dial(
            to: endpoint,
            key: key,
            on: queue,
            durations: LinkDurations(connect: connecting)
        ) { [weak self] event in
            switch event {
            case .frame(let payload): self?.read(payload, from: endpoint)
            case .closed(let reason):
                self?.dials[endpoint] = nil
                closed(reason)
            case .opened, .heard, .drained: break
            }
        }
    }

    private func read(_ payload: [UInt8], from endpoint: Endpoint) {
        guard let message = try? decoder.receive(payload), case .welcome(let welcome) = message
        else { return }
        finish(.success((welcome, endpoint)))
    }

    /// The code brought nothing at an address.
    private func ended(_ reason: CloseReason, at endpoint: Endpoint) {
        lastReason = reason
        if case .tls(.wrongKey) = reason, refuser == nil { return doubt(endpoint) }
        // Who answered like this answers so again; who did not may just be starting.
        if case .tls = reason {} else { letAskAgain(endpoint) }
        goOn()
    }

    private func letAskAgain(_ endpoint: Endpoint) {
        inviters.giveBack(endpoint)
        let pause = Duration.milliseconds(Int64(Inviters.spacing))
        queue.async(after: pause) { @Sendable [weak self] in self?.dialNext() }
    }

    private func goOn() {
        dialNext()
        if isNamed, dials.isEmpty { giveUp() }
    }

    /// Asks who refused the code for one that nobody can hold.
    private func doubt(_ endpoint: Endpoint) {
        guard let key = JoinAttempt.keyOfChance(besides: code.hint) else { return goOn() }
        dial(endpoint, key) { [weak self] reason in
            guard let self, !isOver else { return }
            if case .tls(.unknownIdentity) = reason {
                refuser = refuser ?? endpoint
                queue.async(after: JoinAttempt.afterRefusal) {
                    @Sendable [weak self] in self?.giveUp()
                }
            }
            goOn()
        }
    }

    private static func keyOfChance(besides hint: String) -> PreSharedKey? {
        var generator = SystemRandomNumberGenerator()
        var other = JoinCode.random(using: &generator).hint
        while other == hint { other = JoinCode.random(using: &generator).hint }
        guard let secret = try? SecureRandom.bytes(InviteKey.keyBytes) else { return nil }
        let identity = LinkIdentity.joiner(hint: other).description
        return PreSharedKey(identity: identity, secret: Secret(secret))
    }

    private func giveUp() {
        if let refuser {
            let text = "the join code is wrong: \(refuser) holds this invite and refused it"
            return finish(.failure(ControlError(.wrongCode, text)))
        }
        guard isNamed else {
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
