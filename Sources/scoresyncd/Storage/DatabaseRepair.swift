import CPlatform
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine

/// What is done where the disk is worse than full: a damaged database is made anew, with what is in
/// memory, and files that went missing under the daemon are told.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Mending: @unchecked Sendable {
    private let sessions: SessionCatalog
    private let disk: Disk
    private let loop: EngineLoop
    private let alarms: Alarms
    private let lock: String
    /// When the database was made anew last, on the clock of uptime.
    private var lastMended: UInt64?
    /// The damaged databases that are told of, for as long as they are there.
    private var told: Set<String> = []
    private let whenReplaced: () -> Void

    /// How long a database must have been sound before it is made anew once more: where the disk
    /// itself is failing, that would only wear it out.
    private static let rest: UInt64 = 60_000

    private static let placeSubject = "place"

    /// Looks after the disk of a home; `whenReplaced` is called when another daemon runs in its
    /// place.
    init(
        _ sessions: SessionCatalog,
        _ disk: Disk,
        _ loop: EngineLoop,
        _ alarms: Alarms,
        _ damaged: [(file: String, text: String)],
        home: String,
        whenReplaced: @escaping () -> Void
    ) {
        self.sessions = sessions
        self.disk = disk
        self.loop = loop
        self.alarms = alarms
        lock = home + "/daemon.lock"
        self.whenReplaced = whenReplaced
        for (file, text) in damaged { tell(file, text) }
        disk.whenDamaged = { [weak self] error in self?.mend(error) }
    }

    // MARK: Damage

    /// Has a database that was too large for it at the start looked through.
    func lookThrough() {
        disk.lookThrough { [weak self] error in
            if let error, error.isDamage { self?.mend(error) }
        }
    }

    /// Makes the database anew: what is in memory is on disk then as if nothing had happened.
    private func mend(_ error: StoreError) {
        let now = Clock.now.uptime
        if let lastMended, now < lastMended + Mending.rest { return }
        lastMended = now
        disk.perform { [self] store throws(StoreError) in
            var generator = SystemRandomNumberGenerator()
            // Read when everything before it is done: what was acknowledged is in it.
            return try store.repair("\(error)", keeping: kept, using: &generator)
        } then: { [self] result in
            switch result {
            case .success(let salvage): tell(salvage.file, salvage.text)
            case .failure(let failure):
                let text = "the database is damaged and cannot be made anew: \(failure)"
                alarms.raise(.storage, "damage", text)
            }
        }
    }

    private func tell(_ file: String, _ text: String) {
        told.insert(file)
        let place = "the file is \(file): delete it when you need it no more"
        alarms.raise(.storage, file, "\(text); \(place)")
    }

    /// Tells of databases that have come to stand beside this one, and no more of those that
    /// somebody has taken away.
    private func lookBeside() {
        disk.perform { store throws(StoreError) in
            store.damagedDatabases
        } then: { [self] result in
            guard case .success(let found) = result else { return }
            for (file, text) in found where !told.contains(file) { tell(file, text) }
            let files = Set(found.map(\.file))
            for file in told.subtracting(files) { alarms.clear(.storage, file) }
            told.formIntersection(files)
        }
    }

    private var kept: [SessionInMemory] {
        sessions.all.compactMap { session in
            guard let committed = loop.engine.replicas[session.id]?.committed else { return nil }
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

    /// Looks whether the files are where they were.
    func look() {
        lookBeside()
        disk.perform { store throws(StoreError) in
            (isInPlace: store.isInPlace, isReplaced: store.isDirectoryReplaced, store.movedError)
        } then: { [self] result in
            guard case .success(let place) = result, !place.isInPlace else {
                return alarms.clear(.storage, Mending.placeSubject)
            }
            alarms.raise(.storage, Mending.placeSubject, "\(place.2)")
            if place.isReplaced, platform_lock_is_held(lock) { giveWay() }
        }
    }

    /// Ends for the daemon that runs in the place of this one.
    ///
    /// Whoever calls reaches that, and this one would only be a ghost among the members. What
    /// nobody else has is left to it.
    private func giveWay() {
        let isNeeded = sessions.all.contains { loop.engine.hasUnsyncedWrites($0.id) }
        guard isNeeded else { return whenReplaced() }
        disk.perform { store throws(StoreError) in
            try store.saveReplacedDatabase()
        } then: { [self] result in
            // Should there be no room for it, this is tried again.
            if case .success = result { whenReplaced() }
        }
    }
}
