import SessionCRDT

/// A game of cricket.
struct CricketGame: TurnGame {
    let rules: CricketRules
    var record: TurnRecord<CricketState>
    var kept: KeptStandings

    var variant: CricketVariant { setup.options.variant }

    var totalLabel: String { variant == .noScore ? "Marks" : "Points" }

    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        try move.checkDetails(setup.words, known: ["darts"])
        let count = move.details["darts"]
        let visit = try CricketVisit(typed: move.words, darts: count)
        let open = try openTurn(for: move, in: book)
        let (after, result) = try playing(visit, by: open.seat)
        if visit.darts.count < DartsVisit.maxDarts, count == nil, result.winners.isEmpty {
            throw DartsVisit.tooFewDarts(visit.darts.count)
        }
        let closed = result.closed.map(CricketMarks.name).joined(separator: ", ")
        let own = Note(
            "\(name(open.seat)): \(result.made == 1 ? "1 mark" : "\(result.made) marks")"
                + (result.points > 0 ? ", \(result.points) points" : "")
                + (closed.isEmpty ? "" : ", closed \(closed)")
        )
        let next = record.isPast ? [] : after.notes(isFinished: false)
        return open.writing(.text(visit.description), notes: [own] + next)
    }

    func notes(isFinished: Bool) -> [Note] {
        if state.isOver {
            return [Note(state.winners.map(name).joined(separator: " and ") + " won the game")]
        }
        guard !isFinished, let mover = state.mover else { return [] }
        return [Note("\(name(mover)) to throw")]
    }

    /// The lines: winners first, then by points, and by marks among equals.
    ///
    /// Nobody leads before the first visit; players who left have no rank.
    func lines(of book: Book) -> StandingLines {
        let playing = Set(turns.isEmpty ? [] : state.rotation.seats)
        let tie = StandingLines.Tie(index: 1) { merit, _ in
            "tied at \(merit[1].magnitude), marks \(merit[2])"
        }
        return StandingLines(
            ranking: setup.players,
            isFinished: book.isFinished || state.isOver,
            isDecided: state.isOver,
            turn: book.isFinished ? nil : state.mover.map { setup.players[$0].id },
            showsAbsent: false,
            tie: variant == .noScore ? nil : tie
        ) { seat in
            let merit = playing.contains(seat) ? merit(of: seat) : nil
            return StandingLines.Score(total: total(of: seat), merit: merit)
        }
    }

    /// Whether the player has won, then points, then marks.
    private func merit(of seat: Int) -> [Int64] {
        let points = Int64(state.seats[seat].points)
        return [
            state.winners.contains(seat) ? 1 : 0, variant == .cutThroat ? -points : points,
            Int64(state.seats[seat].marks.sum),
        ]
    }

    private func total(of seat: Int) -> Int64 {
        let seat = state.seats[seat]
        return Int64(variant == .noScore ? seat.marks.sum : seat.points)
    }

    /// The game once it is won.
    var endings: Standings.Endings {
        guard state.isOver else { return .outcomes([]) }
        let seats = state.rotation.seats.sorted()
        let ranks = CompetitionRanking.ranks(seats.map(merit))
        let players = zip(seats, ranks).map { seat, rank in
            PlayerOutcome(
                player: setup.players[seat].id,
                name: name(seat),
                isWinner: state.winners.contains(seat),
                rank: rank,
                total: total(of: seat),
                tally: CricketStatistics.tally(state.seats[seat]),
                hasOpponents: seats.count > 1
            )
        }
        return .outcomes([Outcome(number: 1, at: state.latest, players: players)])
    }
}
