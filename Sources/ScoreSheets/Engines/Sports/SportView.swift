import SessionCRDT

extension SportGame {
    /// Returns the notes: the part or game won last, deuce, a change of ends, what is at stake, the
    /// server.
    func notes(isFinished: Bool) -> [Note] {
        if let winner = match.winner { return [Note(ending(winner))] }
        let next = isFinished ? [] : [match.changesEnds ? "change ends" : nil, set, stake, server]
        return ([won, call] + next).compactMap(\.self).map { Note($0) }
    }

    /// The score as the reply to a player who entered a point; empty after the end of a game.
    var replyToPoint: [Note] {
        guard match.winner == nil, !match.isFresh,
            case .points(let first, let second) = match.score
        else { return [] }
        return [Note(words(first, second))]
    }

    /// Returns the score with the names of both sides: `Ann 30–15 Bob`.
    private func words(_ first: String, _ second: String) -> String {
        "\(setup.name(of: .first)) \(first)–\(second) \(setup.name(of: .second))"
    }

    private var won: String? {
        guard match.isFresh else { return nil }
        if match.games.sum > 0 {
            guard let winner = turns.last?.result.side else { return nil }
            let games = words("\(match.games[.first])", "\(match.games[.second])")
            return "game \(setup.name(of: winner)): \(games)"
        }
        return match.parts.last.map { part in
            "\(setup.name(of: part.winner)) won \(setup.part.rawValue) \(match.parts.count), "
                + SportGame.words(of: part, for: part.winner)
        }
    }

    private var call: String? {
        switch match.score {
        case .points: nil
        case .deuce: "deuce"
        case .decidingPoint: "deuce, the next point decides"
        case .advantage(let side): "advantage \(setup.name(of: side))"
        }
    }

    private var stake: String? {
        match.stake.map { side, stake in
            "\(stake == .match ? "match" : setup.part.rawValue) point \(setup.name(of: side))"
        }
    }

    /// The receiver's choice: that it is due, or what was chosen.
    private var set: String? {
        match.chooser.map { match.choiceWords(setup.name(of: $0)) } ?? match.settingWords
    }

    private var server: String? {
        guard setup.tooFewPlayers == nil, let server = match.server else { return nil }
        guard setup.service.order != .jack || options.scores == .server else {
            return "\(setup.name(of: server)) to throw the jack"
        }
        let number = options.serves.servers > 1 ? ", server \(match.serverNumber)" : ""
        return "\(setup.name(of: server)) to serve" + number
    }

    private func ending(_ winner: MatchSide) -> String {
        let scores = match.parts.map { SportGame.words(of: $0, for: winner) }
        let parts = "\(match.won[winner])–\(match.won[winner.other]): "
        return "\(setup.name(of: winner)) won the match "
            + (scores.count == 1 ? "" : parts) + scores.joined(separator: ", ")
    }

    /// Returns the score of a part from the view of a side: `11–7`, or with the loser's points of
    /// the tie-break `6–7 (5)`.
    private static func words(of part: SportPart, for side: MatchSide) -> String {
        "\(part.score[side])–\(part.score[side.other])"
            + (part.tieBreak.map { " (\($0[part.winner.other]))" } ?? "")
    }

    private static let shownParts = 9
    private static let shownPoints = 8

    var hasPanels: Bool { setup.tooFewPlayers == nil }
    var panels: [Panel] { !hasPanels ? [] : turns.isEmpty ? [table] : [table, latestPoints] }

    var moveInput: MoveInput {
        if let chooser = match.chooser {
            return MoveInput(
                kind: .sides,
                title: "\(setup.name(of: chooser)) chooses",
                words: SportSetting.allCases.map(\.rawValue)
            )
        }
        return MoveInput(
            kind: .sides,
            title: options.most > 1
                ? "Who scored, and how many?"
                : "Who won the \(options.scores == .server ? "rally" : "point")?",
            words: setup.tooFewPlayers == nil ? MatchSide.allCases.map(setup.name) : []
        )
    }

    /// The points of each side in progress, with the games and parts that it has won; none after
    /// the end, and in a match whose total is the points.
    var headlines: [PlayerID: Headline] {
        guard setup.tooFewPlayers == nil, !state.isOver, options.best > 1 || options.hasGames
        else { return [:] }
        let headlines = zip(MatchSide.allCases, setup.sides).map { side, seat in
            let games = options.hasGames ? [counted(match.games[side], "game")] : []
            let parts = options.best > 1 ? [counted(match.won[side], setup.part.rawValue)] : []
            let won = (games + parts).joined(separator: " · ")
            return (setup.players[seat].id, Headline(value: match.cell(of: side), label: won))
        }
        return Dictionary(headlines) { first, _ in first }
    }

    private func counted(_ count: Int, _ unit: String) -> String {
        "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    /// The table, with columns for the parts won, each part, and the points in progress.
    private var table: Panel {
        var columns: [(title: String, cell: (MatchSide) -> String)] = []
        if options.best > 1 {
            columns.append((setup.part.title, { "\(match.won[$0])" }))
        }
        for (index, part) in match.parts.enumerated().suffix(SportGame.shownParts) {
            columns.append(("\(index + 1)", { SportGame.cell(of: part, for: $0) }))
        }
        if !state.isOver {
            if options.hasGames {
                columns.append(("\(match.parts.count + 1)", { "\(match.games[$0])" }))
            }
            let title = match.phase == .tieBreak ? "Tie-break" : "Points"
            columns.append((title, { match.cell(of: $0) }))
        }
        let rows = MatchSide.allCases.map { side in
            let mark = match.server == side ? "> " : "  "
            return Panel.GridRow(mark + setup.name(of: side), columns.map { $0.cell(side) })
        }
        var grid = Panel.Grid(title: title, columns: columns.map(\.title), rows: rows)
        grid.isLarge = true
        return .table(grid)
    }

    /// Returns the score of a side in a part: `7`, or `6(5)` for the loser of a tie-break.
    private static func cell(of part: SportPart, for side: MatchSide) -> String {
        let tieBreak = side == part.winner ? nil : part.tieBreak.map { "(\($0[side]))" }
        return "\(part.score[side])" + (tieBreak ?? "")
    }

    /// The format of the match: `Best of 5 games to 11`.
    private var title: String {
        let points = "to \(options.hasGames ? options.games : options.points)"
        guard options.best > 1 else {
            let isShort = options.hasGames && options.final == .short
            return isShort
                ? "One tie-break to \(match.target.points)" : "One \(setup.part.rawValue) \(points)"
        }
        return "Best of \(options.best) \(setup.part.rawValue)s \(points)"
    }

    /// The latest points with their numbers, which are needed to correct them.
    private var latestPoints: Panel {
        let first = max(turns.count - SportGame.shownPoints, 0)
        var before = record.state(before: UInt32(clamping: first + 1))
        let rows = (first..<turns.count).map { index -> Panel.GridRow in
            let turn = turns[index]
            _ = before.apply(turn, at: index, setup)
            let mark = turn.isDisputed ? "*" : ""
            let won = options.most > 1 ? "\(turn.result.points)" : nil
            var score = words(of: before.match)
            if case .setting(let setting) = turn.move { score = setting.rawValue }
            let cells = [name(turn.seat) + mark, won, score]
            return Panel.GridRow("\(index + 1)", cells.compactMap(\.self))
        }
        return .table(
            "Latest points: number (as in \(SportSetup.row).\(turns.count)), winner, score",
            rows
        )
    }

    private func words(of match: SportMatch) -> String {
        guard !match.isFresh, match.winner == nil else {
            if match.games.sum > 0 {
                return "game, \(match.games[.first])–\(match.games[.second])"
            }
            let part = match.parts.last.map { SportGame.words(of: $0, for: .first) } ?? ""
            return "\(match.options.best > 1 ? setup.part.rawValue : "match"), \(part)"
        }
        switch match.score {
        case .points(let first, let second): return "\(first)–\(second)"
        case .deuce, .decidingPoint: return "deuce"
        case .advantage(let side): return "advantage \(setup.name(of: side))"
        }
    }
}
