import CPlatform
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine

/// What is done where the disk is worse than full: a damaged database is made anew, with what is in
/// memory, and files that went missing under the daemon are told.
@EventLoop
final class DatabaseRepair {
    private let sessions: SessionCatalog
    private let storage: Storage
    private let driver: EngineDriver
    private let alarms: Alarms
    private let lock: String
    /// The uptime of the last repair.
    private var lastMended: UInt64?
    /// The damaged databases that are told of, for as long as they are there.
    private var told: Set<String> = []
    private let whenReplaced: () -> Void

    /// The minimum time between two repairs: where the disk
    /// itself is failing, that would only wear it out.
    private static let rest: UInt64 = 60_000

    private static let placeSubject = "place"

    /// Looks after the disk of a home; `whenReplaced` is called when another daemon runs in its
    /// place.
    init(
        _ sessions: SessionCatalog,
        _ storage: Storage,
        _ driver: EngineDriver,
        _ alarms: Alarms,
        _ damaged: [(file: String, text: String)],
        home: String,
        whenReplaced: @escaping () -> Void
    ) {
        self.sessions = sessions
        self.storage = storage
        self.driver = driver
        self.alarms = alarms
        lock = home + "/daemon.lock"
        self.whenReplaced = whenReplaced
        for (file, text) in damaged { tell(file, text) }
        storage.onDamage = { [weak self] error in self?.mend(error) }
    }

    // MARK: Damage

    /// Checks all pages of a database that was too large for that at the start.
    func lookThrough() {
        storage.queue.checkInBackground { [weak self] error in
            if let error, error.isDamage { self?.mend(error) }
        }
    }

    /// Rebuilds the database, so that what is in memory is on disk as if nothing had happened.
    private func mend(_ error: StoreError) {
        let now = Clock.now.uptime
        if let lastMended, now < lastMended + DatabaseRepair.rest { return }
        lastMended = now
        EventLoop.start { [self] in
            let result = await storage.result { [self] store throws(StoreError) in
                var generator = SystemRandomNumberGenerator()
                // Read when everything before it is done: what was acknowledged is in it.
                let kept = EventLoop.assumeIsolated { self.kept }
                return try store.repair("\(error)", keeping: kept, using: &generator)
            }
            switch result {
            case .success(let salvage): tell(salvage.file, salvage.text)
            case .failure(let failure):
                let text = "the database is damaged and cannot be rebuilt: \(failure)"
                alarms.raise(.storage, "damage", text)
            }
        }
    }

    private func tell(_ file: String, _ text: String) {
        told.insert(file)
        let place = "the file is \(file): delete it when you need it no more"
        alarms.raise(.storage, file, "\(text); \(place)")
    }

    private var kept: [SessionInMemory] {
        sessions.all.compactMap { session in
            guard let committed = driver.engine.replicas[session.id]?.committed else { return nil }
            let entries = committed.live.flatMap { key, set in
                set.entries.map { KeyedEntry(key: key, entry: $0) }
            }
            let (key, joinedAt) = (session.facts.key.bytes, session.facts.joinedAt)
            return SessionInMemory(
                record: SessionRecord(id: session.id, key: key, joinedAt: joinedAt),
                replica: ReplicaSnapshot(entries: entries, vector: committed.vector)
            )
        }
    }

    // MARK: The place

    /// Checks that the files are where they were, and reports damaged databases that are kept beside
    /// this one until they are deleted.
    func check() async {
        let aside = await storage.result { store throws(StoreError) in store.damagedDatabases }
        if case .success(let found) = aside {
            for (file, text) in found where !told.contains(file) { tell(file, text) }
            let files = Set(found.map(\.file))
            for file in told.subtracting(files) { alarms.clear(.storage, file) }
            told.formIntersection(files)
        }
        let result = await storage.result { store throws(StoreError) in
            (isInPlace: store.isInPlace, isReplaced: store.isDirectoryReplaced, store.movedError)
        }
        guard case .success(let place) = result, !place.isInPlace else {
            return alarms.clear(.storage, DatabaseRepair.placeSubject)
        }
        alarms.raise(.storage, DatabaseRepair.placeSubject, "\(place.2)")
        if place.isReplaced, platform_lock_is_held(lock) { await giveWay() }
    }

    /// Ends for the daemon that runs in the place of this one.
    ///
    /// Clients reach that one, and this one would only be a ghost among the members. What no other
    /// device has is left to it.
    private func giveWay() async {
        let isNeeded = sessions.all.contains { driver.engine.hasUnsyncedWrites($0.id) }
        guard isNeeded else { return whenReplaced() }
        let result = await storage.result { store throws(StoreError) in
            try store.saveReplacedDatabase()
        }
        // Without room for it, this is tried again.
        if case .success = result { whenReplaced() }
    }
}
