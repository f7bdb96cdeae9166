import CPlatform
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
    /// The sessions that could not be read, to be tried again or left.
    let unreadable: [UnreadableSession]
    /// The games that the user added.
    let games: [UserGame]
    /// Those of them that cannot be read, by id.
    let unreadableGames: [Symbol]
    /// Alarms about the store.
    let notices: [String]
    /// The damaged databases that are kept beside this one, each with what became of it.
    let damaged: [(file: String, text: String)]
    /// The store, which from now on is touched on its own queue only.
    let store: StoreQueue

    /// Opens the store of the directory and reads everything; completions run on `queue`.
    init(
        _ directory: String,
        _ options: DaemonOptions,
        on queue: EventQueue
    ) throws(ControlError) {
        self.directory = directory
        do throws(StoreError) {
            var generator = SystemRandomNumberGenerator()
            let store = try SessionStore(directory: directory, using: &generator)
            (sessions, unreadable) = try store.loadAll(using: &generator)
            if let name = options.name { try store.set(Setting.deviceName, to: name) }
            name = try store.setting(Setting.deviceName) ?? OpenedHome.hostName
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
            roster = Roster(try store.people())
            self.store = StoreQueue(store, deliveringOn: queue)
        } catch { throw ControlError(.failed, "\(error)") }
    }

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 64)
        guard platform_host_name(&bytes, bytes.count) == 0 else { return "laptop" }
        let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: text, as: UTF8.self)
        return (try? DaemonOptions.deviceName(name)) ?? "laptop"
    }
}

/// The names of settings in the store.
enum Setting {
    static let deviceName = "device.name"
    /// The session that commands without one mean.
    static let current = "session.current"
    /// See `DeviceMemory`.
    static let memory = "memory"
    /// All that are of no session.
    static let ofDevice = [deviceName, current, memory]
    /// Of a session: the next ones that were begun or taken up here, by their ids, as words.
    static let successors = "successors"
    /// Of a session: the one from which this device came to it by itself.
    static let origin = "origin"
    /// Of a session: the player of this device.
    static let me = "me"
    /// Of a session: the computer players for which this device moves, see `LocalComputers`; nothing
    /// where the session was stored before they were noted.
    static let computers = "computers"
    /// Of a session: the commands that were undone, see `UndoneCommands`.
    static let undone = "undone"
    /// Of a session: what other devices have on disk, as `actor:sequence` words.
    static let acknowledged = "acknowledged"
}

extension SessionStore {
    /// All sessions with everything that is stored of them, and those that cannot be read.
    ///
    /// A database whose rows make no sense is made anew, once.
    fileprivate func loadAll(
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> (sessions: [LoadedSession], unreadable: [UnreadableSession]) {
        do throws(StoreError) {
            // What goes with all sessions is read now, so that what is wrong there is mended too.
            for name in Setting.ofDevice { _ = try setting(name) }
            _ = (try people(), try sheets(), try results())
            return (try sessions().map(loadWhole), [])
        } catch {
            if error.isDamage { _ = try repair("\(error)", using: &generator) }
        }
        var loaded: [LoadedSession] = []
        var unreadable: [UnreadableSession] = []
        for record in try sessions() {
            do throws(StoreError) { loaded.append(try loadWhole(record)) } catch {
                let facts = SessionFacts(key: record.key, joinedAt: record.joinedAt)
                unreadable.append(
                    UnreadableSession(id: record.id, facts: facts, reason: "\(error)")
                )
            }
        }
        return (loaded, unreadable)
    }

    /// The games that the user added; of what cannot be read, which stays where it is, it tells.
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
                    "your game \(stored.id) cannot be read: \(error); if you need it no more: "
                        + "scorectl games remove \(stored.id)"
                )
            }
        }
        return (games, unreadable)
    }

    /// A session with everything that is stored of it.
    func loadWhole(_ record: SessionRecord) throws(StoreError) -> LoadedSession {
        var facts = SessionFacts(key: record.key, joinedAt: record.joinedAt)
        facts.me = try setting(Setting.me, of: record.id).flatMap { PlayerID($0) }
        facts.origin = try setting(Setting.origin, of: record.id).flatMap { SessionID($0) }
        let successors = try setting(Setting.successors, of: record.id) ?? ""
        facts.successors = successors.split(separator: " ").compactMap { SessionID($0) }
        facts.undone = UndoneCommands(words: try setting(Setting.undone, of: record.id) ?? "")
        for address in try peers(of: record.id) {
            if let endpoint = Endpoint(address.address) { facts.addresses[endpoint] = address }
        }
        facts.acknowledged = VersionVector(
            words: try setting(Setting.acknowledged, of: record.id) ?? ""
        )
        let opened = try loadOpened(record.id, facts)
        if let words = try setting(Setting.computers, of: record.id) {
            facts.computers = LocalComputers(words: words)
        } else {
            facts.computers = LocalComputers(trusting: opened.replica.entries, by: device)
            try set(Setting.computers, of: record.id, to: facts.computers.words)
        }
        return LoadedSession(id: record.id, facts: facts, opened: opened)
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
            acknowledged: facts.acknowledged
        )
    }
}

extension VersionVector {
    /// The vector of words `actor:sequence`; what is not such a word is left out.
    init(words: String) {
        var sequences: [ActorID: UInt64] = [:]
        for word in words.split(separator: " ") {
            let halves = word.split(separator: ":")
            guard halves.count == 2, let actor = ActorID(halves[0]), let last = UInt64(halves[1])
            else { continue }
            sequences[actor] = last
        }
        self.init(sequences)
    }

    /// The words `actor:sequence`.
    var words: String {
        sorted.map { "\($0.actor):\($0.sequence)" }.joined(separator: " ")
    }
}
