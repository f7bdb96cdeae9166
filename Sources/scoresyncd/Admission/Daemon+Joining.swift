import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The door to a session, from the outside.
extension Daemon {
    /// How long a join waits for the session's data before it answers without.
    private static let greetingMilliseconds = 3_000

    /// Joins by a code: makes its key, finds who opens, and takes the session in.
    func join(
        _ request: JoinRequest,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        let code: JoinCode
        do throws(JoinCodeError) { code = try JoinCode(parsing: request.code) } catch {
            return completion(.failure(ControlError(.usage, "\(error)")))
        }
        guard let peer = request.peer else { return join(code, at: nil, then: completion) }
        resolve(peer) { @Sendable [weak self] result in
            switch result {
            case .success(let endpoints): self?.join(code, at: endpoints, then: completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    private func join(
        _ code: JoinCode,
        at named: [Endpoint]?,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        CodeKey.derive(code, on: queue) { @Sendable [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let secret):
                let identity = LinkIdentity(code).description
                guard let key = PreSharedKey(identity: identity, secret: secret) else {
                    return completion(.failure(ControlError(.failed, "the code has no key")))
                }
                attempt(key, named, then: completion)
            }
        }
    }

    private func attempt(
        _ key: PreSharedKey,
        _ named: [Endpoint]?,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        let attempt = JoinAttempt(key: key, named: named, on: queue) { [weak self] outcome in
            guard let self else { return }
            joins = joins.filter { !$0.value.isOver }
            switch outcome {
            case .success(let (welcome, endpoint)):
                enter(welcome, from: endpoint, isNamed: named != nil, then: completion)
            case .failure(let error): completion(.failure(error))
            }
        }
        joins[ObjectIdentifier(attempt)] = attempt
        attempt.start(inviters.keys.sorted())
    }

    private func enter(
        _ welcome: Welcome,
        from endpoint: Endpoint,
        isNamed: Bool,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        log.write(.info, "\(welcome.inviter) let us into \(welcome.title)")
        let address = KnownAddress(endpoint: endpoint, device: nil, isTyped: isNamed)
        if let held = held[welcome.session] {
            guard held.key == welcome.key else {
                let id = welcome.session.description.prefix(8)
                let text = "session \(id) is held here with another key; leave it, then join again"
                return completion(.failure(ControlError(.refused, text)))
            }
            addPeers([endpoint], to: welcome.session)
            return use(welcome.session, then: completion)
        }
        let record = SessionRecord(
            id: welcome.session,
            key: welcome.key,
            joinedAt: Clock.wallMilliseconds
        )
        take(record, greeting: welcome.title, addresses: [address]) {
            @Sendable [weak self] result in
            guard case .success = result else { return completion(result) }
            if isNamed { self?.addPeers([endpoint], to: record.id) }
            self?.greet(record.id, then: completion)
        }
    }

    /// Answers a join once the session's data has come, or after a while without.
    private func greet(
        _ session: SessionID,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        let wait = Wait(
            for: session,
            until: { [weak self] in self?.engine.isSynced(session) ?? true },
            what: { "no scores came" },
            milliseconds: Daemon.greetingMilliseconds,
            on: queue,
            then: { [weak self] _ in
                guard let self else { return }
                completion(.success(SessionReply(session: summary(of: session))))
            }
        )
        watchers.add(wait)
        wait.check()
    }

    /// Takes a session in, created, joined or taken up, once it is on disk.
    ///
    /// With a heritage it knows the same people and laptops as the session before; what it begins
    /// with is on disk with it or not at all.
    func take(
        _ record: SessionRecord,
        greeting: String,
        addresses: [KnownAddress] = [],
        heritage: Heritage? = nil,
        beginning: Batch? = nil,
        makingCurrent: Bool = true,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        let id = record.id
        store.perform(
            { store throws(StoreError) in
                try store.atomically(to: "add a session") { () throws(StoreError) in
                    try store.add(record)
                    if makingCurrent { try store.set(Setting.current, to: id.description) }
                    try heritage?.save(for: id, to: store)
                    guard let beginning else {
                        return ReplicaSnapshot(entries: [], vector: VersionVector())
                    }
                    try store.commit([(id, beginning)], at: record.joinedAt)
                    return try store.load(id)
                }
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                switch result {
                case .failure(let error):
                    completion(.failure(ControlError(.failed, "\(error)")))
                case .success(let replica):
                    var held = HeldSession(key: record.key, joinedAt: record.joinedAt)
                    held.greeting = greeting
                    held.me = heritage?.me
                    held.origin = heritage?.origin
                    held.book = heritage?.book ?? [:]
                    if makingCurrent { current = id }
                    let known = addresses + held.knownAddresses
                    adopt(
                        LoadedSession(
                            id: id,
                            held: held,
                            opened: OpenedSession(replica: replica, addresses: known)
                        )
                    )
                    completion(.success(SessionReply(session: summary(of: id))))
                }
            }
        )
    }

    /// Makes a session the current one.
    func use(
        _ session: SessionID,
        then completion: @escaping @Sendable (Result<SessionReply, ControlError>) -> Void
    ) {
        store.perform(
            { store throws(StoreError) in
                try store.set(Setting.current, to: session.description)
            },
            completion: { @Sendable [weak self] result in
                guard let self else { return }
                switch result {
                case .failure(let error):
                    completion(.failure(ControlError(.failed, "\(error)")))
                case .success:
                    current = session
                    alarms.clear(kind: "two-next-games")
                    completion(.success(SessionReply(session: summary(of: session))))
                }
            }
        )
    }
}
