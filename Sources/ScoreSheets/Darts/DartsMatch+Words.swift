import SessionCRDT

extension DartsMatch {
    /// What is told below the table: the last leg, the end, who throws.
    func notes(isOver: Bool) -> [String] {
        var notes: [String] = []
        if let leg = legs.last { notes.append(words(of: leg)) }
        if let words = wordsOfEnd { notes.append(words) }
        if !isOver, let words = wordsOfTurn { notes.append(words) }
        return notes
    }

    /// What a player is told who has just entered this visit.
    ///
    /// Somebody who types dart after dart would lose the others: so fewer than three that are not
    /// said to be all, and after which the visit goes on, are refused here. What is recorded
    /// counts. Of a visit that is not the last one, others follow, which say how it goes on.
    func notes(
        on visit: DartsVisit,
        by thrower: Int,
        isCountSaid: Bool,
        isLast: Bool
    ) throws(DartsRule) -> [String] {
        let before = stand.seats[thrower]
        let (after, result) = try playing(visit, by: thrower)
        if case .darts(let darts) = visit, darts.count < DartsVisit.most, result.end == .open,
            !isCountSaid
        {
            throw .tooFewDarts(darts.count)
        }
        var notes: [String] = []
        switch result.end {
        case .open:
            let needsIn = result.isIn ? "" : ", still needs a double to begin"
            notes.append("\(name(thrower)): \(result.scored), \(result.left) left\(needsIn)")
        case .bust:
            notes.append("bust: \(name(thrower)) stays at \(result.left)")
            if case .total(before.left, let darts) = visit {
                notes.append(
                    "\(before.left) cannot be finished with \(DartsRule.darts(darts)) "
                        + "(\(mode.out.rawValue) out)"
                )
            }
        case .finish:
            if let leg = after.legs.last { notes.append(after.words(of: leg)) }
            if let words = doubtOfCount(visit, before, isCountSaid) { notes.append(words) }
        }
        guard isLast else { return notes }
        if let words = after.wordsOfEnd { notes.append(words) }
        if let words = after.wordsOfTurn { notes.append(words) }
        return notes
    }

    /// What to say of a total that won and could have taken fewer darts than are counted.
    private func doubtOfCount(
        _ visit: DartsVisit,
        _ seat: DartsStand.Seat,
        _ isCountSaid: Bool
    )
        -> String?
    {
        guard case .total(let total, DartsVisit.most) = visit, !isCountSaid else { return nil }
        let fewer = (1..<DartsVisit.most).filter {
            DartsTotals.canFinish(total, darts: $0, out: mode.out, isOpening: !seat.isIn)
        }
        guard !fewer.isEmpty else { return nil }
        let counts = fewer.map(String.init).joined(separator: " or ")
        return "counted as three darts; if it took fewer, undo and add --darts \(counts)"
    }

    /// How a leg was won: `Ann won leg 2 with 15 darts, 121 out`.
    private func words(of leg: DartsLeg) -> String {
        let tally = leg.winning ?? DartsTally()
        return "\(name(leg.winner)) won \(leg.place.words(mode)) with "
            + "\(tally.darts) \(tally.darts == 1 ? "dart" : "darts"), \(tally.checkout) out"
    }

    /// How the match was won; nil of one leg, of which that is said already.
    private var wordsOfEnd: String? {
        guard let winner = stand.winner, mode.hasSets || mode.legs > 1 else { return nil }
        func won(_ player: Int) -> Int {
            let seat = stand.seats[player]
            return mode.hasSets ? seat.sets : seat.legs
        }
        let score = [winner] + stand.rotation.filter { $0 != winner }
        return "\(name(winner)) won the match; \(mode.hasSets ? "sets" : "legs"): "
            + score.map { "\(name($0)) \(won($0))" }.joined(separator: ", ")
    }

    /// Whose turn it is, with what is left and how to finish that.
    private var wordsOfTurn: String? {
        guard let thrower = stand.thrower else { return nil }
        let seat = stand.seats[thrower]
        let hint =
            seat.isIn
            ? route(of: thrower).map { ": \($0)" } ?? "" : ", needs a double to begin"
        return "\(name(thrower)) to throw, \(seat.left) left\(hint)"
    }

    /// How somebody could finish with the next visit; nil where nobody can.
    func route(of player: Int) -> String? {
        let seat = stand.seats[player]
        guard seat.isIn else { return nil }
        let route = DartsCheckout.route(
            for: seat.left,
            darts: DartsVisit.most,
            out: mode.out
        )
        return route?.map(\.words).joined(separator: " ")
    }

    /// The question before the leg in progress is taken back.
    func resetQuestion(losing count: Int) -> String {
        let lefts = stand.rotation.filter { stand.seats[$0].tally.visits > 0 }
            .map { "\(name($0)) at \(stand.seats[$0].left)" }
        let list = lefts.isEmpty ? "" : " (\(lefts.joined(separator: ", ")))"
        return "Take back \(stand.place.words(mode)), which loses "
            + "\(count) \(count == 1 ? "visit" : "visits")\(list)?"
    }

    func name(_ seat: Int) -> String { terms.players[seat].name }
}
