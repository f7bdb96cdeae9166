package struct SessionHeader: Hashable, Sendable {
    /// The title; empty until it arrives.
    package var title = ""
    /// The id of the game's sheet; nil until it arrives.
    package var game: Symbol?
    package var isFinished = false
    /// The word of the table on who has won; nil if the rules decide.
    package var verdict: WrittenVerdict? { isFinished ? written : nil }
    private var written: WrittenVerdict?
    /// The sheet as JSON; nil until it arrives, and in sessions that the first versions created.
    package var sheet: String?
    package var options: [Symbol: Value] = [:]

    package struct WrittenVerdict: Hashable, Sendable {
        package let word: Verdict
        package let at: Stamp
    }

    package init() {}

    /// Applies the value of a session field, which was written at `stamp`.
    ///
    /// - Returns: whether the field belongs to the header; the seats, for example, do not.
    @discardableResult
    package mutating func apply(_ field: Symbol, _ value: Value, at stamp: Stamp) -> Bool {
        switch field {
        case Field.title: title = value.string ?? ""
        case Field.game: game = value.string.flatMap { Symbol($0) }
        case Field.status: isFinished = value.string == "finished"
        case Field.sheet: sheet = value.string
        case Field.verdict:
            written = value.string.flatMap { Verdict($0) }
                .map { WrittenVerdict(word: $0, at: stamp) }
        default:
            guard let option = Field.optionName(of: field) else { return false }
            options[option] = value == .null ? nil : value
        }
        return true
    }
}

/// The next session of the same people, as named in a session's field `next`.
///
/// It contains the session's key, so that every member of this session can join the next one
/// without a code: members trust each other.
package struct Successor: Hashable, Sendable {
    package let session: SessionID
    /// The session's key; a device that has it is a member.
    package let key: [UInt8]

    package static let keyBytes = 32
    /// The maximum number of successors of one session that are used: two arise if two devices
    /// start the next game at once, many only if a member is malicious.
    package static let maxCount = 8

    /// Creates a successor; nil if the key is not `keyBytes` long.
    package init?(session: SessionID, key: [UInt8]) {
        guard key.count == Successor.keyBytes else { return nil }
        (self.session, self.key) = (session, key)
    }

    /// Parses the text of the field, `ID KEY` in lowercase hexadecimal digits.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let session = SessionID(words[0]),
            let key = Hexadecimal.bytes(of: words[1])
        else { return nil }
        self.init(session: session, key: key)
    }

    package var text: String { "\(session) \(Hexadecimal.text(of: key))" }

    /// Returns the valid successors among the live entries of a field, each session once, the last
    /// writer's first, up to `maxCount`.
    ///
    /// All are used, because two devices may start the next game while they are disconnected.
    package static func all(in live: LiveSet) -> [Successor] {
        var successors: [Successor] = []
        for entry in live.latestFirst where successors.count < maxCount {
            guard let successor = entry.value.string.flatMap({ Successor($0) }),
                !successors.contains(where: { $0.session == successor.session })
            else { continue }
            successors.append(successor)
        }
        return successors
    }
}

extension Successor: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description without the key, which must not appear in a log.
    package var description: String { "successor \(session)" }
    package var debugDescription: String { description }
}
