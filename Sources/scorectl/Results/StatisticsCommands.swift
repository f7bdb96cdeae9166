import SyncProtocol

/// `scorectl results`, `leaders` and `stats`: what has ended on this laptop.
enum StatisticsCommands {
    static let results = Command(
        name: "results",
        summary: "the games that have ended, the latest first",
        words: "[GAME]",
        details: ["Those of sessions that were left are kept."],
        action: .run { call throws(ControlError) in
            let reply = try call.call(.results, .init(game: call.words.first))
            try call.print(reply, StatisticsPage.lines(reply.results, call.console))
        }
    )

    static let leaders = Command(
        name: "leaders",
        summary: "who has won most often, the first three of each game",
        words: "[GAME]",
        details: [
            "People are matched by their names. A game that somebody played alone is no win."
        ],
        options: [CommandOption("all", "everybody")],
        action: .run { call throws(ControlError) in
            let request = LeadersParameters(game: call.words.first, all: call.has("all"))
            let reply = try call.call(.leaders, request)
            try call.print(reply, StatisticsPage.lines(reply.games))
        }
    )

    static let stats = Command(
        name: "stats",
        summary: "what everybody's finished games come to",
        details: ["Without a command it shows them."],
        examples: [("stats darts --player Ann", "one game, one player")],
        alone: "show",
        action: .group([show, reset])
    )

    private static let show = Command(
        name: "show",
        summary: "averages, records and more, of one game or of all",
        words: "[GAME]",
        options: [
            CommandOption("player NAME", "only this one", kind: .person)
        ],
        action: .run { call throws(ControlError) in
            let request = StatsParameters(game: call.words.first, player: call.value("player"))
            let reply = try call.call(.statistics, request)
            let lines = StatisticsPage.lines(reply.games, columns: call.columns, call.console)
            try call.print(reply, lines)
        }
    )

    private static let reset = Command(
        name: "reset",
        summary: "let statistics and leaders of a game start anew",
        words: "GAME",
        details: ["For everybody, after asking; the list of results stays."],
        options: [.yes],
        examples: [("stats reset darts", "begin to count anew")],
        action: .run(reset)
    )

    private static func reset(_ call: Invocation) throws(ControlError) {
        let reply = try call.callConfirmed(.resetStatistics, .init(game: call.words[0]))
        let count = reply.forgotten
        let words = count == 1 ? "1 result counts" : "\(count) results count"
        try call.confirm(
            reply,
            [
                Line(
                    "Leaders and statistics start anew: \(words) no longer; 'results' lists them"
                        + " still."
                )
            ]
        )
    }
}
