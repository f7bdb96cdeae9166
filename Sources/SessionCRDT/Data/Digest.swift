/// What is counted over all live entries as they come and go.
package struct Tally: Hashable, Sendable {
    /// The digest of the entries.
    package private(set) var digest = Digest()
    /// What the entries weigh, which bounds a session's size.
    package private(set) var weight = Weight()

    /// The canonical bytes of the entries.
    package var bytes: Int { weight.bytes }

    /// The tally of nothing.
    package init() {}

    /// Counts the change of a key's live set; nil is the key that nobody has written yet.
    package mutating func change(_ key: Key, from before: LiveSet?, to after: LiveSet) {
        if let before {
            for entry in before where after[entry.dot] != entry {
                let canonical = entry.canonicalHash(under: key)
                digest.remove(canonical.hash)
                weight.add(-canonical.bytes, by: entry.author)
            }
        }
        for entry in after where before?[entry.dot] != entry { add(entry, under: key) }
    }

    /// Counts one entry more.
    mutating func add(_ entry: Entry, under key: Key) {
        let canonical = entry.canonicalHash(under: key)
        digest.add(canonical.hash)
        weight.add(canonical.bytes, by: entry.author)
    }
}

/// A short form of everything that a replica holds: two replicas that have seen the same have the
/// same digest.
///
/// The wrapping sum of one hash per live entry, so that it follows every change at the cost of that
/// change. It finds accidents, not attacks.
package struct Digest: Hashable, Sendable, LosslessStringConvertible {
    /// The sum.
    package private(set) var sum: UInt128 = 0

    /// The digest of no entries.
    package init() {}

    /// Adds the hash of an entry.
    package mutating func add(_ hash: UInt128) { sum &+= hash }

    /// Takes the hash of an entry away.
    package mutating func remove(_ hash: UInt128) { sum &-= hash }

    /// The text form: 32 lower-case hexadecimal digits.
    package var description: String { asID.description }

    /// The digest of a text form.
    package init?(_ text: String) {
        guard let id = ID<Digest>(text) else { return nil }
        sum = UInt128(id.high) << 64 | UInt128(id.low)
    }

    private var asID: ID<Digest> {
        ID(high: UInt64(truncatingIfNeeded: sum >> 64), low: UInt64(truncatingIfNeeded: sum))
    }
}

/// What entries weigh in canonical bytes: all together, and those of each author.
///
/// It bounds what a session holds, so it is counted the same on every device.
package struct Weight: Hashable, Sendable {
    /// All together.
    package private(set) var bytes = 0
    private var byAuthor: [DeviceID: Int] = [:]

    /// The weight of nothing.
    package init() {}

    /// The weight of those entries of a delta that are news.
    package init(of delta: Delta, where isNews: (Key, Entry) -> Bool) {
        for change in delta.changes {
            for entry in change.live where isNews(change.key, entry) {
                add(entry.canonicalCount(under: change.key), by: entry.author)
            }
        }
    }

    /// The authors of which anything weighs.
    package var authors: Dictionary<DeviceID, Int>.Keys { byAuthor.keys }

    /// What the entries of an author weigh.
    package subscript(author: DeviceID) -> Int { byAuthor[author] ?? 0 }

    /// Adds so many bytes of an author, or takes them away.
    package mutating func add(_ count: Int, by author: DeviceID) {
        bytes += count
        byAuthor[author, default: 0] += count
        if count < 0, byAuthor[author] == 0 { byAuthor[author] = nil }
    }

    /// Adds what others weigh.
    package mutating func add(_ other: Weight) {
        for (author, count) in other.byAuthor { add(count, by: author) }
    }
}

/// SipHash-2-4 with 128 bits of result and a key of zero (Aumasson and Bernstein, "SipHash: a fast
/// short-input PRF", 2012, and their reference implementation for the longer result).
///
/// Swift's own `Hasher` is seeded anew in each process, so it cannot say that two devices have the
/// same data. The key is public on purpose: this finds accidents, not attacks. It takes bytes in by
/// the word, so that what is hashed need not be written down first.
package struct SipHash: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// What does not make a word yet.
    private var tail: UInt64 = 0
    /// How many bytes were taken in.
    private(set) var count = 0

    /// The hash of nothing, to take bytes in.
    package init(key0: UInt64 = 0, key1: UInt64 = 0) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    /// The 128-bit hash of the bytes, the first result word in the high half.
    ///
    /// Both halves are little-endian words of the reference output.
    package static func hash(
        _ bytes: [UInt8],
        key0: UInt64 = 0,
        key1: UInt64 = 0
    ) -> UInt128 {
        var hash = SipHash(key0: key0, key1: key1)
        hash.take(bytes)
        return hash.result
    }

    /// Takes bytes in.
    package mutating func add(_ bytes: [UInt8]) { take(bytes) }

    /// The hash of all that was taken in, the first result word in the high half.
    package var result: UInt128 {
        var state = self
        state.absorb(tail | UInt64(truncatingIfNeeded: count) << 56)
        state.v2 ^= 0xee
        for _ in 0..<4 { state.round() }
        let first = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        state.v1 ^= 0xdd
        for _ in 0..<4 { state.round() }
        let second = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        return UInt128(first) << 64 | UInt128(second)
    }

    @inline(__always)
    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = rotated(v1, 13) ^ v0
        v0 = rotated(v0, 32)
        v2 &+= v3
        v3 = rotated(v3, 16) ^ v2
        v0 &+= v3
        v3 = rotated(v3, 21) ^ v0
        v2 &+= v1
        v1 = rotated(v1, 17) ^ v2
        v2 = rotated(v2, 32)
    }

    private func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word &<< count | word &>> (64 - count)
    }
}

extension SipHash: ByteSink {
    mutating func take(_ bytes: UInt64, count: Int) {
        let waiting = UInt64(truncatingIfNeeded: self.count & 7) * 8
        self.count += count
        tail |= bytes &<< waiting
        guard waiting + UInt64(truncatingIfNeeded: count) * 8 >= 64 else { return }
        absorb(tail)
        // What did not fit any more; a whole word that fitted leaves nothing.
        tail = waiting == 0 ? 0 : bytes &>> (64 - waiting)
    }
}
