import SessionCRDT
import SyncEngine
import SyncProtocol

/// A simulated laptop: its disk, its clocks, and at times a running daemon.
final class Laptop {
    /// One run of a daemon.
    final class Run {
        /// A number that no other run of the simulation has.
        let number: Int
        let instance: InstanceID
        var engine: SyncEngine
        /// The batch on its way to disk, for each session.
        var inFlight: [SessionID: (id: BatchID, batch: Batch)] = [:]
        /// The local writes that wait for their answer.
        var writes: [RequestID: PendingWrite] = [:]
        /// The connections of the links that the engine knows.
        var links: [LinkID: (connection: Int, side: Int)] = [:]
        /// Which timer counts; earlier ones were replaced.
        var timer = 0
        /// How often the timer has fired at one moment.
        var firings: (uptime: UInt64, count: Int) = (0, 0)
        /// When each address was dialled last.
        var dials: [DialTarget: UInt64] = [:]

        init(_ number: Int, _ engine: SyncEngine) {
            self.number = number
            self.engine = engine
            instance = engine.device.instance
        }
    }

    /// Where a dial goes, and for which session.
    struct DialTarget: Hashable {
        let session: SessionID
        let endpoint: Endpoint
    }

    /// A write that was handed to the engine.
    struct PendingWrite {
        let session: SessionID
        let mutations: [Mutation]
        /// How long the journal on disk was when the write was handed over.
        let journalLength: Int
    }

    let index: Int
    var device: DeviceID
    var address: UInt32
    var clock: SimulatedClock
    var disk = Disk()
    var run: Run?
    /// Chance of its own, so that what one laptop does changes nothing for another.
    var chance: SeededGenerator
    /// Whether the machine is on, with or without a daemon.
    var isOn = false
    /// Whether nobody has used it yet.
    ///
    /// Whoever left and kept nothing still has to run in the end, to say so to those who were not
    /// told.
    var isBlank = true
    var isAsleep = false
    var trouble: DiskTrouble?
    /// What stays wrong until the last healing.
    var breakage: Scenario.Breakage?
    /// What came in while the laptop was asleep, and for which run.
    var inbox: [(run: Int, input: Input)] = []
    /// The real store that the disk stands for; nil where it is made up.
    var store: (any BackingStore)?
    /// Earlier states of the disk.
    var backups: [Disk] = []
    /// What the disk will say after a power cut, while it lies.
    var written: Disk?
    /// Everything that ever was on this disk, for each session.
    var everDurable: [SessionID: VersionVector] = [:]
    /// The sessions that its user left: they do not come back by themselves.
    var left: Set<SessionID> = []

    init(index: Int, device: DeviceID, clock: SimulatedClock, chance: SeededGenerator) {
        self.index = index
        self.device = device
        self.clock = clock
        self.chance = chance
        address = Laptop.firstAddress + UInt32(index) + 1
    }

    /// The address before the first one of the network.
    static let firstAddress: UInt32 = 0x0A00_0000

    /// Where the daemon listens.
    var endpoint: Endpoint { Endpoint(address: address, port: Ports.standard) }

    /// Whether the daemon runs and can act.
    var isActive: Bool { run != nil && !isAsleep }
}

/// What a laptop holds through a power cut: only what was committed, a batch as a whole.
struct Disk {
    /// One session as a store holds it.
    struct Session {
        var entries: [Dot: KeyedEntry] = [:]
        var sequences: [ActorID: UInt64] = [:]
        var journal: [JournalLine] = []
        var addresses: [Endpoint: KnownAddress] = [:]
        var acknowledged = VersionVector()

        var vector: VersionVector { VersionVector(sequences) }

        mutating func apply(_ batch: Batch) {
            for dot in batch.removed { entries[dot] = nil }
            for stored in batch.inserted { entries[stored.entry.dot] = stored }
            for dot in batch.advanced {
                sequences[dot.actor] = max(sequences[dot.actor] ?? 0, dot.sequence)
            }
            journal += batch.journal
        }

        /// Whether this is what a store gives back.
        func holds(_ snapshot: ReplicaSnapshot) -> Bool {
            Set(snapshot.entries) == Set(entries.values) && snapshot.vector == vector
        }

        /// The session as the engine gets it.
        var opened: OpenedSession {
            OpenedSession(
                replica: ReplicaSnapshot(
                    entries: entries.sorted { $0.key < $1.key }.map(\.value),
                    vector: vector
                ),
                addresses: addresses.sorted { $0.key < $1.key }.map(\.value),
                acknowledged: acknowledged
            )
        }
    }

    var sessions: [SessionID: Session] = [:]

    /// The sessions in the order of their ids.
    var held: [SessionID] { sessions.keys.sorted() }
}

/// The two clocks of a laptop: one that only goes forward, and one on the wall that may say
/// anything.
struct SimulatedClock {
    /// Whether the forward clock stands still while the laptop sleeps.
    let pausesInSleep: Bool
    /// What the forward clock said at virtual time zero of its boot.
    private var start: UInt64
    private var bootedAt: UInt64 = 0
    private var slept: UInt64 = 0
    private var fellAsleepAt: UInt64?
    /// How far the wall clock is off, in milliseconds.
    private var skew: Int64
    /// How many milliseconds the wall clock gains in a million.
    private let drift: Int64

    /// 20 November 2026, in milliseconds since 1970: virtual time zero.
    static let beginning: Int64 = 1_795_132_800_000
    /// Days in the years 1970 and 2300, in milliseconds since 1970.
    static let farOff: [Int64] = [86_400_000, 10_413_792_000_000]

    init(skew: Int64, drift: Int64, pausesInSleep: Bool, start: UInt64) {
        self.skew = skew
        self.drift = drift
        self.pausesInSleep = pausesInSleep
        self.start = start
    }

    /// The clocks at a virtual time.
    func moment(at time: UInt64) -> Moment {
        let sleeping = fellAsleepAt.map { time - $0 } ?? 0
        let paused = pausesInSleep ? slept + sleeping : 0
        let gained = Int64(time) * drift / 1_000_000
        let wall = SimulatedClock.beginning + Int64(time) + gained + skew
        return Moment(uptime: start + time - bootedAt - paused, wall: UInt64(max(0, wall)))
    }

    /// The virtual time at which the forward clock will say `uptime`, if nobody sleeps until then.
    func time(of uptime: UInt64, after time: UInt64) -> UInt64 {
        let now = moment(at: time).uptime
        return uptime > now ? time + (uptime - now) : time
    }

    /// The forward clock starts again, anywhere.
    mutating func boot(at time: UInt64, start: UInt64) {
        self.start = start
        bootedAt = time
        slept = 0
        fellAsleepAt = nil
    }

    mutating func fallAsleep(at time: UInt64) { fellAsleepAt = time }

    mutating func wake(at time: UInt64) {
        if let fellAsleepAt { slept += time - fellAsleepAt }
        fellAsleepAt = nil
    }

    /// The wall clock is set by so many milliseconds.
    mutating func jump(by milliseconds: Int64) { skew += milliseconds }

    /// The wall clock is set to a time far off.
    mutating func jump(to milliseconds: Int64) { skew = milliseconds - SimulatedClock.beginning }
}
