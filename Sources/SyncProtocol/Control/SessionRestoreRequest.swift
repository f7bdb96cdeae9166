/// Puts back the sheet that a session was played by before it was replaced, for everybody.
package struct SessionRestoreRequest: ConfirmableOfSession, Hashable {
    package typealias Reply = SessionRestoreReply
    package static let method = "session.restore"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    package var token: String?

    package init(session: String? = nil, token: String? = nil) {
        self.session = session
        self.token = token
    }
}

/// What to ask before a sheet is put back, or the session as it is then.
package struct SessionRestoreReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    package var question: Question?
    /// The session; nil while there is a question.
    package var session: SessionSummary?

    package init(question: Question? = nil, session: SessionSummary? = nil) {
        self.question = question
        self.session = session
    }
}
