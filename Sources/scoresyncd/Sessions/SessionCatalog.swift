import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The sessions that are held here: owns which they are, which one is current, and what the words
/// mean by which people name them and the devices in them.
@EventLoop
final class SessionCatalog: DaemonPart {
    /// The session that commands without one mean.
    var current: SessionID?

    private var held: [SessionID: Session] = [:]
    /// Of which held sessions each is a next one.
    private var before: [SessionID: Set<SessionID>] = [:]
    /// The names of devices that were linked in this run, also while they have not written.
    private var metNames: [DeviceID: String] = [:]

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    // MARK: What is held

    subscript(id: SessionID) -> Session? { held[id] }

    /// All sessions by id.
    var all: [Session] { held.sorted { $0.key < $1.key }.map(\.value) }

    /// All sessions, the latest first.
    var latestFirst: [Session] {
        held.values.sorted { ($1.facts.joinedAt, $0.id) < ($0.facts.joinedAt, $1.id) }
    }

    /// Holds a session.
    func add(_ session: Session) {
        held[session.id] = session
        for next in session.facts.successors { before[next, default: []].insert(session.id) }
    }

    /// Holds a session no longer.
    func remove(_ id: SessionID) {
        for next in held[id]?.facts.successors ?? [] { before[next]?.remove(id) }
        held[id] = nil
        if current == id { current = nil }
    }

    /// Whether an address is known as one of a member of some session.
    func isOfMember(_ address: UInt32) -> Bool {
        held.values.contains { $0.facts.addresses.keys.contains { $0.address == address } }
    }

    // MARK: What comes after what

    /// Counts a next session among those that were begun or taken up after one.
    func add(successor next: SessionID, to session: Session) {
        session.add(successor: next)
        before[next, default: []].insert(session.id)
    }

    /// Takes back that there is a next session, which could not be kept.
    func remove(successor next: SessionID, from session: Session) {
        session.remove(successor: next)
        before[next]?.remove(session.id)
    }

    /// The sessions of which this one was begun or taken up as the next, by id.
    func sessions(before id: SessionID) -> [Session] {
        (before[id] ?? []).sorted().compactMap { held[$0] }
    }

    /// The next sessions of one that are held.
    func sessions(after session: Session) -> [Session] {
        session.facts.successors.compactMap { held[$0] }
    }

    // MARK: What the words mean that users type

    /// The session that a text names: its id or a beginning of it, or its title; nil: the current.
    ///
    /// Naming a session counts as using it, so that its next games are taken up further.
    func session(_ text: String?) throws(ControlError) -> Session {
        let session = if let text { try found(text) } else { try usual() }
        if let origin = session.recordUse() { daemon.nextGames.wasChosen(session, of: origin) }
        return session
    }

    private func usual() throws(ControlError) -> Session {
        if let current = current.flatMap({ held[$0] }) { return current }
        guard held.count != 1, !held.isEmpty else {
            if let only = held.values.first { return only }
            throw ControlError(
                .notFound,
                "there is no session yet; try: scorectl session new rounds"
            )
        }
        throw ControlError(
            .notFound,
            "no session is in use; choose one with: scorectl session use SESSION",
            candidates: all.map(\.title)
        )
    }

    private func found(_ text: String) throws(ControlError) -> Session {
        if let session = SessionID(text).flatMap({ held[$0] }) { return session }
        let all = all
        return try Match(text, among: all, \.id.description, \.title).only(
            of: text,
            "sessions",
            missing: "there is no session “\(text)”",
            known: all.map(\.title),
            precise: { "\($0.shortID) \($0.title)" }
        )
    }

    // MARK: What devices are called

    /// Remembers who is linked and what they are called, and takes down what is no longer wrong
    /// with them.
    func updatePeers(of session: SessionID) {
        let peers = driver.engine.peers(session)
        held[session]?.meet(Set(peers.map(\.device)))
        for peer in peers {
            metNames[peer.device] = peer.name
            alarms.clear(of: peer)
        }
    }

    /// The name of a device here, also before it has written in the session: as it was met, or
    /// as the sessions before call it.
    func name(of device: DeviceID, in session: Session) -> String {
        session.deviceNames[device] ?? names(of: [device], in: session)[device]
            ?? device.placeholder
    }

    /// The names of devices here, no two alike: those that have written as all devices call
    /// them, the others after them, this one among them, by their ids.
    func names(of devices: [DeviceID], in session: Session) -> DeviceNames {
        var names = session.deviceNames
        let own = driver.engine.device
        let silent = Set(devices + [own.id]).filter { names[$0] == nil }
        names.add(
            silent.sorted().map { device in
                let name =
                    device == own.id
                    ? own.name
                    : metNames[device] ?? first(upFrom: session) { $0.writtenName(of: device) }
                return (device, name ?? device.placeholder)
            }
        )
        return names
    }

    /// The first that is found of something in a session and in those before it, each looked at
    /// once.
    func first<Found>(
        upFrom session: Session,
        _ find: (Session) -> Found?
    ) -> Found? {
        var looked: Set<SessionID> = []
        var open = [session]
        while let next = open.popLast() {
            guard looked.insert(next.id).inserted else { continue }
            if let found = find(next) { return found }
            open += sessions(before: next.id)
        }
        return nil
    }
}

extension DeviceID {
    /// The name of a device until its own has come: the beginning of its id.
    var placeholder: String { "device-\(description.prefix(4))" }
}

/// The names of a session's devices, no two alike: laptops of one host name are told apart
/// as "vm", "vm 2".
///
/// It follows from what is written in the session, where each device has put its name with its
/// first write, so it is the same on all of them; and who came first stays who they are when
/// another one comes. Nothing is written for it: two that came while they were apart would both
/// choose the same number.
struct DeviceNames: Hashable, Sendable {
    private var names: [DeviceID: String] = [:]
    private var taken: Set<String> = []
    /// The next number to try for a name.
    private var numbers: [String: Int] = [:]

    /// The names that are written among the live entries of a session.
    init(of live: some Sequence<(key: Key, value: LiveSet)>) {
        var written: [(device: DeviceID, name: String, stamp: Stamp)] = []
        for (key, set) in live {
            guard case .device(let device) = key, let name = set.winner.value.string else {
                continue
            }
            written.append((device, name, set.winner.stamp))
        }
        add(
            written.sorted { ($0.stamp, $0.device) < ($1.stamp, $1.device) }
                .map { ($0.device, $0.name) }
        )
    }

    subscript(device: DeviceID) -> String? { names[device] }

    /// Names devices that have written nothing, one after the other, beside those that have.
    mutating func add(_ devices: [(device: DeviceID, name: String)]) {
        let new = devices.filter { names[$0.device] == nil }
        let meant = Set(new.map { $0.name.lowercased() })
        for (device, name) in new where names[device] == nil {
            var distinct = name
            let plain = name.lowercased()
            if taken.contains(plain) {
                // It never goes back, so that a thousand of one name cost a thousand steps.
                repeat {
                    numbers[plain, default: 1] += 1
                    distinct = "\(name) \(numbers[plain] ?? 2)"
                } while taken.contains(distinct.lowercased())
                    || meant.contains(distinct.lowercased())
            }
            taken.insert(distinct.lowercased())
            names[device] = distinct
        }
    }
}
