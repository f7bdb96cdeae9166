internal import SessionCRDT

/// What a player's phone asks for: for that player only, and once for each id.
package protocol PhoneRequest: ControlRequest {
    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    var session: String? { get }
    /// The id of the player whose phone it is.
    var player: String { get }
    /// What it is called.
    var id: SubmissionID { get }
}

/// Writes scores that a player's phone entered, beside its mark, in one commit.
///
/// Unlike `score` it writes for the player who is named and nobody else, and a submission that is
/// here already, from whichever laptop, is not written again.
package struct PhoneScoreRequest: PhoneRequest, Hashable {
    package typealias Reply = PhoneReply<WrittenReply>
    package static let method = "phone.score"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The id of the player whose phone it is.
    package var player: String
    /// What the submission is called.
    package var id: SubmissionID
    /// What one would type after the name of the player: `ROW[.ROUND]=VALUE…`.
    package var words: [String]

    package init(session: String? = nil, player: String, id: SubmissionID, words: [String]) {
        self.session = session
        self.player = player
        self.id = id
        self.words = words
    }
}

/// Plays a move that a player's phone entered, beside its mark, in one commit.
///
/// It is refused where the move is not that player's, or writes for somebody else too.
package struct PhonePlayRequest: PhoneRequest, Hashable {
    package typealias Reply = PhoneReply<PlayReply>
    package static let method = "phone.play"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The id of the player whose phone it is.
    package var player: String
    /// What the submission is called.
    package var id: SubmissionID
    /// What one would type after `play`.
    package var words: [String]
    /// What was said beside it, by the options of the command line: `darts` is `2`.
    package var details: [String: String]

    package init(
        session: String? = nil,
        player: String,
        id: SubmissionID,
        words: [String],
        details: [String: String] = [:]
    ) {
        self.session = session
        self.player = player
        self.id = id
        self.words = words
        self.details = details
    }
}

/// Takes back what a player's phone entered last on this device and was not taken back.
package struct PhoneUndoRequest: PhoneRequest, Hashable {
    package typealias Reply = PhoneReply<WrittenReply>
    package static let method = "phone.undo"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The id of the player whose phone it is.
    package var player: String
    /// What this undo is called.
    package var id: SubmissionID

    package init(session: String? = nil, player: String, id: SubmissionID) {
        self.session = session
        self.player = player
        self.id = id
    }
}

/// What became of what a phone sent.
package struct PhoneReply<Reply: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// Whether it was here already, so that nothing was written.
    package var known: Bool
    /// What was written; null where it was known.
    @ExplicitNull package var reply: Reply?

    /// What was written now; nil where it was known.
    package init(_ reply: Reply?) {
        known = reply == nil
        self.reply = reply
    }
}

/// What one submission of a phone is called, by chance and for good: the same for each time that
/// it is sent, so that it is entered once.
package struct SubmissionID: Hashable, Sendable {
    /// 16 lower-case hexadecimal digits.
    package let text: String

    /// The id that a text is; nil where it is none.
    package init?(_ text: String) {
        guard text.utf8.count == 16, Hexadecimal.bytes(of: text) != nil else { return nil }
        self.text = text
    }
}

extension SubmissionID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = SubmissionID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "an id of a submission has 16 lower-case hexadecimal digits"
            )
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
