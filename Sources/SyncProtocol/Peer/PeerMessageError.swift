package import JSONCoding

/// Why a payload of a peer was refused.
///
/// None of these breaks the stream of frames: whether the link stays is the receiver's decision. An
/// `error` message is never an answer to an `error` message.
package enum PeerMessageError: Error, Hashable, Sendable {
    /// The scan refused it; what it was to be is unknown.
    case notJSON(JSONScanError)
    /// A message of a later version; the link stays.
    case unknownType(String)
    /// A message of this type with a field that is missing or wrong.
    case badMessage(type: String, reason: String)
    /// A delta that is refused whole; its further parts are passed over in silence.
    case badDelta(reason: String)
    /// A delta of more than any session may hold; its further parts are passed over in silence, and
    /// the link stays.
    case longDelta(reason: String)
}

extension PeerMessageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notJSON(let error): "\(error)"
        case .unknownType(let type): "unknown message type \(type)"
        case .badMessage(let type, let reason): "bad \(type): \(reason)"
        case .badDelta(let reason): "bad delta: \(reason)"
        case .longDelta(let reason): reason
        }
    }

    /// What to tell the peer; nil where it said that it did not understand, for an answer to an
    /// answer has no end.
    package var answer: PeerError? {
        if case .badMessage("error", _) = self { return nil }
        let code =
            switch self {
            case .notJSON, .badMessage: "bad-message"
            case .unknownType: "unknown-type"
            case .badDelta: PeerError.badDelta
            case .longDelta: PeerError.tooMuch
            }
        return PeerError(code: code, text: description)
    }
}
