/// Finds the slots under which an actor's later writes are still live, so that a push costs what
/// changed and not what the session holds.
///
/// Dots that were replaced stay in the index until they outnumber the live ones; who reads it
/// checks each dot against the map.
struct LiveIndex: Sendable {
    /// Where a write was live when it was noted.
    struct Place: Hashable, Comparable, Sendable {
        let sequence: UInt64
        let slot: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.sequence, left.slot) < (right.sequence, right.slot)
        }
    }

    /// What one actor wrote, by sequence once `order` was called.
    private struct Track: Sendable {
        let actor: ActorID
        var places: [Place] = []
        var isOrdered = true
    }

    private var numbers: [ActorID: Int] = [:]
    private var tracks: [Track] = []
    private var latest = 0
    private var isOrdered = true

    /// How many places are noted.
    private(set) var count = 0

    /// Notes that the dot is live in the slot; `order` must follow before anything is read.
    mutating func note(_ dot: Dot, in slot: Int) {
        let number = number(of: dot.actor)
        let place = Place(sequence: dot.sequence, slot: slot)
        if let last = tracks[number].places.last, last >= place {
            tracks[number].isOrdered = false
            isOrdered = false
        }
        tracks[number].places.append(place)
        count += 1
    }

    /// Puts in order what came out of it.
    ///
    /// Writes nearly always come after those that were noted. Only a repair brings back earlier
    /// ones, or the same again; then each actor's places are sorted once, however many.
    mutating func order() {
        guard !isOrdered else { return }
        for number in tracks.indices where !tracks[number].isOrdered {
            var ordered: [Place] = []
            for place in tracks[number].places.sorted() where place != ordered.last {
                ordered.append(place)
            }
            count -= tracks[number].places.count - ordered.count
            tracks[number].places = ordered
            tracks[number].isOrdered = true
        }
        isOrdered = true
    }

    /// The dots that are noted in several slots, which no sound map has.
    var repeated: Set<Dot> {
        var repeated: Set<Dot> = []
        for track in tracks {
            for (place, next) in zip(track.places, track.places.dropFirst())
            where place.sequence == next.sequence {
                repeated.insert(Dot(actor: track.actor, sequence: place.sequence))
            }
        }
        return repeated
    }

    /// The places noted for the actor's writes after `sequence`, in the order of the writes.
    func places(of actor: ActorID, after sequence: UInt64) -> ArraySlice<Place> {
        guard let number = numbers[actor] else { return [] }
        let places = tracks[number].places
        guard let last = places.last, last.sequence > sequence else { return [] }
        return places[places.partitioningIndex { $0.sequence > sequence }...]
    }

    /// Forgets the dots that are no longer live.
    mutating func keep(where isLive: (Dot, Int) -> Bool) {
        for number in tracks.indices {
            let (actor, before) = (tracks[number].actor, tracks[number].places.count)
            tracks[number].places.removeAll { place in
                !isLive(Dot(actor: actor, sequence: place.sequence), place.slot)
            }
            count -= before - tracks[number].places.count
        }
    }

    /// The number of an actor, which gets the next one if it has none.
    private mutating func number(of actor: ActorID) -> Int {
        // Mostly the one who wrote before.
        if latest < tracks.count, tracks[latest].actor == actor { return latest }
        latest = numbers[actor, default: tracks.count]
        if latest == tracks.count {
            numbers[actor] = latest
            tracks.append(Track(actor: actor))
        }
        return latest
    }
}
