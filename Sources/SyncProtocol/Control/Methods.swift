/// All calls of the control socket.
///
/// A call declared with `reads` changes nothing, so it may be repeated if its reply is lost. Every
/// other call may change something. `Documentation/PROTOCOL.md` has the JSON of all parameters and
/// replies.
extension Method {
    // MARK: The daemon

    /// Agrees on the version of the control interface; the first call on every connection.
    package static var negotiate: Method<NegotiateParameters, NegotiateReply> {
        .reads("negotiate")
    }
    /// Returns the state of the daemon, its sessions and its alarms.
    package static var status: Method<NoParameters, StatusReply> { .reads("status") }
    /// Returns facts about why laptops may not find each other, or scores may not be saved.
    ///
    /// The daemon broadcasts one announcement without a session and checks whether it comes back,
    /// and it rewrites one setting unchanged. It answers within a second.
    package static var diagnosis: Method<NoParameters, Diagnosis> { "diagnosis" }
    /// Waits until a condition holds; fails with `timedOut` otherwise.
    package static var wait: Method<WaitParameters, Done> { .reads("wait") }
    /// Stops the daemon, after it has said goodbye to its peers.
    package static var stopDaemon: Method<NoParameters, Done> { "daemon.stop" }
    /// Renames this device; peers in open sessions show the new name at once.
    package static var renameDaemon: Method<NameParameters, DaemonRenameReply> { "daemon.rename" }
    /// Pauses links and announcements, or resumes them.
    package static var setOffline: Method<OfflineParameters, Done> { "daemon.offline" }

    // MARK: Sessions

    /// Creates a session and makes it the current one.
    package static var newSession: Method<NewSessionParameters, SessionReply> { "session.new" }
    /// Starts the next game of the same people: a session with the same game, options and players.
    ///
    /// The previous session is marked as finished and names the new one, so that every device that
    /// holds it joins the new one automatically.
    package static var nextGame: Method<NextGameParameters, SessionChangeReply> { "session.again" }
    package static var sessions: Method<NoParameters, SessionListReply> { .reads("session.list") }
    package static var session: Method<SessionParameters, SessionReply> { .reads("session.show") }
    /// Makes a session the current one.
    package static var useSession: Method<SessionParameters, SessionReply> { "session.use" }
    package static var renameSession: Method<TitleParameters, SessionReply> { "session.rename" }
    package static var invite: Method<InviteParameters, InviteReply> { "session.invite" }
    package static var join: Method<JoinParameters, JoinReply> {
        .changes("session.join", isSecret: true)
    }
    /// Lists the games on this network that have an open invite and could be joined by a knock.
    package static var nearby: Method<NearbyParameters, NearbyReply> {
        .reads("session.nearby")
    }
    /// Knocks at a listed game; `session.join` then waits for the answer.
    package static var knock: Method<KnockParameters, KnockReply> { "session.knock" }
    /// Ends a knock of this device that was not answered yet.
    package static var withdraw: Method<WithdrawParameters, Done> { "session.withdraw" }
    /// Lists the laptops that wait to be admitted to a session, at this device or at a linked one.
    package static var knocks: Method<SessionParameters, KnocksReply> { .reads("session.knocks") }
    /// Answers a laptop that waits to be admitted.
    package static var admit: Method<AdmitParameters, AdmitReply> { "session.admit" }
    /// Marks a session as finished, or reopens it.
    package static var finish: Method<FinishParameters, SessionReply> { "session.finish" }
    /// Removes a session from this device.
    package static var leave: Method<SessionParameters, SessionChangeReply> { "session.leave" }
    /// Restores the previous sheet of a session for all members, if the sheet was replaced.
    package static var restoreSheet: Method<SessionParameters, SessionChangeReply> {
        "session.restore"
    }
    /// Changes options of a session's game, given as `NAME=VALUE`; without arguments lists them.
    package static var options: Method<WordsParameters, SessionOptionReply> { "session.option" }

    // MARK: Players of a session

    package static var players: Method<SessionParameters, PlayersReply> { .reads("player.list") }
    /// Adds players at the end of the order.
    package static var addPlayers: Method<AddPlayersParameters, PlayersReply> { "player.add" }
    /// Removes players from the game; their scores are kept.
    package static var removePlayers: Method<PlayersParameters, PlayersReply> { "player.remove" }
    /// Brings removed players back into the game, with their scores.
    package static var restorePlayers: Method<PlayersParameters, PlayersReply> { "player.restore" }
    package static var renamePlayer: Method<RenamePlayerParameters, PlayersReply> {
        "player.rename"
    }
    /// Puts the named players first in the seat order; the remaining ones follow.
    package static var orderPlayers: Method<PlayersParameters, PlayersReply> { "player.order" }
    package static var shufflePlayers: Method<SessionParameters, PlayersReply> { "player.shuffle" }
    /// Sets the player to whom this device's scores belong if no player is named; nil means none.
    package static var chooseMe: Method<PlayerParameters, PlayersReply> { "player.me" }
    package static var setStart: Method<StartParameters, PlayersReply> { "player.start" }
    package static var setTeam: Method<PlayersParameters, PlayersReply> { "player.team" }

    // MARK: Scores

    /// Writes scores, given as `[PLAYER] ROW[.ROUND]=VALUE…`, in one commit.
    package static var score: Method<WordsParameters, WrittenReply> { "score" }
    /// Clears cells, given as `[PLAYER] ROW[.ROUND]…`, in one commit.
    package static var clear: Method<WordsParameters, WrittenReply> { "clear" }
    /// Resolves a conflict, given as `PLAYER ROW[.ROUND] VALUE`.
    package static var resolve: Method<WordsParameters, WrittenReply> { "resolve" }
    /// Undoes the last commit that a command of this device made, possibly for several players.
    ///
    /// Options that a move set are restored with it only if nothing else is entered. A computer
    /// player's reply is undone together with the move before it.
    package static var undo: Method<SessionParameters, WrittenReply> { "undo" }
    /// Plays a move in a game that is played move by move, in one commit.
    package static var play: Method<WordsParameters, PlayReply> { "play" }
    /// Clears the scores of the current leg or game, as the rules of the game define it.
    package static var reset: Method<SessionParameters, ResetReply> { "reset" }
    package static var conflicts: Method<SessionParameters, ConflictsReply> { .reads("conflicts") }
    /// Lists the writes that this device made or received, the latest first.
    package static var history: Method<HistoryParameters, HistoryReply> { .reads("history") }

    // MARK: A player's phone

    /// Writes scores that a player entered on a phone, in one commit that also marks the submission
    /// as done.
    ///
    /// Unlike `score` it writes only for the named player. A submission that this device already
    /// has, directly or by sync, is not written again.
    package static var phoneScore: Method<PhoneParameters, PhoneReply<WrittenReply>> {
        "phone.score"
    }
    /// Plays a move that a player entered on a phone, in one commit that also marks it as done.
    ///
    /// Refused if it is not the player's turn, or if the move also writes for another player.
    package static var phoneClear: Method<PhoneParameters, PhoneReply<WrittenReply>> {
        "phone.clear"
    }

    package static var phonePlay: Method<PhoneParameters, PhoneReply<PlayReply>> { "phone.play" }
    /// Undoes the last submission of a player's phone to this device that is not undone yet.
    package static var phoneUndo: Method<PhoneParameters, PhoneReply<WrittenReply>> { "phone.undo" }

    // MARK: The score sheet

    package static var show: Method<SessionParameters, ShowReply> { .reads("show") }
    /// Sends the score sheet, and then every change, as `watch.event` notifications.
    ///
    /// A connection watches one session at a time: the one of its last call.
    package static var watch: Method<SessionParameters, Done> { .reads("watch") }
    /// Returns the totals after each step of the game.
    package static var chart: Method<SessionParameters, ChartReply> { .reads("chart") }

    // MARK: Peers of a session

    /// Lists the other devices that hold the session, online or not.
    package static var peers: Method<SessionParameters, PeerListReply> { .reads("peer.list") }
    /// Adds an address at which to search for members of a session, for networks without broadcast.
    package static var addPeer: Method<AddressParameters, Done> { "peer.add" }
    package static var removePeer: Method<AddressParameters, Done> { "peer.remove" }

    /// Lists the laptops that this device recognizes, because they have joined a game together.
    package static var knownLaptops: Method<NoParameters, KnownLaptopsReply> {
        .reads("peer.known")
    }
    /// Forgets laptops, by name or id, so that symbols must be compared again.
    package static var forgetLaptops: Method<NamesParameters, KnownLaptopsReply> { "peer.forget" }

    // MARK: People of this device

    package static var people: Method<NoParameters, PeopleReply> { .reads("people.list") }
    /// Adds people to this device, not selected for the next session.
    package static var addPeople: Method<NamesParameters, PeopleReply> { "people.add" }
    /// Removes people from this device; sessions and results keep their names.
    package static var removePeople: Method<NamesParameters, PeopleReply> { "people.remove" }
    /// Renames a person on this device; sessions and results keep the old name.
    package static var renamePerson: Method<RenamePersonParameters, PeopleReply> { "people.rename" }
    /// Selects people for the next session, or deselects them.
    package static var selectPeople: Method<SelectParameters, PeopleReply> { "people.select" }
    /// Puts the selected people into a random order.
    package static var shufflePeople: Method<NoParameters, PeopleReply> { "people.shuffle" }

    // MARK: Games of this device

    package static var games: Method<NoParameters, GameListReply> { .reads("game.list") }
    /// Lists the games that contain all given words, in any case; a word may be part of a longer
    /// one.
    package static var searchGames: Method<WordsParameters, GameListReply> { .reads("game.search") }
    /// Returns a game by name or id, or the game of a session.
    package static var game: Method<GameParameters, GameReply> { .reads("game.show") }
    package static var addGame: Method<SheetParameters, GameChangeReply> { "game.add" }
    /// Removes a game that was added to this device.
    package static var removeGame: Method<GameConfirmation, GameChangeReply> { "game.remove" }

    // MARK: Results of this device

    /// Lists finished games, including those of sessions that were left.
    package static var results: Method<GameParameters, ResultsReply> { .reads("results") }
    /// Adds games that were played with another program, except those that were added before.
    package static var addResults: Method<PlayedGamesParameters, AddedResultsReply> {
        "results.add"
    }
    package static var leaders: Method<GameParameters, LeadersReply> { .reads("leaders") }
    /// Returns the statistics of people over their finished games.
    package static var statistics: Method<GameParameters, StatsReply> { .reads("stats") }
    /// Removes the results of a game from the statistics of this device; the sessions are kept.
    package static var resetStatistics: Method<GameConfirmation, StatsResetReply> { "stats.reset" }

    // MARK: Backup, export, import

    /// Writes a backup of the whole store, including keys, while the daemon runs.
    ///
    /// The reply comes after the backup is on disk and was read back.
    package static var makeBackup: Method<BackupParameters, BackupMakeReply> { "backup.make" }
    /// Lists the backups that the daemon makes automatically.
    package static var backups: Method<NoParameters, BackupListReply> { "backup.list" }
    /// Starts an export of a session on this connection, in place of an export started before.
    ///
    /// The export is a snapshot of the store at that moment, released at its end or when the
    /// connection closes.
    package static var startExport: Method<ExportParameters, ExportBeginReply> { "export.begin" }
    package static var nextExport: Method<NoParameters, ExportNextReply> { "export.next" }
    /// Starts an import on this connection, in place of an import started before.
    package static var startImport: Method<ImportParameters, Done> { "import.begin" }
    /// Adds lines to an import; the reply comes after the lines are checked and the sessions that
    /// they complete are on disk.
    package static var addImport: Method<TextParameters, ImportReply> { "import.add" }
    /// Ends an import; fails if the file is incomplete.
    package static var finishImport: Method<NoParameters, ImportReply> { "import.finish" }
}
