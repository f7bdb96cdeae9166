import SessionCRDT
import SyncEngine
import SyncProtocol
import SyncTestKit

/// The session of all engine tests.
let session = SessionID(high: 1, low: 1)
/// A player of it.
let ann = PlayerID(high: 2, low: 1)
/// The port of the engine under test.
let port: UInt16 = 47_615

/// The moment so many milliseconds after the start of a test, at noon on a day in 2026.
func ms(_ milliseconds: UInt64) -> Moment {
    Moment(uptime: 1_000_000 + milliseconds, wall: 1_795_132_800_000 + milliseconds)
}

/// The address of a laptop of the test network.
func address(_ number: UInt32, port: UInt16 = port) -> Endpoint {
    Endpoint(address: 0x0A00_0000 + number, port: port)
}

/// A device; the higher number has the higher id.
func device(_ number: UInt64, instance: UInt64 = 1) -> Device {
    Device(
        id: DeviceID(high: 3, low: number),
        instance: InstanceID(high: number, low: instance),
        name: "laptop-\(number)"
    )
}

/// A score of Ann's.
func score(_ value: Int64, round: UInt32 = 1) -> [Mutation] {
    guard let row = Symbol("round") else { return [] }
    return Mutation.score(Cell(player: ann, row: row, round: round), .integer(value))
}

extension SyncEngine {
    /// An engine of a device, without sessions and not listening yet.
    ///
    /// Each device has its own generator, so that no two devices create the same actor.
    init(_ device: Device) {
        self.init(device: device, generator: SeededGenerator(seed: device.id.low))
    }

    /// An engine that holds the session and listens, an hour after its start.
    static func ready(
        _ device: Device,
        _ replica: ReplicaSnapshot = ReplicaSnapshot(entries: [], vector: VersionVector()),
        contacts: [Contact] = []
    ) -> SyncEngine {
        var engine = SyncEngine(device)
        let opened = OpenedSession(replica: replica, contacts: contacts)
        _ = engine.handle(.opened(session, opened), at: ms(0))
        _ = engine.handle(.listening(port: port), at: ms(0))
        for time in [100, 500, 2_000] { _ = engine.handle(.timePassed, at: ms(UInt64(time))) }
        return engine
    }

    /// The effects of an input, without timers, logs and changes for watchers.
    mutating func does(_ input: Input, at now: Moment) -> [Effect] {
        handle(input, at: now).filter { effect in
            switch effect {
            case .wake, .log, .loaded, .changed, .peersChanged, .announce: false
            case .persist, .load, .reply, .rememberAddress, .acknowledged, .dial, .send, .close,
                .alarm, .answerKnock:
                true
            }
        }
    }

    /// The messages that the engine sends because of an input.
    mutating func messages(after input: Input, at now: Moment) -> [PeerMessage] {
        handle(input, at: now).compactMap { effect in
            if case .send(_, let message) = effect { message } else { nil }
        }
    }

    /// The hello of this engine.
    func hello(at now: Moment = ms(0)) -> Hello {
        let committed = replicas[session]?.committed ?? CausalMap()
        return Hello(
            versions: Versions.peer,
            features: [Feature.clock, Feature.knocks, Feature.reach, Feature.storage],
            session: session,
            device: device.id,
            instance: device.instance,
            name: device.name,
            port: port,
            wallMilliseconds: now.wall,
            vector: committed.vector,
            digest: committed.tally.digest
        )
    }

    /// Links with a peer that says hello at once.
    mutating func link(
        _ number: UInt64,
        with peer: Hello,
        at remote: Endpoint,
        _ side: LinkSide = .dialled,
        at now: Moment
    ) -> [Effect] {
        does(.linked(LinkID(number), session, remote, side), at: now)
            + does(.received(LinkID(number), .hello(peer)), at: now)
    }

    /// Writes, and confirms that it is on disk.
    @discardableResult
    mutating func save(_ mutations: [Mutation], at now: Moment) -> [Effect] {
        var effects = does(.write(RequestID(1), session, mutations), at: now)
        for batch in effects.batches { effects += does(.persisted(batch), at: now) }
        return effects
    }

    /// The time at which the engine wants to be called.
    static func wake(in effects: [Effect]) -> UInt64? {
        effects.compactMap { if case .wake(let time) = $0 { time } else { nil } }.last
    }

    /// The replica as a store would hold it.
    var snapshot: ReplicaSnapshot {
        let committed = replicas[session]?.committed ?? CausalMap()
        let entries = committed.live.sorted { $0.key < $1.key }.flatMap { key, set in
            set.map { KeyedEntry(key: key, entry: $0) }
        }
        return ReplicaSnapshot(entries: entries, vector: committed.vector)
    }

    var vector: VersionVector { replicas[session]?.committed.vector ?? VersionVector() }

    var digest: Digest { replicas[session]?.committed.tally.digest ?? Digest() }
}

extension [Effect] {
    /// The addresses that these effects dial.
    var dials: [Endpoint] {
        compactMap { if case .dial(_, let endpoint) = $0 { endpoint } else { nil } }
    }

    /// The messages of these effects, on any link.
    var messages: [PeerMessage] {
        compactMap { if case .send(_, let message) = $0 { message } else { nil } }
    }

    /// The deltas among what these effects say.
    var deltas: [Delta] {
        messages.compactMap { if case .delta(let delta) = $0 { delta } else { nil } }
    }

    /// The batches that go to disk.
    var batches: [BatchID] {
        compactMap { if case .persist(let batch, _, _) = $0 { batch } else { nil } }
    }

    /// The links that are closed.
    var closed: [LinkID] {
        compactMap { if case .close(let link) = $0 { link } else { nil } }
    }

    /// The alarms.
    var alarms: [EngineAlarm] {
        compactMap { if case .alarm(let alarm) = $0 { alarm } else { nil } }
    }

    /// The number of announcements.
    var announcements: Int { count { if case .announce = $0 { true } else { false } } }
}
