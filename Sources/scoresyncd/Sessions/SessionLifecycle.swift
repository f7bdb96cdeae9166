import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Sessions that come and go: begun, joined or taken up, made the current one, and left.
///
/// Each is on disk first, and only then in the catalog and in the engine.
@EventLoop
struct SessionLifecycle: DaemonPart {
    let daemon: Daemon

    /// Holds a session of the store, and begins to look for its members.
    func adopt(_ loaded: LoadedSession, greeting: String? = nil) {
        hold(loaded.id, loaded.facts, greeting: greeting)
        driver.handle(.opened(loaded.id, loaded.opened))
        tellMissingKey(of: loaded.id)
        addresses.callStartPeers(of: loaded.id)
    }

    /// Holds a session of the store whose data could not be read, to be tried again or left.
    func hold(_ unreadable: UnreadableSession) {
        hold(unreadable.id, unreadable.facts)
        driver.handle(.loadFailed(unreadable.id, reason: unreadable.reason))
        tellMissingKey(of: unreadable.id)
    }

    private func hold(_ id: SessionID, _ facts: SessionFacts, greeting: String? = nil) {
        let journal = JournalGrowth(keeping: daemon.options.journalLines)
        sessions.add(Session(id, facts, greeting: greeting, journal, driver, storage, userSheets))
    }

    /// Tells that a session cannot be linked, unless it is over: then nobody needs to be.
    private func tellMissingKey(of id: SessionID) {
        guard let session = sessions[id], !session.facts.hasKey, !session.header.isFinished else {
            return
        }
        let text =
            "the key of session \(session.shortID) is not here, because it was imported without or "
            + "lost to damage: it can be read and written here, and goes to the others again once "
            + "one of them invites this laptop and it joins"
        alarms.raise(.storage, session.keySubject, text)
    }

    /// Adds a session once it is on disk.
    ///
    /// With inherited settings it knows the same people and laptops as the session before; what it
    /// starts with, and the journal that a file has of it, are on disk with it or not at all.
    @discardableResult
    func add(
        _ record: SessionRecord,
        title: String,
        contacts: [Contact] = [],
        inheriting inherited: InheritedSettings? = nil,
        starting batch: Batch? = nil,
        journal: [ImportedLine] = [],
        makingCurrent: Bool = true
    ) async throws(ControlError) -> Session {
        let id = record.id
        let rows = journal.count + (batch?.inserted.count ?? 0)
        let isLong = rows >= StoreQueue.longBatchRows
        let replica = try await storage.run(isLong: isLong) { store throws(StoreError) in
            try store.atomically(to: "add a session") { () throws(StoreError) in
                try store.add(record)
                if makingCurrent { try store.set(Setting.current, to: id.description) }
                let computers = inherited?.computers ?? LocalComputers()
                try store.set(Setting.computers, of: id, to: computers.words)
                try inherited?.save(for: id, to: store)
                guard let batch else {
                    return ReplicaSnapshot(entries: [], vector: VersionVector())
                }
                try store.commit([(id, batch)], at: record.joinedAt)
                let lines = journal.lazy.map { (recordedAt: $0.recordedAt, line: $0.line) }
                try store.append(lines, to: id)
                return batch.alone
            }
        }
        var facts = SessionFacts(key: record.key, joinedAt: record.joinedAt)
        facts.me = inherited?.me
        facts.computers = inherited?.computers ?? LocalComputers()
        facts.origin = inherited?.origin
        facts.addresses = inherited?.addresses ?? [:]
        let opened = OpenedSession(replica: replica, contacts: contacts + facts.contacts)
        if makingCurrent { setCurrent(id) }
        adopt(LoadedSession(id: id, facts: facts, opened: opened), greeting: title)
        guard let session = sessions[id] else {
            throw ControlError(.notFound, "the session was left")
        }
        return session
    }

    /// Gives a session its key that has none here.
    func restore(_ key: [UInt8], of session: Session) async throws(ControlError) {
        try await session.restore(key)
        alarms.clear(.storage, session.keySubject)
    }

    /// Makes a session the current one.
    func use(_ session: Session) async throws(ControlError) {
        try await storage.run { [id = session.id] store throws(StoreError) in
            try store.set(Setting.current, to: id.description)
        }
        setCurrent(session.id)
        alarms.clear(.twoNextGames)
    }

    private func setCurrent(_ id: SessionID) {
        sessions.current = id
        watchers.changedCurrent()
    }

    /// Removes a session from this device, but not its results.
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
        settings.hasLeft(session.id)
        invites.close(to: session.id)
        driver.handle(.left(session.id))
        sessions.remove(session.id)
        watchers.left(session.id)
        watchers.changedCurrent()
    }
}

extension Batch {
    /// The replica after this batch was written to an empty one.
    fileprivate var alone: ReplicaSnapshot {
        let seen = advanced.map { ($0.actor, $0.sequence) }
        return ReplicaSnapshot(
            entries: inserted,
            vector: VersionVector(Dictionary(seen, uniquingKeysWith: max))
        )
    }
}

/// A new session: an id, a key, and its first commit.
struct NewSession {
    /// The id and the key, by chance.
    let record: SessionRecord
    let batch: Batch?

    /// A session that begins with these mutations of a device.
    init(_ mutations: [Mutation], by device: Device) throws(ControlError) {
        try SessionWriter.check(mutations)
        let now = Clock.wallMilliseconds
        let key: [UInt8]
        do throws(CryptoFailure) { key = try SecureRandom.bytes(SessionStore.keyBytes) } catch {
            throw ControlError(.failed, "\(error)")
        }
        record = SessionRecord(id: .random(), key: key, joinedAt: now)
        var map = StagedMap(CausalMap())
        var clock = HybridClock()
        let stamp = clock.tick(physical: now)
        let actor = ActorID.random()
        let all = mutations + [.device(device.id, name: device.name)]
        for (place, mutation) in all.enumerated() {
            let entry = Entry(
                dot: Dot(actor: actor, sequence: UInt64(place + 1)),
                stamp: stamp,
                author: device.id,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
        batch = map.seal()
    }
}

/// The settings of this device that a session takes over from the one before.
struct InheritedSettings: Sendable {
    /// The session before.
    let session: SessionID
    /// The player of this device, who has the same id in both.
    let me: PlayerID?
    /// The computers for which this device moves, whose players have the same ids in both.
    let computers: LocalComputers
    /// The addresses of the members, who are the same in both.
    let addresses: [Endpoint: StoredAddress]
    /// All next sessions that were begun or taken up here after it, this one too.
    let successors: [SessionID]
    /// The session from which this device comes by itself; nil where somebody here begins it.
    let origin: SessionID?

    /// The heritage of a session that counts `next` among its next sessions already.
    @EventLoop
    init(of session: Session, from origin: SessionID? = nil) {
        self.origin = origin
        self.session = session.id
        me = session.facts.me
        computers = session.facts.computers
        addresses = session.facts.addresses
        successors = session.facts.successors
    }

    /// Writes it down for the next session.
    func save(for next: SessionID, to store: SessionStore) throws(StoreError) {
        try store.set(Setting.me, of: next, to: me?.description)
        try store.set(Setting.origin, of: next, to: origin?.description)
        for (_, address) in addresses.sorted(by: { $0.key < $1.key }) {
            try store.record(address, for: next)
        }
        let words = successors.map(\.description).joined(separator: " ")
        try store.set(Setting.successors, of: session, to: words)
    }
}

extension ID {
    /// A fresh id by the system's chance.
    ///
    /// It takes no generator along: the system's has no size, and the thread sanitizer crashes on
    /// one that a closure captures, for it has no address either.
    static func random() -> ID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
