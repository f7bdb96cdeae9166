import SessionCRDT
import SyncProtocol

/// Whether there is room for more.
extension Replica {
    /// What a delta adds to what is held; a union that comes too late adds nothing.
    func news(in delta: Delta) -> Weight {
        let seen = map.headVector
        guard !delta.isUnion || delta.upto == seen else { return Weight() }
        return Weight(of: delta) { key, entry in
            delta.isUnion ? map.head(key)?[entry.dot] == nil : !seen.covers(entry.dot)
        }
    }

    /// What there would be too much of after a delta that adds so much; nil where it fits.
    ///
    /// Who has nothing yet takes all that a member may hold.
    func excess(of delta: Delta, adding news: Weight) -> SessionRoom.Excess? {
        let spare = map.headVector.isEmpty ? Limits.spareBytes : 0
        return SessionRoom.excess(of: delta.upto, on: map.headVector)
            ?? SessionRoom.excess(of: news, on: weights, sparing: spare)
    }

    /// Whether a local write is taken: while the session is not too large, then out of the reserve
    /// of this run, and its ending; but never so much that who has nothing could not take it.
    func hasRoom(for mutations: [Mutation], by device: Device) -> Bool {
        guard hasActor || map.headVector.count < Limits.actors else { return false }
        let isEnding = SessionRoom.isEnding(mutations)
        guard isEnding || !isTooLarge || reserveSpent < Limits.reserveBytes else { return false }
        var news = Weight()
        for mutation in commit(of: mutations, by: device) {
            let entry = Entry(
                dot: Dot(actor: ActorID(high: 0, low: 0), sequence: 1),
                stamp: Stamp(bits: 0),
                author: device.id,
                value: mutation.value
            )
            news.add(entry.canonicalCount(under: mutation.key), by: device.id)
        }
        let spare = Limits.spareBytes - (isEnding ? 0 : Limits.endingBytes)
        return SessionRoom.excess(of: news, on: weights, sparing: spare) == nil
    }

    /// What is written with the mutations: the name of the device, where it is not known here.
    func commit(of mutations: [Mutation], by device: Device) -> [Mutation] {
        let name = Mutation.device(device.id, name: device.name)
        return map.head(name.key)?.winner.value == name.value ? mutations : mutations + [name]
    }

    /// Whether this device writes no more than its reserve.
    var isTooLarge: Bool { weights.reduce(0) { $0 + $1.bytes } > Limits.sessionBytes }
}
