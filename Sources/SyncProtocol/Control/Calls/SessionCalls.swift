/// One session.
package struct SessionReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The session.
    package var session: SessionSummary
    /// What the user should know, in sentences; absent where there is nothing.
    package var notes: [String]?

    package init(session: SessionSummary, notes: [String]? = nil) {
        self.session = session
        self.notes = notes
    }
}

/// A session, as lists show it.
package struct SessionSummary: Codable, Hashable, Sendable {
    /// Its public id.
    package var id: String
    /// Its title.
    package var title: String
    /// The id of its sheet; empty until that has arrived.
    package var game: String
    /// `open` or `finished`.
    package var status: String
    /// Whether commands without a session mean this one.
    package var current: Bool
    /// How many players take part.
    package var players: Int
    /// Whether every linked peer has seen the same, and at least one is linked.
    package var synced: Bool
    /// How many peers are linked.
    package var peersOnline: Int
    /// Until when somebody can join here; absent when nobody can.
    package var inviteExpires: Timestamp?
    /// The player of this device; absent when not chosen.
    package var me: String?
    /// The options that differ from their defaults; only `session.show` tells them.
    package var options: [String: Scalar]?

    package init(
        id: String,
        title: String,
        game: String,
        status: String,
        current: Bool,
        players: Int,
        synced: Bool,
        peersOnline: Int,
        inviteExpires: Timestamp? = nil,
        me: String? = nil,
        options: [String: Scalar]? = nil
    ) {
        self.id = id
        self.title = title
        self.game = game
        self.status = status
        self.current = current
        self.players = players
        self.synced = synced
        self.peersOnline = peersOnline
        self.inviteExpires = inviteExpires
        self.me = me
        self.options = options
    }
}

/// All sessions held here.
package struct SessionListReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The sessions, the latest first.
    package var sessions: [SessionSummary]

    package init(sessions: [SessionSummary]) {
        self.sessions = sessions
    }
}

/// The way in.
package struct InviteReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The join code, `XXXXX-XXXXX-XXXXX`; null after closing.
    @ExplicitNull package var code: String?
    /// Until when it works; null after closing.
    @ExplicitNull package var expires: Timestamp?

    package init(code: String? = nil, expires: Timestamp? = nil) {
        self.code = code
        self.expires = expires
    }
}

/// What to ask while some writes are nowhere else; without a question it is left.
package struct SessionLeaveReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    package var question: Question?

    package init(question: Question? = nil) { self.question = question }
}

/// How long an invite stays open, in minutes.
package enum InviteLife {
    /// What nobody has chosen otherwise.
    package static let usual = 30
    /// What can be asked for: at most a day.
    package static let allowed = 1...24 * 60
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

/// Another session, by its id and its title.
package struct NamedSession: Codable, Hashable, Sendable {
    /// Its public id.
    package var id: String
    /// Its title.
    package var title: String

    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}
