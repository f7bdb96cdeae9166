import SessionCRDT

struct DartsGame: TurnGame {
    let rules: DartsRules
    var record: TurnRecord<DartsState>
    var cached: CachedStandings

    var options: DartsOptions { setup.options }
    var legs: Chunks<DartsLeg> { record.parts }

    static let details = ["darts"]

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        let count = move.details["darts"]
        let visit = try DartsVisit(typed: move.words, darts: count)
        let open = try openTurn(for: move)
        let notes = try notes(on: visit, by: open.seat, isCountGiven: count != nil)
        return open.writing(.text(visit.description), notes: notes)
    }

    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        return try reset(of: book, from: state.legStart + 1) { count in
            let lefts = state.rotation.seats.filter { state.seats[$0].tally[.visits] > 0 }
                .map { "\(name($0)) at \(state.seats[$0].left)" }
            let list = lefts.isEmpty ? "" : " (\(lefts.joined(separator: ", ")))"
            return "Take back \(state.place.words(options)), which loses "
                + "\(count) \(count == 1 ? "visit" : "visits")\(list)?"
        }
    }

    var totalLabel: String { options.hasSets ? "Sets" : "Legs" }
    var endings: Standings.Endings { .legs(DartsLegs(legs: legs, players: setup.players)) }

    /// The outcome of the match so far, as leaderboards count it; nil before the first leg and in a
    /// single-leg game.
    ///
    /// Players who left during the match take part only if they had won something.
    var match: Outcome? {
        guard let leg = legs.last, options.hasParts else { return nil }
        return Outcome(
            Outcome.match,
            at: leg.at,
            isWon: state.isOver,
            of: participants.sorted().map { (setup.players[$0], score(of: $0), [:]) }
        )
    }

    /// The seats with a part in the legs so far, including players who left if they had won
    /// something.
    private var participants: Set<Int> {
        let winners = state.seats.indices.filter { state.seats[$0].sets + state.seats[$0].legs > 0 }
        return Set(legs.last?.players.map(\.player) ?? []).union(winners)
    }

    /// The seats that are ranked: the present ones, and after the end those who took part, so that
    /// no player wins only because the leader left.
    var ranked: Set<Int> { state.isOver ? participants : Set(setup.present) }

    /// Returns the score: sets, then legs of the set in progress.
    private func score(of seat: Int) -> StandingLines.Score {
        let (sets, legs) = (Int64(state.seats[seat].sets), Int64(state.seats[seat].legs))
        return (options.hasSets ? sets : legs, [sets, legs])
    }

    /// Returns the lines; no player leads before the first leg is won.
    func lines(of book: Book) -> StandingLines {
        let tie = StandingLines.Tie(index: 0) { merit, _ in
            "tied at \(merit[0]), legs \(merit[1])"
        }
        return StandingLines(
            book,
            isOver: state.isOver,
            mover: mover,
            ranked: legs.isEmpty ? [] : ranked,
            tie: options.hasSets ? tie : nil,
            by: score
        )
    }

    func notes(isFinished: Bool) -> [Note] {
        [legs.last.map(legNote(for:)), endNote, isFinished ? nil : turnNote].compactMap(\.self)
    }

    /// Returns the notes on a visit that is being entered.
    ///
    /// Throws if fewer than three darts were typed one by one, the visit is still open, and
    /// `--darts` does not confirm the number. Stored visits with fewer darts are valid.
    private func notes(
        on visit: DartsVisit,
        by thrower: Int,
        isCountGiven: Bool
    ) throws(RuleViolation) -> [Note] {
        let before = state.seats[thrower]
        let (after, result) = try playing(visit, by: thrower)
        if case .darts(let darts) = visit, darts.count < DartsVisit.maxDarts, result.end == .open,
            !isCountGiven
        {
            throw DartsVisit.tooFewDarts(darts.count)
        }
        let player = name(thrower)
        let own: [Note?] =
            switch result.end {
            case .open:
                result.isIn
                    ? [Note("\(player): \(result.scored), \(result.left) left")]
                    : [Note("\(player): 0, \(result.left) left, still needs a double to begin")]
            case .bust:
                [bust(of: player, result), impossibleFinish(visit, before)]
            case .finish:
                [after.legs.last.map(after.legNote(for:)), countDoubt(visit, before, isCountGiven)]
            }
        let next = record.isPast ? [] : [after.endNote, after.turnNote]
        return (own + next).compactMap(\.self)
    }

    func remark(on cell: Cell) -> Note? {
        guard let number = turn(of: cell), number >= 1, number <= turns.count,
            case let turn = turns[number - 1], turn.result.end == .bust
        else { return nil }
        return bust(of: name(turn.seat), turn.result)
    }

    private func bust(of player: String, _ result: DartsState.Result) -> Note {
        Note("bust: \(player) stays at \(result.left)")
    }

    /// Returns the reason why a total equal to the points left is bust.
    private func impossibleFinish(_ visit: DartsVisit, _ seat: DartsState.Seat) -> Note? {
        guard case .total(seat.left, let darts) = visit else { return nil }
        return Note(
            "\(seat.left) cannot be finished with \(DartsVisit.count(darts)) "
                + "(\(options.out.rawValue) out)"
        )
    }

    /// Returns a note on a winning total that fewer darts than were counted could have scored.
    private func countDoubt(
        _ visit: DartsVisit,
        _ seat: DartsState.Seat,
        _ isCountGiven: Bool
    ) -> Note? {
        guard case .total(let total, DartsVisit.maxDarts) = visit, !isCountGiven else { return nil }
        let fewer = (1..<DartsVisit.maxDarts).filter {
            DartsTotals.canFinish(total, darts: $0, out: options.out, isOpening: !seat.isIn)
        }
        guard !fewer.isEmpty else { return nil }
        return Note(
            "counted as three darts; if it took fewer, undo and add --darts "
                + fewer.map(String.init).joined(separator: " or ")
        )
    }

    private func legNote(for leg: DartsLeg) -> Note {
        let darts = leg.winning[.darts] == 1 ? "1 dart" : "\(leg.winning[.darts]) darts"
        let out = "\(leg.winning[.checkout]) out"
        return Note("\(name(leg.winner)) won \(leg.place.words(options)) with \(darts), \(out)")
    }

    /// The result of the match; nil for a single leg, which has a note of its own.
    private var endNote: Note? {
        guard state.isOver, options.hasParts else { return nil }
        let winners = state.winners
        let seats = winners + state.rotation.seats.filter { !winners.contains($0) }
        let won = seats.map { "\(name($0)) \(score(of: $0).total)" }.joined(separator: ", ")
        let names = winners.map(name).together
        let result = winners.count == 1 ? "\(names) won the match" : "\(names) drew the match"
        return Note("\(result); \(totalLabel.lowercased()): \(won)")
    }

    /// The player to throw, the points left, and the checkout.
    private var turnNote: Note? {
        guard let thrower = state.mover else { return nil }
        let seat = state.seats[thrower]
        let finish = checkout(for: thrower).map { ": \($0)" } ?? ""
        return Note(
            "\(name(thrower)) to throw, \(seat.left) left"
                + (seat.isIn ? finish : ", needs a double to begin")
        )
    }

    /// Returns the darts with which a player can finish in the next visit; nil if there are none.
    func checkout(for player: Int) -> String? {
        let seat = state.seats[player]
        guard seat.isIn else { return nil }
        return DartsCheckout.route(for: seat.left, darts: DartsVisit.maxDarts, out: options.out)?
            .map(\.words).joined(separator: " ")
    }
}
