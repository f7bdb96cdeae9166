import SessionCRDT

extension SmashUpTable {
    /// How everybody stands.
    ///
    /// While the game is on, the total is the points. At the end, by the rules or because somebody
    /// finished the session, Madness costs a point for every two cards, and the fewest cards decide
    /// between equals (The Obligatory Cthulhu Set, Smash Up).
    func lines(of book: Book) -> StandingLines {
        let isSettled = isSettled
        let seats = terms.present
        let all = seats + terms.players.indices.filter { !terms.players[$0].isPresent }
        let ranks = zip(all, ranks(in: game, among: all, isSettled: isSettled)).map {
            terms.players[$0].isPresent ? $1 : nil
        }
        let ties = isSettled ? tieBreaks(among: seats) : [:]
        return StandingLines(
            lines: zip(all, ranks).map { seat, rank in
                StandingLines.Line(
                    player: terms.players[seat],
                    total: isSettled ? game.total(of: seat) : game.points[seat],
                    rank: rank,
                    tieBreak: rank == nil ? nil : ties[seat]
                )
            },
            isFinished: isSettled,
            turn: isSettled ? nil : stand.mover.map { terms.players[$0].id }
        )
    }

    /// The places of the players in a game, nil before anything was scored and of those who took no
    /// part.
    private func ranks(in game: SmashUpGame, among seats: [Int], isSettled: Bool) -> [Int?] {
        let isNone = isSettled && !isValid(game)
        return CompetitionRanking.ranks(
            seats.map { seat in
                guard takesPart(seat, in: game), game.isScored, !isNone else { return nil }
                return isSettled
                    ? [game.total(of: seat), 0 - game.madness[seat]] : [game.points[seat], 0]
            }
        )
    }

    /// What those of an equal total are told.
    private func tieBreaks(among seats: [Int]) -> [Int: String] {
        var words: [Int: String] = [:]
        let equals = Dictionary(grouping: seats) { game.total(of: $0) }
        for (total, equals) in equals where equals.count > 1 {
            let shared = Dictionary(grouping: equals) { game.madness[$0] }
            for (held, sharers) in shared {
                let text =
                    "tied at \(total)" + (shared.count > 1 ? ", Madness \(held)" : "")
                    + (sharers.count > 1 ? ", shared" : "")
                for seat in sharers { words[seat] = text }
            }
        }
        return words
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
        let ranks = ranks(in: game, among: seats, isSettled: true)
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
