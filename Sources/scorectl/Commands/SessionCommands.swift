import SyncProtocol

/// `scorectl session …`: the sessions of this laptop.
enum SessionCommands {
    static let group = Command(
        name: "session",
        summary: "the sessions of this laptop: one for each game that is played",
        details: "Without a subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([
            new, list, show, use, rename, OptionCommand.command, InviteCommand.command,
            finish, reopen, RestoreCommand.command, leave,
        ])
    )

    private static let new = Command(
        name: "new",
        summary: "start a session and make it the current one",
        words: "GAME or --again",
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
                "a player; repeat in seat order",
                repeats: true,
                kind: .person
            ),
            CommandOption("option K=V", "an option of the game", repeats: true),
            CommandOption("fresh", "with the default options of the game"),
        ] + AgainCommand.options + [.yes],
        examples: [
            ("session new points", "the simplest sheet: one number for each player"),
            ("session new rounds --title Friday --player Ann --player Bob", "with two players"),
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
                throw ControlError(.usage, "--option needs NAME=VALUE, not '\(option)'")
            }
            guard options.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw ControlError(.usage, "option '\(parts[0])' given more than once")
            }
        }
        if call.has("again") { return try AgainCommand.run(call, options) }
        for option in AgainCommand.options where call.has(option.name) {
            throw ControlError(.usage, "--\(option.name) requires --again")
        }
        guard let game = call.words.first else {
            throw ControlError(.usage, "missing argument: GAME (or --again)")
        }
        var request = NewSessionParameters(game: game, title: call.value("title"))
        request.players = call.arguments.options["player"] ?? []
        request.options = options
        if call.has("fresh") { request.fresh = true }
        let reply = try call.call(.newSession, request)
        call.inform(reply.notes)
        try call.confirm(
            reply,
            [
                SessionList.line("Started", reply.session),
                Line("To invite other laptops: scorectl session invite", .faint),
            ]
        )
    }

    private static var list: Command {
        Command(name: "list", summary: "all sessions of this laptop", action: .run(list))
    }

    private static func list(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(.sessions)
        try call.print(reply, SessionList.lines(reply.items))
    }

    private static let show = Command(
        name: "show",
        summary: "show one session: its id, game, status and players",
        words: "[SESSION]",
        takesSession: true,
        action: .run { call throws(ControlError) in
            let reply = try call.call(.session, .init(session: try call.namedSession()))
            try call.print(reply, SessionList.details(reply.session, call.console))
        }
    )

    private static let use = Command(
        name: "use",
        summary: "make a session the current one",
        words: "SESSION",
        arity: 1...64,
        details: "A session is named by its title, its id, or the beginning of either.",
        action: .run(use)
    )

    private static func use(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(.useSession, .init(session: call.words.joined(separator: " ")))
        try call.confirm(reply, [SessionList.line("Switched to", reply.session)])
    }

    private static let rename = Command(
        name: "rename",
        summary: "give a session another title",
        words: "TITLE",
        arity: 1...64,
        takesSession: true,
        action: .run { call throws(ControlError) in
            let title = call.words.joined(separator: " ")
            let reply = try call.call(.renameSession, .init(session: call.session, title: title))
            try call.confirm(reply, [SessionList.line("Renamed to", reply.session)])
        }
    )

    private static let finish = Command(
        name: "finish",
        summary: "mark a session as finished, on all laptops",
        words: "[SESSION]",
        takesSession: true,
        action: .run { call throws(ControlError) in try finish(call, true) }
    )

    private static let reopen = Command(
        name: "reopen",
        summary: "reopen a finished session",
        words: "[SESSION]",
        takesSession: true,
        action: .run { call throws(ControlError) in try finish(call, false) }
    )

    private static func finish(_ call: Invocation, _ finished: Bool) throws(ControlError) {
        let session = try call.namedSession()
        let reply = try call.call(.finish, .init(session: session, finished: finished))
        try call.confirm(
            reply,
            [SessionList.line(finished ? "Finished" : "Reopened", reply.session)]
        )
        call.inform(reply.notes)
    }

    private static let leave = Command(
        name: "leave",
        summary: "remove a session from this laptop",
        words: "[SESSION]",
        details: "The others keep it, and can invite you again. You are asked first, and told which"
            + " scores are on no other laptop.",
        options: [.yes],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let session = try call.namedSession()
            let reply = try call.callConfirmed(.leave, .init(session: session))
            try call.confirm(reply, [Line("Left the session.")])
        }
    )
}

/// `scorectl session new --again`: the next game of the same people.
enum AgainCommand {
    /// The options that require `--again`.
    static let options = [
        CommandOption(
            "again",
            "start the next game: same game, options and players, on all laptops"
        ),
        CommandOption("rotate", "with --again: the next player starts"),
        CommandOption("shuffle", "with --again: a random player starts"),
        CommandOption("replay", "with --again: with the same deal"),
    ]

    /// Starts the next game, after asking if the previous one is not over.
    static func run(_ call: Invocation, _ options: [String: String]) throws(ControlError) {
        if let word = call.words.first {
            let message = "unexpected argument '\(word)': --again starts the same game"
            throw ControlError(.usage, message)
        }
        for name in ["player", "fresh"] where call.has(name) {
            throw ControlError(.usage, "--again and --\(name) exclude each other")
        }
        guard !(call.has("rotate") && call.has("shuffle")) else {
            throw ControlError(.usage, "--rotate and --shuffle exclude each other")
        }
        var request = NextGameParameters(session: call.session)
        request.title = call.value("title")
        request.options = options
        request.rotate = call.has("rotate")
        request.shuffle = call.has("shuffle")
        request.replay = call.has("replay")
        let reply = try call.callConfirmed(.nextGame, request)
        guard let session = reply.session else {
            throw ControlError(.failed, "internal error: the daemon returned no session")
        }
        call.inform(reply.notes)
        try call.confirm(
            SessionReply(session: session, notes: reply.notes),
            [
                SessionList.line("Started", session),
                Line("The other laptops join by themselves.", .faint),
            ]
        )
    }
}

/// `scorectl session option`: prints and sets the options of a session.
enum OptionCommand {
    static let command = Command(
        name: "option",
        summary: "list or change the options of a session's game",
        words: "[NAME=VALUE...]",
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
}

/// `scorectl session restore`: restores a sheet that was replaced.
enum RestoreCommand {
    static let command = Command(
        name: "restore",
        summary: "restore the previous sheet of a session",
        words: "[SESSION]",
        details: "Use it if someone broke the sheet: the last other one that this laptop could read"
            + " is restored. Scores do not change. You are asked first.",
        options: [.yes],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        let session = try call.namedSession()
        let reply = try call.callConfirmed(.restoreSheet, .init(session: session))
        try call.confirm(
            reply,
            reply.session.map { [SessionList.line("Restored the sheet of", $0)] } ?? []
        )
    }
}
