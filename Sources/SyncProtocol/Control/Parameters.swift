package import SessionCRDT

// Parameters of calls. `session` is a title, an id or the beginning of either; nil is the current
// session. Optional parameters that are nil are left out of the JSON.

// MARK: Shared

/// A session and, for calls that ask for confirmation, the token of the confirmed question.
package struct SessionParameters: Confirmable {
    package var session: String?
    package var token: String?

    package init(session: String? = nil, token: String? = nil) {
        (self.session, self.token) = (session, token)
    }
}

/// A session, and the arguments typed after the command.
package struct WordsParameters: Document {
    package var session: String?
    package var words: [String]
    /// The player who moves, used only by `play`; nil for this device's player or, if there is
    /// none, the player to move.
    package var player: String?
    /// Options of the move by name, such as `darts` with the value `2`; used only by `play`.
    package var details: [String: String]?
    /// The state that the words were typed for; used only by `score`, `clear` and `play`.
    package var expecting: Expectation?

    package init(session: String? = nil, words: [String] = []) {
        (self.session, self.words) = (session, words)
    }
}

/// A session, and players by name or id, or the beginning of either, of an id at least six digits.
package struct PlayersParameters: Document {
    package var session: String?
    /// The team to join, used only by `player.team`; nil to leave the team.
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

/// People of this device, by name or the beginning of a name.
package struct NamesParameters: Document {
    package var names: [String]

    package init(names: [String]) { self.names = names }
}

/// A game, by id or name or the beginning of either; nil for every game.
package struct GameParameters: Document {
    package var game: String?
    /// The session whose game to show if `game` is nil; used only by `game.show`.
    package var session: String?
    /// A name or the beginning of a name; nil for all people; used only by `stats`.
    package var player: String?
    /// Whether to list all players and not only the first three ranks; used only by `leaders`.
    package var all: Bool?
    /// Whether to add the statistics of each single game; used only by `stats`.
    package var history: Bool?

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
    /// The name and version of the calling program: `scorectl 0.1.0`.
    package var client: String
    package var lowest: Int
    package var highest: Int
    /// The state directory that the caller expects; nil for any.
    ///
    /// A daemon with another state directory refuses with `noDaemon`.
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
    /// The id of the sheet, or the beginning of the id.
    package var game: String
    /// The title; nil for one made from the game and the date.
    package var title: String?
    /// The players in seat order; if empty, the people selected on this device.
    package var players: [String]
    /// The options of the game, as typed.
    package var options: [String: String] = [:]
    /// Whether unspecified options get their defaults instead of the last session's values.
    package var fresh: Bool?
    /// The teams, whose members play too; nil for none.
    package var teams: [TeamParameters]?
    /// The player who the user of this device is, empty for nobody; nil for the same name as last
    /// time, if it plays.
    package var me: String?

    package init(game: String, title: String? = nil, players: [String] = []) {
        (self.game, self.title, self.players) = (game, title, players)
    }
}

/// A team of a new session.
package struct TeamParameters: Document {
    package var name: String
    package var players: [String]

    package init(name: String, players: [String]) { (self.name, self.players) = (name, players) }
}

package struct NextGameParameters: Confirmable {
    /// The previous session.
    package var session: String?
    /// The title; nil for the previous title with the next number: `Friday 2`.
    package var title: String?
    /// The options that differ from the previous session, as typed.
    package var options: [String: String] = [:]
    /// Whether the second player starts, and the one who started before sits last.
    package var rotate = false
    /// Whether the seats are random.
    package var shuffle = false
    /// Whether the same cards are dealt again, if the game deals cards.
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
    /// The lifetime from now; nil for that of the open invite, or ``InviteLife/usual`` if none is
    /// open.
    package var minutes: Int?
    package var close: Bool

    package init(session: String? = nil, minutes: Int? = nil, close: Bool = false) {
        (self.session, self.minutes, self.close) = (session, minutes, close)
    }
}

/// The way to join: exactly one of a join code and a knock.
package struct JoinParameters: Document {
    package var code: String?
    /// The address to ask, `HOST` or `HOST:PORT`; nil asks every device that announces an invite.
    package var peer: String?
    /// The knock whose answer to wait for.
    package var knock: String?

    package init(code: String, peer: String? = nil) { (self.code, self.peer) = (code, peer) }
    package init(knock: String) { self.knock = knock }
}

package struct NearbyParameters: Document {
    /// The laptop whose games to list; nil for all.
    package var laptop: String?
    /// The time to wait for a game if there is none; nil for none.
    package var waitMilliseconds: Int?

    package init(laptop: String? = nil, waitMilliseconds: Int? = nil) {
        (self.laptop, self.waitMilliseconds) = (laptop, waitMilliseconds)
    }
}

/// The place to knock at, as ``Method/nearby`` has listed it.
package struct KnockParameters: Document {
    package var session: String
    package var address: String

    package init(session: String, address: String) {
        (self.session, self.address) = (session, address)
    }
}

package struct WithdrawParameters: Document {
    package var knock: String

    package init(knock: String) { self.knock = knock }
}

package struct AdmitParameters: Document {
    package var session: String?
    /// A knock by its id or by the name of the laptop; nil if only one laptop waits.
    package var knock: String?
    package var answer: KnockAnswer

    package init(session: String? = nil, knock: String? = nil, answer: KnockAnswer) {
        (self.session, self.knock, self.answer) = (session, knock, answer)
    }
}

package struct FinishParameters: Document {
    package var session: String?
    /// True finishes the session, false reopens it.
    package var finished: Bool
    /// The players or teams who have won, if the table says so.
    package var winners: [String]?
    /// `all-won`, `all-lost` or `no-winner`, if the table says so.
    package var verdict: String?

    package init(session: String? = nil, finished: Bool) {
        (self.session, self.finished) = (session, finished)
    }
}

// MARK: Players

package struct AddPlayersParameters: Document {
    package var session: String?
    package var names: [String]
    /// Whether the new players are computer players, for which this device moves; nil means false.
    package var computer: Bool?
    /// The search depth in moves, from 1 to 20; nil is 5.
    package var depth: Int?
    /// The team of the new players; nil for none.
    package var team: String?
    /// Their first round in a game of rounds; nil for the one that is being played.
    package var round: Int?
    /// The points with which they join a game that has begun, as in `StartParameters`; nil for none.
    package var start: String?

    package init(session: String? = nil, names: [String]) {
        (self.session, self.names) = (session, names)
    }
}

package struct StartParameters: Document {
    package var session: String?
    package var player: String
    /// The points to start with: `nothing`, `lowest` (the lowest total of the others), `mean` (the mean
    /// of their totals, rounded) or a number; nil for those of before.
    package var start: String?
    /// The first round of the player, from 1; nil for the one of before.
    package var round: Int?

    package init(session: String? = nil, player: String, start: String? = nil, round: Int? = nil) {
        (self.session, self.player, self.start, self.round) = (session, player, start, round)
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

/// A request from a player's phone: for that player only, and carried out once per id.
package struct PhoneParameters: Document {
    package var session: String?
    /// The id of the player who uses the phone.
    package var player: String
    /// Identifies the submission in all attempts to send it.
    package var id: SubmissionID
    /// The arguments as typed after `play`, or after the player's name: `ROW[.ROUND]=VALUE…`, or
    /// without values for cells to clear.
    package var words: [String]?
    /// Options of a move by name, such as `darts` with the value `2`.
    package var details: [String: String]?
    /// The state that the words were typed for; nil to write in any case.
    package var expecting: Expectation?

    package init(session: String? = nil, player: String, id: SubmissionID, words: [String]? = nil) {
        (self.session, self.player, self.id, self.words) = (session, player, id, words)
    }
}

/// The state that a write was typed for, as its caller saw it.
///
/// If the state is another one by now, nothing is written, and the error has a ``WriteConflict``;
/// or both values are kept, if that was asked for and the value is allowed there.
package struct Expectation: Document {
    /// Cells of the player, as they were seen.
    package var cells: [ExpectedCell]?
    /// The value that each of the written cells must show, as typed; `-` stands for an empty cell.
    package var value: String?
    /// The number of the next turn, as it was seen: the move is for the player's first turn from
    /// this one on.
    package var turn: Int?
    /// The caller's earlier submissions for the player whose effect it had not seen yet.
    package var after: [SubmissionID]?
    /// Whether the value is written beside the present one, as the value of another laptop would
    /// be: everybody sees the conflict and can settle it.
    package var keepsBoth: Bool?

    package init() {}
}

/// A cell as it was seen: its revision, or nil if it was empty.
package struct ExpectedCell: Document {
    package var row: String
    package var round: Int?
    package var revision: String?

    package init(row: String, round: Int? = nil, revision: String? = nil) {
        (self.row, self.round, self.revision) = (row, round, revision)
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
    /// Whether the sheet is only checked, and not added.
    package var check: Bool?

    package init(sheet: String) { self.sheet = sheet }
}

// MARK: Backup, export, import

package struct BackupParameters: Document {
    /// The absolute path of the backup.
    package var file: String
    /// Whether to replace an existing file; nil means false.
    package var replace: Bool?

    package init(file: String, replace: Bool? = nil) { (self.file, self.replace) = (file, replace) }
}

package struct ExportParameters: Document {
    package var session: String?
    /// Whether to include keys, which make everyone who has the file a member.
    package var withKey: Bool

    package init(session: String? = nil, withKey: Bool = false) {
        (self.session, self.withKey) = (session, withKey)
    }
}

package struct ImportParameters: Document {
    /// Whether to check the file and report its effect without importing it.
    package var dryRun: Bool

    package init(dryRun: Bool) { self.dryRun = dryRun }
}

/// Games that were played with another program.
package struct PlayedGamesParameters: Document {
    /// The maximum number of plays in a call.
    package static let maxPlays = 500

    package var plays: [PlayedGame]
    /// Whether to report the effect without adding them.
    package var dryRun: Bool

    package init(_ plays: [PlayedGame], dryRun: Bool) {
        (self.plays, self.dryRun) = (plays, dryRun)
    }
}

package struct PlayedGame: Document {
    package struct Player: Document {
        package var name: String
        package var total: Points
        package var winner: Bool
        package var rank: Int?
        package var team: String?

        package init(name: String, total: Points, winner: Bool) {
            (self.name, self.total, self.winner) = (name, total, winner)
        }
    }

    /// 32 hexadecimal digits, by which a play that is sent again is recognized.
    package var id: String
    /// The name of the game in the other program.
    package var game: String
    /// The number of the game at BoardGameGeek, by which its sheet is found.
    package var bggId: Int64?
    /// The end of the play.
    package var at: Timestamp
    package var minutes: Int64?
    /// The players in seat order.
    package var players: [Player]

    package init(id: String, game: String, at: Timestamp, players: [Player]) {
        (self.id, self.game, self.at, self.players) = (id, game, at, players)
    }
}

/// Complete lines, each with its line feed.
package struct TextParameters: Document {
    package var text: String

    package init(text: String) { self.text = text }
}
