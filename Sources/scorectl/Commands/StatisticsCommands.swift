import SyncProtocol

/// `scorectl results`, `leaders` and `stats`: what has ended on this laptop.
enum StatisticsCommands {
    static var results: Command {
        Command(
            name: "results",
            summary: "the games that have ended, the latest first",
            words: "[GAME]",
            count: 0...1,
            details: ["Those of sessions that were left are kept."],
            action: .run { call throws(ControlError) in
                let reply = try call.call(ResultsRequest(game: call.words.first))
                try call.print(reply, StatisticsPage.lines(reply.results, call.console))
            }
        )
    }

    static var leaders: Command {
        Command(
            name: "leaders",
            summary: "who has won most often, the first three of each game",
            words: "[GAME]",
            count: 0...1,
            details: [
                "People are matched by their names. A game that somebody played alone is no win."
            ],
            options: [CommandOption(name: "all", summary: "everybody")],
            action: .run { call throws(ControlError) in
                let request = LeadersRequest(game: call.words.first, all: call.has("all"))
                let reply = try call.call(request)
                try call.print(reply, StatisticsPage.lines(reply.games))
            }
        )
    }

    static var stats: Command {
        Command(
            name: "stats",
            summary: "what everybody's finished games come to",
            words: "[GAME] or reset GAME",
            count: 0...2,
            details: [
                "'stats reset GAME' lets statistics and leaders start anew, after asking; the list"
                    + " of results stays."
            ],
            options: [
                CommandOption(name: "player", value: "NAME", summary: "only this one"),
                CommandOption(name: "yes", summary: "with reset: do not ask"),
            ],
            examples: [
                ("stats darts --player Ann", "one game, one player"),
                ("stats reset darts", "begin to count anew"),
            ],
            action: .run(stats)
        )
    }

    private static func stats(_ call: Invocation) throws(ControlError) {
        if call.words.first == "reset" { return try reset(call) }
        guard call.words.count < 2 else {
            throw ControlError(.usage, "'stats' does not take '\(call.words[1])'")
        }
        guard !call.has("yes") else { throw ControlError(.usage, "--yes goes with reset") }
        let request = StatsRequest(game: call.words.first, player: call.value("player"))
        let reply = try call.call(request)
        let lines = StatisticsPage.lines(reply.games, columns: call.columns, call.console)
        try call.print(reply, lines)
    }

    private static func reset(_ call: Invocation) throws(ControlError) {
        guard call.words.count == 2 else { throw ControlError(.usage, "say 'stats reset GAME'") }
        guard call.value("player") == nil else {
            throw ControlError(.usage, "statistics are reset for everybody, not for --player")
        }
        let reply = try call.confirmed(StatsResetRequest(game: call.words[1]))
        let count = reply.forgotten
        let words = count == 1 ? "1 result counts" : "\(count) results count"
        try call.print(
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
