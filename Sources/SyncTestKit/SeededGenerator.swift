/// A random generator that gives the same numbers for the same seed on every machine (SplitMix64:
/// Steele et al., "Fast Splittable Pseudorandom Number Generators", 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// Returns true with a probability of `percent` per cent.
    package mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    mutating func next(in range: ClosedRange<UInt64>) -> UInt64 {
        UInt64.random(in: range, using: &self)
    }

    /// Returns a number below `bound`, which must be positive.
    package mutating func index(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Returns one of the elements; nil if there are none.
    package mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[index(below: elements.count)]
    }

    /// Returns bytes with one to four changes: flips, cuts, repeats, and what parsers stumble over.
    package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        let spices = [
            "[", "{", "\"", "\\", "\\u0000", "\\ud800", "-", "9007199254740992", "1e999", "null",
            "\u{0}", ",", ":", "}", "]", "-1", "0", "9223372036854775808", "\r\n",
        ]
        var bytes = bytes
        for _ in 0...index(below: 4) {
            let place = index(below: bytes.count + 1)
            switch index(below: 5) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: (pick(spices) ?? "").utf8, at: place)
            case 3: bytes.removeSubrange(place...)
            default:
                let end = min(bytes.count, place + index(below: 13))
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            }
        }
        return bytes
    }

    /// Returns an independent generator, so that one's randomness does not depend on another's.
    mutating func branch() -> SeededGenerator { SeededGenerator(seed: next()) }
}
