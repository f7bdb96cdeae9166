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
