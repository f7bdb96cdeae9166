import SessionCRDT
import SyncProtocol
import TerminalText

enum StatisticsCommands {
    static let results = Command(
        usage: "results [GAME]",
        summary: "list the finished games, the latest first",
        details: "Results of sessions that you left are kept.",
        isPage: true,
        action: .print(.results, { .init(game: $0.words.first) }) {
            StatisticsPage.lines($0.items, $1.console)
        }
    )

    static let leaders = Command(
        usage: "leaders [GAME]",
        summary: "list the players with the most wins in each game",
        details: "People are matched by their names. A game with a single player does not count as"
            + " a win.",
        options: [CommandOption("all", "everyone")],
        isPage: true,
        action: .print(
            .leaders,
            { call in GameParameters(game: call.words.first).with { $0.all = call.has("all") } }
        ) { reply, _ in StatisticsPage.lines(reply.items) }
    )

    static let stats = Command(
        usage: "stats",
        summary: "statistics of the finished games",
        details: "Without a subcommand it prints them.",
        examples: [("stats darts --player Ann", "one game, one player")],
        defaultSubcommand: "show",
        action: .group([show, reset])
    )

    private static let show = Command(
        usage: "show [GAME]",
        summary: "print averages, records and more, for one game or all",
        options: [CommandOption("player NAME", "only this player", kind: .person)],
        isPage: true,
        action: .print(
            .statistics,
            { call in
                GameParameters(game: call.words.first).with { $0.player = call.value("player") }
            }
        ) { StatisticsPage.lines($0.items, columns: $1.columns, $1.console) }
    )

    private static let reset = Command(
        usage: "reset GAME",
        summary: "restart the statistics and leaders of a game",
        details: "Affects all players; asks for confirmation. The list of results is kept.",
        options: [.yes],
        examples: [("stats reset darts", "count from zero")],
        action: .confirm(asking: .resetStatistics, { .init(game: $0.words[0]) }) { reply, _ in
            let results = Plural.text(reply.forgotten, "result")
            return [
                Line("Reset the leaders and statistics of \(results), still listed by 'results'.")
            ]
        }
    )
}

enum StatisticsPage {
    private static let nothing = [
        Line("No finished games yet. A game with an end by its rules counts once it is over, and"),
        Line("any other sheet once you finish it: scorectl session finish"),
    ]

    static func lines(_ results: [ResultSummary], _ console: Console) -> [Line] {
        guard !results.isEmpty else { return nothing }
        let several = Set(results.filter { $0.number > 1 }.map(\.session))
        var table = Table(["Ended", "Game", "Title", "Players"])
        for result in results {
            let number = several.contains(result.session) ? " #\(result.number)" : ""
            var sides = sides(of: result)
            let facts = [
                parts(of: result), ShownVerdict.words(result.verdict), duration(of: result),
            ].compactMap(\.self)
            if !facts.isEmpty { sides += Line(" (\(facts.joined(separator: ", ")))", .faint) }
            table.add([
                Line((result.at?.milliseconds).map(console.date) ?? "–", .faint),
                Line(result.name), Line(TextWidth.truncated(result.title, to: 24) + number),
                sides,
            ])
        }
        return table.lines
    }

    /// Lists teams and single players from the best: `Reds 165★ (Ann 100, Cem 65), Bob 50`.
    private static func sides(of result: ResultSummary) -> Line {
        let players = ranking(result)
        let teams = result.teams.map { team in
            let members = players.filter { team.players.contains($0.id) }
                .map { line in
                    let name = name(line.name, line.computer)
                    return team.together == true ? name : "\(name) \(line.total)"
                }
            let side = side(TextWidth.truncated(team.name, to: 16), team.total, team.winner)
            return (rank: team.rank, line: side + Line(" (\(members.joined(separator: ", ")))"))
        }
        let members = Set(result.teams.flatMap(\.players))
        let alone = players.filter { !members.contains($0.id) }.map { player in
            let name = name(player.name, player.computer)
            return (rank: player.rank ?? .max, line: side(name, player.total, player.winner))
        }
        return Line((teams + alone).sorted(byRank: \.rank).map(\.line), separator: ", ")
    }

    private static func side(_ name: String, _ total: Points, _ isWinner: Bool) -> Line {
        Line("\(name) \(total)") + Line(isWinner ? "★" : "", .good)
    }

    /// Returns how long a game took, such as `42 min`; nil if that is unknown.
    private static func duration(of result: ResultSummary) -> String? {
        result.minutes.map(ResultSummary.words)
    }

    /// Returns the number of parts of a match, such as `3 legs`; nil if the game has none.
    static func parts(of result: ResultSummary) -> String? {
        result.part.map { part in
            "\(result.parts.count) \(result.parts.count == 1 ? part : part + "s")"
        }
    }

    /// Returns the players of a result by rank; tied players in seat order.
    static func ranking(_ result: ResultSummary) -> [ResultLine] {
        result.players.sorted(byRank: \.rank)
    }

    static func lines(_ games: [GameLeaders]) -> [Line] {
        let blocks = games.map { game -> [Line] in
            guard !game.leaders.isEmpty else {
                return [Line(game.name, .strong), Line("  No wins yet.")]
            }
            let units = game.unit + (game.unit.hasSuffix("ch") ? "es" : "s")
            let parts = game.part.map { ["Won", "of \($0)s"] } ?? []
            let counts = ["Wins", "of \(units)"] + parts
            var table = Table([.right("Place"), "Player"] + counts.map { .right($0) })
            for leader in game.leaders {
                let parts = leader.parts.map { [$0.wins, $0.played] } ?? []
                table.add(
                    [Line("\(leader.place)"), Line(name(leader.name, leader.computer), .strong)]
                        + ([leader.wins, leader.played] + parts).map { Line("\($0)") }
                )
            }
            return [Line(game.name, .strong)] + table.lines.map { Line("  ") + $0 }
        }
        return blocks.isEmpty ? nothing : Array(blocks.joined(separator: [Line()]))
    }

    /// Renders a table for each game, with as many people side by side as fit.
    static func lines(_ games: [GameStatistics], columns: Int, _ console: Console) -> [Line] {
        var blocks: [[Line]] = []
        for game in games {
            var head = Line(game.name, .strong)
            if let since = game.since?.milliseconds {
                head += Line(" · since \(console.date(since))")
            }
            guard !game.people.isEmpty else {
                blocks.append([head, Line("  No finished games yet.")])
                continue
            }
            blocks += game.people.inBlocks(columns: columns, table).map { [head] + $0 }
        }
        return blocks.isEmpty ? nothing : Array(blocks.joined(separator: [Line()]))
    }

    private static func table(_ people: [PersonStatistics]) -> [Line] {
        let labels = people.first?.statistics.map(\.label) ?? []
        var rows = [[Line()] + people.map { Line(name($0.name, $0.computer), .strong) }]
        for (index, label) in labels.enumerated() {
            let numbers = people.map { person in
                Line(index < person.statistics.count ? person.statistics[index].value ?? "–" : "–")
            }
            rows.append([Line(label)] + numbers)
        }
        let sides = [Alignment.left] + people.map { _ in Alignment.right }
        return Table.aligned(rows, sides, gap: 2).map { Line("  ") + $0 }
    }

    private static func name(_ name: String, _ isComputer: Bool) -> String {
        TextWidth.truncated(name, to: 16) + (isComputer ? " (computer)" : "")
    }
}
