import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Adds new and joined sessions, changes the current one, and removes those that are left.
///
/// A session is stored first, and only then added to the catalog and the engine.
@EventLoop
struct SessionLifecycle: DaemonPart {
    let daemon: Daemon

    /// Adds a stored session to the catalog and the engine, which dials its members.
    @discardableResult
    func adopt(_ loaded: LoadedSession, title: String? = nil) -> Session {
        let session = Session(daemon, loaded.id, loaded.facts, title: title)
        sessions.add(session)
        switch loaded.contents {
        case .success(let opened):
            driver.handle(.opened(session.id, opened))
            addresses.dialStartPeers(of: session.id)
        case .failure(let error): driver.handle(.loadFailed(session.id, reason: "\(error)"))
        }
        // A finished session without a key does not matter, because it needs no links.
        guard !session.facts.hasKey, !session.header.isFinished else { return session }
        let text =
            "the key of session \(session.shortID) is not here, because it was imported without or "
            + "lost to damage: it can be read and written here, and goes to the others again once "
            + "one of them invites this laptop and it joins"
        alarms.raise(.storage, session.keySubject, text)
        return session
    }

    /// Stores a session, and then adds it to the catalog and the engine.
    ///
    /// With inherited settings it has the players and addresses of the previous session. Its first
    /// batch and its imported journal are stored in the same transaction.
    @discardableResult
    func add(
        _ record: SessionRecord,
        title: String,
        contacts: [Contact] = [],
        inheriting inherited: InheritedSettings? = nil,
        starting batch: consuming Batch? = nil,
        journal: consuming [ImportedLine] = [],
        makingCurrent: Bool = true
    ) async throws(ControlError) -> Session {
        let (id, batch, journal) = (record.id, batch, journal)
        let rows = journal.count + (batch?.inserted.count ?? 0)
        let isLong = rows >= StoreQueue.longBatchRows
        let replica = try await storage.run(isLong: isLong) { store throws(StoreError) in
            try store.atomically(to: "add a session") { () throws(StoreError) in
                try store.add(record)
                if makingCurrent { try store.set(Setting.current, to: id.description) }
                let computers = inherited?.facts.computers ?? LocalComputers()
                try store.set(Setting.computers, of: id, to: computers.words)
                try inherited?.save(for: id, to: store)
                guard let batch else {
                    return ReplicaSnapshot(entries: [], vector: VersionVector())
                }
                try store.commit([(id, batch)], at: record.joinedAt)
                let lines = journal.lazy.map { (recordedAt: $0.recordedAt, line: $0.line) }
                try store.append(lines, to: id)
                return batch.replica
            }
        }
        var facts = SessionFacts(key: record.key, joinedAt: record.joinedAt)
        facts.origin = inherited?.origin
        if let before = inherited?.facts {
            facts.me = before.me
            facts.computers = before.computers
            facts.addresses = before.addresses
        }
        let opened = OpenedSession(replica: replica, contacts: contacts + facts.contacts)
        if makingCurrent { setCurrent(id) }
        return adopt(LoadedSession(id: id, facts: facts, contents: .success(opened)), title: title)
    }

    func restore(_ key: [UInt8], of session: Session) async throws(ControlError) {
        try await session.restore(key)
        alarms.clear(.storage, session.keySubject)
    }

    func use(_ session: Session) async throws(ControlError) {
        try await storage.run { [id = session.id] store throws(StoreError) in
            try store.set(Setting.current, to: id.description)
        }
        setCurrent(session.id)
        alarms.clear(.twoNextGames)
    }

    private func setCurrent(_ id: SessionID) {
        sessions.current = id
        watchers.currentChanged()
    }

    /// Removes a session from this device, but keeps its results.
    func leave(_ session: Session) async throws(ControlError) {
        let results = session.results?.results
        try await storage.run { [id = session.id] store throws(StoreError) in
            try store.atomically(to: "leave a session") { () throws(StoreError) in
                if let results { try store.save(results, of: id) }
                try store.remove(id)
                if try store.setting(Setting.current) == id.description {
                    try store.set(Setting.current, to: nil)
                }
                try store.changeMemory { $0.leave(id) }
            }
        }
        settings.recordLeft(session.id)
        invites.close(to: session.id)
        driver.handle(.left(session.id))
        sessions.remove(session.id)
        watchers.left(session.id)
        watchers.currentChanged()
    }
}

extension Batch {
    /// The contents of an empty replica after this batch.
    fileprivate var replica: ReplicaSnapshot {
        let seen = advanced.map { ($0.actor, $0.sequence) }
        return ReplicaSnapshot(
            entries: inserted,
            vector: VersionVector(Dictionary(seen, uniquingKeysWith: max))
        )
    }
}

/// A new session with its id, its key, and its first commit.
struct NewSession {
    /// The random id and key.
    let record: SessionRecord
    let batch: Batch?

    /// Creates a session; the mutations become its first commit, written by this device.
    init(_ mutations: [Mutation], by device: Device) throws(ControlError) {
        try SessionWriter.check(mutations)
        let now = Clock.wallMilliseconds
        let key: [UInt8]
        do throws(CryptoFailure) { key = try SecureRandom.bytes(SessionStore.keyBytes) } catch {
            throw .failed("\(error)")
        }
        record = SessionRecord(id: .random(), key: key, joinedAt: now)
        var map = StagedMap(CausalMap())
        var clock = HybridClock()
        let stamp = clock.tick(physical: now)
        let actor = ActorID.random()
        let all = mutations + [.device(device.id, name: device.name)]
        for (index, mutation) in all.enumerated() {
            let entry = Entry(
                dot: Dot(actor: actor, sequence: UInt64(index + 1)),
                stamp: stamp,
                author: device.id,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
        batch = map.seal()
    }
}

/// The settings of this device that a session takes over from the previous one, because players,
/// computers and members have the same ids in both.
struct InheritedSettings: Sendable {
    let previousSession: SessionID
    /// The facts of the previous session, which already list the new one as a next session.
    let facts: SessionFacts
    /// The origin of a session that is added automatically; nil for one that a user starts here.
    let origin: SessionID?

    @EventLoop
    init(of session: Session, from origin: SessionID? = nil) {
        (previousSession, facts, self.origin) = (session.id, session.facts, origin)
    }

    func save(for next: SessionID, to store: SessionStore) throws(StoreError) {
        try store.set(Setting.me, of: next, to: facts.me?.description)
        try store.set(Setting.origin, of: next, to: origin?.description)
        for (_, address) in facts.addresses.sorted(by: { $0.key < $1.key }) {
            try store.record(address, for: next)
        }
        let words = facts.successors.map(\.description).joined(separator: " ")
        try store.set(Setting.successors, of: previousSession, to: words)
    }
}

extension ID {
    /// Returns a random id.
    ///
    /// The generator is not a parameter, because the thread sanitizer crashes if a closure captures
    /// the system's generator, which has no size and thus no address.
    static func random() -> ID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
