import SyncProtocol

/// `scorectl results`, `leaders` and `stats`: the finished games of this laptop.
enum StatisticsCommands {
    static let results = Command(
        name: "results",
        summary: "list the finished games, the latest first",
        words: "[GAME]",
        details: "Results of sessions that you left are kept.",
        action: .run { call throws(ControlError) in
            let reply = try call.call(.results, .init(game: call.words.first))
            try call.print(reply, StatisticsPage.lines(reply.items, call.console))
        }
    )

    static let leaders = Command(
        name: "leaders",
        summary: "list the players with the most wins in each game",
        words: "[GAME]",
        details: "People are matched by their names. A game with a single player does not count as"
            + " a win.",
        options: [CommandOption("all", "everyone")],
        action: .run { call throws(ControlError) in
            var request = GameParameters(game: call.words.first)
            request.all = call.has("all")
            let reply = try call.call(.leaders, request)
            try call.print(reply, StatisticsPage.lines(reply.items))
        }
    )

    static let stats = Command(
        name: "stats",
        summary: "statistics of the finished games",
        details: "Without a subcommand it prints them.",
        examples: [("stats darts --player Ann", "one game, one player")],
        defaultSubcommand: "show",
        action: .group([show, reset])
    )

    private static let show = Command(
        name: "show",
        summary: "print averages, records and more, for one game or all",
        words: "[GAME]",
        options: [CommandOption("player NAME", "only this player", kind: .person)],
        action: .run { call throws(ControlError) in
            var request = GameParameters(game: call.words.first)
            request.player = call.value("player")
            let reply = try call.call(.statistics, request)
            let lines = StatisticsPage.lines(reply.items, columns: call.columns, call.console)
            try call.print(reply, lines)
        }
    )

    private static let reset = Command(
        name: "reset",
        summary: "restart the statistics and leaders of a game",
        words: "GAME",
        details: "For everyone, after a question; the list of results stays.",
        options: [.yes],
        examples: [("stats reset darts", "count from zero")],
        action: .run(reset)
    )

    private static func reset(_ call: Invocation) throws(ControlError) {
        let reply = try call.callConfirmed(.resetStatistics, .init(game: call.words[0]))
        let count = reply.forgotten
        let results = count == 1 ? "1 result" : "\(count) results"
        let line = "Reset the leaders and statistics of \(results), still listed by 'results'."
        try call.confirm(reply, [Line(line)])
    }
}
