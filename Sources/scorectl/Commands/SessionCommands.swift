import SyncProtocol
import TerminalText

enum SessionCommands {
    static let group = Command(
        usage: "session",
        summary: "the sessions of this laptop: one for each game that is played",
        details: "Without a subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([
            new, list, show, use, rename, option, InviteCommand.command,
            AdmitCommand.command,
            finish, reopen, restore, leave,
        ])
    )

    private static let new = Command(
        usage: "new GAME or --again",
        summary: "start a session and make it the current one",
        otherNames: ["start", "create"],
        arity: 0...1,
        details: "The name of the game may be shortened if it stays unambiguous. Without --player"
            + " the selected people play (see 'people'). Options keep the values of the last"
            + " session of the game on this laptop.\n"
            + "--again starts the next game of the same people in a new session and finishes the"
            + " previous one. The other laptops of that session join by themselves.",
        options: [
            CommandOption("title T", "its title"),
            CommandOption(
                "player NAME",
                "a player; repeat in seat order, or Ann,Bob",
                repeats: true,
                kind: .person
            ),
            CommandOption(
                "me NAME",
                "which of them you are (as last time, or asked on a terminal)",
                kind: .person
            ),
            CommandOption(
                "team TEAM=NAME,...",
                "a team and its players; repeat for each team",
                repeats: true
            ),
            CommandOption("option K=V", "an option of the game", repeats: true),
            CommandOption("fresh", "with the default options of the game"),
        ] + againOptions + [.yes],
        examples: [
            ("session new points", "the simplest sheet: one number for each player"),
            ("session new rounds --title Friday --player Ann,Bob --me Ann", "with two players"),
            ("session new tennis --team Reds=Ann,Cem --team Blues=Bob,Dan", "doubles"),
            ("session new --again --rotate", "the next game; the next player starts"),
        ],
        takesSession: true,
        action: .run(new)
    )

    private static func new(_ call: Invocation) throws(ControlError) {
        var options: [String: String] = [:]
        for option in call.arguments.options["option"] ?? [] {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .usage("--option needs NAME=VALUE, not '\(option)'")
            }
            guard options.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw .usage("option '\(parts[0])' given more than once")
            }
        }
        if call.has("again") { return try startNext(call, options) }
        for option in againOptions where call.has(option.name) {
            throw .usage("--\(option.name) requires --again")
        }
        guard let game = call.words.first else {
            throw .usage("missing argument: GAME (or --again)")
        }
        var request = NewSessionParameters(game: game, title: call.value("title"))
        request.players = call.arguments.options["player"]?.flatMap(TypedNames.names) ?? []
        request.me = call.value("me")
        request.options = options
        if call.has("fresh") { request.fresh = true }
        request.teams = try teams(call.arguments.options["team"])
        let reply = try call.call(.newSession, request)
        call.inform(reply.notes)
        let hint = Line("To invite other laptops: scorectl session invite", .faint)
        try call.confirm(reply, [SessionList.line("Started", reply.session), hint])
        let session = reply.session
        guard session.me == nil, session.players > 1, call.isAttended else { return }
        let me = try PlayerCommands.chosenMe(of: session, try call.connect(), call)
        if let me { call.printLines([me]) }
    }

    /// Parses teams, `TEAM=NAME,NAME`; nil without any.
    private static func teams(_ texts: [String]?) throws(ControlError) -> [TeamParameters]? {
        try texts?.map { text throws(ControlError) in
            let parts = text.split(separator: "=", maxSplits: 1)
            let players = parts.dropFirst().first.map { TypedNames.names(String($0)) }
            guard let team = parts.first, let players, !players.isEmpty else {
                throw .usage("--team needs TEAM=NAME,NAME, not '\(text)'")
            }
            return TeamParameters(name: String(team), players: players)
        }
    }

    private static let list = Command(
        usage: "list",
        summary: "all sessions of this laptop",
        otherNames: ["ls", "sessions"],
        action: .print(.sessions) { reply, _ in SessionList.lines(reply.items) }
    )

    private static let show = Command(
        usage: "show [SESSION]",
        summary: "show one session: its id, game, status and players",
        takesSession: true,
        action: .print(.session) { SessionList.details($0.session, $1.console) }
    )

    private static let use = Command(
        usage: "use SESSION",
        summary: "make a session the current one",
        arity: 1...64,
        details: "A session is named by its title, its id, or the beginning of either, of an id at"
            + " least six digits.",
        action: .confirm(.useSession, { .init(session: $0.words.joined(separator: " ")) }) {
            reply,
            _ in
            [SessionList.line("Switched to", reply.session)]
        }
    )

    private static let rename = Command(
        usage: "rename TITLE",
        summary: "give a session another title",
        arity: 1...64,
        takesSession: true,
        action: .confirm(
            .renameSession,
            { .init(session: $0.session, title: $0.words.joined(separator: " ")) }
        ) { reply, _ in [SessionList.line("Renamed to", reply.session)] }
    )

    private static let finish = Command(
        usage: "finish [SESSION]",
        summary: "mark a session as finished, on all laptops",
        otherNames: ["end", "close"],
        details: "The totals decide who has won, unless you say it: after a tie that was settled at"
            + " the table, when somebody gives up, or in a game that is won or lost by all"
            + " together. 'reopen' takes that back.",
        options: [
            CommandOption(
                "winner NAME",
                "a player or a team who has won; may be repeated",
                repeats: true,
                kind: .player
            ),
            CommandOption("all-won", "all players have won together"),
            CommandOption("all-lost", "all players have lost together"),
            CommandOption("no-winner", "nobody has won; leaders and statistics leave it out"),
        ],
        examples: [
            ("session finish --winner Ann", "Ann has won, whatever the totals"),
            ("session finish --all-lost", "the end of a game played together"),
        ],
        takesSession: true,
        action: finish(true)
    )

    private static let reopen = Command(
        usage: "reopen [SESSION]",
        summary: "reopen a finished session",
        takesSession: true,
        action: finish(false)
    )

    private static func finish(_ isFinished: Bool) -> Command.Action {
        .run { call throws(ControlError) in
            let session = try call.namedSession()
            let verdicts = ["all-won", "all-lost", "no-winner"].filter(call.has)
            let winners = call.arguments.options["winner"] ?? []
            guard verdicts.count + (winners.isEmpty ? 0 : 1) <= 1 else {
                throw .usage("--winner, --all-won, --all-lost and --no-winner rule each other out")
            }
            let request = FinishParameters(session: session, finished: isFinished).with {
                $0.winners = winners.isEmpty ? nil : winners
                $0.verdict = verdicts.first
            }
            let reply = try call.call(.finish, request)
            let verb = isFinished ? "Finished" : "Reopened"
            try call.confirm(reply, [SessionList.line(verb, reply.session)])
            call.inform(reply.notes)
        }
    }

    private static let leave = Command(
        usage: "leave [SESSION]",
        summary: "remove a session from this laptop",
        otherNames: ["rm", "delete"],
        details: "The others keep it, and can invite you again. Asks for confirmation, and"
            + " lists the scores that are on no other laptop.",
        options: [.yes],
        takesSession: true,
        action: .confirm(asking: .leave) { _, _ in [Line("Left the session.")] }
    )

    private static let option = Command(
        usage: "option [NAME=VALUE...]",
        summary: "list or change the options of a session's game",
        details: "Without arguments it lists them. Names and choices may be shortened; NAME=default"
            + " resets an option.",
        examples: [
            ("session option wins=lowest target=100", "change two options"),
            ("session option target=default", "reset the target"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let request = WordsParameters(session: call.session, words: call.words)
            let reply = try call.call(.options, request)
            call.inform(reply.notes)
            let lines = OptionList.lines(reply.options, named: call.words, columns: call.columns)
            try call.print(reply, lines)
        }
    )

    private static let restore = Command(
        usage: "restore [SESSION]",
        summary: "restore the previous sheet of a session",
        details:
            "Restores the previous sheet that this laptop could read, in case someone broke the"
            + " current one. Scores do not change. Asks for confirmation.",
        options: [.yes],
        takesSession: true,
        action: .confirm(asking: .restoreSheet) { reply, _ in
            reply.session.map { [SessionList.line("Restored the sheet of", $0)] } ?? []
        }
    )

    private static let againOptions = [
        CommandOption(
            "again",
            "start the next game: same game, options and players, on all laptops"
        ),
        CommandOption("rotate", "with --again: the next player starts"),
        CommandOption("shuffle", "with --again: a random player starts"),
        CommandOption("replay", "with --again: with the same deal"),
    ]

    /// Starts the next game, after asking if the previous one is not over.
    private static func startNext(
        _ call: Invocation,
        _ options: [String: String]
    ) throws(ControlError) {
        if let word = call.words.first {
            throw .usage("unexpected argument '\(word)': --again starts the same game")
        }
        for name in ["player", "me", "team", "fresh"] where call.has(name) {
            throw .usage("--again and --\(name) exclude each other")
        }
        guard !(call.has("rotate") && call.has("shuffle")) else {
            throw .usage("--rotate and --shuffle exclude each other")
        }
        var request = NextGameParameters(session: call.session)
        request.title = call.value("title")
        request.options = options
        request.rotate = call.has("rotate")
        request.shuffle = call.has("shuffle")
        request.replay = call.has("replay")
        let reply = try call.callConfirmed(.nextGame, request)
        guard let session = reply.session else {
            throw .failed("internal error: the daemon returned no session")
        }
        call.inform(reply.notes)
        let hint = Line("The other laptops join by themselves.", .faint)
        let document = SessionReply(session: session, notes: reply.notes)
        try call.confirm(document, [SessionList.line("Started", session), hint])
    }
}
