import SessionCRDT
import SyncEngine
import SyncProtocol

/// A simulated laptop: its disk, its clocks, and its daemon while one is running.
final class Laptop {
    final class Run {
        /// The number of this run of the daemon, unique in the simulation.
        let number: UInt64
        var engine: SyncEngine
        /// The batch on its way to disk, for each session that has one.
        var inFlight: [SessionID: (id: BatchID, batch: Batch)] = [:]
        var writes: [RequestID: PendingWrite] = [:]
        var links: [LinkID: (connection: UInt64, side: Int)] = [:]
        /// The number of the current timer; earlier timers are void.
        var timer = 0
        /// The number of times the timer has fired at one uptime.
        var firings: (uptime: UInt64, count: Int) = (0, 0)
        var dials: [DialTarget: UInt64] = [:]
        /// The strangers that wait here to be admitted.
        var knocks: [SessionID: [Knock]] = [:]

        init(_ number: UInt64, _ engine: SyncEngine) {
            (self.number, self.engine) = (number, engine)
        }
    }

    /// A local write, with the length of the journal on disk at the time it was submitted.
    typealias PendingWrite = (session: SessionID, mutations: [Mutation], journalLength: Int)

    let index: Int
    var device: DeviceID
    var address: UInt32
    var clock: SimulatedClock
    var disk = Disk()
    var run: Run?
    /// The laptop's own generator, so that events on other laptops do not affect its choices.
    var random: SeededGenerator
    /// Whether the machine is on, with or without a daemon.
    var isOn = false
    /// Whether the laptop was never used.
    ///
    /// A laptop that has left every session is not blank: at the end it runs again, to tell its
    /// peers.
    var isBlank = true
    var isAsleep = false
    var trouble: DiskTrouble?
    /// The fault that lasts until the laptop is healed at the end.
    var breakage: Scenario.Breakage?
    /// The inputs that arrived during sleep, each with the run that it is for.
    var inbox: [(run: UInt64, input: Input)] = []
    /// A real store that receives the same commits as the simulated disk.
    var store: (any BackingStore)?
    var backups: [Disk] = []
    /// The contents that a lying disk has after a power cut; nil if the disk is honest.
    var written: Disk?
    /// The vector of everything that was ever on this disk, for each session.
    var everDurable: [SessionID: VersionVector] = [:]
    /// The sessions that the user left and does not join again.
    var left: Set<SessionID> = []

    init(index: Int, device: DeviceID, clock: SimulatedClock, random: SeededGenerator) {
        (self.index, self.device, self.clock, self.random) = (index, device, clock, random)
        address = Laptop.network + UInt32(index) + 1
    }

    /// The address of the network, 10.0.0.0.
    static let network: UInt32 = 0x0A00_0000

    var endpoint: Endpoint { Endpoint(address: address, port: Ports.standard) }

    var isActive: Bool { run != nil && !isAsleep }
}

/// The data that survives a power cut: each committed batch as a whole.
struct Disk {
    struct Session {
        var entries: [Dot: KeyedEntry] = [:]
        var sequences: [ActorID: UInt64] = [:]
        var journal: [JournalLine] = []
        var addresses: [Endpoint: Contact] = [:]
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

        mutating func remember(
            _ endpoint: Endpoint,
            of device: DeviceID? = nil,
            isTyped: Bool = false
        ) {
            addresses[endpoint] = Contact(stored: endpoint, of: device, isTyped: isTyped)
        }

        /// Whether a real store has the same entries and vector.
        func equals(_ snapshot: ReplicaSnapshot) -> Bool {
            Set(snapshot.entries) == Set(entries.values) && snapshot.vector == vector
        }

        var opened: OpenedSession {
            let entries = entries.sorted { $0.key < $1.key }.map(\.value)
            return OpenedSession(
                replica: ReplicaSnapshot(entries: entries, vector: vector),
                contacts: addresses.sorted { $0.key < $1.key }.map(\.value),
                acknowledged: acknowledged
            )
        }
    }

    var sessions: [SessionID: Session] = [:]

    /// The sessions in the order of their ids.
    var held: [SessionID] { sessions.keys.sorted() }
}

/// The two clocks of a laptop: a monotonic one, and a wall clock that may be wrong.
struct SimulatedClock {
    let pausesInSleep: Bool
    private var start: UInt64
    private var bootedAt: UInt64 = 0
    private var slept: UInt64 = 0
    private var fellAsleepAt: UInt64?
    /// The error of the wall clock, in milliseconds.
    private var skew: Int64
    /// The drift of the wall clock, in parts per million.
    private let drift: Int64

    /// The wall time at virtual time zero: 20 November 2026, in milliseconds since 1970.
    static let beginning: Int64 = 1_795_132_800_000
    /// Dates in the years 1970 and 2300, in milliseconds since 1970.
    static let wrongDates: [Int64] = [86_400_000, 10_413_792_000_000]

    init(skew: Int64, drift: Int64, pausesInSleep: Bool, start: UInt64) {
        (self.skew, self.drift) = (skew, drift)
        (self.pausesInSleep, self.start) = (pausesInSleep, start)
    }

    func moment(at time: UInt64) -> Moment {
        let sleeping = fellAsleepAt.map { time - $0 } ?? 0
        let paused = pausesInSleep ? slept + sleeping : 0
        let gained = Int64(time) * drift / 1_000_000
        let wall = SimulatedClock.beginning + Int64(time) + gained + skew
        return Moment(uptime: start + time - bootedAt - paused, wall: UInt64(max(0, wall)))
    }

    /// Returns the virtual time at which the monotonic clock will show `uptime`, unless the laptop
    /// sleeps before.
    func time(of uptime: UInt64, after time: UInt64) -> UInt64 {
        let now = moment(at: time).uptime
        return uptime > now ? time + (uptime - now) : time
    }

    mutating func boot(at time: UInt64, start: UInt64) {
        (self.start, bootedAt, slept, fellAsleepAt) = (start, time, 0, nil)
    }

    mutating func fallAsleep(at time: UInt64) { fellAsleepAt = time }

    mutating func wake(at time: UInt64) {
        if let fellAsleepAt { slept += time - fellAsleepAt }
        fellAsleepAt = nil
    }

    mutating func jump(by milliseconds: Int64) { skew += milliseconds }
    mutating func jump(to milliseconds: Int64) { skew = milliseconds - SimulatedClock.beginning }
}
