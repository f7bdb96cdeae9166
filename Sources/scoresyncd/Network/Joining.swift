import Descriptors
import PeerTransport
import SessionStore
import SyncEngine
import SyncProtocol

/// The door to a session, from the outside: owns the joins under way, and where invites were
/// announced lately.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Joining: @unchecked Sendable {
    /// How long a join waits for the session's data before it answers without.
    private static let greetingMilliseconds = 3_000

    private var joins: [ObjectIdentifier: JoinAttempt] = [:]
    /// Where invites were announced lately, whether the session is known here or not.
    private var inviters = Inviters()
    private let sessions: SessionCatalog
    private let intake: SessionIntake
    private let addresses: PeerAddresses
    private let watchers: Watchers
    private let loop: EngineLoop
    private let log: Log
    private let queue: EventQueue

    init(
        _ sessions: SessionCatalog,
        _ intake: SessionIntake,
        _ addresses: PeerAddresses,
        _ watchers: Watchers,
        _ loop: EngineLoop,
        _ log: Log,
        on queue: EventQueue
    ) {
        self.sessions = sessions
        self.intake = intake
        self.addresses = addresses
        self.watchers = watchers
        self.loop = loop
        self.log = log
        self.queue = queue
    }

    /// Somebody announced an invite at an address.
    func hear(ofInviteAt endpoint: Endpoint) {
        inviters.hear(of: endpoint, at: Clock.now.uptime)
        for join in joins.values { join.hear(of: endpoint) }
    }

    /// Joins by a code: makes its key, finds who opens, and takes the session in.
    func join(_ request: JoinParameters, then answer: @escaping Answer<Session>) {
        let code: JoinCode
        do throws(JoinCodeError) { code = try JoinCode(parsing: request.code) } catch {
            return answer(.failure(ControlError(.usage, "\(error)")))
        }
        guard let peer = request.peer else { return join(code, at: nil, then: answer) }
        addresses.resolveLaptop(peer) { [self] result in
            switch result {
            case .success(let endpoints): join(code, at: endpoints, then: answer)
            case .failure(let error): answer(.failure(error))
            }
        }
    }

    private func join(
        _ code: JoinCode,
        at named: [Endpoint]?,
        then answer: @escaping Answer<Session>
    ) {
        CodeKey.derive(code, on: queue) { [self] result in
            switch result {
            case .failure(let error): answer(.failure(error))
            case .success(let secret):
                let identity = LinkIdentity(code).description
                guard let key = PreSharedKey(identity: identity, secret: secret) else {
                    return answer(.failure(ControlError(.failed, "the code has no key")))
                }
                attempt(code, key, named, then: answer)
            }
        }
    }

    private func attempt(
        _ code: JoinCode,
        _ key: PreSharedKey,
        _ named: [Endpoint]?,
        then answer: @escaping Answer<Session>
    ) {
        inviters.forgetThoseNotHeard(since: Clock.now.uptime)
        let attempt = JoinAttempt(
            code,
            key: key,
            named.map { Inviters(named: $0) } ?? inviters,
            isNamed: named != nil,
            on: queue
        ) { [self] outcome in
            joins = joins.filter { !$0.value.isOver }
            switch outcome {
            case .success(let (welcome, endpoint)):
                enter(welcome, from: endpoint, isNamed: named != nil, then: answer)
            case .failure(let error): answer(.failure(error))
            }
        }
        joins[ObjectIdentifier(attempt)] = attempt
        attempt.start()
    }

    private func enter(
        _ welcome: Welcome,
        from endpoint: Endpoint,
        isNamed: Bool,
        then answer: @escaping Answer<Session>
    ) {
        log.write(.info, from: .others, "\(welcome.inviter) let us into \(welcome.title)")
        if let session = sessions[welcome.session] {
            guard loop.engine.replicas[session.id] != nil else {
                return answer(.failure(session.unreadableError))
            }
            guard session.facts.hasKey else {
                return intake.readmit(session, welcome.key, from: endpoint) { [self] result in
                    guard case .success = result else { return answer(result) }
                    greet(session, then: answer)
                }
            }
            guard session.facts.key == Secret(welcome.key) else {
                let text = "session \(session.shortID) is held here with another key; leave it, "
                return answer(.failure(ControlError(.refused, text + "then join again")))
            }
            addresses.call([endpoint], of: session)
            return intake.use(session, then: answer)
        }
        let record = SessionRecord(
            id: welcome.session,
            key: welcome.key,
            joinedAt: Clock.wallMilliseconds
        )
        let address = KnownAddress(endpoint: endpoint, device: nil, isTyped: isNamed)
        intake.take(record, greeting: welcome.title, addresses: [address]) { [self] result in
            guard case .success(let session) = result else { return answer(result) }
            if isNamed { addresses.call([endpoint], of: session) }
            greet(session, then: answer)
        }
    }

    /// Answers a join once the session's data has come, or after a while without.
    private func greet(_ session: Session, then answer: @escaping Answer<Session>) {
        let wait = Wait(
            for: session.id,
            until: { [loop] in loop.engine.isSynced(session.id) },
            what: { "no scores came" },
            milliseconds: Joining.greetingMilliseconds,
            on: queue,
            then: { _ in answer(.success(session)) }
        )
        watchers.add(wait)
    }
}

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

/// The addresses at which invites are announced, and whom of them to ask next.
///
/// Anybody can announce invites from addresses that are not theirs, hundreds a second; who really
/// invites goes on announcing at one address and answers there. So those that were heard most often
/// go first, and each question that brought nothing counts against them. A value without a clock;
/// times are uptimes in milliseconds.
struct Inviters {
    /// How many addresses are known at most: five seconds of two hundred a second.
    static let most = 1_024
    /// The least time between two questions at one address.
    static let spacing: UInt64 = 500

    /// How long an address is known after it was heard last; who invites is heard each second.
    static let life: UInt64 = 120_000

    private struct Inviter {
        var hearings = 0
        var heardAt: UInt64 = 0
        /// How often it was asked without an answer that counts.
        var questions = 0
        var mayBeAskedAt: UInt64 = 0
        /// Whether it is being asked now, or has given the answer that it would give again.
        var isSettled = false

        /// How much speaks for it: what is heard a hundred times is no more true than what is heard
        /// three times.
        var promise: Double { Double(min(hearings, 3)) / Double(1 + questions) }
    }

    private var inviters: [Endpoint: Inviter] = [:]

    /// Nobody.
    init() {}

    /// Those who were named, each once.
    init(named endpoints: [Endpoint]) {
        for endpoint in endpoints { hear(of: endpoint, at: 0) }
    }

    /// How many there are.
    var count: Int { inviters.count }

    /// An invite was announced at the address.
    mutating func hear(of endpoint: Endpoint, at now: UInt64) {
        inviters[endpoint, default: Inviter()].hearings += 1
        inviters[endpoint]?.heardAt = now
        guard inviters.count > Inviters.most else { return }
        let stalest = inviters.sorted { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        for (endpoint, _) in stalest.prefix(Inviters.most / 2) { inviters[endpoint] = nil }
    }

    /// Forgets those that have not announced anything for so long that their invite is over.
    mutating func forgetThoseNotHeard(since now: UInt64) {
        inviters = inviters.filter { $0.value.heardAt + Inviters.life > now }
    }

    /// Whom to ask now, who then counts as asked; nil where nobody is left for the moment.
    mutating func next(at now: UInt64) -> Endpoint? {
        let ready = inviters.filter { !$0.value.isSettled && $0.value.mayBeAskedAt <= now }
        let best = ready.max {
            // The same in every process, whatever the order of the table.
            ($0.value.promise, $0.value.heardAt, $1.key)
                < ($1.value.promise, $1.value.heardAt, $0.key)
        }
        guard let endpoint = best?.key else { return nil }
        inviters[endpoint]?.isSettled = true
        inviters[endpoint]?.questions += 1
        inviters[endpoint]?.mayBeAskedAt = now + Inviters.spacing
        return endpoint
    }

    /// Nobody has answered there, who may just be starting: it may be asked again.
    mutating func giveBack(_ endpoint: Endpoint) { inviters[endpoint]?.isSettled = false }
}
