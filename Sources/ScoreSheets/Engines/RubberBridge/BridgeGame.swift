import SessionCRDT

struct BridgeGame: TurnGame {
    let rules: BridgeRules
    var record: TurnRecord<BridgeState>
    var cached: CachedStandings

    var totalLabel: String { "Points" }

    /// Whether the session ended before the rubber.
    private var isAbandoned: Bool { cached.lines.isFinished && !state.isOver }

    /// Returns the lines, by all points; no side leads before the first deal.
    func lines(of book: Book) -> StandingLines {
        let isAbandoned = book.isFinished && !state.isOver
        return StandingLines(book, isOver: state.isOver, mover: nil, canBeBrokenOff: false) {
            seat in
            let total = setup.side(of: seat).map {
                Int64(state.total(of: $0, isAbandoned: isAbandoned))
            }
            return (total ?? 0, turns.isEmpty ? nil : total.map { [$0] })
        }
    }

    var endings: Standings.Endings {
        guard cached.lines.isFinished, !turns.isEmpty else { return .outcomes([]) }
        let players = zip(MatchSide.allCases, setup.sides).map { side, seat in
            let total = Int64(state.total(of: side, isAbandoned: isAbandoned))
            let score: StandingLines.Score = (total, [total])
            return (setup.players[seat], score, BridgeRules.tally(of: state, side))
        }
        return .outcomes([Outcome(at: state.latest, of: players)])
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        _ = try placing(score, in: book)
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        try check(option: option, of: [], areOpen: true, in: book)
    }

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        if let violation = setup.tooFewPlayers { throw violation }
        guard record.openTurn <= Cell.lastRound else { throw setup.words.noTurnLeft }
        let words = move.words.flatMap { $0.split(separator: " ").map(String.init) }
        let (named, deal) = try BridgeDeal.parsed(words)
        let own = move.player.flatMap { setup.seats[$0] }
        guard let seat = named.isEmpty ? own : try setup.seat(named: named) else {
            throw setup.unknownSide(named, asking: "whose contract is it?", example: " 4S +1")
        }
        let player = setup.players[seat]
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        let (after, result) = try playing(deal, by: seat)
        return Played(
            by: player.id,
            writes: [Score(setup.cell(seat, turns.count + 1), .text(deal.spelling))],
            options: setup.recordedByNextTurn,
            notes: [reply(to: deal, result)] + after.notes(isFinished: false)
        )
    }

    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        return try reset(of: book, from: 1) { count in
            "Take back the rubber, which loses \(count) \(count == 1 ? "deal" : "deals")?"
        }
    }
}

extension BridgeGame {
    private static let shownDeals = 12

    /// Returns the reply to a deal: `Reds 4SX+1: 240 below the line, 150 above`.
    private func reply(to deal: BridgeDeal, _ result: BridgeState.Result) -> Note {
        let points = result.points
        let own = [
            points.below > 0 ? "\(points.below) below the line" : nil,
            points.above > 0 ? "\(points.above) above" : nil,
            points.ofDefenders > 0
                ? "\(points.ofDefenders) for \(setup.name(of: result.side.other))" : nil,
        ]
        let words = own.compactMap(\.self).joined(separator: ", ")
        return Note("\(setup.name(of: result.side)) \(deal.spelling): \(words)")
    }

    /// Returns the notes: the end of the rubber and its premiums, or who is vulnerable and has a
    /// part-score.
    func notes(isFinished: Bool) -> [Note] {
        guard setup.tooFewPlayers == nil, !turns.isEmpty else { return [] }
        if let winner = state.winner {
            let games = "\(state.games[winner])–\(state.games[winner.other])"
            return [
                Note("\(setup.name(of: winner)) won the rubber \(games): \(state.rubberPoints)")
            ]
        }
        guard !isFinished else {
            return MatchSide.allCases.flatMap { side -> [Note] in
                let (game, partScore) = state.unfinished(side)
                return [
                    game > 0 ? "\(game) for the only game" : nil,
                    partScore > 0 ? "\(partScore) for a part-score" : nil,
                ]
                .compactMap(\.self)
                .map { Note("unfinished rubber: \(setup.name(of: side)) \($0)") }
            }
        }
        return MatchSide.allCases.flatMap { side -> [Note] in
            let part = state.partScores[side]
            return [
                state.isVulnerable(side) ? "\(setup.name(of: side)) vulnerable" : nil,
                part > 0 ? "\(setup.name(of: side)) \(part) towards the game" : nil,
            ]
            .compactMap(\.self).map { Note($0) }
        }
    }

    var hasPanels: Bool { setup.tooFewPlayers == nil }
    var panels: [Panel] { !hasPanels ? [] : turns.isEmpty ? [table] : [table, deals] }

    private var table: Panel {
        let rows = MatchSide.allCases.map { side in
            Panel.GridRow(
                setup.name(of: side),
                [
                    "\(state.games[side])", state.isVulnerable(side) ? "yes" : "",
                    "\(state.partScores[side])", "\(state.below[side])", "\(state.above[side])",
                ]
            )
        }
        let columns = ["Games", "Vulnerable", "This game", "Below", "Above"]
        let title = state.isOver ? "The rubber is over" : "Deal \(turns.count + 1)"
        var grid = Panel.Grid(title: title, columns: columns, rows: rows)
        grid.isLarge = true
        return .table(grid)
    }

    /// The latest deals, each with the name of the cell in which it can be corrected.
    private var deals: Panel {
        let rows = turns.indices.suffix(BridgeGame.shownDeals).map { index in
            let turn = turns[index]
            let points = turn.result.points
            let deal = turn.move.spelling + (turn.isDisputed ? "*" : "")
            let cells = [points.below, points.above, points.ofDefenders]
            return Panel.GridRow(
                "\(BridgeOptions.row).\(index + 1)",
                [name(turn.seat), deal] + cells.map { $0 > 0 ? "\($0)" : "" }
            )
        }
        let columns = ["Declarer", "Contract", "Below", "Above", "Defenders"]
        return .table("Deals", columns: columns, rows)
    }

    var moveInput: MoveInput {
        MoveInput(
            kind: .text,
            title: "Deal \(turns.count + 1)",
            help: "Your side's contract and result: 4S +1, 3NT X -2, 6H = honours 100."
        )
    }
}
