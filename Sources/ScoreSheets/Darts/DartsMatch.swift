import SessionCRDT

/// A match as the visits tell it, replayed from the first turn, or from the last one before a
/// change.
///
/// Turns count over the whole match. At each turn one player is to throw; the replay stops at the
/// first turn at which nothing of that player counts, and nothing behind it does.
struct DartsMatch {
    /// What it is played by and with whom.
    let terms: DartsTerms
    /// The turns that count, from turn 1.
    private(set) var turns = Chunks<DartsTurn>()
    /// The finished legs.
    private(set) var legs = Chunks<DartsLeg>()
    /// Where it stands by what is recorded.
    private(set) var recorded: DartsStand
    /// Where it stands among those who are here.
    private(set) var stand: DartsStand
    /// Why the visit of the open turn does not count, where there is one.
    private(set) var refusal: DartsRule?

    /// Who throws in which order, as recorded; where visits came by `score` only, nobody did.
    private let order: DartsOrder
    /// Where it stood every so many turns, the first before turn 1.
    private var stands = Chunks<DartsStand>()
    /// How many turns are played again at most before the first that changed: more where many play,
    /// so that all that is kept grows with the turns and not with turns and players.
    private let stride: Int

    /// The match of a book.
    init(_ book: Book, by sheet: Sheet) {
        let terms = DartsTerms(sheet, book)
        let known = terms.players.filter { player in
            player.isPresent
                || book.cells(of: player.id).contains { DartsColumn.holdsVisit($0, by: sheet) }
        }
        self.terms = terms
        order = terms.recorded ?? DartsOrder(known.map(\.id))
        stride = max(32, terms.players.count)
        recorded = DartsStand(terms)
        stand = recorded
        replay(book)
    }

    /// The first turn of which nothing counts.
    var openTurn: UInt32 { UInt32(clamping: turns.count + 1) }

    /// How the match is set.
    var mode: DartsMode { terms.mode }

    /// The order that the next visit has to record; nil where what is recorded holds.
    var orderToRecord: DartsOrder? {
        guard stand.winner == nil else { return nil }
        var next = order.setting(mode)
        if stand.rotation != recorded.rotation {
            next = next.changing(at: openTurn, to: stand.rotation.map { terms.players[$0].id })
        }
        return next == terms.recorded ? nil : next
    }

    /// Plays again from a turn that a change touched.
    ///
    /// - Returns: how many turns are surely as they were.
    mutating func replay(_ book: Book, from turn: UInt32) -> Int {
        guard turn < openTurn else {
            let kept = turns.count
            replay(book)
            return kept
        }
        let index = Int(turn - 1) / stride
        recorded = stands[index]
        turns.removeAll(from: index * stride)
        stands.removeAll(from: index + 1)
        while let leg = legs.last, leg.turns.upperBound > turns.count {
            legs.removeAll(from: legs.count - 1)
        }
        replay(book)
        return index * stride
    }

    private mutating func replay(_ book: Book) {
        refusal = nil
        let visits = terms.players.map { book.column(of: $0.id).cells(of: DartsColumn.row) }
        while recorded.winner == nil {
            if turns.count == stands.count * stride { stands.append(recorded) }
            recorded.begin(order, at: openTurn, terms)
            guard let thrower = recorded.thrower else { return }
            let cell = terms.cell(thrower, turns.count + 1)
            guard let live = visits[thrower]?[RoundCell.place(of: cell.round)]?.live,
                case .success(.some((_, let visit))) =
                    DartsColumn.reading(live.winner.value, in: cell, by: terms.sheet)
            else { return }
            do throws(DartsRule) {
                let turn = DartsTurn(
                    player: thrower,
                    visit: visit,
                    result: try recorded.result(of: visit, by: thrower, mode),
                    stamp: live.winner.stamp,
                    isDisputed: live.isConflicting
                )
                take(turn)
            } catch {
                refusal = error
                return
            }
        }
    }

    private mutating func take(_ turn: DartsTurn) {
        if let leg = recorded.take(turn, at: turns.count, mode) { legs.append(leg) }
        turns.append(turn)
    }

    /// The cells of the turns that are not as they were before, behind so many that surely are.
    func turns(differingFrom before: DartsMatch, after kept: Int) -> [Cell] {
        let count = max(turns.count, before.turns.count)
        return (kept..<max(count, kept)).flatMap { index -> [Cell] in
            let old = index < before.turns.count ? before.turns[index] : nil
            let new = index < turns.count ? turns[index] : nil
            guard old != new else { return [] }
            return Set([old, new].compactMap { $0?.player }).map { terms.cell($0, index + 1) }
        }
    }

    /// Lets those throw who are here now; `isPast` says whether visits wait behind the open turn.
    mutating func seatWhoIsHere(isPast: Bool) {
        stand = recorded.seating(terms.players, terms.present, isPast: isPast)
    }

    /// The match after a visit of the player to throw, and what it came to.
    func playing(
        _ visit: DartsVisit,
        by thrower: Int
    ) throws(DartsRule) -> (match: DartsMatch, result: DartsResult) {
        let result = try stand.result(of: visit, by: thrower, mode)
        var after = self
        after.recorded = stand
        after.take(
            DartsTurn(
                player: thrower,
                visit: visit,
                result: result,
                stamp: nil,
                isDisputed: false
            )
        )
        after.stand = after.recorded
        return (after, result)
    }

    /// The match as leaders count it, won or not; nil before the first leg, and of a single leg.
    ///
    /// Of those who left in the middle only those take part who had won something.
    var outcome: Outcome? {
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
    func lines(isFinished: Bool) -> StandingLines {
        let order = terms.present + terms.players.indices.filter { !terms.players[$0].isPresent }
        let counted = legs.isEmpty ? [] : counted
        let merits = order.map { counted.contains($0) ? merit(of: $0) : nil }
        let sharers = Dictionary(grouping: merits.compactMap(\.self)) { $0 }.mapValues(\.count)
        let equals = Dictionary(grouping: merits.compactMap(\.?.first)) { $0 }.mapValues(\.count)
        let ranks = zip(order, CompetitionRanking.ranks(merits)).map { seat, rank in
            terms.players[seat].isPresent ? rank : nil
        }
        return StandingLines(
            lines: order.indices.map { place in
                let (player, merit) = (order[place], merits[place])
                let equal = merit.map { equals[$0[0]] ?? 0 } ?? 0
                let isShared = merit.map { sharers[$0] ?? 0 > 1 } ?? false
                let isTied = mode.hasSets && ranks[place] != nil && equal > 1
                return StandingLines.Line(
                    player: terms.players[player],
                    total: total(of: player),
                    rank: ranks[place],
                    tieBreak: !isTied
                        ? nil
                        : merit.map {
                            "tied at \($0[0]), legs \($0[1])" + (isShared ? ", shared" : "")
                        }
                )
            },
            isFinished: isFinished || stand.winner != nil,
            isDecided: stand.winner != nil,
            turn: isFinished ? nil : stand.thrower.map { terms.players[$0].id }
        )
    }

    /// Where it stood before a turn that counts.
    func stand(before turn: UInt32) -> DartsStand {
        let place = Int(turn) - 1
        let start = place / stride
        var stand = stands[start]
        for index in start * stride..<place {
            stand.begin(order, at: UInt32(clamping: index + 1), terms)
            _ = stand.take(turns[index], at: index, mode)
        }
        return stand
    }
}
