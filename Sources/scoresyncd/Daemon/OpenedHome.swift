import CPlatform
import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The contents of a home directory when the daemon starts.
struct OpenedHome {
    let directory: String
    let device: DeviceID
    let name: String
    let current: SessionID?
    let memory: DeviceMemory
    let roster: Roster
    let sessions: [LoadedSession]
    let games: [UserGame]
    /// The games of the user that cannot be read, by id.
    let unreadableGames: [Symbol]
    let notices: [String]
    /// The damaged databases that were set aside in the home, each with the report of its repair.
    let damaged: [(file: String, text: String)]
    /// The numbers of missing writes, see `SessionStore.missingWrites`.
    let missing: [SessionID: UInt64]
    /// The copy that is open instead, because the directory can only be read; nil if it is writable.
    let copy: ReadOnlyCopy?
    /// The store; from now on it is used only through its queue.
    let store: StoreQueue

    /// Opens the store of the directory, or its copy, and reads everything; completions run on
    /// `queue`.
    init(
        _ directory: String,
        _ options: DaemonOptions,
        copy: ReadOnlyCopy? = nil,
        on queue: EventQueue
    ) throws(StoreError) {
        (self.directory, self.copy) = (directory, copy)
        var generator = SystemRandomNumberGenerator()
        let store = try SessionStore(directory: copy?.path ?? directory, using: &generator)
        sessions = try store.loadAll(using: &generator)
        let stored = try store.setting(Setting.deviceName)
        // A full disk is no reason to refuse the start with the name that is stored already.
        if let name = options.name, name != stored { try store.set(Setting.deviceName, to: name) }
        name = options.name ?? stored ?? OpenedHome.hostName
        device = store.device
        damaged = store.damagedDatabases
        var notices: [String] = []
        if let failure = store.backupFailure {
            notices.append("no backup was made before the store was migrated: \(failure)")
        }
        (games, unreadableGames) = try store.ownGames(&notices)
        self.notices = notices
        current = try store.setting(Setting.current).flatMap { SessionID($0) }
        memory = DeviceMemory(try store.setting(Setting.memory))
        missing = store.missingWrites(wasLeft: memory.hasLeft)
        roster = Roster(try store.people())
        self.store = StoreQueue(store, deliveringOn: queue)
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 64)
        guard platform_host_name(&bytes, bytes.count) == 0 else { return "laptop" }
        let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: text, as: UTF8.self)
        return (try? DaemonOptions.deviceName(name)) ?? "laptop"
    }
}

/// The copy of a database whose directory can only be read.
///
/// SQLite needs to write next to a database, even to read it. What the daemon writes to the copy is
/// lost with it: users are refused, and the daemon does not link to peers.
struct ReadOnlyCopy {
    /// The directory of the copy, which is removed when the daemon stops.
    let path: String
    /// The reason why the directory cannot be written.
    let reason: String
    private let home: ControlPaths

    /// Copies the database of a home to the private directory of a daemon that only reads it.
    init(of home: ControlPaths, because reason: String) throws(StoreError) {
        (path, self.reason) = (home.readingOnly.state + "/copy", reason)
        self.home = home
        try SessionStore.copy(from: home.home, to: path)
    }

    /// Whether the home can be written now; tries it.
    var isHomeWritable: Bool {
        guard let lock = try? ControlLock(home) else { return false }
        var generator = SystemRandomNumberGenerator()
        return withExtendedLifetime(lock) {
            do throws(StoreError) {
                let store = try SessionStore(directory: home.home, using: &generator)
                try store.rewriteSetting()
                return true
            } catch { return false }
        }
    }

    /// Calls that change nothing in the home, although they are not only reading.
    static let allowedCalls: Set<String> = [
        "daemon.stop", "diagnosis", "backup.make", "export.begin", "export.next",
    ]

    /// The answer to a call that would change something.
    var refusal: ControlError {
        ControlError(
            .failed,
            "nothing can be saved, because \(reason)",
            hint: "make the state directory writable, or room on its disk; the daemon tries again "
                + "by itself"
        )
    }

    /// The alarm for as long as the daemon only reads.
    var notice: String {
        "the scores can only be read, and are not synced, because \(reason); make the state "
            + "directory writable: the daemon tries again every few seconds"
    }

    func remove() { _ = platform_remove_tree(path) }
}

enum Setting {
    static let deviceName = "device.name"
    /// The id of the current session, which commands use if none is given.
    static let current = "session.current"
    /// The encoded `DeviceMemory`.
    static let memory = "memory"
    /// The settings that do not belong to a session.
    static let ofDevice = [deviceName, current, memory]
    /// The ids of the next sessions that were started or added here after a session, as words.
    static let successors = "successors"
    /// The session after which this device added a session automatically.
    static let origin = "origin"
    static let me = "me"
    /// The computer players in a session for which this device moves, see `LocalComputers`; missing
    /// if an earlier version stored the session.
    static let computers = "computers"
    /// The commands of a session that undo skips, see `UndoneCommands`.
    static let undone = "undone"
    /// The writes of a session that other devices have on disk, as words `actor:sequence`.
    static let acknowledged = "acknowledged"
    /// The devices that had everything when a session was finished, see `UpToDateDevices`.
    static let upToDate = "up-to-date"
}

extension SessionStore {
    /// Writes a setting unchanged, as a test whether something can be saved.
    func rewriteSetting() throws(StoreError) {
        try set(Setting.current, to: try setting(Setting.current))
    }

    /// Loads all sessions with everything that is stored for them.
    ///
    /// If rows are damaged, the database is rebuilt, at most once.
    fileprivate func loadAll(
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> [LoadedSession] {
        do throws(StoreError) {
            // Also reads the settings that belong to no session, so that damage to them is
            // repaired.
            for name in Setting.ofDevice { _ = try setting(name) }
            _ = (try people(), try sheets(), try results())
            return try sessions().map(loadWhole)
        } catch {
            if error.isDamage { _ = try repair("\(error)", using: &generator) }
        }
        return try sessions().map { record throws(StoreError) in
            do throws(StoreError) { return try loadWhole(record) } catch {
                let facts = SessionFacts(key: record.key, joinedAt: record.joinedAt)
                return LoadedSession(id: record.id, facts: facts, contents: .failure(error))
            }
        }
    }

    /// Returns the games that the user added; unreadable ones stay stored and cause a notice.
    fileprivate func ownGames(
        _ notices: inout [String]
    ) throws(StoreError) -> (games: [UserGame], unreadable: [Symbol]) {
        var games: [UserGame] = []
        var unreadable: [Symbol] = []
        for stored in try sheets() {
            do throws(SheetError) {
                let sheet = try Sheet(json: stored.text)
                games.append(UserGame(sheet: sheet, source: stored.text))
            } catch {
                unreadable.append(stored.id)
                notices.append(
                    "your game \(stored.id) cannot be read: \(error); if you do not need it, remove it"
                )
            }
        }
        return (games, unreadable)
    }

    func loadWhole(_ record: SessionRecord) throws(StoreError) -> LoadedSession {
        var facts = SessionFacts(key: record.key, joinedAt: record.joinedAt)
        facts.me = try setting(Setting.me, of: record.id).flatMap { PlayerID($0) }
        facts.origin = try setting(Setting.origin, of: record.id).flatMap { SessionID($0) }
        let successors = try setting(Setting.successors, of: record.id) ?? ""
        facts.successors = successors.split(separator: " ").compactMap { SessionID($0) }
        facts.undone = UndoneCommands(words: try setting(Setting.undone, of: record.id) ?? "")
        for address in try addresses(of: record.id) {
            if let endpoint = Endpoint(address.address) { facts.addresses[endpoint] = address }
        }
        facts.acknowledged = VersionVector(
            words: try setting(Setting.acknowledged, of: record.id) ?? ""
        )
        facts.upToDate = try setting(Setting.upToDate, of: record.id).flatMap {
            UpToDateDevices(words: $0)
        }
        let opened = try loadOpened(record.id, facts)
        if let words = try setting(Setting.computers, of: record.id) {
            facts.computers = LocalComputers(words: words)
        } else {
            facts.computers = LocalComputers(trusting: opened.replica.entries, by: device)
            try set(Setting.computers, of: record.id, to: facts.computers.words)
        }
        return LoadedSession(id: record.id, facts: facts, contents: .success(opened))
    }

    func loadOpened(
        _ session: SessionID,
        _ facts: SessionFacts
    ) throws(StoreError) -> OpenedSession {
        let replica = try load(session)
        guard replica.entries.allSatisfy({ replica.vector.covers($0.entry.dot) }) else {
            throw .inconsistent(session)
        }
        return OpenedSession(
            replica: replica,
            contacts: facts.contacts,
            acknowledged: facts.acknowledged,
            upToDate: facts.upToDate
        )
    }
}
