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
    let device: DeviceID
    var address: UInt32
    var clock: SimulatedClock
    var disk: Disk
    var run: Run?
    /// Whether the machine is on, with or without a daemon.
    var isOn = true
    var isAsleep = false
    var trouble = DiskTrouble.none
    /// What came in while the laptop was asleep, and for which run.
    var inbox: [(run: Int, input: Input)] = []
    /// Earlier states of the disk.
    var backups: [Disk] = []
    /// Everything that ever was on this disk, for each session.
    var everDurable: [SessionID: VersionVector] = [:]

    init(index: Int, device: DeviceID, address: UInt32, clock: SimulatedClock, disk: Disk) {
        self.index = index
        self.device = device
        self.address = address
        self.clock = clock
        self.disk = disk
    }

    /// Where the daemon listens.
    var endpoint: Endpoint { Endpoint(address: address, port: Ports.standard) }

    /// Whether the daemon runs and can act.
    var isActive: Bool { run != nil && !isAsleep }
}
