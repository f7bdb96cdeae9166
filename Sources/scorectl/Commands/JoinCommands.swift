import ControlSocket
import SyncProtocol
import TerminalText

enum InviteCommand {
    static let command = Command(
        usage: "invite [SESSION]",
        summary: "let other laptops join, with a code or by a knock",
        details: "The code works on the same network until it expires or the invite is closed."
            + " Until then, laptops on the network can also knock, and you let them in (see 'session"
            + " admit'). Laptops that have joined need neither again.",
        options: [
            CommandOption(
                "for TIME",
                "how long from now, such as 2h (\(InviteLife.usual)m, or the time of the open invite)",
                otherNames: ["minutes"]
            ),
            CommandOption("close", "close the invite now"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let time = try call.time("for", in: InviteLife.typed)
            guard time == nil || !call.has("close") else {
                throw .usage("--close and --for exclude each other")
            }
            let request = InviteParameters(
                session: try call.namedSession(),
                minutes: time.map { Int(($0.milliseconds + 59_999) / 60_000) },
                close: call.has("close")
            )
            let reply = try call.call(.invite, request)
            try call.print(reply, lines(reply, call))
            call.inform(reply.notes)
        }
    )

    private static func lines(_ reply: InviteReply, _ call: Invocation) -> [Line] {
        guard let code = reply.code else { return [Line("Invite closed.")] }
        if call.isQuiet { return [Line(code)] }
        let console = call.console
        var lines = [
            Line("The join code:"), Line(), Line("    ") + Line(code, .strong), Line(),
            Line("On the other laptop, on the same network, type:"), Line(),
            Line("    scorectl join \(code)"), Line(),
            Line("or only: scorectl join, and here: scorectl session admit"), Line(),
        ]
        if let expires = reply.expires?.milliseconds {
            let minutes = max(0, expires - console.now() + 30_000) / 60_000
            let time = console.timeOfDay(expires)
            let unit = minutes == 1 ? "minute" : "minutes"
            lines.append(Line("It works until \(time) (\(minutes) \(unit))."))
        }
        lines.append(Line("To stop inviting: scorectl session invite --close", .faint))
        return lines
    }
}

enum AdmitCommand {
    static let command = Command(
        usage: "admit [LAPTOP]",
        summary: "let in a laptop that knocks, or refuse it",
        details: "A laptop that knows no join code can knock while an invite is open. Both screens"
            + " then show the same four symbols: compare them before you say yes, because only then"
            + " nobody is between the two laptops. Laptops that have played with this one show no"
            + " symbols. All laptops of the session can answer.",
        options: [
            CommandOption("no", "refuse it"),
            CommandOption("mute", "refuse it, and ignore its further knocks during this invite"),
            CommandOption("list", "only list the laptops that wait"),
            .yes,
        ],
        examples: [
            ("session admit", "show the symbols of each that waits, and ask"),
            ("session admit bob-laptop --no", "refuse one of several"),
        ],
        takesSession: true,
        action: .run(admit)
    )

    private static func admit(_ call: Invocation) throws(ControlError) {
        guard !(call.has("no") && call.has("mute")) else {
            throw .usage("--no and --mute exclude each other")
        }
        let reply = try call.call(.knocks, .init(session: call.session))
        if call.has("list") { return try call.print(reply, lines(reply.knocks)) }
        let named = call.words.first
        let waiting = reply.knocks.filter { named == nil || $0.laptop == named || $0.id == named }
        guard !waiting.isEmpty else {
            let text = named.map { "\($0) does not wait to be let in" }
            throw .notFound(
                text ?? "no laptop waits to be let in",
                candidates: reply.knocks.map(\.laptop)
            )
        }
        let answer: KnockAnswer = call.has("mute") ? .mute : call.has("no") ? .no : .yes
        guard waiting.count == 1 || answer == .yes && !call.has("yes") && call.mayAsk else {
            throw .usage("several laptops wait; name one", candidates: waiting.map(\.laptop))
        }
        for knock in waiting {
            // Of several, a no to one leaves it waiting and goes on to the next.
            if waiting.count > 1 {
                guard call.isConfirmed(question(about: knock)) else {
                    let refusing = "scorectl session admit \(ShellWord.quoted(knock.laptop)) --no"
                    call.inform("\(knock.laptop) still waits; to refuse it: \(refusing)")
                    continue
                }
            } else if answer == .yes {
                try call.ask(question(about: knock))
            }
            let request = AdmitParameters(
                session: knock.session.id,
                knock: knock.id,
                answer: answer
            )
            let done = try call.call(.admit, request)
            let verb = answer == .yes ? "Let in" : "Refused"
            try call.confirm(done, [Line("\(verb) \(done.laptop).")])
        }
    }

    private static func question(about knock: KnockSummary) -> String {
        guard !knock.symbols.isEmpty else {
            return "Let in \(knock.laptop), which has played with this laptop before?"
        }
        return "\(knock.laptop) shows \(KnockSymbol.text(knock.symbols)). Let it in?"
    }

    static func lines(_ knocks: [KnockSummary]) -> [Line] {
        guard !knocks.isEmpty else { return [Line("No laptop waits to be let in.")] }
        var table = Table(["Laptop", "Symbols", "Session"])
        for knock in knocks {
            table.add([
                Line(TextWidth.truncated(knock.laptop, to: 30)),
                Line(knock.symbols.isEmpty ? "known" : KnockSymbol.text(knock.symbols)),
                Line(TextWidth.truncated(knock.session.title, to: 30)),
            ])
        }
        return table.lines
    }
}

extension KnockSymbol {
    /// The symbols in words, so that they can be read across a table: `anchor, cake, tree, moon`.
    static func text(_ symbols: [KnockSymbol]) -> String {
        symbols.map(\.name).joined(separator: ", ")
    }
}

enum JoinCommand {
    static let command = Command(
        usage: "join [CODE | -]",
        summary: "join a session of another laptop",
        arity: 0...15,
        details:
            "Without a code it lists the laptops on this network that let others in, and knocks"
            + " at the one that you choose: both screens show the same four symbols, and somebody"
            + " there answers. With - the code is read from standard input, so that it appears"
            + " neither in the process list nor in the history of the shell. Case, spaces and dashes"
            + " of a code do not matter.",
        options: [
            CommandOption("from LAPTOP", "knock at this laptop"),
            CommandOption("nearby", "only list the laptops that let others in"),
            CommandOption("peer HOST[:PORT]", "ask this laptop, for networks without broadcast"),
        ],
        examples: [
            ("join", "choose a laptop, or enter a code"),
            ("join 7K3MQ-ZX2RV-9WTPA", "join with the code of the other laptop's invite"),
            ("join --peer 192.168.0.7", "enter the code, then ask only that laptop"),
        ],
        action: .run(join)
    )

    private static func join(_ call: Invocation) throws(ControlError) {
        let ways = ["from", "nearby", "peer"].filter(call.has)
        guard ways.count < 2 else {
            throw .usage("--\(ways[0]) and --\(ways[1]) exclude each other")
        }
        if let name = ["from", "nearby"].first(where: call.has), let word = call.words.first {
            throw .usage("unexpected argument '\(word)': --\(name) needs no code")
        }
        if call.has("nearby") {
            let games = try nearby(call.connect())
            return try call.print(NearbyReply(games), lines(games, now: call.console.now()))
        }
        if let laptop = call.value("from") {
            let client = try call.connect()
            let game = try game(of: laptop, in: nearby(client, of: laptop))
            return try knock(at: game, client, call)
        }
        guard call.words.isEmpty, call.value("peer") == nil, call.console.isInputTerminal,
            !call.isJSON
        else { return try join(with: try code(call), call) }
        try choose(call)
    }

    /// Asks for one of the games nearby, or for a code.
    private static func choose(_ call: Invocation) throws(ControlError) {
        let client = try call.connect()
        let games = try nearby(client)
        for (number, game) in games.enumerated() {
            call.inform("  \(number + 1)  \(text(of: game))")
        }
        call.console.prompt(games.isEmpty ? "Join code:" : "Number, or join code:")
        let answer = call.console.readLine() ?? ""
        if let number = Int(answer), games.indices.contains(number - 1) {
            return try knock(at: games[number - 1], client, call)
        }
        if let number = Int(answer), answer.count < 3 {
            throw .usage(games.isEmpty ? "a join code is missing" : "there is no number \(number)")
        }
        try join(with: try parsed(answer), call)
    }

    // MARK: By a knock

    /// Returns the games with an open invite, those of one laptop if it is named; waits a moment if
    /// there are none, because invites are announced each second.
    private static func nearby(
        _ client: ControlClient,
        of laptop: String? = nil
    ) throws(ControlError) -> [NearbyGame] {
        try client.call(.nearby, NearbyParameters(laptop: laptop, waitMilliseconds: 1_500)).games
    }

    private static func game(
        of laptop: String,
        in games: [NearbyGame]
    ) throws(ControlError) -> NearbyGame {
        guard let game = games.first else {
            throw .notFound(
                "\(laptop) has no open invite on this network",
                hint: "to open one, on \(laptop): scorectl session invite; to see who has one: "
                    + "scorectl join --nearby"
            )
        }
        guard games.count == 1 else {
            throw .usage("\(laptop) has several open invites; choose one: scorectl join")
        }
        return game
    }

    private static func knock(
        at game: NearbyGame,
        _ client: ControlClient,
        _ call: Invocation
    ) throws(ControlError) {
        let request = KnockParameters(session: game.session, address: game.address)
        let knock = try client.call(.knock, request)
        if knock.symbols.isEmpty {
            call.inform("Waiting until somebody at \(knock.laptop) lets this laptop in…")
        } else {
            let symbols = knock.symbols.map {
                call.console.terminal.isUnicode ? "\($0.picture) \($0.name)" : $0.name
            }
            for line in ["", "    " + symbols.joined(separator: "   "), ""] { call.inform(line) }
            call.inform(
                "Waiting until somebody at \(knock.laptop), which shows the same, says yes…"
            )
        }
        let reply = try client.call(
            .join,
            JoinParameters(knock: knock.knock),
            timeoutMilliseconds: 120_000
        )
        try confirm(reply, client, call)
    }

    private static func text(of game: NearbyGame) -> String {
        let name = game.game.isEmpty || game.title.hasPrefix(game.game) ? "" : " (\(game.game))"
        return "\(game.laptop): \(game.title)\(name)"
    }

    private static func lines(_ games: [NearbyGame], now: Int64) -> [Line] {
        guard !games.isEmpty else { return [Line("No laptop on this network lets others in now.")] }
        var table = Table(["Laptop", "Session", "Game", "Joined last"])
        for game in games {
            table.add([
                Line(TextWidth.truncated(game.laptop, to: 30)),
                Line(TextWidth.truncated(game.title, to: 30)),
                Line(TextWidth.truncated(game.game, to: 30)),
                game.lastPlayed.map { Line(Ago.text($0, now: now)) } ?? Line("–", .faint),
            ])
        }
        return table.lines
    }

    // MARK: By a code

    private static func join(
        with code: String,
        _ call: Invocation
    ) throws(ControlError) {
        let client = try call.connect()
        if call.console.isOutputTerminal, !call.isJSON {
            call.inform("Looking for a laptop with this code…")
        }
        // The daemon limits the search; this timeout is for a daemon that hangs.
        let request = JoinParameters(code: code, peer: call.value("peer"))
        let reply = try client.call(.join, request, timeoutMilliseconds: 120_000)
        try confirm(reply, client, call)
    }

    private static func confirm(
        _ reply: JoinReply,
        _ client: ControlClient,
        _ call: Invocation
    ) throws(ControlError) {
        let verb = reply.already == true ? "This laptop is already in" : "Joined"
        let joined = SessionList.line(verb, reply.session)
        let hint = Line("Say who you are: scorectl player me NAME", .faint)
        let isKnown = reply.session.me != nil
        let asks = call.isAttended && !isKnown
        try call.confirm(reply, [joined] + (isKnown || asks ? [] : [hint]))
        if asks {
            call.printLines([try PlayerCommands.chosenMe(of: reply.session, client, call) ?? hint])
        }
    }

    private static func code(_ call: Invocation) throws(ControlError) -> String {
        let words = call.words.joined()
        guard words.isEmpty || words == "-" else { return try parsed(words) }
        if words.isEmpty {
            guard call.console.isInputTerminal else {
                let hint =
                    "pass it as an argument, or - to read standard input, or knock at a laptop"
                throw .usage("missing join code", hint: "\(hint) with --from")
            }
            call.console.prompt("Join code:")
        }
        return try parsed(call.console.readLine() ?? "")
    }

    /// Parses a code, so that a mistyped one is rejected before any laptop is contacted.
    private static func parsed(_ text: String) throws(ControlError) -> String {
        do { return try JoinCode(parsing: text).text } catch { throw .usage("\(error)") }
    }
}
