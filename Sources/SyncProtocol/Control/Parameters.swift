// Parameters of calls. `session` is an id, the beginning of one, or a title; nil is the current
// session. Optional parameters are left out of the JSON where they are nil.

// MARK: Shared

/// A session; of calls that ask first, with the token of the question.
package struct SessionParameters: Confirmable {
    package var session: String?
    package var token: String?

    package init(session: String? = nil, token: String? = nil) {
        (self.session, self.token) = (session, token)
    }
}

/// A session, and the words typed after the command.
package struct WordsParameters: Document {
    package var session: String?
    package var words: [String]
    /// The player who moves, only of `play`; nil for this device's player, or if there is none, the
    /// player to move.
    package var player: String?
    /// Values of options of the move, only of `play`: `darts` is `2`.
    package var details: [String: String]?

    package init(session: String? = nil, words: [String] = []) {
        (self.session, self.words) = (session, words)
    }
}

/// A session, and players by name or id, or the beginning of one.
package struct PlayersParameters: Document {
    package var session: String?
    /// The team to join, only of `player.team`; nil for none.
    package var team: String?
    package var players: [String]

    package init(session: String? = nil, team: String? = nil, players: [String]) {
        (self.session, self.team, self.players) = (session, team, players)
    }
}

/// A session, and an address as typed: `HOST` or `HOST:PORT`.
package struct AddressParameters: Document {
    package var session: String?
    package var address: String

    package init(session: String? = nil, address: String) {
        (self.session, self.address) = (session, address)
    }
}

/// People of this device, by name or the beginning of one.
package struct NamesParameters: Document {
    package var names: [String]

    package init(names: [String]) { self.names = names }
}

/// A game, by id or name or the beginning of either; nil for every game.
package struct GameParameters: Document {
    package var game: String?
    /// The session whose game is meant if none is given, only of `game.show`.
    package var session: String?
    /// A name or the beginning of one, only of `stats`; nil for all people.
    package var player: String?
    /// Whether to list all players, and not only the first three ranks; only of `leaders`.
    package var all: Bool?

    package init(game: String? = nil, session: String? = nil) {
        (self.game, self.session) = (game, session)
    }
}

package struct GameConfirmation: Confirmable {
    package var game: String
    package var token: String?
    package var session: String? { nil }

    package init(game: String) { self.game = game }
}

// MARK: The daemon

package struct NegotiateParameters: Document {
    /// The caller with its version: `scorectl 0.1.0`.
    package var client: String
    package var lowest: Int
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

package struct WaitParameters: Document {
    package var session: String?
    package var condition: WaitCondition
    /// The timeout; nil waits without limit.
    package var timeoutMilliseconds: Int?

    package init(session: String? = nil, condition: WaitCondition, timeoutMilliseconds: Int? = nil)
    {
        (self.session, self.condition) = (session, condition)
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// A new name of this device: 1 to 63 bytes.
package struct NameParameters: Document {
    package var name: String

    package init(name: String) { self.name = name }
}

package struct OfflineParameters: Document {
    package var offline: Bool

    package init(offline: Bool) { self.offline = offline }
}

// MARK: Sessions

package struct NewSessionParameters: Document {
    /// The id of the sheet, or the beginning of it.
    package var game: String
    /// The title; nil makes one of the game and the date.
    package var title: String?
    /// In seat order; an empty list seats the selected people of the device.
    package var players: [String]
    /// The options of the game, as typed.
    package var options: [String: String] = [:]
    /// Whether options that are not given have their defaults, not the values of the last session.
    package var fresh: Bool?

    package init(game: String, title: String? = nil, players: [String] = []) {
        (self.game, self.title, self.players) = (game, title, players)
    }
}

package struct NextGameParameters: Confirmable {
    /// The session before.
    package var session: String?
    /// The title; nil counts on from the previous one: `Friday 2`.
    package var title: String?
    /// Options that differ from those before, as typed.
    package var options: [String: String] = [:]
    /// Whether the second seat starts, and the player who started sits last.
    package var rotate = false
    /// Whether the seats are random.
    package var shuffle = false
    /// Whether the same deal is played again, if the rules have one.
    package var replay = false
    package var token: String?

    package init(session: String? = nil) { self.session = session }
}

package struct TitleParameters: Document {
    package var session: String?
    package var title: String

    package init(session: String? = nil, title: String) {
        (self.session, self.title) = (session, title)
    }
}

package struct InviteParameters: Document {
    package var session: String?
    /// The lifetime from now; nil is that of the open invite, or ``InviteLife/usual``.
    package var minutes: Int?
    package var close: Bool

    package init(session: String? = nil, minutes: Int? = nil, close: Bool = false) {
        (self.session, self.minutes, self.close) = (session, minutes, close)
    }
}

package struct JoinParameters: Document {
    package var code: String
    /// The address to ask, `HOST` or `HOST:PORT`; nil asks every device that announces an invite.
    package var peer: String?

    package init(code: String, peer: String? = nil) { (self.code, self.peer) = (code, peer) }
}

package struct FinishParameters: Document {
    package var session: String?
    /// Whether to finish the session; false reopens it.
    package var finished: Bool

    package init(session: String? = nil, finished: Bool) {
        (self.session, self.finished) = (session, finished)
    }
}

// MARK: Players

package struct AddPlayersParameters: Document {
    package var session: String?
    package var names: [String]
    /// Whether they are computer players, for which this device moves; nil is false.
    package var computer: Bool?
    /// The search depth in moves, from 1 to 20; nil is 5.
    package var depth: Int?

    package init(session: String? = nil, names: [String]) {
        (self.session, self.names) = (session, names)
    }
}

package struct RenamePlayerParameters: Document {
    package var session: String?
    package var player: String
    package var name: String

    package init(session: String? = nil, player: String, name: String) {
        (self.session, self.player, self.name) = (session, player, name)
    }
}

package struct PlayerParameters: Document {
    package var session: String?
    package var player: String?

    package init(session: String? = nil, player: String? = nil) {
        (self.session, self.player) = (session, player)
    }
}

// MARK: Scores

package struct HistoryParameters: Document {
    package var session: String?
    /// The player whose cells to list; nil for all.
    package var player: String?
    /// The row to list, `ROW[.ROUND]`; nil for all.
    package var row: String?
    /// The maximum number of entries; nil for all.
    package var limit: Int?

    package init(session: String? = nil, limit: Int? = nil) {
        (self.session, self.limit) = (session, limit)
    }
}

/// A request of a player's phone: for that player only, and carried out once for each id.
package struct PhoneParameters: Document {
    package var session: String?
    /// The id of the player whose phone it is.
    package var player: String
    /// Identifies this submission in all attempts to send it.
    package var id: SubmissionID
    /// The words as typed after `play`, or after the name of the player: `ROW[.ROUND]=VALUE…`.
    package var words: [String]?
    /// Values of options of a move, by name: `darts` is `2`.
    package var details: [String: String]?

    package init(session: String? = nil, player: String, id: SubmissionID, words: [String]? = nil) {
        (self.session, self.player, self.id, self.words) = (session, player, id, words)
    }
}

// MARK: People

package struct RenamePersonParameters: Document {
    package var person: String
    package var name: String

    package init(person: String, name: String) { (self.person, self.name) = (person, name) }
}

package struct SelectParameters: Document {
    /// The names of the people; nil for all.
    package var names: [String]?
    package var selected: Bool

    package init(names: [String]?, selected: Bool) {
        (self.names, self.selected) = (names, selected)
    }
}

// MARK: Games and results

/// A sheet as JSON.
package struct SheetParameters: Document {
    package var sheet: String

    package init(sheet: String) { self.sheet = sheet }
}

// MARK: Backup, export, import

package struct BackupParameters: Document {
    /// The absolute path of the backup.
    package var file: String
    /// Whether it replaces an existing file; nil is false.
    package var replace: Bool?

    package init(file: String, replace: Bool? = nil) { (self.file, self.replace) = (file, replace) }
}

package struct ExportParameters: Document {
    package var session: String?
    /// Whether to include keys: anyone with the file is a member then.
    package var withKey: Bool

    package init(session: String? = nil, withKey: Bool = false) {
        (self.session, self.withKey) = (session, withKey)
    }
}

package struct ImportParameters: Document {
    /// Whether to check only, and report what would change.
    package var dryRun: Bool

    package init(dryRun: Bool) { self.dryRun = dryRun }
}

/// Whole lines, each with its end.
package struct TextParameters: Document {
    package var text: String

    package init(text: String) { self.text = text }
}
