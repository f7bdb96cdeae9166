// Parameters of calls. `session` is an id, the beginning of one, or a title; nil is the current
// session. Optional parameters are left out of the JSON where they are nil.

// MARK: Shared

/// A session.
package struct SessionParameters: Codable, Hashable, Sendable {
    package var session: String?

    package init(session: String? = nil) { self.session = session }
}

/// A session, and the words typed after the command.
package struct WordsParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var words: [String]

    package init(session: String? = nil, words: [String] = []) {
        (self.session, self.words) = (session, words)
    }
}

/// A session, and players by name or id, or the beginning of one.
package struct PlayersParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var players: [String]

    package init(session: String? = nil, players: [String]) {
        (self.session, self.players) = (session, players)
    }
}

/// A session, and an address as typed: `HOST` or `HOST:PORT`.
package struct AddressParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var address: String

    package init(session: String? = nil, address: String) {
        (self.session, self.address) = (session, address)
    }
}

/// A session in which something would be lost.
package struct SessionConfirmation: Confirmable, Hashable {
    package var session: String?
    package var token: String?

    package init(session: String? = nil, token: String? = nil) {
        (self.session, self.token) = (session, token)
    }

    /// The session that the user has agreed about, or else the named one.
    package var subject: String? { agreedSession ?? session }
}

/// People of this device, by name or the beginning of one.
package struct NamesParameters: Codable, Hashable, Sendable {
    package var names: [String]

    package init(names: [String]) { self.names = names }
}

/// A game, by id or name or the beginning of either; nil for every game.
package struct GameParameters: Codable, Hashable, Sendable {
    package var game: String?

    package init(game: String? = nil) { self.game = game }
}

/// A game of which something would be lost.
package struct GameConfirmation: Confirmable, Hashable {
    package var game: String
    package var token: String?

    package init(game: String, token: String? = nil) { (self.game, self.token) = (game, token) }
}

// MARK: The daemon

package struct NegotiateParameters: Codable, Hashable, Sendable {
    /// The caller with its version: `scorectl 0.1.0`.
    package var client: String
    /// The lowest version that the caller speaks.
    package var lowest: Int
    /// The highest version that the caller speaks.
    package var highest: Int
    /// The state directory of the daemon that is meant; nil accepts any.
    ///
    /// A daemon with another one refuses with `noDaemon`.
    package var home: String?

    package init(client: String, versions: ClosedRange<Int>, home: String? = nil) {
        (self.client, self.home) = (client, home)
        (lowest, highest) = (versions.lowerBound, versions.upperBound)
    }
}

package struct WaitParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var condition: WaitCondition
    /// Nil waits for ever.
    package var timeoutMilliseconds: Int?

    package init(
        session: String? = nil,
        condition: WaitCondition,
        timeoutMilliseconds: Int? = nil
    ) {
        (self.session, self.condition) = (session, condition)
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// A new name of this device: 1 to 63 bytes.
package struct NameParameters: Codable, Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
}

package struct OfflineParameters: Codable, Hashable, Sendable {
    package var offline: Bool

    package init(offline: Bool) { self.offline = offline }
}

// MARK: Sessions

package struct NewSessionParameters: Codable, Hashable, Sendable {
    /// The id of the sheet, or the beginning of it.
    package var game: String
    /// Nil makes one of the game and the date.
    package var title: String?
    /// In seat order; an empty list seats the selected people of the device.
    package var players: [String]
    /// The options of the game, as typed.
    package var options: [String: String]
    /// Whether other options have their defaults; otherwise they are those of the last session.
    package var fresh: Bool?

    package init(
        game: String,
        title: String? = nil,
        players: [String] = [],
        options: [String: String] = [:],
        fresh: Bool? = nil
    ) {
        (self.game, self.title, self.players) = (game, title, players)
        (self.options, self.fresh) = (options, fresh)
    }
}

package struct NextGameParameters: Confirmable, Hashable {
    /// The session before.
    package var session: String?
    /// Nil counts on from the one before: `Friday 2`.
    package var title: String?
    /// Options that differ from those before, as typed.
    package var options: [String: String]
    /// Whether the second seat starts, and the player who started sits last.
    package var rotate: Bool
    /// Whether the seats are random.
    package var shuffle: Bool
    /// Whether the same deal is played again, where the rules know of one.
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
        (self.session, self.title, self.options) = (session, title, options)
        (self.rotate, self.shuffle, self.replay) = (rotate, shuffle, replay)
        self.token = token
    }

    /// The session that the user has agreed about, or else the named one.
    package var subject: String? { agreedSession ?? session }
}

/// The session to use.
package struct UseParameters: Codable, Hashable, Sendable {
    package var session: String

    package init(session: String) { self.session = session }
}

/// A session and its new title.
package struct TitleParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var title: String

    package init(session: String? = nil, title: String) {
        (self.session, self.title) = (session, title)
    }
}

package struct InviteParameters: Codable, Hashable, Sendable {
    package var session: String?
    /// The lifetime from now; nil is that of the open invite, or ``InviteLife/usual``.
    package var minutes: Int?
    /// Whether to close it now.
    package var close: Bool

    package init(session: String? = nil, minutes: Int? = nil, close: Bool = false) {
        (self.session, self.minutes, self.close) = (session, minutes, close)
    }
}

package struct JoinParameters: Codable, Hashable, Sendable {
    /// The join code as typed.
    package var code: String
    /// `HOST` or `HOST:PORT`; nil asks every device that announces an invite.
    package var peer: String?

    package init(code: String, peer: String? = nil) { (self.code, self.peer) = (code, peer) }
}

package struct FinishParameters: Codable, Hashable, Sendable {
    package var session: String?
    /// False reopens it.
    package var finished: Bool

    package init(session: String? = nil, finished: Bool) {
        (self.session, self.finished) = (session, finished)
    }
}

// MARK: Players

package struct AddPlayersParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var names: [String]
    /// Whether they are computer players, for which this device moves; nil is false.
    package var computer: Bool?
    /// The search depth in moves, from 1 to 20; nil is 5.
    package var depth: Int?

    package init(
        session: String? = nil,
        names: [String],
        computer: Bool? = nil,
        depth: Int? = nil
    ) {
        (self.session, self.names, self.computer, self.depth) = (session, names, computer, depth)
    }
}

package struct RenamePlayerParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var player: String
    package var name: String

    package init(session: String? = nil, player: String, name: String) {
        (self.session, self.player, self.name) = (session, player, name)
    }
}

/// A session and one of its players, or none.
package struct PlayerParameters: Codable, Hashable, Sendable {
    package var session: String?
    package var player: String?

    package init(session: String? = nil, player: String? = nil) {
        (self.session, self.player) = (session, player)
    }
}

package struct TeamParameters: Codable, Hashable, Sendable {
    package var session: String?
    /// Nil for no team.
    package var team: String?
    package var players: [String]

    package init(session: String? = nil, team: String?, players: [String]) {
        (self.session, self.team, self.players) = (session, team, players)
    }
}

// MARK: Scores

package struct PlayParameters: Codable, Hashable, Sendable {
    package var session: String?
    /// The words typed after `play`.
    package var words: [String]
    /// The player who moves; nil for this device's player, or if there is none, the player to move.
    package var player: String?
    /// Values of options of the move, by name: `darts` is `2`.
    package var details: [String: String]

    package init(
        session: String? = nil,
        words: [String],
        player: String? = nil,
        details: [String: String] = [:]
    ) {
        (self.session, self.words, self.player) = (session, words, player)
        self.details = details
    }
}

package struct HistoryParameters: Codable, Hashable, Sendable {
    package var session: String?
    /// Only cells of this player.
    package var player: String?
    /// Only this row, `ROW[.ROUND]`.
    package var row: String?
    /// The maximum number of entries; nil for all.
    package var limit: Int?

    package init(
        session: String? = nil,
        player: String? = nil,
        row: String? = nil,
        limit: Int? = nil
    ) {
        (self.session, self.player, self.row, self.limit) = (session, player, row, limit)
    }
}

/// A request of a player's phone: for that player only, and carried out once for each id.
package protocol PhoneParameters: Codable, Sendable {
    var session: String? { get }
    /// The id of the player whose phone it is.
    var player: String { get }
    /// Identifies this submission in all attempts to send it.
    var id: SubmissionID { get }
}

package struct PhoneScoreParameters: PhoneParameters, Hashable {
    package var session: String?
    package var player: String
    package var id: SubmissionID
    /// As typed after the name of the player: `ROW[.ROUND]=VALUE…`.
    package var words: [String]

    package init(session: String? = nil, player: String, id: SubmissionID, words: [String]) {
        (self.session, self.player, self.id, self.words) = (session, player, id, words)
    }
}

package struct PhonePlayParameters: PhoneParameters, Hashable {
    package var session: String?
    package var player: String
    package var id: SubmissionID
    /// As typed after `play`.
    package var words: [String]
    /// Values of options of the move, by name: `darts` is `2`.
    package var details: [String: String]

    package init(
        session: String? = nil,
        player: String,
        id: SubmissionID,
        words: [String],
        details: [String: String] = [:]
    ) {
        (self.session, self.player, self.id, self.words) = (session, player, id, words)
        self.details = details
    }
}

package struct PhoneUndoParameters: PhoneParameters, Hashable {
    package var session: String?
    package var player: String
    package var id: SubmissionID

    package init(session: String? = nil, player: String, id: SubmissionID) {
        (self.session, self.player, self.id) = (session, player, id)
    }
}

// MARK: People

package struct RenamePersonParameters: Codable, Hashable, Sendable {
    package var person: String
    package var name: String

    package init(person: String, name: String) { (self.person, self.name) = (person, name) }
}

package struct SelectParameters: Codable, Hashable, Sendable {
    /// Nil for all.
    package var names: [String]?
    package var selected: Bool

    package init(names: [String]?, selected: Bool) {
        (self.names, self.selected) = (names, selected)
    }
}

// MARK: Games and results

package struct GameShowParameters: Codable, Hashable, Sendable {
    /// The id or name of a game of this device, or its beginning; nil for that of the session.
    package var game: String?
    package var session: String?

    package init(game: String? = nil, session: String? = nil) {
        (self.game, self.session) = (game, session)
    }
}

/// A sheet as JSON.
package struct SheetParameters: Codable, Hashable, Sendable {
    package var sheet: String

    package init(sheet: String) { self.sheet = sheet }
}

package struct LeadersParameters: Codable, Hashable, Sendable {
    /// Nil for every game.
    package var game: String?
    /// Whether to list everybody, and not only the first three ranks.
    package var all: Bool

    package init(game: String? = nil, all: Bool = false) { (self.game, self.all) = (game, all) }
}

package struct StatsParameters: Codable, Hashable, Sendable {
    /// Nil for every game.
    package var game: String?
    /// A name or the beginning of one; nil for everybody.
    package var player: String?

    package init(game: String? = nil, player: String? = nil) {
        (self.game, self.player) = (game, player)
    }
}

// MARK: Backup, export, import

package struct BackupParameters: Codable, Hashable, Sendable {
    /// The absolute path of the copy.
    package var file: String
    /// Whether it replaces an existing file; nil is false.
    package var replace: Bool?

    package init(file: String, replace: Bool? = nil) { (self.file, self.replace) = (file, replace) }
}

package struct ExportParameters: Codable, Hashable, Sendable {
    package var session: String?
    /// Whether to include keys: anyone with the file is a member then.
    package var withKey: Bool

    package init(session: String? = nil, withKey: Bool = false) {
        (self.session, self.withKey) = (session, withKey)
    }
}

package struct ImportParameters: Codable, Hashable, Sendable {
    /// Whether to check only, and report what would change.
    package var dryRun: Bool

    package init(dryRun: Bool) { self.dryRun = dryRun }
}

/// Whole lines, each with its end.
package struct TextParameters: Codable, Hashable, Sendable {
    package var text: String

    package init(text: String) { self.text = text }
}
