import CPlatform
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine

/// Rebuilds a damaged database from the sessions in memory, and reports files that were removed or
/// replaced while the daemon is running.
@EventLoop
final class RepairMonitor: DaemonPart {
    /// The uptime of the last repair.
    private var lastRepair: UInt64?
    /// The damaged databases that are reported, as long as their files exist.
    private var reported: Set<String> = []

    /// The minimum time between two repairs, because more would only wear out a failing disk.
    private static let pause: UInt64 = 60_000

    private static let filesSubject = "place"
    private static let missingSubject = "missing"

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// Reports the damaged databases of the home and what this one lacks, and repairs it from now
    /// on.
    func start(reporting damaged: [(file: String, text: String)], missing: [SessionID: UInt64]) {
        for (file, text) in damaged { report(file, text) }
        report(missing: missing)
        storage.onDamage = { [weak self] error in self?.repair(error) }
        checkPages()
    }

    // MARK: Damage

    /// Checks all pages of a database that was too large to be checked at the start.
    func checkPages() {
        storage.queue.checkInBackground { [weak self] error in
            if let error, error.isDamage { self?.repair(error) }
        }
    }

    /// Rebuilds the database from what can be read of it and the sessions in memory.
    private func repair(_ error: StoreError) {
        let now = Clock.now.uptime
        if let lastRepair, now < lastRepair + RepairMonitor.pause { return }
        lastRepair = now
        EventLoop.start { [self] in
            let result = await storage.result { [self] store throws(StoreError) in
                var generator = SystemRandomNumberGenerator()
                // Evaluated after all earlier work of the store, so it includes every acknowledged
                // write.
                let kept = EventLoop.assumeIsolated { self.kept }
                return try store.repair("\(error)", keeping: kept, using: &generator)
            }
            switch result {
            case .success(let repair): report(repair.file, repair.text)
            case .failure(let failure):
                let text = "the database is damaged and cannot be rebuilt: \(failure)"
                alarms.raise(.storage, "damage", text)
            }
        }
    }

    private func report(_ file: String, _ text: String) {
        reported.insert(file)
        let place = "the file is \(file): delete it when you no longer need it"
        alarms.raise(.storage, file, "\(text); \(place)")
    }

    private var kept: [(record: SessionRecord, replica: ReplicaSnapshot)] {
        sessions.all.compactMap { session in
            guard let committed = driver.engine.replicas[session.id]?.committed else { return nil }
            let entries = committed.live.flatMap { key, set in
                set.entries.map { KeyedEntry(key: key, entry: $0) }
            }
            let (key, joinedAt) = (session.facts.key.bytes, session.facts.joinedAt)
            return (
                record: SessionRecord(id: session.id, key: key, joinedAt: joinedAt),
                replica: ReplicaSnapshot(entries: entries, vector: committed.vector)
            )
        }
    }

    // MARK: An older database

    /// Reports that the database is older than what this laptop had, until the others have sent
    /// the missing writes.
    private func report(missing: [SessionID: UInt64]) {
        guard !missing.isEmpty else {
            return alarms.clear(.storage, RepairMonitor.missingSubject)
        }
        let held = missing.keys.compactMap { sessions[$0]?.title }.sorted()
        let counts = [
            (UInt64(missing.count - held.count), "session"),
            (missing.values.reduce(0, &+), "change"),
        ].filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
        var text =
            "this database is older than what this laptop had: "
            + "\(counts.joined(separator: " and ")) may be missing"
        if !held.isEmpty {
            let titles = held.map { "“\($0)”" }.joined(separator: ", ")
            text += "; they come back from the other laptops of \(titles)"
        }
        if held.count < missing.count {
            text += "; to have the session again, join it from a laptop that has it"
        }
        alarms.raise(.storage, RepairMonitor.missingSubject, text)
    }

    // MARK: Missing files

    /// Checks that the store's files are in place, and reports damaged databases in the home.
    func checkFiles() async {
        let missing = await storage.result { store throws(StoreError) in store.missingWrites() }
        if case .success(let missing) = missing { report(missing: missing) }
        let aside = await storage.result { store throws(StoreError) in store.damagedDatabases }
        if case .success(let found) = aside {
            for (file, text) in found where !reported.contains(file) { report(file, text) }
            let files = Set(found.map(\.file))
            for file in reported.subtracting(files) { alarms.clear(.storage, file) }
            reported.formIntersection(files)
        }
        let result = await storage.result { store throws(StoreError) in
            (
                isCurrent: store.filesAreCurrent, isReplaced: store.isDirectoryReplaced,
                error: store.movedError
            )
        }
        guard case .success(let place) = result, !place.isCurrent else {
            return alarms.clear(.storage, RepairMonitor.filesSubject)
        }
        alarms.raise(.storage, RepairMonitor.filesSubject, "\(place.error)")
        if place.isReplaced, platform_lock_is_held(daemon.home + "/daemon.lock") {
            await stopReplacedDaemon()
        }
    }

    /// Stops this daemon, because clients now reach another one that runs in its place.
    ///
    /// First the database is saved for that daemon if it has writes that no other device has.
    private func stopReplacedDaemon() async {
        let isNeeded = sessions.all.contains { driver.engine.hasUnsyncedWrites($0.id) }
        guard isNeeded else { return logAndStop() }
        let result = await storage.result { store throws(StoreError) in
            try store.saveReplacedDatabase()
        }
        // After a failure, such as of a full disk, the next check tries again.
        if case .success = result { logAndStop() }
    }

    private func logAndStop() {
        log.write(.error, "another daemon is running in this one's home: this one ends")
        daemon.stop()
    }
}
