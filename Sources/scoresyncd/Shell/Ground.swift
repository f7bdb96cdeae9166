import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine

/// What every room stands on: the queue, the engine on it, the disk, and what is told to people.
struct Ground {
    let queue: EventQueue
    let log: Log
    let alarms: Alarms
    let disk: Disk
    let loop: EngineLoop

    /// The ground over a home, with an engine that holds nothing yet.
    init(_ home: OpenedHome, _ log: Log, on queue: EventQueue) {
        self.queue = queue
        self.log = log
        alarms = Alarms(log)
        disk = Disk(home.store, alarms)
        var generator = SystemRandomNumberGenerator()
        let device = Device(
            id: home.device,
            instance: .random(using: &generator),
            name: home.name
        )
        loop = EngineLoop(SyncEngine(device: device, generator: generator), on: queue)
    }

    /// This device and this run.
    var device: Device { loop.engine.device }
}
