package import SessionCRDT

/// A device and one run of its daemon.
package struct Device: Hashable, Sendable {
    package let id: DeviceID
    package let instance: InstanceID
    /// The name that users see.
    package internal(set) var name: String

    package init(id: DeviceID, instance: InstanceID, name: String) {
        (self.id, self.instance, self.name) = (id, instance, name)
    }
}

/// The state that all sessions share while one input is handled: the device, randomness, discovery,
/// and the effects so far.
///
/// A session's step receives only this and its own session, so that it cannot access other
/// sessions.
struct EngineContext: Sendable {
    var device: Device
    /// The time of the input that is being handled.
    var now = Moment(uptime: 0, wall: 0)
    var discovery = Discovery()
    var sessionOfLink: [LinkID: SessionID] = [:]
    /// The engine's only source of randomness.
    var generator: any RandomNumberGenerator & Sendable

    private var sessionOfBatch: [BatchID: SessionID] = [:]
    private var lastBatch: UInt64 = 0
    private var effects: [Effect] = []

    init(device: Device, generator: any RandomNumberGenerator & Sendable) {
        (self.device, self.generator) = (device, generator)
    }

    mutating func emit(_ effect: Effect) { effects.append(effect) }

    mutating func drainEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Returns a random number between 0 and 1.
    mutating func jitter() -> Double { Double.random(in: 0..<1, using: &generator) }

    mutating func nextBatch(of session: SessionID) -> BatchID {
        lastBatch += 1
        sessionOfBatch[BatchID(lastBatch)] = session
        return BatchID(lastBatch)
    }

    /// Removes and returns the session of a batch that the disk has answered; nil for an unknown
    /// batch.
    mutating func removeSession(of batch: BatchID) -> SessionID? {
        sessionOfBatch.removeValue(forKey: batch)
    }

    mutating func reportUnreadable(_ session: SessionID, _ reason: String) {
        emit(.alarm(.storage(session, reason: reason)))
        emit(.log(.error, "session \(session) cannot be read: \(reason)"))
    }
}
