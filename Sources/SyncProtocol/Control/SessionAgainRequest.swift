/// Begins the next game of the same people: a new session with the same game, options and players.
///
/// The session before is called finished and leads there, so that every device that holds it takes
/// the new one up by itself.
package struct SessionAgainRequest: ConfirmableOfSession, Hashable {
    package typealias Reply = SessionAgainReply
    package static let method = "session.again"

    /// Which session was before: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The title; nil counts on from the one before: `Friday 2`.
    package var title: String?
    /// Options that differ from those before, as typed.
    package var options: [String: String]
    /// Whether the second seat starts, and who has started sits last.
    package var rotate: Bool
    /// Whether the seats are dealt by chance.
    package var shuffle: Bool
    /// Whether what the rules know of is played again: the same deal.
    package var replay: Bool
    package var token: String?

    package init(
        session: String? = nil,
        title: String? = nil,
        options: [String: String] = [:],
        rotate: Bool = false,
        shuffle: Bool = false,
        replay: Bool = false,
        token: String? = nil
    ) {
        self.session = session
        self.title = title
        self.options = options
        self.rotate = rotate
        self.shuffle = shuffle
        self.replay = replay
        self.token = token
    }
}

/// The session that was begun, or what to ask before.
package struct SessionAgainReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The session; absent while there is a question.
    package var session: SessionSummary?
    package var question: Question?
    /// What the user should know, in sentences; absent where there is nothing.
    package var notes: [String]?

    package init(
        session: SessionSummary? = nil,
        question: Question? = nil,
        notes: [String]? = nil
    ) {
        self.session = session
        self.question = question
        self.notes = notes
    }
}
