import SessionCRDT

/// Where a match of darts stands before a turn.
struct DartsStand: MatchStand {
    typealias Mode = DartsMode
    typealias Terms = MatchTerms<DartsMode>

    /// How many parts in legs a match keeps of those who did not throw in them: far more than any
    /// match has, and a limit because legs of one dart among thousands of players are cheap to
    /// write.
    static let mostSitters = 10_000
    /// How many of the latest visits of each player are shown.
    static let shownVisits = 20

    /// How one player stands.
    struct Seat: Hashable {
        var left: Int
        var isIn: Bool
        /// The leg in progress.
        var tally = DartsTally()
        /// The latest turns of the leg in progress, by their place among all.
        var recent: [Int] = []
        /// Legs of the set in progress, or of the last one.
        var legs = 0
        var sets = 0

        /// A player at the beginning of a leg.
        init(_ mode: DartsMode) {
            left = mode.start
            isIn = !mode.needsDoubleIn
        }
    }

    /// How each player stands.
    private(set) var seats: [Seat]
    /// The turn with which the leg in progress begins, by its place among all.
    private(set) var legStart = 0
    /// The place of the leg in progress, or of the last one.
    private(set) var place = DartsLeg.Place()
    /// Who has won the match.
    private(set) var winner: Int?
    var rotation = TurnRotation()

    /// Who has won a leg of the set that is on.
    private var legWinners: Set<Int> = []
    /// How many more parts in legs are kept of those who did not throw in them.
    private var sitters = DartsStand.mostSitters
    /// When the latest visit of the leg in progress was written.
    private var latest: Stamp?

    /// Who has thrown in the leg in progress, in the order of their first visits.
    private var threw: [Int] = []

    init(_ terms: Terms) {
        let seat = Seat(terms.mode)
        seats = terms.players.map { _ in seat }
    }

    static func points(of result: DartsResult) -> Int64 { Int64(result.scored) }

    var isOver: Bool { winner != nil }

    var winners: [Int] { winner.map { [$0] } ?? [] }

    func result(
        of visit: DartsVisit,
        by player: Int,
        _ terms: Terms
    ) throws(RuleViolation) -> DartsResult {
        let seat = seats[player]
        let judge = DartsJudge(mode: terms.mode, left: seat.left, isIn: seat.isIn)
        do throws(DartsRule) { return try judge.result(of: visit) } catch { throw error.violation }
    }

    mutating func take(
        _ turn: CountedTurn<DartsVisit, DartsResult>,
        at index: Int,
        _ terms: Terms
    ) -> DartsLeg? {
        let thrower = turn.seat
        if seats[thrower].tally.visits == 0 { threw.append(thrower) }
        seats[thrower].left = turn.result.left
        seats[thrower].isIn = turn.result.isIn
        seats[thrower].tally.add(turn.result)
        if seats[thrower].recent.count == DartsStand.shownVisits {
            seats[thrower].recent.removeFirst()
        }
        seats[thrower].recent.append(index)
        latest.rise(to: turn.stamp)
        if turn.result.end == .finish {
            return finishLeg(wonBy: thrower, through: index, terms.mode)
        }
        rotation.pass()
        return nil
    }

    private mutating func finishLeg(
        wonBy thrower: Int,
        through index: Int,
        _ mode: DartsMode
    ) -> DartsLeg {
        // Not of everybody in each leg: legs of one dart are cheap to write.
        var players = threw
        if sitters > 0 {
            players += rotation.seats.filter { seats[$0].tally.visits == 0 }.prefix(sitters)
            sitters -= players.count - threw.count
        }
        players.sort()
        let leg = DartsLeg(
            place: place,
            turns: legStart..<index + 1,
            winner: thrower,
            players: players.map { player in
                let seat = seats[player]
                return DartsLeg.Part(player: player, tally: seat.tally, recent: seat.recent)
            },
            at: latest
        )
        legStart = index + 1
        latest = nil
        seats[thrower].legs += 1
        legWinners.insert(thrower)
        let isSetWon = seats[thrower].legs == mode.legsToWin
        if isSetWon { seats[thrower].sets += 1 }
        for player in threw {
            let (legs, sets) = (seats[player].legs, seats[player].sets)
            seats[player] = Seat(mode)
            seats[player].legs = legs
            seats[player].sets = sets
        }
        threw = []
        if seats[thrower].sets == mode.setsToWin {
            winner = thrower
            return leg
        }
        if isSetWon {
            for player in legWinners { seats[player].legs = 0 }
            legWinners = []
            place = DartsLeg.Place(set: place.set + 1, leg: 1)
        } else {
            place = DartsLeg.Place(set: place.set, leg: place.leg + 1)
        }
        // Each leg of a set begins with the next one, and each set too.
        rotation.restart(from: place.set + place.leg - 2)
        return leg
    }
}

/// What a visit comes to.
struct DartsResult: Hashable {
    /// How it ended.
    let end: End
    /// What it took off; 0 for a bust.
    let scored: Int
    /// How many darts were thrown.
    let darts: Int
    /// What is left after it.
    let left: Int
    /// Whether the player has opened the leg after it.
    let isIn: Bool
    /// Darts thrown while one dart could have finished; nil where the darts are not known.
    let chances: Int?

    /// How a visit can end.
    enum End: Hashable {
        /// There is something left.
        case open
        /// It took off too much.
        case bust
        /// It won the leg.
        case finish
    }
}

/// Judges one visit by what was left before it.
struct DartsJudge {
    /// How the match is set.
    let mode: DartsMode
    /// What is left.
    let left: Int
    /// Whether the player has opened the leg.
    let isIn: Bool

    /// What the visit comes to; refused where it cannot have happened.
    func result(of visit: DartsVisit) throws(DartsRule) -> DartsResult {
        switch visit {
        case .total(let total, let darts): try result(total, darts)
        case .darts(let darts): try result(darts)
        case .bust(let darts): try bust(darts)
        }
    }

    private func result(_ total: Int, _ darts: Int) throws(DartsRule) -> DartsResult {
        // Which rule is broken: the board's, or that of the double that opens.
        for isOpening in isIn ? [false] : [false, true] {
            guard DartsTotals.isPossible(total, darts: darts, isOpening: isOpening) else {
                throw .impossible("\(total)", darts: darts, isOpening: isOpening)
            }
        }
        let isFinish =
            total == left
            && DartsTotals.canFinish(left, darts: darts, out: mode.out, isOpening: !isIn)
        if isFinish { return end(.finish, darts) }
        if left - total < mode.out.least { return end(.bust, darts) }
        return DartsResult(
            end: .open,
            scored: total,
            darts: darts,
            left: left - total,
            isIn: isIn || total > 0,
            chances: nil
        )
    }

    private func bust(_ darts: Int) throws(DartsRule) -> DartsResult {
        guard DartsTotals.canBust(left, darts: darts, out: mode.out, isOpening: !isIn) else {
            throw .cannotBust(left: left, darts: darts)
        }
        return end(.bust, darts)
    }

    /// Dart by dart: nothing counts before the visit is opened, nor after it is over.
    private func result(_ darts: [Dart]) throws(DartsRule) -> DartsResult {
        var rest = left
        var isOpen = isIn
        var chances = 0
        for (index, dart) in darts.enumerated() {
            if isChance(rest, isOpen) { chances += 1 }
            isOpen = isOpen || dart.ring == .double
            guard isOpen else { continue }
            rest -= dart.points
            let isFinish = rest == 0 && mode.out.allows(dart)
            guard isFinish || rest < mode.out.least else { continue }
            guard index == darts.count - 1 else {
                throw .dartsAfterEnd(dart, isBust: !isFinish)
            }
            return end(isFinish ? .finish : .bust, darts.count, chances)
        }
        return DartsResult(
            end: .open,
            scored: left - rest,
            darts: darts.count,
            left: rest,
            isIn: isOpen,
            chances: chances
        )
    }

    private func isChance(_ rest: Int, _ isOpen: Bool) -> Bool {
        DartsTotals.canFinish(rest, darts: 1, out: mode.out, isOpening: !isOpen)
    }

    /// A bust gives back what was left, and takes back the double that opened.
    private func end(_ end: DartsResult.End, _ darts: Int, _ chances: Int? = nil) -> DartsResult {
        DartsResult(
            end: end,
            scored: end == .finish ? left : 0,
            darts: darts,
            left: end == .finish ? 0 : left,
            isIn: end == .finish || isIn,
            chances: chances
        )
    }
}

/// A finished leg.
struct DartsLeg: TurnPart, Hashable {
    /// Which one.
    let place: Place
    /// Its turns, by their place among all.
    let turns: Range<Int>
    /// Who won it, by seat.
    let winner: Int
    /// How each player did, in seat order.
    let players: [Part]
    /// When its latest visit was written; nil where that is still a wish.
    let at: Stamp?

    /// A set and a leg of it, both from 1.
    struct Place: Hashable {
        var set = 1
        var leg = 1

        /// What it is called: `leg 2`, or `set 1, leg 2`.
        func words(_ mode: DartsMode) -> String {
            mode.hasSets ? "set \(set), leg \(leg)" : "leg \(leg)"
        }
    }

    /// How one player did.
    struct Part: Hashable {
        let player: Int
        let tally: DartsTally
        /// The latest turns, by their place among all.
        let recent: [Int]
    }

    /// What the winner did.
    var winning: DartsTally? { players.first { $0.player == winner }?.tally }

    /// The leg as what statistics are made of.
    func outcome(_ number: Int, of seated: [Player], from start: Int) -> Outcome {
        let lefts = players.map { start - $0.tally.points }
        let ranks = CompetitionRanking.ranks(lefts.map { [Int64(-$0)] })
        return Outcome(
            number: number,
            at: at,
            players: zip(players, ranks).map { part, rank in
                PlayerOutcome(
                    player: seated[part.player].id,
                    name: seated[part.player].name,
                    isWinner: part.player == winner,
                    rank: rank,
                    total: Int64(part.tally.points),
                    tally: part.tally.counts
                )
            }
        )
    }
}
