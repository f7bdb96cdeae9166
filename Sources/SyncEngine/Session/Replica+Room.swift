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
    func excess(of delta: Delta, adding news: Weight) -> SessionRoom.Excess? {
        SessionRoom.excess(of: delta.upto, on: map.headVector)
            ?? SessionRoom.excess(of: news, on: weights)
    }

    /// Whether a local write is taken: while the session is not too large, then out of the reserve
    /// of this run, and its ending always.
    func hasRoom(for mutations: [Mutation]) -> Bool {
        guard hasActor || map.headVector.count < Limits.actors else { return false }
        return !isTooLarge || reserveSpent < Limits.reserveBytes || SessionRoom.isEnding(mutations)
    }

    /// Whether this device writes no more than its reserve.
    var isTooLarge: Bool { weights.reduce(0) { $0 + $1.bytes } > Limits.sessionBytes }
}
