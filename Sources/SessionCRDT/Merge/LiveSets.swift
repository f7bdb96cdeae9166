/// The live set of each key, as dense as they go: a key has a slot, in the order in which keys
/// came, and what is live under it stands in an array at that slot.
///
/// Keys are never deleted, so that a slot is the key's for as long as the map lives. As a
/// collection it is the pairs of keys and live sets by slot; two of them are equal when the same is
/// live under the same keys, whichever came first.
package struct LiveSets: Sendable {
    private var table = KeyTable()
    private var sets: [LiveSet] = []

    /// Nothing under any key.
    package init() {}

    /// One live set under each of these keys, in their order.
    init(_ keys: KeyTable, _ sets: [LiveSet]) {
        table = keys
        self.sets = sets
    }

    /// The entries that are live under the key; nil where nobody has written.
    package subscript(key: Key) -> LiveSet? { table.number(of: key).map { sets[$0] } }

    /// What is live in a slot.
    func set(at slot: Int) -> LiveSet { sets[slot] }

    /// Puts a live set under a key that has none; what a key has already stays.
    ///
    /// - Returns: the slot of the key, and whether it had none.
    mutating func insert(_ set: LiveSet, under key: Key) -> (slot: Int, isNew: Bool) {
        let (slot, isNew) = table.insert(key)
        if isNew { sets.append(set) }
        return (slot, isNew)
    }

    /// Puts a live set in place of what was live in a slot.
    mutating func put(_ set: LiveSet, at slot: Int) { sets[slot] = set }

    /// Puts a live set under a key, whatever was live there.
    ///
    /// - Returns: the slot of the key.
    @discardableResult
    mutating func put(_ set: LiveSet, under key: Key) -> Int {
        let (slot, isNew) = insert(set, under: key)
        if !isNew { sets[slot] = set }
        return slot
    }

    /// The same with each of these dots under one key only, the one with the greatest bytes; a key
    /// of which nothing is left is not there.
    func settling(_ repeated: Set<Dot>) -> LiveSets {
        var homes: [Dot: (key: Key, entry: Entry)] = [:]
        for (key, set) in self {
            for entry in set where repeated.contains(entry.dot) {
                if let home = homes[entry.dot],
                    !home.entry.precedes(entry, of: key, under: home.key)
                {
                    continue
                }
                homes[entry.dot] = (key, entry)
            }
        }
        var settled = LiveSets()
        for (key, set) in self {
            let kept = set.filtered { homes[$0.dot].map { $0.key == key } ?? true }
            if let kept { settled.put(kept, under: key) }
        }
        return settled
    }

    /// Prepares for so many keys.
    mutating func reserve(_ count: Int) {
        table.reserve(count)
        sets.reserveCapacity(count)
    }
}

extension LiveSets: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { sets.count }

    /// The key of a slot, with what is live under it.
    package subscript(slot: Int) -> (key: Key, value: LiveSet) { (table.keys[slot], sets[slot]) }
}

extension LiveSets: Equatable {
    package static func == (left: LiveSets, right: LiveSets) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

/// Numbers keys from 0 in the order in which they come, and finds the number of a key.
///
/// A bucket is eight bytes: the number, and enough of the key's hash to tell nearly all other keys
/// without looking at them; a `Dictionary` takes the keys themselves into its buckets and needs
/// five times as much. Open addressing with linear probing (Knuth, TAOCP 6.4, algorithm L); keys
/// are never taken out. Hashes are Swift's, seeded anew in each process, so that no peer can choose
/// keys that collide; nothing can be seen of them, because keys are only gone through by number.
struct KeyTable: Sendable {
    /// The keys, each at its number.
    private(set) var keys: [Key] = []
    /// The hash in the upper half, the number and one in the lower; zero is free.
    ///
    /// Empty while there are so few keys that comparing each is as fast.
    private var buckets: [UInt64] = []

    /// How many keys are found without buckets.
    private static let few = 8

    /// How many keys there are.
    var count: Int { keys.count }

    /// The number of a key; nil when it has none.
    func number(of key: Key) -> Int? {
        guard !buckets.isEmpty else { return keys.firstIndex(of: key) }
        return number(in: buckets[bucket(of: key, KeyTable.hash(of: key))])
    }

    /// The number of a key, which gets the next one if it has none.
    mutating func insert(_ key: Key) -> (number: Int, isNew: Bool) {
        if buckets.isEmpty {
            if let number = keys.firstIndex(of: key) { return (number, false) }
            if keys.count < KeyTable.few {
                keys.append(key)
                return (keys.count - 1, true)
            }
        }
        makeBuckets(for: keys.count + 1)
        let hash = KeyTable.hash(of: key)
        let bucket = bucket(of: key, hash)
        if let number = number(in: buckets[bucket]) { return (number, false) }
        keys.append(key)
        buckets[bucket] = hash | UInt64(keys.count)
        return (keys.count - 1, true)
    }

    /// Prepares for so many keys, so that the buckets need not be moved again and again.
    mutating func reserve(_ count: Int) {
        keys.reserveCapacity(count)
        makeBuckets(for: count)
    }

    /// Sees to it that at most four of five buckets are taken by so many keys.
    private mutating func makeBuckets(for count: Int) {
        guard count > KeyTable.few, buckets.count * 4 < count * 5 else { return }
        var size = 4 * KeyTable.few
        while size * 4 < count * 5 { size *= 2 }
        var old = buckets
        if old.isEmpty { old = keys.indices.map { KeyTable.hash(of: keys[$0]) | UInt64($0 + 1) } }
        buckets = Array(repeating: 0, count: size)
        for bucket in old where bucket != 0 {
            var place = start(bucket)
            while buckets[place] != 0 { place = next(place) }
            buckets[place] = bucket
        }
    }

    /// The bucket of a key: the one that holds it, or the free one where it belongs.
    private func bucket(of key: Key, _ hash: UInt64) -> Int {
        var place = start(hash)
        while let number = number(in: buckets[place]) {
            if buckets[place] & KeyTable.hashBits == hash, keys[number] == key { break }
            place = next(place)
        }
        return place
    }

    private func number(in bucket: UInt64) -> Int? {
        bucket == 0 ? nil : Int(bucket & ~KeyTable.hashBits) - 1
    }

    private func start(_ hash: UInt64) -> Int { Int(hash >> 32) & (buckets.count - 1) }

    private func next(_ place: Int) -> Int { (place + 1) & (buckets.count - 1) }

    private static let hashBits: UInt64 = 0xFFFF_FFFF_0000_0000

    private static func hash(of key: Key) -> UInt64 {
        UInt64(truncatingIfNeeded: key.hashValue) & hashBits
    }
}

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
