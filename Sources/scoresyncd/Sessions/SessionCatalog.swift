import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The sessions on this device, the current one among them, and the names of sessions and devices.
@EventLoop
final class SessionCatalog: DaemonPart {
    /// The current session, which commands use if none is given.
    var current: SessionID?

    private var held: [SessionID: Session] = [:]
    /// The sessions of which each session is a next one.
    private var before: [SessionID: Set<SessionID>] = [:]
    /// The names of devices that were linked in this run, even if they have written nothing.
    private var linkedNames: [DeviceID: String] = [:]

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    subscript(id: SessionID) -> Session? { held[id] }

    /// All sessions, sorted by id.
    var all: [Session] { held.sorted { $0.key < $1.key }.map(\.value) }

    var latestFirst: [Session] {
        held.values.sorted { ($1.facts.joinedAt, $0.id) < ($0.facts.joinedAt, $1.id) }
    }

    func add(_ session: Session) {
        held[session.id] = session
        for next in session.facts.successors { before[next, default: []].insert(session.id) }
    }

    func remove(_ id: SessionID) {
        for next in held[id]?.facts.successors ?? [] { before[next]?.remove(id) }
        held[id] = nil
        if current == id { current = nil }
    }

    func isOfMember(_ address: IPAddress) -> Bool {
        held.values.contains { $0.facts.addresses.keys.contains { $0.address == address } }
    }

    func add(successor next: SessionID, to session: Session) {
        session.add(successor: next)
        before[next, default: []].insert(session.id)
    }

    func remove(successor next: SessionID, from session: Session) {
        session.remove(successor: next)
        before[next]?.remove(session.id)
    }

    /// Returns the sessions of which this session is a next one, sorted by id.
    func sessions(before id: SessionID) -> [Session] {
        (before[id] ?? []).sorted().compactMap { held[$0] }
    }

    func sessions(after session: Session) -> [Session] {
        session.facts.successors.compactMap { held[$0] }
    }

    /// Returns the session with this id or title, or the beginning of either; nil means the current
    /// one.
    ///
    /// Naming a session counts as choosing it, so that its next games are added.
    func session(_ text: String?) throws(ControlError) -> Session {
        let session = if let text { try session(named: text) } else { try usual() }
        if let origin = session.recordUse() { daemon.nextGames.wasChosen(session, of: origin) }
        return session
    }

    private func usual() throws(ControlError) -> Session {
        if let current = current.flatMap({ held[$0] }) { return current }
        guard held.count != 1, !held.isEmpty else {
            if let only = held.values.first { return only }
            throw .notFound(
                "there is no session yet",
                hint: "for example: scorectl session new rounds"
            )
        }
        throw .notFound(
            "no session is in use",
            hint: "choose one with: scorectl session use SESSION",
            candidates: latestFirst.map(\.title)
        )
    }

    private func session(named text: String) throws(ControlError) -> Session {
        if let session = SessionID(text).flatMap({ held[$0] }) { return session }
        let all = all
        return try Match(text, among: all, named: \.title, id: \.id.description).only(
            of: text,
            "sessions",
            missing: "there is no session “\(text)”",
            known: latestFirst.map(\.title),
            precise: { Naming.uniqueName($0.title, id: $0.id.description) }
        )
    }

    /// Records which devices are linked and their names, and clears the alarms whose cause is gone.
    func updatePeers(of session: SessionID) {
        let peers = driver.engine.peers(session)
        held[session]?.updateOnline(Set(peers.map(\.device)))
        held[session]?.saveUpToDate()
        for peer in peers {
            linkedNames[peer.device] = peer.name
            alarms.clear(of: peer)
        }
        alarms.clearCopies(besides: driver.engine.clonedDevices)
    }

    /// Returns the name of a device; if it has written nothing in the session, the name that it had
    /// when it was linked, or in previous sessions.
    func name(of device: DeviceID, in session: Session) -> String {
        session.deviceNames[device] ?? names(of: [device], in: session)[device]
            ?? device.placeholder
    }

    /// Returns distinct names of devices: first of those that have written, the same on all
    /// devices, then of the remaining ones, sorted by id.
    func names(of devices: [DeviceID], in session: Session) -> DeviceNames {
        var names = session.deviceNames
        let own = driver.engine.device
        let silent = Set(devices + [own.id]).filter { names[$0] == nil }
        names.add(
            silent.sorted().map { device in
                let name =
                    device == own.id
                    ? own.name
                    : linkedNames[device] ?? inheritedName(of: device, in: session)
                return (device, name ?? device.placeholder)
            }
        )
        return names
    }

    /// Returns the name that a device has written in a session or in one before it; nil if there is
    /// none.
    private func inheritedName(of device: DeviceID, in session: Session) -> String? {
        var visited: Set<SessionID> = []
        var open = [session]
        while let next = open.popLast() {
            guard visited.insert(next.id).inserted else { continue }
            if let name = next.writtenName(of: device) { return name }
            open += sessions(before: next.id)
        }
        return nil
    }
}

extension DeviceID {
    /// The name of a device whose own name is unknown: the beginning of its id.
    var placeholder: String { "device-\(description.prefix(4))" }
}

/// The distinct names of a session's devices: laptops with the same host name are "vm" and "vm 2".
///
/// They are derived from the session's data, into which each device writes its name with its first
/// write, so they are the same on all devices. The first device keeps its plain name when another
/// one joins. The numbers are not written, because two devices that join while disconnected would
/// both write the same one.
struct DeviceNames: Hashable, Sendable {
    private var names: [DeviceID: String] = [:]
    private var taken: Set<String> = []
    /// The last number that was tried for a name.
    private var numbers: [String: Int] = [:]

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

    /// Adds devices that have written nothing, in this order.
    mutating func add(_ devices: [(device: DeviceID, name: String)]) {
        let new = devices.filter { names[$0.device] == nil }
        let meant = Set(new.map { $0.name.lowercased() })
        for (device, name) in new where names[device] == nil {
            var distinct = name
            let plain = name.lowercased()
            if taken.contains(plain) {
                // The number is never reset, so that n devices with one name take only n steps.
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
