import SessionCRDT

/// A match of two sides.
struct SportGame: TurnGame {
    let rules: SportRules
    var record: TurnRecord<SportTurns>
    var kept: KeptStandings

    /// Where the match stands.
    var board: SportStand { stand.match }

    var totalLabel: String {
        let mode = terms.mode
        if mode.best > 1 { return terms.part.title }
        return mode.hasGames ? SportPartWord.game.title : "Points"
    }

    var endings: Standings.Endings { .told(outcomes) }

    /// How everybody stands; nobody leads before a part is won, or a point where there is one part.
    func lines(of book: Book) -> StandingLines {
        let isBegun = SportSide.allCases.contains { board.total(of: $0) > 0 }
        return StandingLines(
            ranking: terms.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: nil,
            showsAbsent: false
        ) { seat in
            let total = terms.side(of: seat).map { Int64(board.total(of: $0)) }
            let merit = isBegun ? total.map { [$0] } : nil
            return StandingLines.Score(total: total ?? 0, merit: merit)
        }
    }

    /// The match once it is over.
    private var outcomes: [Outcome] {
        guard let winner = board.winner else { return [] }
        let outcome = Outcome(
            number: 1,
            at: stand.latest,
            players: zip(SportSide.allCases, terms.sides).map { side, seat in
                PlayerOutcome(
                    player: terms.players[seat].id,
                    name: terms.players[seat].name,
                    isWinner: side == winner,
                    rank: side == winner ? 1 : 2,
                    total: Int64(board.total(of: side)),
                    tally: SportTally.counts(of: board, side)
                )
            }
        )
        return [outcome]
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let read = try SportTerms.move(of: score.value, in: score.cell, by: rules.sheet)
        guard let count = read else { return }
        guard let place = record.place(of: score.cell), place.turn <= record.openTurn,
            place.turn < record.openTurn || !stand.isOver
        else { throw record.reasonBehind }
        // A point that counts for the other side becomes this one's: the later entry counts.
        _ = try record.stand(before: place.turn).result(of: count, by: place.seat, terms)
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        let isOpen = !terms.isRecorded || terms.match.recorded?.mode == nil
        try check(option: option, of: SportMode.options, isOpen: isOpen, in: book)
    }
}

extension SportGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        if let missing = terms.missing { throw missing }
        try move.checkDetails(SportMode.words)
        guard record.openTurn <= Cell.lastRound else { throw terms.violation(.noTurnLeft) }
        let (seat, count) = try entry(of: move)
        let player = terms.players[seat]
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        let after = try playing(count, by: seat).game
        return Played(
            by: player.id,
            writes: [Score(terms.cell(seat, turns.count + 1), .text("\(count)"))],
            options: recordedByNext,
            notes: after.scoreNote + after.notes(isFinished: false)
        )
    }

    /// Who won how many points by the words of a move: `Ann`, `Ann 3`, or of whoever enters it `3`
    /// or `point`.
    private func entry(of move: Move) throws(RuleViolation) -> (seat: Int, count: Int) {
        let words = move.words.flatMap { $0.split(separator: " ").map(String.init) }
        let most = terms.mode.most
        if let seat = try seat(named: words) {
            guard most == 1 else { throw SportRule.countMissing(terms.name(seat)).violation }
            return (seat, 1)
        }
        let own = move.player.flatMap { terms.seats[$0] }
        guard let last = words.last, let count = last == "point" ? 1 : Int(last) else {
            throw refusal(of: words)
        }
        let named = words.dropLast()
        guard let seat = named.isEmpty ? own : try seat(named: Array(named)) else {
            throw refusal(of: Array(named))
        }
        guard (1...most).contains(count) else {
            throw SportRule.tooMany(count, most: most).violation
        }
        return (seat, count)
    }

    /// The side that words name; nil of none.
    private func seat(named words: [String]) throws(RuleViolation) -> Int? {
        let text = words.joined(separator: " ")
        switch Match(text, among: terms.sides, terms.name) {
        case .one(let seat): return seat
        case .none: return nil
        case .many: throw SportRule.ambiguousWinner(text).violation
        }
    }

    /// What to say of words that name no side.
    private func refusal(of words: [String]) -> RuleViolation {
        let names = terms.sides.map(terms.name)
        let text = words.joined(separator: " ")
        guard !text.isEmpty else { return SportRule.winnerMissing(players: names).violation }
        let watching = terms.match.present.filter { terms.side(of: $0) == nil }
        if case .one(let seat) = Match(text, among: watching, terms.name) {
            return SportRule.watches(terms.name(seat), players: terms.whoPlays).violation
        }
        return SportRule.unknownWinner(text, players: names).violation
    }

    /// What the next point records: who plays, and how the match is set.
    private var recordedByNext: [Symbol: Value] {
        guard !terms.isRecorded || terms.match.recorded?.mode == nil else { return [:] }
        let order = TurnOrder(terms.sides.map { terms.players[$0].id }).setting(terms.mode.text)
        return order == terms.match.recorded ? [:] : [TurnOrder.option: .text(order.description)]
    }

    /// The points of the part in progress, and what is written behind them and does not count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        let part = terms.mode.best > 1 ? terms.part.rawValue : "match"
        return try reset(of: book, from: stand.partStart + 1, part: part) { count in
            let lost = "\(count) \(count == 1 ? "point" : "points")"
            let which = terms.mode.best > 1 ? "\(part) \(board.parts.count + 1)" : "the match"
            return "Take back \(which), which loses \(lost)?"
        }
    }
}

extension SportGame {
    /// What is told below the table: what was won last, deuce, ends, what is at stake, who serves.
    func notes(isFinished: Bool) -> [Note] {
        if let endNote { return [.sport(endNote)] }
        let next = isFinished ? [] : [endsNote, stakeNote, serveNote]
        return ([wonNote, callNote] + next).compactMap(\.self).map(Note.sport)
    }

    /// The score that a player is told who has just entered a point; nothing where a game ended.
    var scoreNote: [Note] {
        guard board.winner == nil, board.points.sum > 0,
            case .points(let first, let second) = board.score
        else { return [] }
        return [.sport(.score(sides(first, second)))]
    }

    private func sides(_ first: String, _ second: String) -> SportNote.Sides {
        SportNote.Sides(
            first: terms.name(of: .first),
            firstHas: first,
            second: terms.name(of: .second),
            secondHas: second
        )
    }

    /// The part or the game that the last point won.
    private var wonNote: SportNote? {
        guard board.points.sum == 0 else { return nil }
        if board.games.sum > 0 {
            guard let winner = turns.last?.result.side else { return nil }
            let games = SportSide.allCases.map { "\(board.games[$0])" }
            return .game(terms.name(of: winner), sides(games[0], games[1]))
        }
        return board.parts.last.map { part in
            .part(
                terms.part.rawValue,
                number: board.parts.count,
                winner: terms.name(of: part.winner),
                score: SportGame.words(of: part, for: part.winner)
            )
        }
    }

    private var callNote: SportNote? {
        switch board.score {
        case .points: nil
        case .deuce: .deuce
        case .decidingPoint: .decidingPoint
        case .advantage(let side): .advantage(terms.name(of: side))
        }
    }

    private var endsNote: SportNote? { board.changesEnds ? .ends : nil }

    private var stakeNote: SportNote? {
        board.stake.map { side, stake in
            .stake(stake == .match ? "match" : terms.part.rawValue, terms.name(of: side))
        }
    }

    private var serveNote: SportNote? {
        guard terms.missing == nil, let server = board.server else { return nil }
        let name = terms.name(of: server)
        return terms.service.order == .jack ? .jack(name) : .serve(name)
    }

    private var endNote: SportNote? {
        guard let winner = board.winner else { return nil }
        return .match(
            winner: terms.name(of: winner),
            won: board.won[winner],
            lost: board.won[winner.other],
            scores: board.parts.map { SportGame.words(of: $0, for: winner) }
        )
    }

    /// How a part ended, the points of a side first: `11–7`, `6–7 (5)` with what the loser of the
    /// tie-break had.
    static func words(of part: SportPart, for side: SportSide) -> String {
        "\(part.score[side])–\(part.score[side.other])"
            + (part.tieBreak.map { " (\($0[part.winner.other]))" } ?? "")
    }
}

extension SportGame {
    /// How many of the latest parts stand side by side.
    private static let shownParts = 9
    /// How many of the latest points are listed.
    private static let shownPoints = 8

    /// The table of the match, and the latest points.
    var panels: [Panel] {
        guard terms.missing == nil else { return [] }
        return [.table(table)] + (turns.isEmpty ? [] : [.table(latestPoints)])
    }

    /// Parts won, each part, and the points in progress: a column each.
    private var table: Panel.Grid {
        var columns: [(title: String, cell: (SportSide) -> String)] = []
        if terms.mode.best > 1 {
            columns.append((terms.part.title, { "\(board.won[$0])" }))
        }
        for (index, part) in board.parts.enumerated().suffix(SportGame.shownParts) {
            columns.append(("\(index + 1)", { SportGame.cell(of: part, for: $0) }))
        }
        if !stand.isOver {
            if terms.mode.hasGames {
                columns.append(("\(board.parts.count + 1)", { "\(board.games[$0])" }))
            }
            let title = board.phase == .tieBreak ? "Tie-break" : "Points"
            columns.append((title, { board.cell(of: $0) }))
        }
        return Panel.Grid(
            title: title,
            columns: columns.map(\.title),
            rows: SportSide.allCases.map { side in
                let mark = board.server == side ? "> " : "  "
                return Panel.GridRow(mark + terms.name(of: side), columns.map { $0.cell(side) })
            }
        )
    }

    /// The score of a side in a part, as on a board: `7`, or `6(5)` of who lost a tie-break.
    private static func cell(of part: SportPart, for side: SportSide) -> String {
        let tieBreak = side == part.winner ? nil : part.tieBreak.map { "(\($0[side]))" }
        return "\(part.score[side])" + (tieBreak ?? "")
    }

    /// How the match is set: `Best of 5 games to 11`.
    private var title: String {
        let mode = terms.mode
        let points = "to \(mode.hasGames ? mode.games : mode.points)"
        guard mode.best > 1 else {
            let isShort = mode.hasGames && mode.final == .short
            return isShort
                ? "One tie-break to \(board.target.points)" : "One \(terms.part.rawValue) \(points)"
        }
        return "Best of \(mode.best) \(terms.part.rawValue)s \(points)"
    }

    /// The latest points with their numbers, by which they can be corrected.
    private var latestPoints: Panel.Grid {
        let first = max(turns.count - SportGame.shownPoints, 0)
        var before = record.stand(before: UInt32(clamping: first + 1))
        let rows = (first..<turns.count).map { index -> Panel.GridRow in
            let turn = turns[index]
            _ = before.take(turn, at: index, terms)
            let mark = turn.isDisputed ? "*" : ""
            let won = terms.mode.most > 1 ? "\(turn.result.points)" : nil
            let cells = [terms.name(turn.seat) + mark, won, words(of: before.match)]
            return Panel.GridRow("\(index + 1)", cells.compactMap(\.self))
        }
        return Panel.Grid(
            title: "Latest points: number (as in \(SportTerms.row).\(turns.count)), winner, score",
            columns: [],
            rows: rows
        )
    }

    /// The score after a point, of what was in progress then.
    private func words(of match: SportStand) -> String {
        guard match.points.sum > 0, match.winner == nil else {
            if match.games.sum > 0 {
                return "game, \(match.games[.first])–\(match.games[.second])"
            }
            let part = match.parts.last.map { SportGame.words(of: $0, for: .first) } ?? ""
            return "\(match.mode.best > 1 ? terms.part.rawValue : "match"), \(part)"
        }
        switch match.score {
        case .points(let first, let second): return "\(first)–\(second)"
        case .deuce, .decidingPoint: return "deuce"
        case .advantage(let side): return "advantage \(terms.name(of: side))"
        }
    }
}
