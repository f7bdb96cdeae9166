import SessionCRDT

struct CricketGame: TurnGame {
    let rules: CricketRules
    var record: TurnRecord<CricketState>
    var cached: CachedStandings

    var variant: CricketVariant { setup.options.variant }
    var totalLabel: String { variant == .noScore ? "Marks" : "Points" }

    static let details = ["darts"]

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        let count = move.details["darts"]
        let visit = try CricketVisit(typed: move.words, darts: count)
        let open = try openTurn(for: move)
        let (after, result) = try playing(visit, by: open.seat)
        if visit.dartCount < DartsVisit.maxDarts, count == nil, result.winners.isEmpty {
            throw DartsVisit.tooFewDarts(visit.dartCount)
        }
        let closed = result.closed.map(CricketMarks.name).joined(separator: ", ")
        let own = Note(
            "\(name(open.seat)): \(result.made == 1 ? "1 mark" : "\(result.made) marks")"
                + (result.points > 0 ? ", \(result.points) points" : "")
                + (closed.isEmpty ? "" : ", closed \(closed)")
        )
        let next = record.isPast ? [] : after.notes(isFinished: false)
        return open.writing(.text(visit.spelling), notes: [own] + next)
    }

    func notes(isFinished: Bool) -> [Note] {
        if state.isOver {
            return [Note(state.winners.map(name).joined(separator: " and ") + " won the game")]
        }
        guard !isFinished, let mover = state.mover else { return [] }
        return [Note("\(name(mover)) to throw")]
    }

    /// Returns the lines: winners first, then by points, then by marks.
    ///
    /// No player leads before the first visit.
    func lines(of book: Book) -> StandingLines {
        let tie = StandingLines.Tie(index: 1) { merit, _ in
            "tied at \(merit[1].magnitude), marks \(merit[2])"
        }
        return StandingLines(
            book,
            isOver: state.isOver,
            mover: mover,
            ranked: ranked,
            tie: variant == .noScore ? nil : tie,
            by: score
        )
    }

    /// The seats that are ranked: the present ones, and after the end those who took part, so that
    /// no player moves up only because another one left.
    private var ranked: Set<Int> {
        if turns.isEmpty { return [] }
        return Set(state.isOver ? state.rotation.seats : setup.present)
    }

    /// Returns the score: whether the player has won, then points, then marks.
    private func score(of seat: Int) -> StandingLines.Score {
        let (points, marks) = (Int64(state.seats[seat].points), Int64(state.seats[seat].marks.sum))
        let hasWon = state.winners.contains(seat)
        return (
            variant == .noScore ? marks : points,
            [hasWon ? 1 : 0, variant == .cutThroat ? -points : points, marks]
        )
    }

    var endings: Standings.Endings {
        guard state.isOver else { return .outcomes([]) }
        let seats = state.rotation.seats.sorted()
        let players = seats.map { seat in
            (setup.players[seat], score(of: seat), CricketRules.tally(state.seats[seat].tally))
        }
        let shares = seats.map { state.seats[$0].shares.mapValues(CricketRules.tally) }
        let outcome = Outcome(at: state.latest, countsAlone: false, of: players, shares: shares)
        return .outcomes([outcome])
    }

    private static let shownVisits = 10
    /// The signs of no, one and two marks, and of a target that is closed.
    private static let signs = ["", "/", "X"]
    private static let closed = "O"

    var hasPanels: Bool { !setup.players.isEmpty }
    var panels: [Panel] { !hasPanels ? [] : turns.isEmpty ? [table] : [table, visits] }

    var moveInput: MoveInput {
        let targets = setup.options.targets
        var input = MoveInput(
            kind: .darts,
            title: "Your visit",
            help: "Any other number is a miss.",
            numbers: setup.options.numbers.map { CricketMarks.numbers[$0] }.filter { $0 <= 20 }
        )
        guard targets != .numbers else { return input }
        input.help = "DD16 counts as one of the doubles, TT20 as one of the triples."
        input.numbers = Array((1...20).reversed())
        input.rings = ["DD", "TT"] + (targets == .beds ? ["BED"] : [])
        return input
    }

    private var table: Panel {
        let goals = setup.options.goals
        let points = variant == .noScore ? [] : ["Points"]
        let rows = state.rotation.seats.map { seat in
            let player = state.seats[seat]
            let marks = goals.map {
                player.marks.isClosed($0)
                    ? CricketGame.closed : CricketGame.signs[player.marks[$0]]
            }
            let average =
                Statistic.average(Int128(player.tally.made), Int128(player.tally.visits)) ?? ""
            return Panel.GridRow(
                label(seat),
                marks + points.map { _ in "\(player.points)" } + [average]
            )
        }
        let round = state.mover.map { "Round \(state.seats[$0].tally.visits + 1)" } ?? "Over"
        return .table(
            "\(round), \(variant.rawValue)",
            columns: goals.map(CricketMarks.title) + points + ["Marks a round"],
            rows
        )
    }

    /// The latest visits, each with the name of the cell in which it can be corrected.
    private var visits: Panel {
        let points = variant == .noScore ? [] : ["Points"]
        let rows = turns.indices.suffix(CricketGame.shownVisits).map { index in
            let turn = turns[index]
            let darts = turn.move.spelling + (turn.isDisputed ? "*" : "")
            return Panel.GridRow(
                "\(CricketOptions.row).\(index + 1)",
                [name(turn.seat), darts, "\(turn.result.made)"]
                    + points.map { _ in "\(turn.result.points)" }
            )
        }
        return .table("Visits", columns: ["Player", "Darts", "Marks"] + points, rows)
    }
}
