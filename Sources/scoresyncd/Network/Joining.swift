import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Joins sessions by a join code: owns the joins in progress and the addresses of recent invites.
@EventLoop
final class Joining: DaemonPart {
    /// The time to wait for the session's data, after which a join replies without it.
    private static let dataMilliseconds = 3_000

    private var joins: [ObjectIdentifier: JoinAttempt] = [:]
    /// The addresses of recent invites, including those to sessions that this device does not have.
    private var inviters = InviteSources()

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    func inviteAnnounced(at endpoint: Endpoint) {
        inviters.record(endpoint, at: Clock.now.uptime)
        for join in joins.values { join.inviteAnnounced(at: endpoint) }
    }

    /// A session, and whether this device was no member of it before.
    typealias Joined = (session: Session, isNew: Bool)

    /// Derives the key of a join code, finds a laptop that accepts it, and stores the session.
    func join(_ request: JoinParameters) async throws(ControlError) -> Joined {
        try network.checkOnline()
        if let knock = request.knock {
            let (welcome, endpoint) = try await nearby.answer(to: knock)
            return try await enter(welcome, from: endpoint, isNamed: false)
        }
        let code: JoinCode
        do throws(JoinCodeError) { code = try JoinCode(parsing: request.code ?? "") } catch {
            throw .usage("\(error)")
        }
        var named: [Endpoint]?
        if let peer = request.peer { named = try await addresses.resolveLaptop(peer) }
        let secret = try await InviteKeyDerivation.derive(code, on: queue)
        let identity = LinkIdentity(code).description
        guard let key = PreSharedKey(identity: identity, secret: secret) else {
            throw .failed("the code has no key")
        }
        let (welcome, endpoint) = try await attempt(code, key, named)
        return try await enter(welcome, from: endpoint, isNamed: named != nil)
    }

    private func attempt(
        _ code: JoinCode,
        _ key: PreSharedKey,
        _ named: [Endpoint]?
    ) async throws(ControlError) -> (welcome: Welcome, from: Endpoint) {
        inviters.removeExpired(at: Clock.now.uptime)
        return try await withCheckedContinuation { continuation in
            let attempt = JoinAttempt(
                code,
                key: key,
                named.map { InviteSources(named: $0) } ?? inviters,
                isNamed: named != nil,
                as: KnockingLaptop(device: device.id, name: device.name),
                on: queue
            ) { [self] outcome in
                joins = joins.filter { !$0.value.isOver }
                continuation.resume(returning: outcome)
            }
            joins[ObjectIdentifier(attempt)] = attempt
            attempt.start()
        }.get()
    }

    private func enter(
        _ welcome: Welcome,
        from endpoint: Endpoint,
        isNamed: Bool
    ) async throws(ControlError) -> Joined {
        if let pair = welcome.pair {
            settings.remember(KnownLaptop(pair.device, welcome.inviter, key: pair.key))
        }
        log.write(
            .info,
            from: .others,
            "\(welcome.inviter) admitted this laptop to \(welcome.title)"
        )
        if let session = sessions[welcome.session] {
            guard driver.engine.replicas[session.id] != nil else { throw session.unreadableError }
            let hadKey = session.facts.hasKey
            guard !hadKey || session.facts.key == Secret(welcome.key) else {
                throw .refused(
                    "session \(session.shortID) is held here with another key; leave it, then join "
                        + "again"
                )
            }
            if !hadKey { try await lifecycle.restore(welcome.key, of: session) }
            addresses.add([endpoint], to: session)
            try await lifecycle.use(session)
            if !hadKey { await waitForData(of: session) }
            return (session, isNew: !hadKey)
        }
        let record = SessionRecord(
            id: welcome.session,
            key: welcome.key,
            joinedAt: Clock.wallMilliseconds
        )
        let inviter = Contact(stored: endpoint, of: nil, isTyped: isNamed)
        let session = try await lifecycle.add(record, title: welcome.title, contacts: [inviter])
        if isNamed { addresses.add([endpoint], to: session) }
        await waitForData(of: session)
        return (session, isNew: true)
    }

    private func waitForData(of session: Session) async {
        _ = await watchers.wait(
            in: session.id,
            milliseconds: Joining.dataMilliseconds,
            for: { [driver] in
                // Two laptops that join together may be linked with each other first, and agree
                // that they have nothing.
                let hasData = driver.engine.replicas[session.id]?.map.headVector.isEmpty == false
                return hasData && driver.engine.isSynced(session.id)
                    ? .met : .unmet("no scores received")
            }
        )
    }
}

/// An attempt to join by a code: dials the addresses that announce invites, or an address that the
/// user gave, until one accepts the code.
///
/// The error is "wrong code" only if a device that holds the code's hint rejected the code and no
/// device accepted it; devices with other invites reject it for other reasons. A rejection cannot
/// prove that the device holds the hint. So the address is dialled again with a random code: if it
/// rejects that for the same reason, it holds no invite.
@EventLoop
final class JoinAttempt {
    /// A welcome and the address that sent it.
    typealias Outcome = Result<(welcome: Welcome, from: Endpoint), ControlError>

    /// The time to wait for an invite to be announced.
    static let timeout = Duration.seconds(8)
    /// The time to continue dialling after a device that holds the hint rejected the code.
    static let afterRefusal = Duration.seconds(2)

    nonisolated static let maxDials = 64
    /// The timeout of a dial to an announced address: a real inviter answers within a few
    /// milliseconds, and the timeout lets two hundred forged addresses per second be tried.
    static let connecting = Duration.milliseconds(300)

    private let code: JoinCode
    private let key: PreSharedKey
    private let queue: EventQueue
    private let isNamed: Bool
    /// This laptop, as it introduces itself to the one that admits it.
    private let guest: KnockingLaptop
    private var inviters: InviteSources
    private var completion: ((Outcome) -> Void)?
    private var dials: [Endpoint: TransportLink] = [:]
    /// The address of a device that holds the hint and rejected the code.
    private var refuser: Endpoint?
    private var decoder = PeerMessageDecoder()
    private var lastReason: CloseReason?

    /// Creates an attempt; if `isNamed`, it dials only the addresses that the user gave.
    init(
        _ code: JoinCode,
        key: PreSharedKey,
        _ inviters: InviteSources,
        isNamed: Bool,
        as guest: KnockingLaptop,
        on queue: EventQueue,
        then completion: @escaping (Outcome) -> Void
    ) {
        self.code = code
        self.key = key
        self.inviters = inviters
        self.isNamed = isNamed
        self.guest = guest
        self.queue = queue
        self.completion = completion
    }

    var isOver: Bool { completion == nil }

    func start() {
        dialNext()
        queue.async(after: JoinAttempt.timeout) { [weak self] in self?.giveUp() }
    }

    func inviteAnnounced(at endpoint: Endpoint) {
        guard !isNamed, !isOver else { return }
        inviters.record(endpoint, at: Clock.now.uptime)
        dialNext()
    }

    private func dialNext() {
        while !isOver, dials.count < JoinAttempt.maxDials,
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
        if let link = dials.removeValue(forKey: endpoint) {
            PeerLink(link).send(.guest(guest))
            link.close()
        }
        finish(.success((welcome, endpoint)))
    }

    /// Handles a dial that ended without the code being accepted.
    private func ended(_ reason: CloseReason, at endpoint: Endpoint) {
        lastReason = reason
        if case .tls(.wrongKey) = reason, refuser == nil { return dialRandomCode(endpoint) }
        // A daemon that rejected the code would reject it again; one without an answer may be
        // starting.
        if case .tls = reason {
        } else {
            inviters.allowRetry(endpoint)
            let pause = Duration.milliseconds(Int64(InviteSources.spacing))
            queue.async(after: pause) { [weak self] in self?.dialNext() }
        }
        dialNextOrGiveUp()
    }

    private func dialNextOrGiveUp() {
        dialNext()
        if isNamed, dials.isEmpty { giveUp() }
    }

    /// Dials an address that rejected the code again, with a random code.
    private func dialRandomCode(_ endpoint: Endpoint) {
        guard let key = JoinAttempt.randomKey(besides: code.hint) else { return dialNextOrGiveUp() }
        dial(endpoint, key) { [weak self] reason in
            guard let self, !isOver else { return }
            if case .tls(.unknownIdentity) = reason {
                refuser = refuser ?? endpoint
                queue.async(after: JoinAttempt.afterRefusal) { [weak self] in self?.giveUp() }
            }
            dialNextOrGiveUp()
        }
    }

    private static func randomKey(besides hint: String) -> PreSharedKey? {
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
                no laptop on this network is offering that code; is the other laptop on the same \
                network, and is the invite still open?
                """
            let hint = "to name its address: scorectl join CODE --peer HOST"
            return finish(.failure(ControlError(.notFound, text, hint: hint)))
        }
        switch lastReason {
        case nil, .tls(.unknownIdentity):
            let text = "that laptop does not hold this invite; is it still open there?"
            finish(.failure(ControlError(.notFound, text)))
        case .tls(let failure):
            let text = "that laptop did not take the code: \(failure)"
            finish(.failure(ControlError(.notFound, text)))
        case let reason?:
            let text = "that address does not answer: \(reason)"
            let hint = "for its address, on that laptop: scorectl doctor"
            finish(.failure(ControlError(.notFound, text, hint: hint)))
        }
    }

    private func finish(_ outcome: Outcome) {
        guard let completion else { return }
        self.completion = nil
        for link in dials.values { link.abort() }
        dials = [:]
        completion(outcome)
    }
}

/// The addresses from which invites were announced; decides which address to dial next.
///
/// Anyone can announce invites from forged addresses, hundreds per second; a real inviter keeps
/// announcing from one address and answers there. So addresses with more announcements are dialled
/// first, and each failed attempt lowers the priority. Times are uptimes in milliseconds.
struct InviteSources {
    /// The maximum number of known addresses, enough for five seconds with two hundred new ones
    /// each.
    static let maxCount = 1_024
    /// The minimum time between two attempts at one address.
    static let spacing: UInt64 = 500

    /// The time for which an address is kept after its last announcement; inviters announce each
    /// second.
    static let lifetime: UInt64 = 120_000

    private struct Inviter {
        var announcements = 0
        var announcedAt: UInt64 = 0
        var attempts = 0
        var nextAttemptAt: UInt64 = 0
        /// Whether the address is being dialled or has rejected the code.
        var isSettled = false

        /// The priority for dialling, in which more than three announcements count as three.
        var priority: Double { Double(min(announcements, 3)) / Double(1 + attempts) }
    }

    private var inviters: [Endpoint: Inviter] = [:]

    init() {}

    init(named endpoints: [Endpoint]) {
        for endpoint in endpoints { record(endpoint, at: 0) }
    }

    var count: Int { inviters.count }

    mutating func record(_ endpoint: Endpoint, at now: UInt64) {
        inviters[endpoint, default: Inviter()].announcements += 1
        inviters[endpoint]?.announcedAt = now
        guard inviters.count > InviteSources.maxCount else { return }
        let oldest = inviters.sorted {
            ($0.value.announcedAt, $0.key) < ($1.value.announcedAt, $1.key)
        }
        for (endpoint, _) in oldest.prefix(InviteSources.maxCount / 2) { inviters[endpoint] = nil }
    }

    mutating func removeExpired(at now: UInt64) {
        inviters = inviters.filter { $0.value.announcedAt + InviteSources.lifetime > now }
    }

    /// Returns the address to dial next, and marks it as being dialled; nil if none is ready.
    mutating func next(at now: UInt64) -> Endpoint? {
        let ready = inviters.filter { !$0.value.isSettled && $0.value.nextAttemptAt <= now }
        let best = ready.max {
            // The address breaks ties, so that the order of the dictionary does not matter.
            ($0.value.priority, $0.value.announcedAt, $1.key)
                < ($1.value.priority, $1.value.announcedAt, $0.key)
        }
        guard let endpoint = best?.key else { return nil }
        inviters[endpoint]?.isSettled = true
        inviters[endpoint]?.attempts += 1
        inviters[endpoint]?.nextAttemptAt = now + InviteSources.spacing
        return endpoint
    }

    /// Allows another dial to an address that did not answer, because its daemon may be starting.
    mutating func allowRetry(_ endpoint: Endpoint) { inviters[endpoint]?.isSettled = false }
}
