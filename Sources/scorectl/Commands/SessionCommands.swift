import SyncProtocol

/// `scorectl session …`: the sessions of this laptop and the way into them.
enum SessionCommands {
    static let group = Command(
        name: "session",
        summary: "the games that are played",
        details: ["Without a command it lists them."],
        alone: "list",
        action: .group([
            new, list, show, use, rename, OptionCommand.command, InviteCommand.command,
            finish, reopen, RestoreCommand.command, leave,
        ])
    )

    private static let new = Command(
        name: "new",
        summary: "begin a session and make it the current one",
        words: "GAME or --again",
        arity: 0...1,
        details: [
            "The game may be shortened where that stays unambiguous. Without --player the"
                + " selected people play (see 'people'), and options are as they were last"
                + " time on this laptop.",
            "--again begins the next game of the same people in a session of its own, finishes"
                + " the one before, and every laptop that held that one takes it up by itself.",
        ],
        options: [
            CommandOption("title T", "what to call it"),
            CommandOption("player NAME", "who plays, in seat order", repeats: true, kind: .person),
            CommandOption("option K=V", "an option of the game", repeats: true),
            CommandOption("fresh", "with the usual options of the game"),
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
                throw ControlError(.usage, "--option is NAME=VALUE, not '\(option)'")
            }
            guard options.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw ControlError(.usage, "the option '\(parts[0])' is there twice")
            }
        }
        if call.has("again") { return try AgainCommand.run(call, options) }
        for option in AgainCommand.options where call.has(option.name) {
            throw ControlError(.usage, "--\(option.name) goes with --again")
        }
        guard let game = call.words.first else {
            throw ControlError(.usage, "'session new' needs GAME or --again")
        }
        let request = NewSessionParameters(
            game: game,
            title: call.value("title"),
            players: call.arguments.options["player"] ?? [],
            options: options,
            fresh: call.has("fresh") ? true : nil
        )
        let reply = try call.call(.newSession, request)
        call.inform(reply.notes)
        try call.confirm(
            reply,
            [SessionList.line("Began", reply.session)] + [
                Line("Let others in with: scorectl session invite", .faint)
            ]
        )
    }

    private static var list: Command {
        Command(name: "list", summary: "all sessions of this laptop", action: .run(list))
    }

    private static func list(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(.sessions)
        try call.print(reply, SessionList.lines(reply.sessions))
    }

    private static let show = Command(
        name: "show",
        summary: "one session: its id, game, status and player",
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
        details: ["A session is named by its title, its id, or the beginning of either."],
        action: .run(use)
    )

    private static func use(_ call: Invocation) throws(ControlError) {
        let reply = try call.call(.useSession, .init(session: call.words.joined(separator: " ")))
        try call.confirm(reply, [SessionList.line("Now current:", reply.session)])
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
            try call.confirm(reply, [SessionList.line("Renamed:", reply.session)])
        }
    )

    private static let finish = Command(
        name: "finish",
        summary: "call a session finished, for everybody",
        words: "[SESSION]",
        takesSession: true,
        action: .run { call throws(ControlError) in try finish(call, true) }
    )

    private static let reopen = Command(
        name: "reopen",
        summary: "go on with a finished session",
        words: "[SESSION]",
        takesSession: true,
        action: .run { call throws(ControlError) in try finish(call, false) }
    )

    private static func finish(_ call: Invocation, _ finished: Bool) throws(ControlError) {
        let session = try call.namedSession()
        let reply = try call.call(.finish, .init(session: session, finished: finished))
        try call.confirm(reply, [SessionList.line(finished ? "Finished:" : "Open:", reply.session)])
        if !call.isJSON { for note in reply.notes ?? [] { call.inform(note) } }
    }

    private static let leave = Command(
        name: "leave",
        summary: "forget a session on this laptop",
        words: "[SESSION]",
        details: [
            "The others keep it, and can let you in again. You are asked first, and told what"
                + " of it is on no other laptop."
        ],
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
    /// The options that mean something only here.
    static let options = [
        CommandOption(
            "again",
            "the next game with the same game, options and players, on all laptops"
        ),
        CommandOption("rotate", "with --again: the next player starts"),
        CommandOption("shuffle", "with --again: chance says who starts"),
        CommandOption("replay", "with --again: with the same deal"),
    ]

    /// Begins the next game, after asking where the one before is not over.
    static func run(_ call: Invocation, _ options: [String: String]) throws(ControlError) {
        if let word = call.words.first {
            throw ControlError(.usage, "--again begins the same game, so '\(word)' is too much")
        }
        for name in ["player", "fresh"] where call.has(name) {
            throw ControlError(.usage, "--again and --\(name) exclude each other")
        }
        guard !(call.has("rotate") && call.has("shuffle")) else {
            throw ControlError(.usage, "--rotate and --shuffle exclude each other")
        }
        let request = NextGameParameters(
            session: call.session,
            title: call.value("title"),
            options: options,
            rotate: call.has("rotate"),
            shuffle: call.has("shuffle"),
            replay: call.has("replay")
        )
        let reply = try call.callConfirmed(.nextGame, request)
        guard let session = reply.session else {
            throw ControlError(.failed, "the daemon did not say which session it began")
        }
        call.inform(reply.notes)
        try call.confirm(
            SessionReply(session: session, notes: reply.notes),
            [
                SessionList.line("Began", session),
                Line("The other laptops take it up by themselves.", .faint),
            ]
        )
    }
}

/// `scorectl session option`: what is set for a session, and setting it.
enum OptionCommand {
    static let command = Command(
        name: "option",
        summary: "the options of a session's game, or change them",
        words: "[NAME=VALUE...]",
        details: [
            "Alone it lists them. Names and choices may be shortened; NAME=default goes back."
        ],
        examples: [
            ("session option wins=lowest target=100", "change two options"),
            ("session option target=default", "without a target again"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let request = WordsParameters(session: call.session, words: call.words)
            let reply = try call.call(.options, request)
            call.inform(reply.notes)
            let lines = OptionList.lines(
                reply.options,
                named: call.words,
                columns: call.columns
            )
            try call.print(reply, lines)
        }
    )
}

/// `scorectl session restore`: puts back the sheet that somebody has replaced.
enum RestoreCommand {
    static let command = Command(
        name: "restore",
        summary: "put back a sheet that somebody broke",
        words: "[SESSION]",
        details: [
            "It is the last other one that this laptop could read. Scores are not touched."
                + " You are asked first."
        ],
        options: [.yes],
        takesSession: true,
        action: .run(run)
    )

    private static func run(_ call: Invocation) throws(ControlError) {
        let session = try call.namedSession()
        let reply = try call.callConfirmed(.restoreSheet, .init(session: session))
        try call.confirm(
            reply,
            reply.session.map { [SessionList.line("Put back:", $0)] } ?? []
        )
    }
}
