/// A random 128-bit identifier of a device, a session, a player, an actor or an instance.
///
/// `Tag` makes ids of different kinds different types; it is never instantiated. Ids order by their
/// bits, which is also the order of their text forms.
package struct ID<Tag>: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Returns a new id; the generator decides how unpredictable it is.
    package static func random(using generator: inout some RandomNumberGenerator) -> ID {
        ID(high: generator.next(), low: generator.next())
    }

    package static func < (left: ID, right: ID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ID: LosslessStringConvertible {
    /// The text form: 32 lowercase hexadecimal digits.
    package var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    package func write(to text: inout [UInt8]) { text.append(id: self) }

    /// Parses 32 lowercase hexadecimal digits; nil for any other text.
    package init?(_ text: String) { self.init(Substring(text)) }

    package init?(_ text: Substring) {
        // Not through `init(utf8:)`, which the compiler does not specialize for `Substring`.
        self.init(bits: Hexadecimal.bits(of: text.utf8))
    }

    init?(utf8 text: some Collection<UInt8>) { self.init(bits: Hexadecimal.bits(of: text)) }

    private init?(bits: (high: UInt64, low: UInt64)?) {
        guard let bits else { return nil }
        self.init(high: bits.high, low: bits.low)
    }
}

package enum ActorTag {}
package enum DeviceTag {}
package enum InstanceTag {}
package enum PlayerTag {}
package enum SessionTag {}

/// Identifies one run of a daemon as a writer in one session; never reused, so that dots are
/// unique.
package typealias ActorID = ID<ActorTag>
/// Identifies a home directory across restarts: the author of every entry written there.
package typealias DeviceID = ID<DeviceTag>
/// Identifies one run of a daemon, so that a device can recognize itself and clones of itself.
package typealias InstanceID = ID<InstanceTag>
package typealias PlayerID = ID<PlayerTag>
/// Identifies a session; public, unlike the session's key.
package typealias SessionID = ID<SessionTag>

/// Lowercase hexadecimal digits, the only notation of ids, digests and keys.
package enum Hexadecimal {
    /// Returns the digit of a number below 16.
    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Returns the number that a digit stands for; nil for any other byte.
    package static func value(of byte: UInt8, allowsUppercase: Bool = false) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
            allowsUppercase ? byte - UInt8(ascii: "A") + 10 : nil
        default: nil
        }
    }

    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }

    /// Returns the digits of the bytes, two per byte.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the 16 digits of a number.
    package static func text(of number: UInt64) -> String {
        text(of: (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    /// Returns the bytes that lowercase digits stand for; nil for anything else.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var upper: UInt8?
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            if let half = upper { bytes.append(half << 4 | value) }
            upper = upper == nil ? value : nil
        }
        return upper == nil ? bytes : nil
    }

    /// Returns the bits that 32 lowercase digits stand for; nil for anything else.
    ///
    /// Not a member of the generic `ID`, so that the compiler specializes it for each kind of text,
    /// which made merging a score 8 % cheaper.
    static func bits(of text: some Collection<UInt8>) -> (high: UInt64, low: UInt64)? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var count = 0
        for character in text {
            guard count < 32, let digit = value(of: character) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
            count += 1
        }
        return count == 32 ? (high, low) : nil
    }
}
