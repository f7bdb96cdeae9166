package import SessionCRDT

/// What all sessions have in common while one input is handled: this device, chance, the search
/// for others, and the list of what is to be done.
///
/// A session's step is handed this and nothing else of the engine, so that it cannot touch, and
/// does not pay for, another session.
struct Commons: Sendable {
    /// This device and this run.
    var device: Device
    /// How others are looked for.
    var search = Search()
    /// Which session each link belongs to.
    var sessionOfLink: [LinkID: SessionID] = [:]
    /// All the chance that there is.
    var generator: any RandomNumberGenerator & Sendable

    /// Which session each batch on its way to disk belongs to.
    private var sessionOfBatch: [BatchID: SessionID] = [:]
    private var lastBatch: UInt64 = 0
    private var effects: [Effect] = []

    init(device: Device, generator: any RandomNumberGenerator & Sendable) {
        self.device = device
        self.generator = generator
    }

    /// Asks for something to be done after everything that was asked for before.
    mutating func emit(_ effect: Effect) { effects.append(effect) }

    /// What the input at hand led to; the next one starts with nothing.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// A number between 0 and 1, so that devices that were started together drift apart.
    mutating func jitter() -> Double { Double.random(in: 0..<1, using: &generator) }

    /// A name for the session's next batch.
    mutating func nextBatch(of session: SessionID) -> BatchID {
        lastBatch += 1
        sessionOfBatch[BatchID(lastBatch)] = session
        return BatchID(lastBatch)
    }

    /// The session whose batch the disk has answered; nil for a batch that nobody sent.
    mutating func takeSession(of batch: BatchID) -> SessionID? {
        sessionOfBatch.removeValue(forKey: batch)
    }
}

/// This device and this run of its daemon.
package struct Device: Hashable, Sendable {
    /// The device, stable over restarts.
    package let id: DeviceID
    /// This run.
    package let instance: InstanceID
    /// What people call it.
    package internal(set) var name: String

    package init(id: DeviceID, instance: InstanceID, name: String) {
        self.id = id
        self.instance = instance
        self.name = name
    }
}
