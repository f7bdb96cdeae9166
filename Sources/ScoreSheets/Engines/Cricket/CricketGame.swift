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
