import SessionCRDT

/// A game of cricket.
struct CricketGame: TurnGame {
    let rules: CricketRules
    var record: TurnRecord<CricketStand>
    var kept: KeptStandings

    /// Who gets the points.
    var variant: CricketVariant { terms.mode.variant }

    var totalLabel: String { variant == .noScore ? "Marks" : "Points" }

    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        let open = try openTurn(for: move, in: book)
        try move.checkDetails(CricketMode.words, known: ["darts"])
        let said = move.details["darts"]
        let visit = try CricketVisit(typed: move.words, darts: said)
        let (after, result) = try playing(visit, by: open.seat)
        // Somebody who types dart after dart would lose the others.
        if visit.darts.count < DartsVisit.most, said == nil, result.winners.isEmpty {
            throw DartsRule.tooFewDarts(visit.darts.count).violation
        }
        let own = CricketNote.scored(
            player: name(open.seat),
            marks: result.made,
            points: result.points,
            closed: result.closed.map(CricketMarks.name)
        )
        let next = record.isPast ? [] : after.notes(isFinished: false)
        return open.writing(.text(visit.description), notes: [.cricket(own)] + next)
    }

    func notes(isFinished: Bool) -> [Note] {
        if stand.isOver { return [.cricket(.won(stand.winners.map(name)))] }
        guard !isFinished, let mover = stand.mover else { return [] }
        return [.cricket(.turn(name(mover)))]
    }
}

extension CricketGame {
    /// How everybody stands: winners first, then by points, and by marks among equals.
    ///
    /// Nobody leads before the first visit; who left has no place.
    func lines(of book: Book) -> StandingLines {
        let playing = Set(turns.isEmpty ? [] : stand.rotation.seats)
        let tie = StandingLines.Tie(place: 1) { merit, _ in
            "tied at \(merit[1].magnitude), marks \(merit[2])"
        }
        return StandingLines(
            ranking: terms.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: book.isFinished ? nil : stand.mover.map { terms.players[$0].id },
            showsAbsent: false,
            tie: variant == .noScore ? nil : tie
        ) { seat in
            let merit = playing.contains(seat) ? merit(of: seat) : nil
            return StandingLines.Score(total: total(of: seat), merit: merit)
        }
    }

    /// What decides between players: whether they have won, points, marks.
    private func merit(of seat: Int) -> [Int64] {
        let points = Int64(stand.seats[seat].points)
        return [
            stand.winners.contains(seat) ? 1 : 0, variant == .cutThroat ? -points : points,
            Int64(stand.seats[seat].marks.sum),
        ]
    }

    private func total(of seat: Int) -> Int64 {
        let seat = stand.seats[seat]
        return Int64(variant == .noScore ? seat.marks.sum : seat.points)
    }

    /// The game once somebody has won it.
    var endings: Standings.Endings {
        guard stand.isOver else { return .told([]) }
        let seats = stand.rotation.seats.sorted()
        let ranks = CompetitionRanking.ranks(seats.map(merit))
        let players = zip(seats, ranks).map { seat, rank in
            PlayerOutcome(
                player: terms.players[seat].id,
                name: name(seat),
                isWinner: stand.winners.contains(seat),
                rank: rank,
                total: total(of: seat),
                tally: CricketStatistics.tally(stand.seats[seat]),
                hasOpponents: seats.count > 1
            )
        }
        return .told([Outcome(number: 1, at: stand.latest, players: players)])
    }
}

extension CricketGame {
    /// How many of the latest visits are shown.
    private static let shownVisits = 10
    /// What one, two and three marks are written as.
    private static let signs = ["", "/", "X", "O"]

    /// The marks of everybody, and the latest visits.
    var panels: [Panel] {
        terms.players.isEmpty ? [] : turns.isEmpty ? [board] : [board, visits]
    }

    private var board: Panel {
        let numbers = CricketMarks.numbers.indices
        let points = variant == .noScore ? [] : ["Points"]
        let rows = stand.rotation.seats.map { seat in
            let stood = stand.seats[seat]
            let marks = numbers.map { CricketGame.signs[stood.marks[$0]] }
            return Panel.GridRow(
                (stand.mover == seat ? "> " : "  ") + name(seat),
                marks + points.map { _ in "\(stood.points)" }
                    + [
                        CricketStatistics.marksPerRound(Int128(stood.made), Int128(stood.visits))
                            ?? ""
                    ]
            )
        }
        let names = numbers.map(CricketMarks.name)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return .table(
            Panel.Grid(title: title, columns: names + points + ["Marks a round"], rows: rows)
        )
    }

    /// The round and how the game is set: `Round 3, cut-throat`.
    private var title: String {
        let round = stand.mover.map { stand.seats[$0].visits + 1 }
        return (round.map { "Round \($0)" } ?? "Over") + ", \(variant.rawValue)"
    }

    /// The latest visits, each by the name under which it can be corrected.
    private var visits: Panel {
        let first = max(turns.count - CricketGame.shownVisits, 0)
        let rows = (first..<turns.count).map { index in
            let turn = turns[index]
            return Panel.GridRow(
                "\(CricketMode.row).\(index + 1)",
                [
                    name(turn.seat),
                    turn.move.description + (turn.isDisputed ? "*" : ""),
                    "\(turn.result.made)",
                ] + (variant == .noScore ? [] : ["\(turn.result.points)"])
            )
        }
        return .table(
            Panel.Grid(
                title: "Visits",
                columns: ["Player", "Darts", "Marks"] + (variant == .noScore ? [] : ["Points"]),
                rows: rows
            )
        )
    }
}

/// What is counted of a player of cricket in one game, and what finished games come to.
enum CricketStatistics {
    private static let marks = Symbol(known: "marks")
    private static let visits = Symbol(known: "visits")
    private static let best = Symbol(known: "best-round")

    /// What is counted of one game.
    static func tally(_ seat: CricketStand.Seat) -> [Symbol: Int64] {
        [marks: Int64(seat.made), visits: Int64(seat.visits), best: Int64(seat.best)]
    }

    /// What finished games come to.
    static func all(of games: [PlayerOutcome]) -> [Statistic] {
        let made = games.sum(of: marks)
        let thrown = games.sum(of: visits)
        let most = games.compactMap { $0.tally[best] }.max()
        return [
            Statistic(Symbol(known: "games-won"), "Games won", "\(games.count(where: \.isWin))"),
            Statistic(
                Symbol(known: "marks-per-round"),
                "Marks per round",
                marksPerRound(made, thrown)
            ),
            Statistic(best, "Best round", most.map { "\($0)" }),
            Statistic(Symbol(known: "games"), "Games", "\(games.count)"),
            Statistic(marks, "Marks", "\(made)"),
            Statistic(Symbol(known: "rounds"), "Rounds", "\(thrown)"),
        ]
    }

    /// Marks for each visit; nil before the first one.
    static func marksPerRound(_ marks: Int128, _ visits: Int128) -> String? {
        visits > 0 ? Statistic.quotient(marks, visits) : nil
    }
}
