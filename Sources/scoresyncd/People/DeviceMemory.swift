import Descriptors
import PeerTransport
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The facts that this device remembers across sessions, stored as one setting.
struct DeviceMemory: Codable, Hashable, Sendable {
    static let maxLists = 32
    static let maxLeft = 256

    /// The options that were chosen last, as text, by game and by name.
    private var options: [String: [String: String]] = [:]
    /// The start of each game's statistics, in milliseconds since 1970.
    private var resets: [String: Int64] = [:]
    /// The paths of word lists that were chosen on this device, the latest last; nil if there are
    /// none.
    private var lists: [String]?
    /// The sessions that were left on this device, which are not added automatically again; the
    /// latest last.
    private var left: [String] = []
    /// The laptops with which this one has joined a game, the latest last; nil if there are none.
    private var laptops: [KnownLaptop]?

    init() {}

    /// Decodes the memory from a setting; empty if it is unreadable, because nothing depends on it.
    init(_ text: String?) {
        let known = text.flatMap { try? ControlJSON.decode(DeviceMemory.self, from: $0.utf8) }
        self = known ?? DeviceMemory()
    }

    var text: String {
        (try? ControlJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns the options that were last chosen for a game, if its sheet still accepts them.
    ///
    /// An option that depends on another one (a word list on the language) is remembered for each
    /// of its values.
    func options(of sheet: Sheet, alongside chosen: [GameOption] = []) -> [GameOption] {
        let known = options[sheet.id.description] ?? [:]
        return sheet.options.map(\.name).sorted().compactMap { name in
            guard let option = sheet.option(name), sheet.rules.isChoice(name),
                let text = known[key(of: name, in: sheet, chosen)],
                let value = try? option.value(of: text), value != .null
            else { return nil }
            return (name, value)
        }
    }

    /// Remembers options that were chosen for a game, except defaults.
    ///
    /// `present` are the other options of the session for which they were chosen, if there is one.
    mutating func remember(
        _ chosen: [GameOption],
        of sheet: Sheet,
        in present: [GameOption] = [],
        forgettingOthers: Bool
    ) {
        let game = sheet.id.description
        // Keeps the options that are remembered per value of another option.
        var known = (options[game] ?? [:]).filter { !forgettingOthers || $0.key.contains("@") }
        for (name, value) in chosen where sheet.rules.isChoice(name) {
            let key = key(of: name, in: sheet, chosen + present)
            known[key] = value == .null ? nil : Scalar(value).description
        }
        options[game] = known.isEmpty ? nil : known
    }

    /// Returns the key of an option: its name, and the value of the option it depends on:
    /// `list@dutch`.
    private func key(of name: Symbol, in sheet: Sheet, _ chosen: [GameOption]) -> String {
        guard let scope = sheet.rules.scope(of: name), let option = sheet.option(scope) else {
            return name.description
        }
        let remembered = options[sheet.id.description]?[scope.description]
        let value =
            chosen.first { $0.name == scope }?.value
            ?? remembered.flatMap { try? option.value(of: $0) } ?? .null
        return "\(name)@\(Scalar(value == .null ? option.kind.defaultValue : value))"
    }

    /// Whether a user of this device chose the word list at this path.
    ///
    /// No other file is opened for a session, because replies about letters would reveal its
    /// contents.
    func hasChosen(list path: String) -> Bool { lists?.contains(path) ?? false }

    mutating func rememberLists(in chosen: [GameOption]) {
        let paths = chosen.compactMap(\.value.string).filter(WordFile.isPath)
        guard !paths.isEmpty else { return }
        lists = Array(
            ((lists ?? []).filter { !paths.contains($0) } + paths)
                .suffix(DeviceMemory.maxLists)
        )
    }

    /// Returns the start of a game's statistics, in milliseconds since 1970; nil for no limit.
    func reset(of game: String) -> UInt64? { resets[game].map { UInt64(max(0, $0)) } }

    mutating func reset(_ game: String, at milliseconds: UInt64) {
        resets[game] = min(Int64(clamping: milliseconds), Limits.largestInteger)
    }

    func hasLeft(_ session: SessionID) -> Bool { left.contains(session.description) }

    mutating func leave(_ session: SessionID) {
        left = left.filter { $0 != session.description } + [session.description]
        left.removeFirst(max(0, left.count - DeviceMemory.maxLeft))
    }
}

/// A laptop that has joined a game of this one, or the other way round.
///
/// Both have the same random key, so that they recognize each other without join codes or symbols.
struct KnownLaptop: Codable, Hashable, Sendable {
    let device: String
    let name: String
    private let key: String
    /// The time of their last joining, in milliseconds since 1970.
    let lastPlayed: UInt64

    init(_ device: DeviceID, _ name: String, key: [UInt8]) {
        (self.device, self.name) = (device.description, name)
        self.key = Hexadecimal.text(of: key)
        lastPlayed = Clock.wallMilliseconds
    }

    var secret: Secret { Secret(Hexadecimal.bytes(of: key) ?? []) }
}

extension DeviceMemory {
    static let maxLaptops = 128

    /// The laptops that this one recognizes, the latest first.
    var knownLaptops: [KnownLaptop] { (laptops ?? []).reversed() }

    func knownLaptop(_ device: DeviceID) -> KnownLaptop? {
        laptops?.last { $0.device == device.description }
    }

    mutating func remember(_ laptop: KnownLaptop) {
        forget([laptop.device])
        laptops = Array(((laptops ?? []) + [laptop]).suffix(DeviceMemory.maxLaptops))
    }

    mutating func forget(_ devices: [String]) {
        laptops = laptops?.filter { !devices.contains($0.device) }
    }
}

extension SessionStore {
    func changeMemory(_ change: (inout DeviceMemory) -> Void) throws(StoreError) {
        var memory = DeviceMemory(try setting(Setting.memory))
        change(&memory)
        try set(Setting.memory, to: memory.text)
    }
}

/// The people and the memory of this device; changes are stored before they take effect.
@EventLoop
final class DeviceSettings {
    private(set) var roster: Roster
    private(set) var memory: DeviceMemory
    private let storage: Storage

    init(_ roster: Roster, _ memory: DeviceMemory, _ storage: Storage) {
        (self.roster, self.memory, self.storage) = (roster, memory, storage)
    }

    /// Changes the people of this device; the change is stored before it takes effect.
    func change(
        _ change: @escaping @Sendable (inout Roster) -> Void
    ) async throws(ControlError) -> Roster {
        let people = try await storage.run { store throws(StoreError) in
            try store.changePeople { people in
                var roster = Roster(people)
                change(&roster)
                people = roster.people
            }
        }
        roster = Roster(people)
        return roster
    }

    /// Remembers players for later sessions, in the background.
    func record(people names: [String], or log: Log) {
        guard !names.isEmpty else { return }
        EventLoop.start { [self] in
            do throws(ControlError) { _ = try await change { $0.recordPlayed(names) } } catch {
                log.write(.error, "the players could not be saved: \(error.message)")
            }
        }
    }

    /// Remembers options that were chosen, for the next session of the game.
    func remember(
        _ chosen: [GameOption],
        of sheet: Sheet,
        in present: [GameOption] = [],
        forgettingOthers: Bool = false
    ) {
        change {
            $0.remember(chosen, of: sheet, in: present, forgettingOthers: forgettingOthers)
        }
    }

    func rememberLists(in chosen: [GameOption]) { change { $0.rememberLists(in: chosen) } }

    private func change(_ change: @escaping @Sendable (inout DeviceMemory) -> Void) {
        let before = memory
        change(&memory)
        guard memory != before else { return }
        storage.write(orAlarm: "the choices on this laptop could not be saved") {
            store throws(StoreError) in
            try store.changeMemory(change)
        }
    }

    /// Remembers a laptop in the background.
    func remember(_ laptop: KnownLaptop) { change { $0.remember(laptop) } }

    /// Forgets laptops, after that is stored.
    func forget(_ devices: [String]) async throws(ControlError) {
        try await storage.run { store throws(StoreError) in
            try store.changeMemory { $0.forget(devices) }
        }
        memory.forget(devices)
    }

    func recordLeft(_ session: SessionID) { memory.leave(session) }

    /// Restarts a game's statistics, after the reset is stored.
    func reset(_ game: String, at milliseconds: UInt64) async throws(ControlError) {
        try await storage.run { store throws(StoreError) in
            try store.changeMemory { $0.reset(game, at: milliseconds) }
        }
        memory.reset(game, at: milliseconds)
    }
}
