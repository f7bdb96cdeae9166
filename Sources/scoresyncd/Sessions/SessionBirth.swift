import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// What a session has on its first day: an id, a key, and what it begins with.
struct SessionBirth {
    /// The id and the key, by chance.
    let record: SessionRecord
    /// What it begins with, as one commit of this device.
    let batch: Batch?

    /// A session that begins with these mutations of a device.
    init(_ mutations: [Mutation], by device: Device) throws(ControlError) {
        try SessionWriter.check(mutations)
        let now = Clock.wallMilliseconds
        let key: [UInt8]
        do throws(CryptoFailure) { key = try SecureRandom.bytes(SessionStore.keyBytes) } catch {
            throw ControlError(.failed, "\(error)")
        }
        record = SessionRecord(id: .random(), key: key, joinedAt: now)
        var map = StagedMap(CausalMap())
        var clock = HybridClock()
        let stamp = clock.tick(physical: now)
        let actor = ActorID.random()
        let all = mutations + [.device(device.id, name: device.name)]
        for (place, mutation) in all.enumerated() {
            let entry = Entry(
                dot: Dot(actor: actor, sequence: UInt64(place + 1)),
                stamp: stamp,
                author: device.id,
                value: mutation.value
            )
            map.write(entry, under: mutation.key)
        }
        batch = map.seal()
    }
}
