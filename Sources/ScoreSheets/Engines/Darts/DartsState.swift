import SessionCRDT

/// The state of a match of darts before a turn.
struct DartsState: OrderedTurnState {
    typealias Options = DartsOptions
    typealias Setup = OrderedSetup<DartsOptions>

    /// The most entries in finished legs for players who did not throw in them: far more than any
    /// match has, and a limit because legs of one dart among thousands of players are cheap to
    /// write.
    static let maxSitters = 10_000
    /// The number of latest visits of each player that are shown.
    static let shownVisits = 20

    /// One player's state.
    struct Seat: Hashable {
        var left: Int
        /// Whether the player has opened the leg.
        var isIn: Bool
        /// Counts of the leg in progress.
        var tally = DartsTally()
        /// The latest turns of the leg in progress, by their index among all.
        var recent: [Int] = []
        /// Legs won of the set in progress, or of the last one.
        var legs = 0
        var sets = 0

        /// A player at the start of a leg.
        init(_ options: DartsOptions) {
            left = options.start
            isIn = !options.needsDoubleIn
        }
    }

    private(set) var seats: [Seat]
    /// The index of the first turn of the leg in progress.
    private(set) var legStart = 0
    /// The number of the leg in progress, or of the last one.
    private(set) var place = DartsLeg.Place()
    /// The winner of the match.
    private(set) var winner: Int?
    var rotation = TurnRotation()

    /// The winners of legs of the set in progress.
    private var legWinners: Set<Int> = []
    /// The number of entries left for players who do not throw in a leg.
    private var sitters = DartsState.maxSitters
    /// The time at which the latest visit of the leg in progress was written.
    private var latest: Stamp?
    /// The seats that have thrown in the leg in progress, in the order of their first visits.
    private var threw: [Int] = []

    init(_ setup: Setup) {
        let seat = Seat(setup.options)
        seats = setup.players.map { _ in seat }
    }

    static func points(of result: DartsResult) -> Int64 { Int64(result.scored) }

    var isOver: Bool { winner != nil }

    var winners: [Int] { winner.map { [$0] } ?? [] }

    func result(
        of visit: DartsVisit,
        by player: Int,
        _ setup: Setup
    ) throws(RuleViolation) -> DartsResult {
        let seat = seats[player]
        let scorer = DartsScorer(options: setup.options, left: seat.left, isIn: seat.isIn)
        return try scorer.result(of: visit)
    }

    mutating func apply(
        _ turn: CountedTurn<DartsVisit, DartsResult>,
        at index: Int,
        _ setup: Setup
    ) -> DartsLeg? {
        let thrower = turn.seat
        if seats[thrower].tally.visits == 0 { threw.append(thrower) }
        seats[thrower].left = turn.result.left
        seats[thrower].isIn = turn.result.isIn
        seats[thrower].tally.add(turn.result)
        if seats[thrower].recent.count == DartsState.shownVisits {
            seats[thrower].recent.removeFirst()
        }
        seats[thrower].recent.append(index)
        latest.advance(to: turn.stamp)
        if turn.result.end == .finish {
            return finishLeg(wonBy: thrower, through: index, setup.options)
        }
        rotation.pass()
        return nil
    }

    private mutating func finishLeg(
        wonBy thrower: Int,
        through index: Int,
        _ options: DartsOptions
    ) -> DartsLeg {
        // Not everyone is in each leg: legs of one dart are cheap to write.
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
        let isSetWon = seats[thrower].legs == options.legsToWin
        if isSetWon { seats[thrower].sets += 1 }
        for player in threw {
            let (legs, sets) = (seats[player].legs, seats[player].sets)
            seats[player] = Seat(options)
            seats[player].legs = legs
            seats[player].sets = sets
        }
        threw = []
        if seats[thrower].sets == options.setsToWin {
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
        // Each leg of a set starts with the next player, and so does each set.
        rotation.restart(from: place.set + place.leg - 2)
        return leg
    }
}

/// The result of a visit.
struct DartsResult: Hashable {
    let end: End
    /// The points taken off; 0 for a bust.
    let scored: Int
    let darts: Int
    /// The points left after it.
    let left: Int
    /// Whether the player has opened the leg after it.
    let isIn: Bool
    /// Darts thrown while one dart could have finished; nil if the darts are unknown.
    let chances: Int?

    enum End: Hashable {
        /// Points are left.
        case open
        /// It took off too much.
        case bust
        /// It won the leg.
        case finish
    }
}

/// Scores one visit by what was left before it.
struct DartsScorer {
    let options: DartsOptions
    let left: Int
    /// Whether the player has opened the leg.
    let isIn: Bool

    /// The result of a visit; refuses one that cannot have happened.
    func result(of visit: DartsVisit) throws(RuleViolation) -> DartsResult {
        switch visit {
        case .total(let total, let darts): try result(total, darts)
        case .darts(let darts): try result(darts)
        case .bust(let darts): try bust(darts)
        }
    }

    private func result(_ total: Int, _ darts: Int) throws(RuleViolation) -> DartsResult {
        guard DartsTotals.isPossible(total, darts: darts, isOpening: !isIn) else {
            // The board allows it, but not with the double that opens a leg.
            let isOpening = DartsTotals.isPossible(total, darts: darts, isOpening: false)
            throw DartsVisit.impossible("\(total)", darts: darts, isOpening: isOpening)
        }
        let isFinish =
            total == left
            && DartsTotals.canFinish(left, darts: darts, out: options.out, isOpening: !isIn)
        if isFinish { return end(.finish, darts) }
        if left - total < options.out.minLeft { return end(.bust, darts) }
        return DartsResult(
            end: .open,
            scored: total,
            darts: darts,
            left: left - total,
            isIn: isIn || total > 0,
            chances: nil
        )
    }

    private func bust(_ darts: Int) throws(RuleViolation) -> DartsResult {
        guard DartsTotals.canBust(left, darts: darts, out: options.out, isOpening: !isIn) else {
            throw RuleViolation("nobody can bust \(left) with \(DartsVisit.count(darts))")
        }
        return end(.bust, darts)
    }

    /// Scores dart by dart: nothing counts before the leg is opened, nor after the visit is over.
    private func result(_ darts: [Dart]) throws(RuleViolation) -> DartsResult {
        var rest = left
        var isOpen = isIn
        var chances = 0
        for (index, dart) in darts.enumerated() {
            if isChance(rest, isOpen) { chances += 1 }
            isOpen = isOpen || dart.ring == .double
            guard isOpen else { continue }
            rest -= dart.points
            let isFinish = rest == 0 && options.out.allows(dart)
            guard isFinish || rest < options.out.minLeft else { continue }
            guard index == darts.count - 1 else {
                throw RuleViolation(
                    "\(dart) \(isFinish ? "won the leg" : "went bust"); leave out the darts after it"
                )
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
        DartsTotals.canFinish(rest, darts: 1, out: options.out, isOpening: !isOpen)
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
struct DartsLeg: Hashable {
    let place: Place
    /// Its turns, by their index among all.
    let turns: Range<Int>
    /// The winner's seat.
    let winner: Int
    /// The players' parts, in seat order.
    let players: [Part]
    /// The time at which its latest visit was written; nil if that is not written yet.
    let at: Stamp?

    /// A set and a leg of it, both from 1.
    struct Place: Hashable {
        var set = 1
        var leg = 1

        /// The place in the match: `leg 2`, or `set 1, leg 2`.
        func words(_ options: DartsOptions) -> String {
            options.hasSets ? "set \(set), leg \(leg)" : "leg \(leg)"
        }
    }

    /// One player's part in a leg.
    struct Part: Hashable {
        let player: Int
        let tally: DartsTally
        /// The latest turns, by their index among all.
        let recent: [Int]
    }

    /// The winner's counts.
    var winning: DartsTally? { players.first { $0.player == winner }?.tally }

    /// The leg as statistics count it.
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
