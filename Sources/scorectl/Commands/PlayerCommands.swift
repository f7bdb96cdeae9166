import ControlSocket
import SessionCRDT
import SyncProtocol
import TerminalText

enum PlayerCommands {
    static let group = Command(
        usage: "player",
        summary: "the players of a session",
        details: "Without a subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([add, remove, restore, rename, list, order, shuffle, team, start, me])
    )

    private static let add = Command(
        usage: "add NAME...",
        summary: "add players at the end of the order",
        kinds: ["NAME": .person],
        details: "Who joins a game of rounds plays from the round that is being played on: nobody"
            + " waits for the rounds before. With --computer this laptop plays for them, in games that have computer players;"
            + " on the other laptops they look like any player.",
        options: [
            CommandOption("computer", "add computer players"),
            CommandOption("depth N", "how many moves ahead they search (5)"),
            CommandOption("team TEAM", "their team"),
            CommandOption("round N", "their first round (the one that is being played)"),
            startOption,
        ],
        examples: [
            ("player add Ann 'Bob the Great'", "two players"),
            ("player add --computer Robo --depth 7", "a strong opponent"),
            ("player add Ann Cem --team Reds", "a pair"),
            ("player add Dee --start mean", "Dee joins with the mean of the totals"),
        ],
        takesSession: true,
        action: change(.addPlayers) { call throws(ControlError) in
            var request = AddPlayersParameters(session: call.session, names: call.words)
            if call.has("computer") { request.computer = true }
            request.depth = try call.number("depth", in: 1...20)
            request.team = call.value("team")
            request.round = try call.number("round", in: 1...1_000_000)
            request.start = call.value("start")
            return request
        }
    )

    private static let remove = Command(
        usage: "remove PLAYER...",
        summary: "hide players; their scores are kept",
        takesSession: true,
        action: change(.removePlayers, named)
    )

    private static let restore = Command(
        usage: "restore PLAYER...",
        summary: "bring removed players back, with their scores",
        kinds: ["PLAYER": .removedPlayer],
        takesSession: true,
        action: change(.restorePlayers, named)
    )

    private static let rename = Command(
        usage: "rename PLAYER NAME",
        summary: "give a player another name",
        takesSession: true,
        action: change(.renamePlayer) {
            .init(session: $0.session, player: $0.words[0], name: $0.words[1])
        }
    )

    private static let list = Command(
        usage: "list",
        summary: "list the players in their order, including removed ones",
        takesSession: true,
        action: .print(.players) { reply, _ in lines(reply.items) }
    )

    private static let order = Command(
        usage: "order PLAYER...",
        summary: "seat the players; those left out follow",
        takesSession: true,
        action: change(.orderPlayers, named)
    )

    private static let shuffle = Command(
        usage: "shuffle",
        summary: "seat the players at random; the first one starts",
        takesSession: true,
        action: .print(.shufflePlayers) { reply, _ in lines(reply.items) }
    )

    private static func change<Value>(
        _ method: Method<Value, PlayersReply>,
        _ parameters: @escaping Command.Action.Parameters<Value>
    ) -> Command.Action {
        .confirm(method, parameters) { reply, _ in lines(reply.items) }
    }

    private static let named: Command.Action.Parameters<PlayersParameters> = {
        .init(session: $0.session, players: $0.words)
    }

    private static let team = Command(
        usage: "team TEAM PLAYER..., or PLAYER... --none",
        summary: "put players into a team",
        arity: 1...65,
        options: [CommandOption("none", "remove them from their teams")],
        examples: [("player team Red Ann Bob", "Ann and Bob play for Red")],
        takesSession: true,
        action: change(.setTeam) { call throws(ControlError) in
            let isNone = call.has("none")
            guard isNone || call.words.count > 1 else {
                throw .usage("missing argument: TEAM PLAYER..., or PLAYER... --none")
            }
            return .init(
                session: call.session,
                team: isNone ? nil : call.words[0],
                players: isNone ? call.words : Array(call.words.dropFirst())
            )
        }
    )

    private static let startOption = CommandOption(
        "start POINTS",
        "what they start with: nothing, lowest, mean or a number",
        kind: .text
    )

    private static let start = Command(
        usage: "start PLAYER [POINTS]",
        summary: "set the points a player starts with: a handicap",
        kinds: ["POINTS": .text],
        details: "POINTS is nothing, lowest, mean (of the totals) or a number: in darts the points"
            + " from which the player counts down, in other games points that the player has"
            + " from the beginning.",
        options: [CommandOption("round N", "the player's first round; 1 for the beginning")],
        examples: [
            ("player start Ann 401", "darts: Ann counts down from 401"),
            ("player start Dee mean --round 3", "Dee joined in round 3"),
        ],
        takesSession: true,
        action: change(.setStart) { call throws(ControlError) in
            .init(
                session: call.session,
                player: call.words[0],
                start: call.words.dropFirst().first,
                round: try call.number("round", in: 1...1_000_000)
            )
        }
    )

    private static let me = Command(
        usage: "me [PLAYER]",
        summary: "set which player you are, for scores without a name",
        details: "Without PLAYER it prints who you are.",
        options: [CommandOption("nobody", "you are not playing, only keeping score")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            guard call.words.isEmpty || !call.has("nobody") else {
                throw .usage("PLAYER and --nobody exclude each other")
            }
            guard call.words.isEmpty, !call.has("nobody") else {
                let request = PlayerParameters(session: call.session, player: call.words.first)
                let reply = try call.call(.chooseMe, request)
                return try call.confirm(reply, lines(reply.items))
            }
            let players = try call.call(.players, .init(session: call.session)).items
            let me = players.first(where: \.me)
            let line =
                me.map { Line("You are ") + Line($0.name, .strong) + Line(".") }
                ?? Line("You have not said which player you are: scorectl player me NAME")
            try call.print(["schema": 1, "player": me] as JSONDocument, [line])
        }
    )

    static func lines(_ players: [PlayerSummary]) -> [Line] {
        guard !players.isEmpty else { return [Line("No players yet: scorectl player add NAME...")] }
        let hasTeams = players.contains { $0.team != nil }
        var table = Table(
            hasTeams ? [.right("Seat"), "Player", "Team", ""] : [.right("Seat"), "Player", ""]
        )
        for player in players {
            var notes = player.me ? ["you"] : []
            if let computer = player.computer {
                notes.append("a computer on \(computer.here ? "this laptop" : computer.device)")
                notes.append("depth \(computer.depth)")
            }
            if let since = player.since { notes.append("from round \(since)") }
            if let start = player.start, start != 0 { notes.append("started with \(start)") }
            if player.removed { notes.append("removed") }
            let name = player.name.lowercased()
            if players.count(where: { $0.name.lowercased() == name }) > 1 {
                // Players of the same name are told apart by the beginning of the id.
                notes.append(String(player.id.prefix(8)))
            }
            var row = [
                Line(player.removed ? "–" : "\(player.seat)"),
                Line(TextWidth.truncated(player.name, to: 32), player.removed ? .faint : .strong),
            ]
            if hasTeams { row.append(Line(TextWidth.truncated(player.team ?? "–", to: 16))) }
            table.add(row + [Line(notes.joined(separator: ", "), .faint)])
        }
        return table.lines
    }

    /// Asks which player the user is, unless that is known, and returns what it is now; nil if the
    /// question was left open.
    ///
    /// A mistyped name is asked for again, but the user is in the session in any case.
    static func chosenMe(
        of session: SessionSummary,
        _ client: ControlClient,
        _ call: Invocation
    ) throws(ControlError) -> Line? {
        var players = try client.call(.players, .init(session: session.id)).items
        let names = players.filter { !$0.removed && $0.computer == nil }.map(\.name)
        for _ in 0..<3 where !names.isEmpty && !players.contains(where: \.me) {
            call.console.prompt(
                "Who are you? \(names.joined(separator: ", ")) (Enter: none of them):"
            )
            guard let answer = call.console.readLine(), !answer.allSatisfy(\.isWhitespace) else {
                break
            }
            do throws(ControlError) {
                let request = PlayerParameters(session: session.id, player: answer)
                players = try client.call(.chooseMe, request).items
            } catch {
                call.inform(error.text)
            }
        }
        return players.first(where: \.me).map { Line("You are \($0.name).") }
    }
}

/// `scorectl people …`: the people who play on this laptop, from session to session.
enum PeopleCommands {
    static let group = Command(
        usage: "people",
        summary: "the people who play on this laptop",
        details: "Names in sessions that you start are remembered; in a session that you joined,"
            + " all names are remembered once you set who you are (see 'player me'). 'session"
            + " new' without --player seats the selected people in their order. Without a"
            + " subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([list, add, importFile, remove, rename, select, unselect, shuffle])
    )

    private static let list = Command(
        usage: "list",
        summary: "list the selected people in their order, then the others",
        action: .print(.people) { reply, _ in lines(reply.items) }
    )

    private static let add = Command(
        usage: "add NAME...",
        summary: "remember people",
        action: change(.addPeople) { .init(names: $0.words.flatMap(TypedNames.names)) }
    )

    private static let importFile = Command(
        usage: "import FILE",
        summary: "remember the people in a file of another program",
        details: "FILE is a list of names, a table (CSV) with a column “name” or “player”, or an"
            + " export of the app BG Stats (JSON). People who are remembered already stay as they"
            + " are.",
        examples: [("people import BGStatsExport.json", "the players of BG Stats")],
        action: .run(runImport)
    )

    private static func runImport(_ call: Invocation) throws(ControlError) {
        let file = call.words[0]
        let names: [String]
        let content = try Files.read(file, atMost: NameFile.bytes + 1)
        do throws(NameFileError) { names = try NameFile.names(in: content) } catch {
            throw .failed("\(file): \(error)")
        }
        let client = try call.connect()
        var people = try client.call(.people).items
        let known = Set(people.map { $0.name.lowercased() })
        let new = names.filter { !known.contains($0.lowercased()) }
        // As many as one call accepts.
        for start in stride(from: 0, to: new.count, by: 100) {
            let some = Array(new[start..<min(start + 100, new.count)])
            people = try client.call(.addPeople, .init(names: some)).items
        }
        let document: JSONDocument = [
            "schema": 1, "added": new, "known": names.count - new.count, "people": people,
        ]
        let already = new.count == names.count ? "" : ", \(names.count - new.count) already known"
        let added = new.count == 1 ? "1 person" : "\(new.count) people"
        try call.print(document, [Line("Added \(added)\(already).")])
    }

    private static let remove = Command(
        usage: "remove NAME...",
        summary: "forget people; sessions and results keep them",
        kinds: ["NAME": .person],
        action: change(.removePeople) { .init(names: $0.words) }
    )

    private static let rename = Command(
        usage: "rename NAME NEW-NAME",
        summary: "give a person another name, from the next game on",
        details: "Played games and their results keep the old name; 'player rename' changes the"
            + " name in a session.",
        action: change(.renamePerson) { .init(person: $0.words[0], name: $0.words[1]) }
    )

    private static let all = CommandOption("all", "everyone")

    private static let select = Command(
        usage: "select NAME... or --all",
        summary: "add people to the next game, in this order",
        kinds: ["NAME": .person],
        arity: 0...64,
        details: "They follow the people who are selected already; to start over: people unselect"
            + " --all.",
        options: [all],
        examples: [("people select Ann Bob", "Ann plays, then Bob")],
        action: select(true)
    )

    private static let unselect = Command(
        usage: "unselect NAME... or --all",
        summary: "remove people from the next game",
        kinds: ["NAME": .person],
        arity: 0...64,
        options: [all],
        action: select(false)
    )

    private static func select(_ isSelected: Bool) -> Command.Action {
        change(.selectPeople) { call throws(ControlError) in
            guard call.words.isEmpty == call.has("all") else {
                throw .usage("missing argument: NAME... or --all")
            }
            return .init(names: call.words.isEmpty ? nil : call.words, selected: isSelected)
        }
    }

    private static let shuffle = Command(
        usage: "shuffle",
        summary: "put the selected people in a random order",
        action: .print(.shufflePeople) { reply, _ in
            let starter = reply.items.first { $0.seat == 1 }
            let head = starter.map {
                Line(TextWidth.truncated($0.name, to: 32), .strong) + Line(" starts.")
            }
            return (head.map { [$0] } ?? []) + lines(reply.items)
        }
    )

    private static func change<Value>(
        _ method: Method<Value, PeopleReply>,
        _ parameters: @escaping Command.Action.Parameters<Value>
    ) -> Command.Action {
        .confirm(method, parameters) { reply, _ in lines(reply.items) }
    }

    static func lines(_ people: [PersonSummary]) -> [Line] {
        guard !people.isEmpty else {
            return [Line("No people are remembered yet: scorectl people add NAME...")]
        }
        var table = Table([.right("Seat"), "Person"])
        for person in people {
            let isSelected = person.seat != nil
            table.add([
                Line(person.seat.map { "\($0)" } ?? "–", isSelected ? .plain : .faint),
                Line(TextWidth.truncated(person.name, to: 32), isSelected ? .strong : .faint),
            ])
        }
        guard people.first?.seat == nil else { return table.lines }
        return table.lines
            + [Line("No one is selected for the next game: scorectl people select NAME...", .faint)]
    }
}
