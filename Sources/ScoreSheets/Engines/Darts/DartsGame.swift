import SessionCRDT

/// A match of darts.
struct DartsGame: TurnGame {
    let rules: DartsRules
    var record: TurnRecord<DartsStand>
    var kept: KeptStandings

    /// How the match is set.
    var mode: DartsMode { terms.mode }

    /// The finished legs.
    var legs: Chunks<DartsLeg> { record.parts }

    var totalLabel: String { mode.hasSets ? "Sets" : "Legs" }

    var endings: Standings.Endings {
        .legs(DartsLegs(legs: legs, players: terms.players, start: mode.start))
    }
}

extension DartsGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        let open = try openTurn(for: move, in: book)
        let darts = move.details["darts"]
        let visit = try visit(of: move)
        let notes = try notes(on: visit, by: open.seat, isCountSaid: darts != nil)
        return open.writing(.text(visit.description), notes: notes)
    }

    private func visit(of move: Move) throws(RuleViolation) -> DartsVisit {
        try move.checkDetails(DartsMode.words, known: ["darts"])
        do throws(DartsRule) {
            return try DartsVisit(typed: move.words, darts: move.details["darts"])
        } catch { throw error.violation }
    }

    /// The visits of the leg in progress, and what is written behind them and does not count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        return try reset(of: book, from: stand.legStart + 1, question: resetQuestion)
    }
}

extension DartsGame {
    /// The match as leaders count it, won or not; nil before the first leg, and of a single leg.
    ///
    /// Of those who left in the middle only those take part who had won something.
    var match: Outcome? {
        guard let leg = legs.last, mode.hasSets || mode.legs > 1 else { return nil }
        let seats = participants.sorted()
        let ranks = CompetitionRanking.ranks(seats.map(merit))
        return Outcome(
            number: Outcome.match,
            at: leg.at,
            players: zip(seats, ranks).map { seat, rank in
                PlayerOutcome(
                    player: terms.players[seat].id,
                    name: terms.players[seat].name,
                    isWinner: seat == stand.winner,
                    rank: rank,
                    total: total(of: seat)
                )
            }
        )
    }

    /// Who has a part in the legs so far, by seat: also who left, where they had won something.
    private var participants: Set<Int> {
        let winners = terms.players.indices.filter { merit(of: $0) != [0, 0] }
        return Set(legs.last?.players.map(\.player) ?? []).union(winners)
    }

    /// Who is counted, by seat: those who are here, and after the end those who were, so that
    /// nobody wins because the winner has left.
    var counted: Set<Int> { stand.winner == nil ? Set(terms.present) : participants }

    /// What decides between players: sets, then legs of the set in progress.
    private func merit(of seat: Int) -> [Int64] {
        [Int64(stand.seats[seat].sets), Int64(stand.seats[seat].legs)]
    }

    private func total(of seat: Int) -> Int64 { merit(of: seat)[mode.hasSets ? 0 : 1] }

    /// How everybody stands; nobody leads before the first leg is won.
    ///
    /// With sets, the legs of the set in progress decide between equals.
    func lines(of book: Book) -> StandingLines {
        let counted = legs.isEmpty ? [] : counted
        let tie = StandingLines.Tie(place: 0) { merit, _ in "tied at \(merit[0]), legs \(merit[1])"
        }
        return StandingLines(
            ranking: terms.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: book.isFinished ? nil : stand.mover.map { terms.players[$0].id },
            showsAbsent: false,
            tie: mode.hasSets ? tie : nil
        ) { seat in
            let merit = counted.contains(seat) ? merit(of: seat) : nil
            return StandingLines.Score(total: total(of: seat), merit: merit)
        }
    }
}

extension DartsGame {
    /// What is told below the table: the last leg, the end, who throws.
    func notes(isFinished: Bool) -> [Note] {
        [legs.last.map(note(of:)), endNote, isFinished ? nil : turnNote].compactMap(\.self)
            .map(Note.darts)
    }

    /// What a player is told who has just entered this visit.
    ///
    /// Somebody who types dart after dart would lose the others: so fewer than three that are not
    /// said to be all, and after which the visit goes on, are refused here. What is recorded
    /// counts. Of a visit that is not the last one, others follow, which say how it goes on.
    func notes(
        on visit: DartsVisit,
        by thrower: Int,
        isCountSaid: Bool
    ) throws(RuleViolation) -> [Note] {
        let before = stand.seats[thrower]
        let (after, result) = try playing(visit, by: thrower)
        if case .darts(let darts) = visit, darts.count < DartsVisit.most, result.end == .open,
            !isCountSaid
        {
            throw DartsRule.tooFewDarts(darts.count).violation
        }
        let player = name(thrower)
        let own: [DartsNote?] =
            switch result.end {
            case .open:
                [
                    .scored(
                        player: player,
                        points: result.scored,
                        left: result.left,
                        needsIn: !result.isIn
                    )
                ]
            case .bust:
                [.bust(player: player, left: result.left), noFinish(visit, before)]
            case .finish:
                [after.legs.last.map(after.note(of:)), doubtOfCount(visit, before, isCountSaid)]
            }
        let next = record.isPast ? [] : [after.endNote, after.turnNote]
        return (own + next).compactMap(\.self).map(Note.darts)
    }

    /// Why a total that would have ended the leg is bust.
    private func noFinish(_ visit: DartsVisit, _ seat: DartsStand.Seat) -> DartsNote? {
        guard case .total(seat.left, let darts) = visit else { return nil }
        return .noFinish(seat.left, darts: darts, out: mode.out)
    }

    /// What to say of a total that won and could have taken fewer darts than are counted.
    private func doubtOfCount(
        _ visit: DartsVisit,
        _ seat: DartsStand.Seat,
        _ isCountSaid: Bool
    ) -> DartsNote? {
        guard case .total(let total, DartsVisit.most) = visit, !isCountSaid else { return nil }
        let fewer = (1..<DartsVisit.most).filter {
            DartsTotals.canFinish(total, darts: $0, out: mode.out, isOpening: !seat.isIn)
        }
        return fewer.isEmpty ? nil : .fewerDarts(fewer)
    }

    /// How a leg was won.
    private func note(of leg: DartsLeg) -> DartsNote {
        let tally = leg.winning ?? DartsTally()
        return .leg(
            leg.place.words(mode),
            winner: name(leg.winner),
            darts: tally.darts,
            checkout: tally.checkout
        )
    }

    /// How the match was won; nil of one leg, of which that is said already.
    private var endNote: DartsNote? {
        guard let winner = stand.winner, mode.hasSets || mode.legs > 1 else { return nil }
        let players = [winner] + stand.rotation.seats.filter { $0 != winner }
        let won = players.map { player in
            let seat = stand.seats[player]
            return DartsNote.Won(name(player), mode.hasSets ? seat.sets : seat.legs)
        }
        return .match(inSets: mode.hasSets, won: won)
    }

    /// Whose turn it is, with what is left and how to finish that.
    private var turnNote: DartsNote? {
        guard let thrower = stand.mover else { return nil }
        let seat = stand.seats[thrower]
        let finish: DartsNote.Finish =
            seat.isIn ? route(of: thrower).map { .route($0) } ?? .none : .afterDouble
        return .turn(player: name(thrower), left: seat.left, finish: finish)
    }

    /// How somebody could finish with the next visit; nil where nobody can.
    func route(of player: Int) -> [Dart]? {
        let seat = stand.seats[player]
        guard seat.isIn else { return nil }
        return DartsCheckout.route(for: seat.left, darts: DartsVisit.most, out: mode.out)
    }

    /// The question before the leg in progress is taken back.
    func resetQuestion(losing count: Int) -> String {
        let lefts = stand.rotation.seats.filter { stand.seats[$0].tally.visits > 0 }
            .map { "\(name($0)) at \(stand.seats[$0].left)" }
        let list = lefts.isEmpty ? "" : " (\(lefts.joined(separator: ", ")))"
        return "Take back \(stand.place.words(mode)), which loses "
            + "\(count) \(count == 1 ? "visit" : "visits")\(list)?"
    }
}
