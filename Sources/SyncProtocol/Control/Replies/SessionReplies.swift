// Replies about sessions and the people in them. `schema` is the version of the JSON documents;
// `notes` are sentences for the user, absent if there are none.

package import SessionCRDT

// MARK: Sessions

package struct SessionReply: Document {
    package var schema = 1
    package var session: SessionSummary
    package var notes: [String]?

    package init(session: SessionSummary, notes: [String]? = nil) {
        (self.session, self.notes) = (session, notes)
    }
}

/// The session of a join code or a knock.
package struct JoinReply: Document {
    package var schema = 1
    package var session: SessionSummary
    /// True if this device was a member before; absent otherwise.
    package var already: Bool?

    package init(session: SessionSummary) { self.session = session }
}

package struct SessionSummary: Document {
    package var id: String
    package var title: String
    /// The id of the sheet; empty until it has arrived.
    package var game: String
    /// The status, `open` or `finished`.
    package var status: String
    /// Whether this is the session that commands use if none is given.
    package var current = false
    package var players = 0
    /// Whether at least one peer is linked, and all linked peers have the same state.
    package var synced = false
    package var peersOnline = 0
    /// The time at which the open invite ends; absent if no invite is open.
    package var inviteExpires: Timestamp?
    /// The player of this device; absent if none is chosen.
    package var me: String?
    /// The options that differ from their defaults; only in replies of `session.show`.
    package var options: [String: Scalar]?

    package init(id: String, title: String, game: String, status: String) {
        (self.id, self.title, self.game, self.status) = (id, title, game, status)
    }
}

package struct NamedSession: Document {
    package var id: String
    package var title: String

    package init(id: String, title: String) { (self.id, self.title) = (id, title) }
}

/// The reply of a call that asks for confirmation: the session after the change, or a question.
package struct SessionChangeReply: ConfirmationReply {
    package var schema = 1
    /// The session after the change; absent with a question, and if the session was left.
    package var session: SessionSummary?
    package var question: Question?
    package var notes: [String]?

    package init(session: SessionSummary? = nil, question: Question? = nil) {
        (self.session, self.question) = (session, question)
    }
}

/// An open invite; both fields are null once it is closed.
package struct InviteReply: Document {
    package var schema = 1
    /// The join code, `XXXXX-XXXXX-XXXXX`.
    @ExplicitNull package var code: String?
    @ExplicitNull package var expires: Timestamp?
    /// Facts that whoever invites may not expect.
    package var notes: [String]?

    package init(code: String? = nil, expires: Timestamp? = nil) {
        (self.code, self.expires) = (code, expires)
    }
}

// MARK: Knocks

package struct NearbyReply: Document {
    package var schema = 1
    package var games: [NearbyGame]

    package init(_ games: [NearbyGame]) { self.games = games }
}

/// A game of another laptop that has an open invite.
package struct NearbyGame: Document {
    package var session: String
    package var title: String
    /// The name of the game.
    package var game: String
    package var laptop: String
    package var address: String
    /// The time of the last joining of the two laptops; absent if they do not know each other.
    package var lastPlayed: Timestamp?

    package init(session: String, title: String, game: String, laptop: String, address: String) {
        (self.session, self.title, self.game) = (session, title, game)
        (self.laptop, self.address) = (laptop, address)
    }
}

/// A knock that waits for an answer.
package struct KnockReply: Document {
    package var schema = 1
    package var knock: String
    package var laptop: String
    package var title: String
    /// The symbols that must be the same on both screens; empty if the two laptops know each other.
    package var symbols: [KnockSymbol] = []
    /// The time of the last joining of the two laptops; absent if symbols must be compared.
    package var lastPlayed: Timestamp?

    package init(knock: String, laptop: String, title: String) {
        (self.knock, self.laptop, self.title) = (knock, laptop, title)
    }
}

package struct KnocksReply: Document {
    package var schema = 1
    package var knocks: [KnockSummary]

    package init(_ knocks: [KnockSummary]) { self.knocks = knocks }
}

/// A laptop that waits to be admitted.
package struct KnockSummary: Document {
    package var id: String
    package var session: NamedSession
    package var laptop: String
    /// The symbols that must be the same on both screens; empty if the two laptops know each other.
    package var symbols: [KnockSymbol]
    /// The time of the last joining of the two laptops; absent if symbols must be compared.
    package var lastPlayed: Timestamp?
    /// The name of the linked laptop at which it waits; absent if that is this one.
    package var at: String?

    package init(_ knock: Knock, in session: NamedSession) {
        (id, self.session, laptop) = (knock.id.description, session, knock.laptop)
        symbols = knock.symbols
        lastPlayed = knock.lastPlayed.map { Timestamp(milliseconds: $0) }
    }
}

package struct AdmitReply: Document {
    package var schema = 1
    package var laptop: String
    package var answer: KnockAnswer

    package init(laptop: String, answer: KnockAnswer) {
        (self.laptop, self.answer) = (laptop, answer)
    }
}

package struct KnownLaptopsReply: Document {
    package var schema = 1
    package var laptops: [KnownLaptopSummary]

    package init(_ laptops: [KnownLaptopSummary]) { self.laptops = laptops }
}

package struct KnownLaptopSummary: Document {
    package var device: String
    package var name: String
    package var lastPlayed: Timestamp

    package init(device: String, name: String, lastPlayed: Timestamp) {
        (self.device, self.name, self.lastPlayed) = (device, name, lastPlayed)
    }
}

/// The lifetime of an invite, in minutes.
package enum InviteLife {
    package static let usual = 30
    package static let allowed = 1...24 * 60
    /// The lifetimes that users may type.
    package static let typed =
        TypedTime(
            Int64(allowed.lowerBound),
            .minutes
        )...TypedTime(Int64(allowed.upperBound), .minutes)
}

package struct SessionOptionReply: Document {
    package var schema = 1
    /// The options, in the order of the sheet.
    package var options: [OptionSummary]
    package var notes: [String]?

    package init(options: [OptionSummary], notes: [String]? = nil) {
        (self.options, self.notes) = (options, notes)
    }
}

package struct OptionSummary: Document {
    package var name: String
    /// The current value; null if the option is disabled.
    package var value: Scalar
    package var `default`: Scalar
    /// A description of the accepted values.
    package var takes: String
    package var help: String

    package init(name: String, value: Scalar, default usual: Scalar, takes: String, help: String) {
        (self.name, self.value, self.default) = (name, value, usual)
        (self.takes, self.help) = (takes, help)
    }
}

// MARK: Players of a session

package struct PlayerSummary: Document {
    package var id: String
    package var name: String
    /// The position in the order, from 1.
    package var seat: Int
    package var removed = false
    package var me = false
    @ExplicitNull package var team: String?
    /// The computer's settings; absent for people.
    package var computer: ComputerSummary?
    /// The first round of a player who joined late; absent for one who plays from the beginning.
    package var since: Int?
    /// The points with which the player started; absent for those of the game.
    package var start: Points?

    package init(id: String, name: String, seat: Int) {
        (self.id, self.name, self.seat) = (id, name, seat)
    }
}

package struct ComputerSummary: Document {
    /// The name of the device that moves for the player.
    package var device: String
    package var here: Bool
    /// The search depth in moves.
    package var depth: Int

    package init(device: String, here: Bool, depth: Int) {
        (self.device, self.here, self.depth) = (device, here, depth)
    }
}

// MARK: Peers of a session

package struct PeerSummary: Document {
    /// The device's id; null for an address from which no device has answered.
    @ExplicitNull package var device: String?
    /// The device's name, or the address.
    package var name: String
    /// The address at which the peer was last reached.
    @ExplicitNull package var address: String?
    package var online = false
    /// Whether the peer has the same state as this device; true for one that is not linked if it is
    /// known to have everything of a finished session.
    package var synced = false
    /// The milliseconds by which the peer's clock is ahead of this device's.
    @ExplicitNull package var clockSkewMs: Int64?
    /// The reason why the peer cannot save the session: `disk-full`, `read-only` or `failed`.
    package var storage: String?
    /// The time at which the peer was last linked.
    @ExplicitNull package var lastSeen: Timestamp?

    package init(device: String? = nil, name: String, address: String? = nil) {
        (self.device, self.name, self.address) = (device, name, address)
    }
}

// MARK: People of this device

/// A person who plays on this device.
package struct PersonSummary: Document {
    package var name: String
    /// The position in the order for the next session, from 1; null if not selected.
    @ExplicitNull package var seat: Int?

    package init(name: String, seat: Int? = nil) { (self.name, self.seat) = (name, seat) }
}
