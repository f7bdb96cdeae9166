import SessionCRDT

/// What a table of Smash Up shows.
extension SmashUpTable {
    /// The lines below the table.
    func notes(isFinished: Bool) -> [Note] {
        guard !isSettled else { return ending(kept.lines.lines).map(Note.smashUp) }
        if terms.deal != nil, !terms.isRevealed { return [.smashUp(.hidden)] }
        guard !game.leaders.isEmpty else { return [] }
        return [.smashUp(.stillTied(game.leaders.map(name)))]
    }

    /// Who won, and what can follow.
    private func ending(_ players: [StandingLines.Line]) -> [SmashUpNote] {
        let next: [SmashUpNote] = game.isOver ? [.next] : []
        let winners = players.filter { $0.rank == 1 }
        guard let total = winners.first?.total else { return next }
        return [.won(winners.map(\.player.name), total: total)] + next
    }

    /// The score board, and the sets that are dealt from.
    var panels: [Panel] { [.table(board), terms.deal == nil ? terms.sets : terms.setsOfDeal] }

    /// The points of everybody at the table, and what they play.
    var board: Panel.Grid {
        let seats = terms.present
        let showsMadness = seats.contains { game.madness[$0] > 0 }
        let rows = seats.map { seat in
            var cells = ["\(game.points[seat])"]
            if showsMadness {
                let penalty = game.penalty(of: seat)
                cells.append("\(game.madness[seat])" + (penalty > 0 ? " (-\(penalty))" : ""))
            }
            if let deal = terms.deal {
                let dealt = deal.factions(of: terms.players[seat].id)
                    .map { terms.factions[$0] ?? $0.description }
                let shown = terms.isRevealed ? dealt.joined(separator: " + ") : "hidden"
                cells.append(dealt.isEmpty ? "none: came after the deal" : shown)
            }
            return Panel.GridRow(terms.players[seat].name, cells)
        }
        return Panel.Grid(
            title: title,
            columns: ["Points"] + (showsMadness ? ["Madness"] : [])
                + (terms.deal == nil ? [] : ["Factions"]),
            rows: rows
        )
    }

    private var title: String {
        let which = gameCount > 1 ? "Game \(game.number), " : ""
        if isSettled { return which.isEmpty ? "Over" : which + "over" }
        let turn = (which.isEmpty ? "Turn" : which + "turn") + " \(game.count(of: record.openTurn))"
        return turn + (stand.mover.map { ": \(name($0))" } ?? "")
    }
}

extension SmashUpTable {
    /// How everybody stands.
    ///
    /// While the game is on, the total is the points. At the end, by the rules or because somebody
    /// finished the session, Madness costs a point for every two cards, and the fewest cards decide
    /// between equals (The Obligatory Cthulhu Set, Smash Up).
    func lines(of book: Book) -> StandingLines {
        let (isSettled, isNone) = (isSettled, isSettled && !isValid(game))
        let tie = StandingLines.Tie(place: 0) { merit, isBroken in
            "tied at \(merit[0])" + (isBroken ? ", Madness \(0 - merit[1])" : "")
        }
        return StandingLines(
            ranking: terms.players,
            isFinished: isSettled,
            turn: isSettled ? nil : stand.mover.map { terms.players[$0].id },
            showsAbsent: false,
            tie: isSettled ? tie : nil
        ) { seat in
            StandingLines.Score(
                total: isSettled ? game.total(of: seat) : game.points[seat],
                merit: isNone ? nil : merit(of: seat, in: game, isSettled: isSettled)
            )
        }
    }

    /// What decides between those who took part in a game; nil of others, and before anything was
    /// scored.
    private func merit(of seat: Int, in game: SmashUpGame, isSettled: Bool) -> [Int64]? {
        guard takesPart(seat, in: game), game.isScored else { return nil }
        return isSettled
            ? [game.total(of: seat), 0 - game.madness[seat]] : [game.points[seat], 0]
    }

    /// Whether a player is counted in a game: who won or lost one that is over did so for good.
    private func takesPart(_ seat: Int, in game: SmashUpGame) -> Bool {
        let player = terms.players[seat]
        guard game.isOver, let roll = game.roll else { return player.isPresent }
        let isKnown = roll.players != nil || player.isPresent || game.hasPlayed(seat)
        return isKnown && roll.counts(player.id)
    }

    /// Who is counted in a game, by seat, in order.
    private func participants(in game: SmashUpGame) -> [Int] {
        if game.isOver, let players = game.roll?.players {
            return Set(players.compactMap { terms.seats[$0] }).sorted()
        }
        // A crowd past every limit must not make an outcome of each game for each of it.
        let active = Set(game.active)
        let isCrowd = terms.present.count > Sheet.Limits.dealtPlayers
        let known = isCrowd ? active : active.union(terms.present)
        return known.filter { takesPart($0, in: game) }.sorted()
    }

    /// Whether enough played a game for it to have a result.
    ///
    /// A recorded end was checked by the options of that time: only with fewer than the sheet ever
    /// takes it is none.
    func isValid(_ game: SmashUpGame) -> Bool {
        let isRecorded = game.isOver && game.roll?.players != nil
        let least = isRecorded ? terms.fewest : terms.allowed.from
        var seats = Set(participants(in: game))
        for seat in terms.present where seats.count < least {
            if takesPart(seat, in: game) { seats.insert(seat) }
        }
        return seats.count >= least
    }

    /// The games that ended with enough players: those that somebody won, and the last one where
    /// the session is finished.
    var endings: Standings.Endings {
        let last =
            isLastEnded && isValid(game)
            ? [outcome(of: game, as: results.outcomes.count + 1)] : []
        return .told(results.outcomes + last)
    }

    /// What is wrong with who plays and with games that ended.
    func flagsOfGame(in book: Book) -> [Flag] { terms.flags(of: book) + flawsOfGames }

    private var flawsOfGames: [Flag] {
        let last = isLastEnded && !isValid(game) ? [game.number] : []
        return (results.flawed + last).map { number in
            let rule = SmashUpRule.tooFewPlayed(
                game: number,
                of: gameCount,
                allowed: terms.allowed
            )
            return Flag(.game, rule.violation)
        }
    }

    private var isLastEnded: Bool { game.isOver || (terms.isFinished && game.isScored) }

    /// A game that ended as what statistics are made of.
    func outcome(of game: SmashUpGame, as number: Int) -> Outcome {
        let seats = participants(in: game)
        let ranks = CompetitionRanking.ranks(
            seats.map { merit(of: $0, in: game, isSettled: true) }
        )
        return Outcome(
            number: number,
            at: game.latest,
            players: zip(seats, ranks).map { seat, rank in
                PlayerOutcome(
                    player: terms.players[seat].id,
                    name: terms.players[seat].name,
                    isWinner: rank == 1,
                    rank: rank,
                    total: game.total(of: seat),
                    tally: [
                        Symbol(known: "points"): game.points[seat],
                        Symbol(known: "madness"): game.madness[seat],
                        Symbol(known: "turns"): game.turnCount,
                    ]
                )
            }
        )
    }
}
