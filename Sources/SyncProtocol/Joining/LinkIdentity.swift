package import SessionCRDT

/// The name under which a dialler offers a pre-shared key in the TLS handshake.
///
/// It travels in the clear. It says which key to use and proves nothing.
package enum LinkIdentity: Hashable, Sendable {
    /// A member of the session, with the session's key: `m:<session>`.
    case member(SessionID)
    /// Somebody with a join code of this hint, with the key made from it: `j:<hint>`.
    case joiner(hint: String)

    /// The identity of whoever holds the code.
    package init(_ code: JoinCode) {
        self = .joiner(hint: code.hint)
    }
}

extension LinkIdentity: LosslessStringConvertible {
    package var description: String {
        switch self {
        case .member(let session): "m:\(session)"
        case .joiner(let hint): "j:\(hint)"
        }
    }

    /// The identity of a text form, as it comes from a stranger; anything else is refused.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count > 2, bytes[1] == UInt8(ascii: ":") else { return nil }
        let rest = String(decoding: bytes.dropFirst(2), as: UTF8.self)
        switch bytes[0] {
        case UInt8(ascii: "m"):
            guard let session = SessionID(rest) else { return nil }
            self = .member(session)
        case UInt8(ascii: "j"):
            guard JoinCode.isHint(rest) else { return nil }
            self = .joiner(hint: rest)
        default: return nil
        }
    }
}
