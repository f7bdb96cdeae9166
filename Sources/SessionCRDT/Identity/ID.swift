/// A random 128-bit name that needs nobody's permission: of a device, a session or a player.
///
/// `Tag` keeps the kinds apart at compile time; it is never instantiated. Ids order by their bits,
/// which is the same order as that of their text form.
package struct ID<Tag>: Hashable, Comparable, Sendable {
    /// The more significant half of the bits.
    package let high: UInt64
    /// The less significant half of the bits.
    package let low: UInt64

    /// The id with these bits.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A fresh id; the generator decides how unpredictable it is.
    package static func random(using generator: inout some RandomNumberGenerator) -> ID {
        ID(high: generator.next(), low: generator.next())
    }

    package static func < (left: ID, right: ID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ID: LosslessStringConvertible {
    /// The text form: 32 lower-case hexadecimal digits.
    package var description: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds the text form to `text`.
    package func write(to text: inout [UInt8]) {
        text.take(self)
    }

    /// The id of a text form; anything but 32 lower-case hexadecimal digits is refused.
    package init?(_ text: String) {
        self.init(Substring(text))
    }

    /// The id of a text form inside a longer text.
    package init?(_ text: Substring) {
        // Not by the bytes below, which the compiler does not make for this kind of text.
        self.init(bits: Hexadecimal.bits(of: text.utf8))
    }

    /// The id of a text form, by its bytes.
    init?(utf8 text: some Collection<UInt8>) {
        self.init(bits: Hexadecimal.bits(of: text))
    }

    private init?(bits: (high: UInt64, low: UInt64)?) {
        guard let bits else { return nil }
        self.init(high: bits.high, low: bits.low)
    }
}

/// Tags an actor: one run of a daemon, writing in one session.
package enum ActorTag {}
/// Tags a device: one home directory, stable over restarts.
package enum DeviceTag {}
/// Tags an instance: one run of a daemon.
package enum InstanceTag {}
/// Tags a player of a session.
package enum PlayerTag {}
/// Tags a session.
package enum SessionTag {}

/// Who mints dots: a fresh one per daemon run and session, and never used again.
package typealias ActorID = ID<ActorTag>
/// Which laptop: stable, and the author of every entry made on it.
package typealias DeviceID = ID<DeviceTag>
/// Which run of a daemon: how a device recognises itself, and a clone of itself.
package typealias InstanceID = ID<InstanceTag>
/// Which player, whatever they are called.
package typealias PlayerID = ID<PlayerTag>
/// Which session; public, unlike the session's key.
package typealias SessionID = ID<SessionTag>

/// Bytes as lower-case hexadecimal digits, the only spelling of ids, digests and keys.
package enum Hexadecimal {
    /// The digit of a number below 16.
    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The number of a digit; nil of any other byte, and of capitals where they are not allowed.
    package static func value(of byte: UInt8, allowsCapitals: Bool = false) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
            allowsCapitals ? byte - UInt8(ascii: "A") + 10 : nil
        default: nil
        }
    }

    /// Adds the digits of a byte.
    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }

    /// The digits of the bytes, two each.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of lower-case digits, two each; nil for anything else.
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

    /// The bits of 32 lower-case digits; nil for anything else.
    ///
    /// It knows nothing of whose bits they are, so that the compiler makes it for each kind of
    /// text: as long as `ID` did this for any tag, it was 8 % of what merging a score costs.
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
