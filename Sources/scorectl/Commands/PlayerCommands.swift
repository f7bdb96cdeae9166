import SyncProtocol

/// `scorectl player …`: the players of a session.
enum PlayerCommands {
    static let group = Command(
        name: "player",
        summary: "the players of a session",
        details: "Without a subcommand it lists them.",
        defaultSubcommand: "list",
        action: .group([add, remove, restore, rename, list, order, shuffle, team, me])
    )

    private static let add = Command(
        name: "add",
        summary: "add players at the end of the order",
        words: "NAME...",
        kinds: ["NAME": .person],
        details: "With --computer this laptop plays for them, in games that have computer players;"
            + " on the other laptops they look like any player.",
        options: [
            CommandOption("computer", "add computer players"),
            CommandOption("depth N", "how many moves ahead they search (5)"),
        ],
        examples: [
            ("player add Ann 'Bob the Great'", "two players"),
            ("player add --computer Robo --depth 7", "a strong opponent"),
        ],
        takesSession: true,
        action: .run { call throws(ControlError) in
            var request = AddPlayersParameters(session: call.session, names: call.words)
            if call.has("computer") { request.computer = true }
            request.depth = try call.number("depth", in: 1...20)
            try confirm(call, try call.call(.addPlayers, request))
        }
    )

    private static let remove = Command(
        name: "remove",
        summary: "hide players; their scores are kept",
        words: "PLAYER...",
        takesSession: true,
        action: change(.removePlayers)
    )

    private static let restore = Command(
        name: "restore",
        summary: "bring removed players back, with their scores",
        words: "PLAYER...",
        kinds: ["PLAYER": .removedPlayer],
        takesSession: true,
        action: change(.restorePlayers)
    )

    private static let rename = Command(
        name: "rename",
        summary: "give a player another name",
        words: "PLAYER NAME",
        takesSession: true,
        action: .run { call throws(ControlError) in
            let request = RenamePlayerParameters(
                session: call.session,
                player: call.words[0],
                name: call.words[1]
            )
            try confirm(call, try call.call(.renamePlayer, request))
        }
    )

    private static let list = Command(
        name: "list",
        summary: "list the players in their order, including removed ones",
        takesSession: true,
        action: printPlayers(.players)
    )

    private static let order = Command(
        name: "order",
        summary: "seat the players; those left out follow",
        words: "PLAYER...",
        takesSession: true,
        action: change(.orderPlayers)
    )

    private static let shuffle = Command(
        name: "shuffle",
        summary: "seat the players at random; the first one starts",
        takesSession: true,
        action: printPlayers(.shufflePlayers)
    )

    private static func change(
        _ method: Method<PlayersParameters, PlayersReply>
    ) -> Command.Action {
        .run { call throws(ControlError) in
            let request = PlayersParameters(session: call.session, players: call.words)
            try confirm(call, try call.call(method, request))
        }
    }

    private static func printPlayers(
        _ method: Method<SessionParameters, PlayersReply>
    ) -> Command.Action {
        .run { call throws(ControlError) in
            let reply = try call.call(method, .init(session: call.session))
            try call.print(reply, lines(reply.items))
        }
    }

    private static let team = Command(
        name: "team",
        summary: "put players into a team",
        words: "TEAM PLAYER..., or PLAYER... --none",
        arity: 1...65,
        options: [CommandOption("none", "remove them from their teams")],
        examples: [("player team Red Ann Bob", "Ann and Bob play for Red")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            let isNone = call.has("none")
            guard isNone || call.words.count > 1 else {
                throw ControlError(.usage, "missing argument: TEAM PLAYER..., or PLAYER... --none")
            }
            let request = PlayersParameters(
                session: call.session,
                team: isNone ? nil : call.words[0],
                players: isNone ? call.words : Array(call.words.dropFirst())
            )
            try confirm(call, try call.call(.setTeam, request))
        }
    )

    private static let me = Command(
        name: "me",
        summary: "say which player you are, for scores without a name",
        words: "[PLAYER]",
        details: "Without PLAYER it prints who you are.",
        options: [CommandOption("nobody", "you are not playing, only keeping score")],
        takesSession: true,
        action: .run { call throws(ControlError) in
            guard call.words.isEmpty || !call.has("nobody") else {
                throw ControlError(.usage, "PLAYER and --nobody exclude each other")
            }
            guard call.words.isEmpty, !call.has("nobody") else {
                let request = PlayerParameters(session: call.session, player: call.words.first)
                return try confirm(call, try call.call(.chooseMe, request))
            }
            let players = try call.call(.players, .init(session: call.session)).items
            let me = players.first(where: \.me)
            let line =
                me.map { Line("You are ") + Line($0.name, .strong) + Line(".") }
                ?? Line("You have not said which player you are: scorectl player me NAME")
            try call.print(MeDocument(player: ExplicitNull(wrappedValue: me)), [line])
        }
    )

    private struct MeDocument: Encodable {
        let schema = 1
        @ExplicitNull var player: PlayerSummary?
    }

    private static func confirm(_ call: Invocation, _ reply: PlayersReply) throws(ControlError) {
        try call.confirm(reply, lines(reply.items))
    }

    /// The players as a table.
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
            if player.removed { notes.append("removed") }
            let name = player.name.lowercased()
            if players.count(where: { $0.name.lowercased() == name }) > 1 {
                // If names are not unique, the beginning of the id is.
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
}
