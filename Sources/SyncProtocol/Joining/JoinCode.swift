package import SessionCRDT

/// The code with which a device joins a session, short enough to read aloud: `XXXXX-XXXXX-XXXXX`.
///
/// Fifteen characters of Crockford's base 32, which has no I, L, O and U: a hint of two that
/// distinguishes invites, a secret of twelve (60 random bits), and a check character (Luhn's
/// algorithm modulo 32 over the other fourteen). The check detects every single wrong character,
/// and every swap of two neighbours except 0 and Z.
package struct JoinCode: Hashable, Sendable, CustomStringConvertible {
    /// The number of characters, without dashes.
    package static let length = 15

    private static let hintLength = 2
    private static let groupLength = 5
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The values of the fourteen characters before the check character, each below 32.
    private let symbols: [UInt8]

    /// Returns a new code; the generator must be cryptographically secure.
    package static func random(using generator: inout some RandomNumberGenerator) -> JoinCode {
        JoinCode(symbols: (1..<length).map { _ in UInt8.random(in: 0..<32, using: &generator) })
    }

    private init(symbols: [UInt8]) { self.symbols = symbols }

    /// Parses user input, ignoring case, spaces and dashes; O means 0, I and L mean 1.
    package init(parsing text: String) throws(JoinCodeError) {
        var symbols: [UInt8] = []
        var count = 0
        for character in text where !JoinCode.isSeparator(character) {
            guard let symbol = JoinCode.symbol(of: character) else {
                throw .badCharacter(character)
            }
            count += 1
            if count <= JoinCode.length { symbols.append(symbol) }
        }
        guard count == JoinCode.length else { throw .wrongLength(count) }
        let check = symbols.removeLast()
        guard check == JoinCode.check(of: symbols) else { throw .mistyped }
        self.symbols = symbols
    }

    /// The hint, which distinguishes open invites and reveals nothing about the secret.
    package var hint: String { spelled(symbols.prefix(JoinCode.hintLength)) }

    /// The secret characters: the password of `InviteKey`.
    package var secret: String { spelled(symbols.dropFirst(JoinCode.hintLength)) }

    /// The full code, to be shown to the user who invites.
    ///
    /// Separate from `description`, so that the code is never logged.
    package var text: String {
        let all = Array(spelled((symbols + [JoinCode.check(of: symbols)])[...]).utf8)
        return stride(from: 0, to: JoinCode.length, by: JoinCode.groupLength).map { start in
            String(decoding: all[start..<start + JoinCode.groupLength], as: UTF8.self)
        }.joined(separator: "-")
    }

    package static func isHint(_ text: String) -> Bool {
        text.utf8.count == hintLength && text.utf8.allSatisfy { alphabet.contains($0) }
    }

    private func spelled(_ symbols: ArraySlice<UInt8>) -> String {
        String(decoding: symbols.map { JoinCode.alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Returns the check character by Luhn's algorithm modulo 32: from the right, every second
    /// number is doubled and the two base-32 digits of the result are added; the check character
    /// makes the sum a multiple of 32.
    private static func check(of symbols: [UInt8]) -> UInt8 {
        var sum = 0
        for (place, symbol) in symbols.reversed().enumerated() {
            let number = Int(symbol) * (place % 2 == 0 ? 2 : 1)
            sum += number / 32 + number % 32
        }
        return UInt8((32 - sum % 32) % 32)
    }

    /// Whether a character is white space, or a dash as typed or inserted by word processors.
    private static func isSeparator(_ character: Character) -> Bool {
        character.isWhitespace || ["-", "\u{2010}", "\u{2011}", "\u{2013}"].contains(character)
    }

    private static func symbol(of character: Character) -> UInt8? {
        guard var byte = character.asciiValue else { return nil }
        if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { byte -= 32 }
        switch byte {
        case UInt8(ascii: "O"): byte = UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): byte = UInt8(ascii: "1")
        default: break
        }
        return alphabet.firstIndex(of: byte).map { UInt8($0) }
    }

    /// A description for logs, which contains only the hint.
    package var description: String { "join code \(hint)…" }
}

package enum JoinCodeError: Error, Hashable, Sendable {
    case wrongLength(Int)
    case badCharacter(Character)
    /// The check character does not match: a character is wrong, or two are swapped.
    case mistyped
}

extension JoinCodeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongLength(let count):
            "a join code has \(JoinCode.length) characters, not \(count)"
        case .badCharacter(let character):
            "join codes do not contain “\(character)”"
        case .mistyped: "the join code is mistyped: its last character does not match the others"
        }
    }
}

/// The derivation of the pre-shared key for joining from a join code.
///
/// scrypt (RFC 7914) makes each guess at the 60 secret bits cost half a second and 128 MiB; it runs
/// once per code on each side, never per connection. The daemon contains the function itself.
package enum InviteKey {
    /// The cost in time and memory, `N`.
    package static let cost: UInt64 = 1 << 17
    /// The block size, `r`.
    package static let blockSize: UInt64 = 8
    /// The parallelism, `p`.
    package static let parallelism: UInt64 = 1
    package static let keyBytes = 32
    /// The memory limit for scrypt: what these parameters need, plus some overhead.
    package static let memoryBytes: UInt64 = 128 * cost * blockSize + (4 << 20)

    private static let label = "scoresync join 1:"

    /// Returns the password: the secret characters as uppercase ASCII letters and digits.
    package static func password(of code: JoinCode) -> [UInt8] { Array(code.secret.utf8) }

    /// Returns the salt: a fixed label and the hint.
    package static func salt(of code: JoinCode) -> [UInt8] { Array((label + code.hint).utf8) }
}

/// The identity by which a dialling device names its pre-shared key in the TLS handshake.
///
/// It is sent in the clear: it only selects a key, and proves nothing.
package enum LinkIdentity: Hashable, Sendable {
    /// A member of the session, who uses the session's key: `m:<session>`.
    case member(SessionID)
    /// A joiner, who uses the key derived from the join code with this hint: `j:<hint>`.
    case joiner(hint: String)
    /// A laptop that knocks at a session that is open to others, with ``knockKey``: `k:<session>`.
    case knock(SessionID)
    /// A laptop that has knocked and waits for an answer, with the key that both have agreed on:
    /// `a:<knock>`, or `p:<knock>` if the key also contains one of an earlier game.
    case admission(KnockID, isKnown: Bool)

    /// The public key with which knocks begin: the text “scoresync knock 1”, and zeros.
    package static let knockKey = {
        let label = Array("scoresync knock 1".utf8)
        return label + [UInt8](repeating: 0, count: KnockMessage.keyBytes - label.count)
    }()

    package init(_ code: JoinCode) { self = .joiner(hint: code.hint) }
}

extension LinkIdentity: LosslessStringConvertible {
    package var description: String {
        switch self {
        case .member(let session): "m:\(session)"
        case .joiner(let hint): "j:\(hint)"
        case .knock(let session): "k:\(session)"
        case .admission(let knock, let isKnown): "\(isKnown ? "p" : "a"):\(knock)"
        }
    }

    package init?(_ text: String) {
        let rest = String(Substring(text.utf8.dropFirst(2)))
        if text.hasPrefix("m:"), let session = SessionID(rest) {
            self = .member(session)
        } else if text.hasPrefix("j:"), JoinCode.isHint(rest) {
            self = .joiner(hint: rest)
        } else if text.hasPrefix("k:"), let session = SessionID(rest) {
            self = .knock(session)
        } else if text.hasPrefix("a:") || text.hasPrefix("p:"), let knock = KnockID(rest) {
            self = .admission(knock, isKnown: text.hasPrefix("p:"))
        } else {
            return nil
        }
    }
}
