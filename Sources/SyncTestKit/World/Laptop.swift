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
