/// The session in which the same people play on, as a session names it in its field `next`.
///
/// Whoever holds the one is let into the other: members trust each other, and no code is needed.
package struct Successor: Hashable, Sendable {
    /// The session.
    package let session: SessionID
    /// The session's key; whoever has it is a member.
    package let key: [UInt8]

    /// How many bytes a key has.
    package static let keyBytes = 32
    /// How many successors of one session count: more than one comes of beginning the next game on
    /// two devices at once, and many only of a member's malice.
    package static let most = 8

    /// A successor of these parts; nil where the key has another length.
    package init?(session: SessionID, key: [UInt8]) {
        guard key.count == Successor.keyBytes else { return nil }
        self.session = session
        self.key = key
    }

    /// The successor of a field's text, `ID KEY` in lower-case hexadecimal digits; nil where the
    /// text is no such thing.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let session = SessionID(words[0]),
            let key = Hexadecimal.bytes(of: words[1])
        else { return nil }
        self.init(session: session, key: key)
    }

    /// The text of the field.
    package var text: String { "\(session) \(Hexadecimal.text(of: key))" }

    /// The successors that are live in a field, the last writer's first, each session once.
    ///
    /// All of them count, because two devices may begin the next game while they are apart; what is
    /// no successor is passed over, and so is everything after `most`.
    package static func all(in live: LiveSet) -> [Successor] {
        var successors: [Successor] = []
        for entry in [live.winner] + live.losers where successors.count < most {
            guard let successor = entry.value.string.flatMap({ Successor($0) }),
                !successors.contains(where: { $0.session == successor.session })
            else { continue }
            successors.append(successor)
        }
        return successors
    }
}

extension Successor: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the key, which must not get into a log.
    package var description: String { "successor \(session)" }

    package var debugDescription: String { description }
}
