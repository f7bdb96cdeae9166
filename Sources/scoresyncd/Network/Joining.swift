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
    func join(_ request: JoinRequest, then answer: @escaping Answer<Session>) {
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
