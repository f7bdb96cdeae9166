/// Creates a session and makes it the current one.
package struct SessionNewRequest: ControlRequest, Hashable {
    package typealias Reply = SessionReply
    package static let method = "session.new"

    /// The id of the sheet, or a beginning of it.
    package var game: String
    /// The title; nil makes one of the game and the date.
    package var title: String?
    /// Who plays, in seat order; nobody seats the selected people of the device.
    package var players: [String]
    /// The options of the game, as typed.
    package var options: [String: String]
    /// Whether the other options are the usual ones; else they are as they were last time.
    package var fresh: Bool?

    package init(
        game: String,
        title: String? = nil,
        players: [String] = [],
        options: [String: String] = [:],
        fresh: Bool? = nil
    ) {
        self.game = game
        self.title = title
        self.players = players
        self.options = options
        self.fresh = fresh
    }
}

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

/// Asks for all sessions held here.
package struct SessionListRequest: ReadingRequest, Hashable {
    package typealias Reply = SessionListReply
    package static let method = "session.list"

    package init() {}
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

/// Asks for one session.
package struct SessionShowRequest: ReadingRequest, Hashable {
    package typealias Reply = SessionReply
    package static let method = "session.show"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?

    package init(session: String? = nil) {
        self.session = session
    }
}

/// Makes a session the current one.
package struct SessionUseRequest: ControlRequest, Hashable {
    package typealias Reply = SessionReply
    package static let method = "session.use"

    /// Which one.
    package var session: String

    package init(session: String) {
        self.session = session
    }
}

/// Gives a session another title.
package struct SessionRenameRequest: ControlRequest, Hashable {
    package typealias Reply = SessionReply
    package static let method = "session.rename"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The new title.
    package var title: String

    package init(session: String? = nil, title: String) {
        self.session = session
        self.title = title
    }
}

/// Opens the door to a session, or closes it.
package struct SessionInviteRequest: ControlRequest, Hashable {
    package typealias Reply = InviteReply
    package static let method = "session.invite"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// How long it stays open from now; nil is as long as the open one was given, or
    /// ``InviteLife/usual``.
    package var minutes: Int?
    /// Whether to close it now.
    package var close: Bool

    package init(session: String? = nil, minutes: Int? = nil, close: Bool = false) {
        self.session = session
        self.minutes = minutes
        self.close = close
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

/// Calls a session finished, or open again.
package struct SessionFinishRequest: ControlRequest, Hashable {
    package typealias Reply = SessionReply
    package static let method = "session.finish"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// Whether it is finished.
    package var finished: Bool

    package init(session: String? = nil, finished: Bool) {
        self.session = session
        self.finished = finished
    }
}

/// Forgets a session on this device.
package struct SessionLeaveRequest: ConfirmableOfSession, Hashable {
    package typealias Reply = SessionLeaveReply
    package static let method = "session.leave"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    package var token: String?

    package init(session: String? = nil, token: String? = nil) {
        self.session = session
        self.token = token
    }
}

/// What to ask while some writes are nowhere else; without a question it is left.
package struct SessionLeaveReply: Asking, Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    package var question: Question?

    package init(question: Question? = nil) { self.question = question }
}

/// Joins a session by its code.
package struct JoinRequest: ControlRequest, Hashable {
    package typealias Reply = SessionReply
    package static let method = "session.join"
    package static let isSecret = true

    /// The join code as typed.
    package var code: String
    /// Where to ask, `HOST` or `HOST:PORT`; nil asks whoever announces an invite.
    package var peer: String?

    package init(code: String, peer: String? = nil) {
        self.code = code
        self.peer = peer
    }
}

/// How long an invite stays open, in minutes.
package enum InviteLife {
    /// What nobody has chosen otherwise.
    package static let usual = 30
    /// What can be asked for: at most a day.
    package static let allowed = 1...24 * 60
}

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
