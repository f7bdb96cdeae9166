/// The digest and the size of all live entries, updated with each change.
package struct Tally: Hashable, Sendable {
    package private(set) var digest = Digest()
    package private(set) var weight = Weight()

    package var bytes: Int { weight.bytes }
    package init() {}

    /// Updates the tally for a change of a key's live set; `before` is nil for a new key.
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

    mutating func add(_ entry: Entry, under key: Key) {
        let canonical = entry.canonicalHash(under: key)
        digest.add(canonical.hash)
        weight.add(canonical.bytes, by: entry.author)
    }
}

/// A checksum of all live entries of a replica: equal states have equal digests.
///
/// It is the wrapping sum of one hash per live entry, so that the cost of an update depends only
/// on the change. It detects accidents, not attacks.
package struct Digest: Hashable, Sendable, LosslessStringConvertible {
    package private(set) var sum: UInt128 = 0

    package init() {}
    package mutating func add(_ hash: UInt128) { sum &+= hash }
    package mutating func remove(_ hash: UInt128) { sum &-= hash }

    /// The text form: 32 lowercase hexadecimal digits.
    package var description: String {
        let (high, low) = (UInt64(truncatingIfNeeded: sum >> 64), UInt64(truncatingIfNeeded: sum))
        return ID<Digest>(high: high, low: low).description
    }

    package init?(_ text: String) {
        guard let id = ID<Digest>(text) else { return nil }
        sum = UInt128(id.high) << 64 | UInt128(id.low)
    }
}

extension LiveSet {
    /// Returns the digest of the entries of a key, which is another one after every write.
    package func digest(under key: Key) -> Digest {
        reduce(into: Digest()) { $0.add($1.canonicalHash(under: key).hash) }
    }
}

/// The size of entries in canonical bytes, in total and by author.
///
/// Limits on a session's size are limits on this, so every device must compute the same size.
package struct Weight: Hashable, Sendable {
    package private(set) var bytes = 0
    private var byAuthor: [DeviceID: Int] = [:]

    package init() {}

    package init(of delta: Delta, where isNew: (Key, Entry) -> Bool) {
        for change in delta.changes {
            for entry in change.live where isNew(change.key, entry) {
                add(entry.canonicalCount(under: change.key), by: entry.author)
            }
        }
    }

    package var authors: Dictionary<DeviceID, Int>.Keys { byAuthor.keys }
    package subscript(author: DeviceID) -> Int { byAuthor[author] ?? 0 }

    /// Adds bytes to an author; a negative count removes them.
    package mutating func add(_ count: Int, by author: DeviceID) {
        bytes += count
        byAuthor[author, default: 0] += count
        if count < 0, byAuthor[author] == 0 { byAuthor[author] = nil }
    }

    package mutating func add(_ other: Weight) {
        for (author, count) in other.byAuthor { add(count, by: author) }
    }
}

/// SipHash-2-4 with 128 bits of result and a key of zero (Aumasson and Bernstein, "SipHash: a fast
/// short-input PRF", 2012, and their reference implementation for the longer result).
///
/// Swift's own `Hasher` is seeded differently in each process, so its results cannot be compared
/// across devices. The key is public on purpose: this detects accidents, not attacks. It consumes
/// whole words, so that callers need not write the data to a buffer first.
package struct SipHash: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// The bytes that do not yet fill a word.
    private var tail: UInt64 = 0
    private(set) var count = 0

    package init(key0: UInt64 = 0, key1: UInt64 = 0) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    /// Returns the 128-bit hash of the bytes, the first result word in the high half.
    ///
    /// Both halves are little-endian words of the reference output.
    package static func hash(_ bytes: [UInt8], key0: UInt64 = 0, key1: UInt64 = 0) -> UInt128 {
        var hash = SipHash(key0: key0, key1: key1)
        hash.add(bytes)
        return hash.result
    }

    package mutating func add(_ bytes: [UInt8]) { append(bytes) }

    /// The hash of everything added so far, the first result word in the high half.
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
    mutating func append(_ bytes: UInt64, count: Int) {
        let waiting = UInt64(truncatingIfNeeded: self.count & 7) * 8
        self.count += count
        tail |= bytes &<< waiting
        guard waiting + UInt64(truncatingIfNeeded: count) * 8 >= 64 else { return }
        absorb(tail)
        // The bytes that did not fit into the word; none if the word ended exactly.
        tail = waiting == 0 ? 0 : bytes &>> (64 - waiting)
    }
}
