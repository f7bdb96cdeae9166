/// The live sets of all keys, stored densely: each key has a slot, numbered in the order in which
/// keys were first written, and its live set is in an array at that index.
///
/// Keys are never deleted, so a key keeps its slot for the lifetime of the map. As a collection
/// this is a list of pairs of key and live set by slot; two maps are equal if the same entries are
/// live under the same keys, in any order.
package struct LiveSets: Sendable {
    private var table = KeyTable()
    private var sets: [LiveSet] = []

    package init() {}

    /// Creates a map from keys and their live sets, in the same order.
    init(_ keys: KeyTable, _ sets: [LiveSet]) { (table, self.sets) = (keys, sets) }

    package subscript(key: Key) -> LiveSet? { table.number(of: key).map { sets[$0] } }
    func set(at slot: Int) -> LiveSet { sets[slot] }

    /// Adds the live set of a new key; the set of a known key stays as it is.
    mutating func insert(_ set: LiveSet, under key: Key) -> (slot: Int, isNew: Bool) {
        let (slot, isNew) = table.insert(key)
        if isNew { sets.append(set) }
        return (slot, isNew)
    }

    mutating func put(_ set: LiveSet, at slot: Int) { sets[slot] = set }

    /// Adds or replaces the live set of a key, and returns the slot of the key.
    @discardableResult
    mutating func put(_ set: LiveSet, under key: Key) -> Int {
        let (slot, isNew) = insert(set, under: key)
        if !isNew { sets[slot] = set }
        return slot
    }

    /// Returns these live sets with each repeated dot under one key only, the one whose entry has
    /// the greatest canonical bytes, and without keys that have no entry left.
    func resolving(_ repeated: Set<Dot>) -> LiveSets {
        var homes: [Dot: (key: Key, entry: Entry)] = [:]
        for (key, set) in self {
            for entry in set where repeated.contains(entry.dot) {
                let home = homes[entry.dot]
                if home?.entry.precedes(entry, of: key, under: home?.key ?? key) != false {
                    homes[entry.dot] = (key, entry)
                }
            }
        }
        var resolved = LiveSets()
        for (key, set) in self {
            let kept = set.filtered { homes[$0.dot].map { $0.key == key } ?? true }
            if let kept { resolved.put(kept, under: key) }
        }
        return resolved
    }

    mutating func reserve(_ count: Int) {
        table.reserve(count)
        sets.reserveCapacity(count)
    }
}

extension LiveSets: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { sets.count }
    package subscript(slot: Int) -> (key: Key, value: LiveSet) { (table.keys[slot], sets[slot]) }
}

extension LiveSets: Equatable {
    package static func == (left: LiveSets, right: LiveSets) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

/// A hash table that numbers keys from 0 in the order of insertion, and finds a key's number.
///
/// A bucket is eight bytes: the key's number, and enough of its hash to distinguish it from nearly
/// all other keys without comparing them; a `Dictionary` stores the keys in its buckets and needs
/// five times as much. Open addressing with linear probing (Knuth, TAOCP 6.4, algorithm L); keys
/// are never removed. Hashes are Swift's, seeded per process, so that no peer can choose keys that
/// collide; the order of the buckets is never visible, because keys are enumerated by number.
struct KeyTable: Sendable {
    private(set) var keys: [Key] = []
    /// The buckets: the hash in the upper half, the number plus one in the lower; zero if free.
    ///
    /// Empty as long as there are so few keys that a linear search is as fast.
    private var buckets: [UInt64] = []

    /// The maximum number of keys for which there are no buckets.
    private static let maxLinearKeys = 8
    private static let hashBits: UInt64 = 0xFFFF_FFFF_0000_0000

    func number(of key: Key) -> Int? {
        guard !buckets.isEmpty else { return keys.firstIndex(of: key) }
        return number(in: buckets[bucket(of: key, KeyTable.hash(of: key))])
    }

    /// Returns the number of a key; a new key gets the next number.
    mutating func insert(_ key: Key) -> (number: Int, isNew: Bool) {
        if buckets.isEmpty {
            if let number = keys.firstIndex(of: key) { return (number, false) }
            if keys.count < KeyTable.maxLinearKeys {
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

    /// Reserves space for a number of keys, so that the buckets are not rebuilt repeatedly.
    mutating func reserve(_ count: Int) {
        keys.reserveCapacity(count)
        makeBuckets(for: count)
    }

    /// Grows the buckets until that many keys fill at most four fifths of them.
    private mutating func makeBuckets(for count: Int) {
        guard count > KeyTable.maxLinearKeys, buckets.count * 4 < count * 5 else { return }
        var size = 4 * KeyTable.maxLinearKeys
        while size * 4 < count * 5 { size *= 2 }
        var old = buckets
        if old.isEmpty { old = keys.indices.map { KeyTable.hash(of: keys[$0]) | UInt64($0 + 1) } }
        buckets = Array(repeating: 0, count: size)
        for bucket in old where bucket != 0 {
            var index = start(bucket)
            while buckets[index] != 0 { index = next(index) }
            buckets[index] = bucket
        }
    }

    /// Returns the index of the bucket that holds a key, or of the free bucket for it.
    private func bucket(of key: Key, _ hash: UInt64) -> Int {
        var index = start(hash)
        while let number = number(in: buckets[index]) {
            if buckets[index] & KeyTable.hashBits == hash, keys[number] == key { break }
            index = next(index)
        }
        return index
    }

    private func number(in bucket: UInt64) -> Int? {
        bucket == 0 ? nil : Int(bucket & ~KeyTable.hashBits) - 1
    }

    private func start(_ hash: UInt64) -> Int { Int(hash >> 32) & (buckets.count - 1) }
    private func next(_ index: Int) -> Int { (index + 1) & (buckets.count - 1) }

    private static func hash(of key: Key) -> UInt64 {
        UInt64(truncatingIfNeeded: key.hashValue) & hashBits
    }
}

/// An index from each actor's writes to the slots where they are live, so that the cost of a delta
/// depends on the number of changes and not on the size of the session.
///
/// Replaced dots stay in the index until they outnumber the live ones; readers check each dot
/// against the map.
struct LiveIndex: Sendable {
    /// A write and the slot where it was live when it was inserted.
    struct Write: Hashable, Comparable, Sendable {
        let sequence: UInt64
        let slot: Int

        static func < (left: Write, right: Write) -> Bool {
            (left.sequence, left.slot) < (right.sequence, right.slot)
        }
    }

    /// The writes of one actor, sorted by sequence after a call of `sort`.
    private struct Track: Sendable {
        let actor: ActorID
        var writes: [Write] = []
        var isSorted = true
    }

    private var numbers: [ActorID: Int] = [:]
    private var tracks: [Track] = []
    /// The number of the actor of the last insertion.
    private var latest = 0
    private var isSorted = true

    private(set) var count = 0

    /// Inserts a live dot; `sort` must be called before the index is read.
    mutating func insert(_ dot: Dot, slot: Int) {
        let number = number(of: dot.actor)
        let write = Write(sequence: dot.sequence, slot: slot)
        if let last = tracks[number].writes.last, last >= write {
            tracks[number].isSorted = false
            isSorted = false
        }
        tracks[number].writes.append(write)
        count += 1
    }

    /// Sorts the writes that were inserted out of order, and removes duplicates.
    ///
    /// Writes nearly always come in order. Only a repair inserts earlier ones or repeats some; then
    /// each actor's writes are sorted once, regardless of how many were inserted.
    mutating func sort() {
        guard !isSorted else { return }
        for number in tracks.indices where !tracks[number].isSorted {
            var sorted: [Write] = []
            for write in tracks[number].writes.sorted() where write != sorted.last {
                sorted.append(write)
            }
            count -= tracks[number].writes.count - sorted.count
            tracks[number].writes = sorted
            tracks[number].isSorted = true
        }
        isSorted = true
    }

    /// The dots that occur in several slots, which no sound map has.
    var repeated: Set<Dot> {
        var repeated: Set<Dot> = []
        for track in tracks {
            for (write, next) in zip(track.writes, track.writes.dropFirst())
            where write.sequence == next.sequence {
                repeated.insert(Dot(actor: track.actor, sequence: write.sequence))
            }
        }
        return repeated
    }

    func writes(of actor: ActorID, after sequence: UInt64) -> ArraySlice<Write> {
        guard let number = numbers[actor] else { return [] }
        let writes = tracks[number].writes
        guard let last = writes.last, last.sequence > sequence else { return [] }
        return writes[writes.partitioningIndex { $0.sequence > sequence }...]
    }

    mutating func keep(where isLive: (Dot, Int) -> Bool) {
        for number in tracks.indices {
            let (actor, before) = (tracks[number].actor, tracks[number].writes.count)
            tracks[number].writes.removeAll { write in
                !isLive(Dot(actor: actor, sequence: write.sequence), write.slot)
            }
            count -= before - tracks[number].writes.count
        }
    }

    /// Returns the number of an actor; a new actor gets the next number.
    private mutating func number(of actor: ActorID) -> Int {
        // Usually the actor is the same as in the call before.
        if latest < tracks.count, tracks[latest].actor == actor { return latest }
        latest = numbers[actor, default: tracks.count]
        if latest == tracks.count {
            numbers[actor] = latest
            tracks.append(Track(actor: actor))
        }
        return latest
    }
}
