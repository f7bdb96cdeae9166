/// Finds the keys that an actor's later writes are still live under, so that a push costs what
/// changed and not what the session holds.
///
/// Dots that were replaced stay in the index until they outnumber the live ones; who reads it
/// checks each dot against the map.
struct LiveIndex: Sendable {
    private struct Place {
        let sequence: UInt64
        let key: Key
    }

    private var places: [ActorID: [Place]] = [:]
    private(set) var count = 0

    /// Notes that these dots are live, each under its key.
    ///
    /// Writes nearly always come after those that were noted, so that they are appended. Only a
    /// repair brings back earlier ones; then each actor's places are sorted once, however many.
    mutating func insert(_ fresh: [(dot: Dot, key: Key)]) {
        var unsorted: Set<ActorID> = []
        for (dot, key) in fresh {
            let last = places[dot.actor]?.last?.sequence ?? 0
            if last > dot.sequence { unsorted.insert(dot.actor) }
            places[dot.actor, default: []].append(Place(sequence: dot.sequence, key: key))
        }
        for actor in unsorted { places[actor]?.sort { $0.sequence < $1.sequence } }
        count += fresh.count
    }

    /// The keys noted for the actor's writes after `sequence`, in the order of the writes.
    func keys(of actor: ActorID, after sequence: UInt64) -> [(dot: Dot, key: Key)] {
        guard let places = places[actor] else { return [] }
        return places[position(after: sequence, of: actor)...].map {
            (Dot(actor: actor, sequence: $0.sequence), $0.key)
        }
    }

    /// Where the first place after `sequence` stands.
    private func position(after sequence: UInt64, of actor: ActorID) -> Int {
        guard let places = places[actor], let last = places.last else { return 0 }
        if last.sequence <= sequence { return places.count }
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
