import Descriptors
import PeerTransport
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// A session on this device: its key, addresses, the choices of this device's user, and the
/// scoreboard, which is derived from the data in the engine.
///
/// The scoreboard is built when it is first used and updated from then on; most sessions are never
/// shown and have none.
@EventLoop
final class Session: DaemonPart {
    let daemon: Daemon
    let id: SessionID
    private(set) var facts: SessionFacts
    /// The title to show until the session's data arrives.
    private let initialTitle: String?
    private var online: Set<DeviceID> = []
    private var scoreboard: CachedScoreboard?
    /// Whether the scoreboard was used since the last regular check.
    private var isInUse = false
    private var derived = DerivedFacts()
    private var journal: JournalGrowth

    init(_ daemon: Daemon, _ id: SessionID, _ facts: SessionFacts, title: String? = nil) {
        (self.daemon, self.id, self.facts) = (daemon, id, facts)
        initialTitle = title
        journal = JournalGrowth(keeping: daemon.options.journalLines)
    }

    // MARK: Data

    /// The data on disk; nil if the disk cannot be read.
    var committedMap: CausalMap? { driver.engine.replicas[id]?.committed }

    var unreadableError: ControlError {
        let message = "session \(shortID) is stored here but cannot be read now"
        return ControlError(.failed, message, hint: "for the reason: scorectl status")
    }

    func committed(_ key: Key) -> LiveSet? { committedMap?[key] }

    /// Returns the live set of a key, including writes that are not on disk yet.
    func head(_ key: Key) -> LiveSet? { driver.engine.replicas[id]?.map.head(key) }

    // MARK: Scoreboard

    /// The scoreboard of the data on disk; empty if the disk cannot be read.
    var board: Scoreboard {
        buildScoreboard()
        return scoreboard?.onDisk ?? Scoreboard(LiveSets(), findingSheet: userSheets.sheet)
    }

    /// The scoreboard including writes that are not on disk yet.
    var nextBoard: Scoreboard {
        buildScoreboard()
        guard let map = driver.engine.replicas[id]?.map else { return board }
        return scoreboard?.next(on: map, findingSheet: userSheets.sheet) ?? board
    }

    /// The standings of the data on disk, computed once after each change.
    var standings: Standings? {
        buildScoreboard()
        return scoreboard?.standings()
    }

    /// The player to move; nil in games without turns and after the end.
    var turn: Player? { standings?.turn.flatMap(board.player) }

    /// Whether the game is over by its rules.
    var isOver: Bool { standings?.isFinished ?? false }

    /// Returns a board as it would be if this device now wrote these mutations.
    func simulating(_ mutations: [Mutation], on board: Scoreboard) -> Scoreboard {
        var board = board
        _ = simulate(mutations, on: &board)
        return board
    }

    /// Changes a board as if this device now wrote these mutations.
    ///
    /// - Returns: the difference.
    func simulate(_ mutations: [Mutation], on board: inout Scoreboard) -> ScoreboardChange {
        let last = Dot(actor: ActorID(high: .max, low: .max), sequence: 1)
        // An alternative is not shown.
        let changes = mutations.filter { !$0.isAlternative }.map { mutation in
            let entry = Entry(
                dot: last,
                stamp: Stamp(bits: .max),
                author: driver.engine.device.id,
                value: mutation.value
            )
            return KeyChange(
                key: mutation.key,
                before: head(mutation.key),
                after: LiveSet(entry)
            )
        }
        return board.apply(changes, findingSheet: userSheets.sheet)
    }

    private func buildScoreboard() {
        isInUse = true
        guard scoreboard == nil, let committed = committedMap else { return }
        scoreboard = CachedScoreboard(committed, findingSheet: userSheets.sheet)
    }

    /// Applies changes that are on disk.
    ///
    /// - Returns: the difference of the scoreboard; nil if there is none.
    func apply(_ changes: [KeyChange]) -> ScoreboardChange? {
        derived.results = nil
        if let lines = journal.add(changes) { shortenJournal(to: lines) }
        if changes.contains(where: \.isOfMembership) { derived.playerCount = nil }
        let map = driver.engine.replicas[id]?.map
        let change = map.flatMap {
            scoreboard?.apply(changes, settledOn: $0, findingSheet: userSheets.sheet)
        }
        return isRenaming(changes) ? nil : change
    }

    /// Whether changes rename a device whose name is already shown.
    private func isRenaming(_ changes: [KeyChange]) -> Bool {
        guard changes.contains(where: \.isOfDevice) else { return false }
        derived.names = nil
        return changes.contains { $0.isOfDevice && $0.before != nil }
    }

    /// Discards everything derived, because all data or the games of this device may have changed.
    func forgetBoard() {
        scoreboard = nil
        derived = DerivedFacts()
    }

    /// Discards the scoreboard if it was not used since the last regular check.
    func dropUnusedBoard() {
        if !isInUse { scoreboard = nil }
        isInUse = false
    }

    /// The results, derived again after each change; nil until the session's data has arrived.
    var results: SessionResults? {
        if let results = derived.results { return results }
        guard let committed = committedMap else { return nil }
        // A board that is built only for the results is not kept.
        let board = scoreboard?.onDisk ?? Scoreboard(committed.live, findingSheet: userSheets.sheet)
        derived.results = SessionResults(of: id, board)
        return derived.results
    }

    var hasKnownResults: Bool { derived.results != nil }

    // MARK: Header, which needs no scoreboard

    var header: SessionHeader {
        if let scoreboard { return scoreboard.onDisk.header }
        var header = SessionHeader()
        for field in [Field.title, Field.game, Field.status, Field.sheet] {
            guard let entry = committed(.session(field))?.winner else { continue }
            header.apply(field, entry.value, at: entry.stamp)
        }
        return header
    }

    var title: String {
        let title = committed(.session(Field.title))?.winner.value.string ?? ""
        return title.isEmpty ? initialTitle ?? shortID : title
    }

    var keySubject: String { "key \(id)" }

    /// The beginning of the id, by which users can name the session.
    var shortID: String { String(id.description.prefix(8)) }

    var playerCount: Int {
        if let count = derived.playerCount { return count }
        let live = committedMap?.live ?? LiveSets()
        let count = live.count { key, set in
            guard case .membership = key else { return false }
            return set.entries.contains { $0.value == .boolean(true) }
        }
        derived.playerCount = count
        return count
    }

    var myName: String? {
        guard let me = facts.me, committed(.membership(me)) != nil else { return nil }
        return committed(.player(me, Field.name))?.winner.value.string
            ?? "player-\(me.description.prefix(4))"
    }

    func writtenName(of device: DeviceID) -> String? {
        committed(.device(device))?.winner.value.string
    }

    var deviceNames: DeviceNames {
        if let names = derived.names { return names }
        let names = DeviceNames(of: committedMap?.live ?? LiveSets())
        derived.names = names
        return names
    }

    /// The number of scores; nil if the disk cannot be read.
    var scoreCount: Int? {
        committedMap?.live.count { key, set in
            guard case .cell = key else { return false }
            return set.winner.value != .null
        }
    }

    /// The commits of submissions from players' phones, on any laptop.
    var phoneCommits: Set<CommitID> {
        guard let live = committedMap?.live else { return [] }
        var commits: Set<CommitID> = []
        for (key, set) in live {
            guard case .player(_, let field) = key, Field.isPhone(field) else { continue }
            for entry in set.entries { commits.insert(CommitID(entry)) }
        }
        return commits
    }

    // MARK: Addresses of members

    func remember(_ endpoint: Endpoint, of device: DeviceID) {
        let isTyped = facts.addresses[endpoint]?.isTyped ?? false
        store(endpoint, of: device, seenAt: Clock.wallMilliseconds, isTyped: isTyped)
    }

    /// Stores an address that a user typed; the engine then dials it.
    func addAddress(_ endpoint: Endpoint) {
        let known = facts.addresses[endpoint]
        store(endpoint, of: known?.device, seenAt: known?.lastAuthenticated, isTyped: true)
        driver.handle(.addressTyped(id, endpoint))
    }

    private func store(
        _ endpoint: Endpoint,
        of device: DeviceID?,
        seenAt milliseconds: UInt64?,
        isTyped: Bool
    ) {
        let address = StoredAddress(
            address: "\(endpoint)",
            device: device,
            lastAuthenticated: milliseconds,
            isTyped: isTyped
        )
        facts.addresses[endpoint] = address
        storage.write(orAlarm: "an address could not be stored") { [id] store throws(StoreError) in
            try store.record(address, for: id)
        }
    }

    func removeAddress(_ endpoint: Endpoint) {
        facts.addresses[endpoint] = nil
        storage.write(orAlarm: "an address could not be removed") { [id] store throws(StoreError) in
            _ = try store.removeAddress("\(endpoint)", of: id)
        }
        driver.handle(.addressRemoved(id, endpoint))
    }

    /// Updates which devices are linked, and stores the time for those that no longer are.
    func updateOnline(_ devices: Set<DeviceID>) {
        for gone in online.subtracting(devices) {
            facts.recordPresence(of: gone, at: Clock.wallMilliseconds)
        }
        online = devices
    }

    /// Stores the key that was lost by damage and that a member has sent again.
    func restore(_ key: [UInt8]) async throws(ControlError) {
        try await storage.run { [id] store throws(StoreError) in
            try store.restoreKey(key, of: id)
        }
        facts.key = Secret(key)
    }

    // MARK: Choices and undo

    func choose(_ me: PlayerID?) async throws(ControlError) {
        try await storage.run { [id] store throws(StoreError) in
            try store.set(Setting.me, of: id, to: me?.description)
        }
        facts.me = me
    }

    /// Stores the computers of this device that mutations add, before these are written.
    func recordComputers(in mutations: [Mutation]) {
        var computers = facts.computers
        computers.add(mutations, by: driver.engine.device.id)
        guard computers != facts.computers else { return }
        facts.computers = computers
        set(
            Setting.computers,
            to: computers.words,
            orAlarm: "a computer player could not be stored"
        )
    }

    /// Stores writes that undo skips from now on.
    func recordUndone(_ ranges: [UndoneCommands.SequenceRange]) {
        for range in ranges { facts.undone.insert(range) }
        set(Setting.undone, to: facts.undone.words, orAlarm: "an undo could not be stored")
    }

    /// Stores a setting of the session in the background; raises an alarm if that fails.
    private func set(_ name: String, to words: String?, orAlarm failure: String) {
        storage.write(orAlarm: failure) { [id] store throws(StoreError) in
            try store.set(name, of: id, to: words)
        }
    }

    /// Stores the vector of acknowledged writes if it has decreased, because a device left: that
    /// device will not report again what it had.
    func acknowledged(_ vector: VersionVector) {
        if !vector.covers(facts.acknowledged) { saveAcknowledged() }
    }

    /// Stores the vector of acknowledged writes; a lost increase does no harm, since devices report
    /// again.
    func saveAcknowledged() {
        guard let vector = driver.engine.replicas[id]?.acknowledged, vector != facts.acknowledged
        else { return }
        facts.acknowledged = vector
        set(
            Setting.acknowledged,
            to: vector.words,
            orAlarm: "the progress of other laptops could not be stored"
        )
    }

    /// Stores which members have the same state of the finished session, if that has changed.
    func saveUpToDate() {
        guard let known = driver.engine.upToDate(id) else { return }
        let members = known.devices.intersection(facts.addresses.values.compactMap(\.device))
        let upToDate = UpToDateDevices(digest: known.digest, devices: members)
        guard upToDate != facts.upToDate, !members.isEmpty || facts.upToDate != nil else { return }
        facts.upToDate = upToDate
        set(
            Setting.upToDate,
            to: upToDate.words,
            orAlarm: "the laptops with the final scores could not be stored"
        )
    }

    /// Removes old lines of the journal part by part, except the newest ones and those still
    /// needed.
    func shortenJournal(to lines: Int) {
        EventLoop.start { [id, weak self] in
            var first: Int64? = .min
            while let start = first {
                guard let self else { return }
                let acknowledged = driver.engine.replicas[id]?.acknowledged ?? VersionVector()
                let result = await storage.result { store throws(StoreError) in
                    try store.prune(
                        id,
                        acknowledged: acknowledged,
                        keepingNewest: lines,
                        from: start
                    )
                    .next
                }
                switch result {
                case .success(let next): first = next
                case .failure(let error):
                    return storage.raise(error, "a journal could not be shortened")
                }
            }
        }
    }

    // MARK: Next sessions

    /// Adds a next session; `SessionCatalog` also records the opposite direction.
    func add(successor next: SessionID) {
        facts.successors = facts.successors.filter { $0 != next } + [next]
    }

    func remove(successor next: SessionID) { facts.successors.removeAll { $0 == next } }

    /// Records that a user of this device chose the session.
    ///
    /// - Returns: the session after which it was added automatically; nil if a user started it, or
    ///   if it was chosen before.
    func recordUse() -> SessionID? {
        guard let origin = facts.origin else { return nil }
        facts.origin = nil
        set(Setting.origin, to: nil, orAlarm: "the use of a session could not be stored")
        return origin
    }
}

extension KeyChange {
    fileprivate var isOfDevice: Bool { if case .device = key { true } else { false } }
    fileprivate var isOfMembership: Bool { if case .membership = key { true } else { false } }
}

/// The facts about a session that only this device knows and stores.
struct SessionFacts: Sendable {
    /// The 32-byte key, which makes a device a member; empty if it is lost.
    var key: Secret
    /// The time of creation or joining, in milliseconds since 1970.
    let joinedAt: UInt64
    /// The player of this device; nil if none is chosen.
    var me: PlayerID?
    var addresses: [Endpoint: StoredAddress] = [:]
    var computers = LocalComputers()
    var undone = UndoneCommands()
    /// The writes that other devices have on disk, as last stored.
    var acknowledged = VersionVector()
    /// The members that have the same state of a finished session, as last stored.
    var upToDate: UpToDateDevices?
    /// The next sessions that were started or added on this device, including those that were left.
    var successors: [SessionID] = []
    /// The last chosen session before this one, if this one was added automatically; nil after a
    /// user of this device has chosen this one.
    var origin: SessionID?

    init(key: [UInt8], joinedAt: UInt64) {
        self.key = Secret(key)
        self.joinedAt = joinedAt
    }

    /// Whether the key is known; without it the session has no links until this device is invited
    /// again.
    var hasKey: Bool { key.count == SessionStore.keyBytes }

    /// The members' addresses for the engine, sorted.
    var contacts: [Contact] {
        addresses.sorted { $0.key < $1.key }.map { endpoint, address in
            Contact(stored: endpoint, of: address.device, isTyped: address.isTyped)
        }
    }

    /// Returns the sorted addresses of a device; nil means addresses without a known device.
    func addresses(of device: DeviceID?) -> [StoredAddress] {
        addresses.sorted { $0.key < $1.key }.map(\.value).filter { $0.device == device }
    }

    mutating func recordPresence(of device: DeviceID, at wallMilliseconds: UInt64) {
        for (endpoint, address) in addresses where address.device == device {
            addresses[endpoint] = StoredAddress(
                address: address.address,
                device: device,
                lastAuthenticated: wallMilliseconds,
                isTyped: address.isTyped
            )
        }
    }
}

/// A session as it was stored; a failure if its data could not be read.
struct LoadedSession: Sendable {
    let id: SessionID
    let facts: SessionFacts
    let contents: Result<OpenedSession, StoreError>
}

/// Facts derived from a session's data, cached until the data changes.
struct DerivedFacts {
    var playerCount: Int?
    var results: SessionResults?
    var names: DeviceNames?
}

/// The scoreboard of a session, both as it is on disk and as the next write will find it.
///
/// The second one exists only while writes are on their way to disk. Each write updates it, so that
/// the cost of a write does not depend on the number of writes on their way. A class, because a
/// scoreboard has so many parts that each write would spend a twentieth of its time copying it.
final class CachedScoreboard {
    /// A scoreboard that includes writes on their way to disk.
    private struct Next {
        var board: Scoreboard
        /// The number of drafted changes in it.
        var drafts: Int
        /// The difference from the board on disk.
        var difference: ScoreboardChange
    }

    private(set) var onDisk: Scoreboard
    private var next: Next?
    /// The standings on disk; nil until they are needed after a change.
    private var knownStandings: Standings??

    init(_ committed: CausalMap, findingSheet find: Scoreboard.SheetFinder) {
        onDisk = Scoreboard(committed.live, findingSheet: find)
    }

    func standings() -> Standings? {
        if let knownStandings { return knownStandings }
        let standings = onDisk.standings
        knownStandings = standings
        return standings
    }

    /// Applies changes that were settled on a map.
    func apply(
        _ changes: [KeyChange],
        settledOn map: StagedMap,
        findingSheet find: Scoreboard.SheetFinder
    ) -> ScoreboardChange {
        knownStandings = nil
        guard let next, next.drafts == map.draftCount, !map.isSealed, !map.hasOpenChanges else {
            return onDisk.apply(changes, findingSheet: find)
        }
        // The next board has these changes already, and no others.
        self.next = nil
        onDisk = next.board
        return next.difference
    }

    /// Returns the scoreboard including writes that are not on disk yet.
    func next(
        on map: StagedMap,
        findingSheet find: Scoreboard.SheetFinder
    ) -> Scoreboard {
        guard map.isSealed || map.hasOpenChanges else {
            next = nil
            return onDisk
        }
        if let drafts = next?.drafts, let changes = map.pendingChanges(after: drafts),
            let difference = next?.board.apply(changes, findingSheet: find)
        {
            next?.difference.merge(difference)
            next?.drafts = map.draftCount
        } else {
            var board = onDisk
            let difference = board.apply(map.pendingChanges, findingSheet: find)
            next = Next(board: board, drafts: map.draftCount, difference: difference)
        }
        return next?.board ?? onDisk
    }
}

/// The growth of a session's journal since it was last shortened.
///
/// The size of live entries is limited, but replaced ones are kept in the journal: a member that
/// writes one key again and again could fill the disk between two regular checks.
struct JournalGrowth {
    /// The number of canonical bytes after which the journal is shortened.
    static let maxBytes = 32 << 20

    /// The number of lines to keep if the lines have the usual length.
    private let maxLines: Int
    private var lines = 0
    private var bytes = 0

    init(keeping maxLines: Int) { self.maxLines = maxLines }

    /// Counts changes that are on disk.
    ///
    /// - Returns: nil if the journal need not be shortened, otherwise the number of newest lines to
    ///   keep, which is lower if lines are long.
    mutating func add(_ changes: [KeyChange]) -> Int? {
        for change in changes {
            for entry in change.after where change.before?[entry.dot] == nil {
                lines += 1
                bytes += entry.canonicalCount(under: change.key)
            }
        }
        guard lines > maxLines || bytes > JournalGrowth.maxBytes else { return nil }
        let fitting = Double(lines) * Double(JournalGrowth.maxBytes) / Double(max(1, bytes))
        (lines, bytes) = (0, 0)
        return max(1, min(maxLines, Int(fitting)))
    }
}
