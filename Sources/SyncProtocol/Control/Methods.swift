/// All calls of the control socket.
///
/// A call declared with `reads` changes nothing, so it may be repeated when its reply was lost. A
/// call declared by its name alone may change something. `Documentation/PROTOCOL.md` has the JSON
/// of both types.
extension Method {
    // MARK: The daemon

    /// Agrees on the version of the control interface; the first call on every connection.
    package static var negotiate: Method<NegotiateParameters, NegotiateReply> {
        .reads("negotiate")
    }
    /// The daemon, its sessions and what is wrong.
    package static var status: Method<NoParameters, StatusReply> { .reads("status") }
    /// Facts about why laptops may not see each other, or scores may not be saved.
    ///
    /// The daemon broadcasts one announcement without a session and checks whether it comes back,
    /// and it rewrites one setting unchanged. It answers within a second.
    package static var diagnosis: Method<NoParameters, Diagnosis> { "diagnosis" }
    /// Answers once the condition holds, or with `timedOut`.
    package static var wait: Method<WaitParameters, Done> { .reads("wait") }
    /// Stops the daemon, after it has said goodbye to its peers.
    package static var stopDaemon: Method<NoParameters, Done> { "daemon.stop" }
    /// Renames this device, which the others see in open sessions at once.
    package static var renameDaemon: Method<NameParameters, DaemonRenameReply> { "daemon.rename" }
    /// Pauses links and announcements, or resumes them.
    package static var setOffline: Method<OfflineParameters, Done> { "daemon.offline" }

    // MARK: Sessions

    /// Creates a session and makes it the current one.
    package static var newSession: Method<NewSessionParameters, SessionReply> { "session.new" }
    /// Starts the next game of the same people: a session with the same game, options and players.
    ///
    /// The session before is marked as finished and points to it, so that every device that holds
    /// it follows by itself.
    package static var nextGame: Method<NextGameParameters, SessionChangeReply> { "session.again" }
    package static var sessions: Method<NoParameters, SessionListReply> { .reads("session.list") }
    package static var session: Method<SessionParameters, SessionReply> { .reads("session.show") }
    /// Makes a session the current one.
    package static var useSession: Method<SessionParameters, SessionReply> { "session.use" }
    package static var renameSession: Method<TitleParameters, SessionReply> { "session.rename" }
    package static var invite: Method<InviteParameters, InviteReply> { "session.invite" }
    package static var join: Method<JoinParameters, SessionReply> {
        .changes("session.join", isSecret: true)
    }
    /// Marks a session as finished, or reopens it.
    package static var finish: Method<FinishParameters, SessionReply> { "session.finish" }
    /// Forgets a session on this device.
    package static var leave: Method<SessionParameters, SessionChangeReply> { "session.leave" }
    /// Restores the previous sheet of a session, if it was replaced, for all members.
    package static var restoreSheet: Method<SessionParameters, SessionChangeReply> {
        "session.restore"
    }
    /// Changes options of a session's game, given as `NAME=VALUE`; without words it lists them.
    package static var options: Method<WordsParameters, SessionOptionReply> { "session.option" }

    // MARK: Players of a session

    package static var players: Method<SessionParameters, PlayersReply> { .reads("player.list") }
    /// Adds players at the end of the order.
    package static var addPlayers: Method<AddPlayersParameters, PlayersReply> { "player.add" }
    /// Hides players; their scores are kept.
    package static var removePlayers: Method<PlayersParameters, PlayersReply> { "player.remove" }
    /// Brings removed players back, with their scores.
    package static var restorePlayers: Method<PlayersParameters, PlayersReply> { "player.restore" }
    package static var renamePlayer: Method<RenamePlayerParameters, PlayersReply> {
        "player.rename"
    }
    /// Seats the players; those left out follow.
    package static var orderPlayers: Method<PlayersParameters, PlayersReply> { "player.order" }
    package static var shufflePlayers: Method<SessionParameters, PlayersReply> { "player.shuffle" }
    /// Chooses the player of this device, for scores without a name; nil chooses none.
    package static var chooseMe: Method<PlayerParameters, PlayersReply> { "player.me" }
    package static var setTeam: Method<PlayersParameters, PlayersReply> { "player.team" }

    // MARK: Scores

    /// Writes scores, `[PLAYER] ROW[.ROUND]=VALUE…`, in one commit.
    package static var score: Method<WordsParameters, WrittenReply> { "score" }
    /// Empties cells, `[PLAYER] ROW[.ROUND]…`, in one commit.
    package static var clear: Method<WordsParameters, WrittenReply> { "clear" }
    /// Settles a conflict: `PLAYER ROW[.ROUND] VALUE`.
    package static var resolve: Method<WordsParameters, WrittenReply> { "resolve" }
    /// Undoes the last command of this device: the cells of one commit, perhaps of several players.
    ///
    /// Options that a move recorded are undone with it only if nothing else is entered. Replies of
    /// computer players are undone with the move that they answered.
    package static var undo: Method<SessionParameters, WrittenReply> { "undo" }
    /// Plays a move in a game that is played move by move, in one commit.
    package static var play: Method<WordsParameters, PlayReply> { "play" }
    /// Clears what the rules of the game call a leg or a game.
    package static var reset: Method<SessionParameters, ResetReply> { "reset" }
    package static var conflicts: Method<SessionParameters, ConflictsReply> { .reads("conflicts") }
    /// Writes of this device and writes that it received, the latest first.
    package static var history: Method<HistoryParameters, HistoryReply> { .reads("history") }

    // MARK: A player's phone

    /// Writes scores that a player's phone entered, in one commit that also marks them as done.
    ///
    /// Unlike `score` it writes for the named player only. A submission that this device already
    /// has, directly or by sync, is not written again.
    package static var phoneScore: Method<PhoneParameters, PhoneReply<WrittenReply>> {
        "phone.score"
    }
    /// Plays a move that a player's phone entered, in one commit that also marks it as done.
    ///
    /// Refused if the move is not that player's, or writes for another player, too.
    package static var phonePlay: Method<PhoneParameters, PhoneReply<PlayReply>> { "phone.play" }
    /// Undoes the last submission of a player's phone on this device that is not undone yet.
    package static var phoneUndo: Method<PhoneParameters, PhoneReply<WrittenReply>> { "phone.undo" }

    // MARK: The score sheet

    package static var show: Method<SessionParameters, ShowReply> { .reads("show") }
    /// Sends the score sheet, and then every change, as `watch.event` notifications.
    ///
    /// A connection watches one session: that of its last call.
    package static var watch: Method<SessionParameters, Done> { .reads("watch") }
    /// The totals after each step of the game.
    package static var chart: Method<SessionParameters, ChartReply> { .reads("chart") }

    // MARK: Peers of a session

    /// The other devices that hold the session, online or not.
    package static var peers: Method<SessionParameters, PeerListReply> { .reads("peer.list") }
    /// Adds an address to those of a session, for networks without broadcast.
    package static var addPeer: Method<AddressParameters, Done> { "peer.add" }
    package static var removePeer: Method<AddressParameters, Done> { "peer.remove" }

    // MARK: People of this device

    package static var people: Method<NoParameters, PeopleReply> { .reads("people.list") }
    /// Adds people, without selecting them.
    package static var addPeople: Method<NamesParameters, PeopleReply> { "people.add" }
    /// Removes people from this device; sessions and results keep them.
    package static var removePeople: Method<NamesParameters, PeopleReply> { "people.remove" }
    /// Renames a person on this device; sessions and results keep the old name.
    package static var renamePerson: Method<RenamePersonParameters, PeopleReply> { "people.rename" }
    /// Selects people for the next session, or deselects them.
    package static var selectPeople: Method<SelectParameters, PeopleReply> { "people.select" }
    /// Puts the selected people into a random order.
    package static var shufflePeople: Method<NoParameters, PeopleReply> { "people.shuffle" }

    // MARK: Games of this device

    package static var games: Method<NoParameters, GameListReply> { .reads("game.list") }
    /// The games that contain all of some words, in any case; each may be a part of a word.
    package static var searchGames: Method<WordsParameters, GameListReply> { .reads("game.search") }
    /// One game, or the game of a session.
    package static var game: Method<GameParameters, GameReply> { .reads("game.show") }
    package static var addGame: Method<SheetParameters, GameChangeReply> { "game.add" }
    /// Removes a game that was added to this device.
    package static var removeGame: Method<GameConfirmation, GameChangeReply> { "game.remove" }

    // MARK: Results of this device

    /// Finished games, of sessions that were left too.
    package static var results: Method<GameParameters, ResultsReply> { .reads("results") }
    package static var leaders: Method<GameParameters, LeadersReply> { .reads("leaders") }
    /// Statistics of people over their finished games.
    package static var statistics: Method<GameParameters, StatsReply> { .reads("stats") }
    /// Forgets what was counted of a game on this device; the sessions stay.
    package static var resetStatistics: Method<GameConfirmation, StatsResetReply> { "stats.reset" }

    // MARK: Backup, export, import

    /// Writes a backup of all that the daemon holds, with the keys, while it runs.
    ///
    /// The reply comes once the backup is on disk and was read back.
    package static var makeBackup: Method<BackupParameters, BackupMakeReply> { "backup.make" }
    /// The backups that the daemon keeps by itself.
    package static var backups: Method<NoParameters, BackupListReply> { "backup.list" }
    /// Starts an export of a session on this connection, in place of one that was started before.
    ///
    /// It is a snapshot of the disk at that moment, released at its end or with the connection.
    package static var startExport: Method<ExportParameters, ExportBeginReply> { "export.begin" }
    package static var nextExport: Method<NoParameters, ExportNextReply> { "export.next" }
    /// Starts an import on this connection, in place of one that was started before.
    package static var startImport: Method<ImportParameters, Done> { "import.begin" }
    /// Sends the next lines of the file; the reply comes once they are checked, and the sessions
    /// that they complete are on disk.
    package static var addImport: Method<TextParameters, ImportReply> { "import.add" }
    /// Ends the file; fails if it is not complete.
    package static var finishImport: Method<NoParameters, ImportReply> { "import.finish" }
}
