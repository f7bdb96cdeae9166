import SessionCRDT

struct DartsState: OrderedTurnState {
    typealias Options = DartsOptions
    typealias Setup = OrderedSetup<DartsOptions>

    /// The maximum number of entries in finished legs for players who did not throw in them.
    ///
    /// No real match has so many. An untrusted player could write many legs of one dart among
    /// thousands of players.
    static let maxSitters = 10_000
    static let shownVisits = 20

    struct Seat: Hashable {
        /// The points from which the seat counts down in each leg.
        let start: Int
        var left: Int
        var isIn: Bool
        var tally = DartsTally()
        /// The parts of the tally by member, if the seat is a side of several.
        var shares: [Int: DartsTally] = [:]
        /// The indices of the latest turns of the leg in progress among all turns.
        var recent: [Int] = []
        /// The legs won in the set in progress, or in the last one.
        var legs = 0
        var sets = 0

        init(_ options: DartsOptions, start: Int) {
            (self.start, left) = (start, start)
            isIn = !options.needsDoubleIn
        }
    }

    private(set) var seats: [Seat]
    private(set) var legStart = 0
    /// The number of the leg in progress, or of the last one.
    private(set) var place = DartsLeg.Place()
    /// The winning seats; several after a draw.
    private(set) var winners: [Int] = []
    var rotation = TurnRotation()

    private var legWinners: Set<Int> = []
    /// The number of remaining entries for players who do not throw in a leg.
    private var sitters = DartsState.maxSitters
    /// The time at which the latest visit of the leg in progress was written.
    private var latest: Stamp?
    /// The seats that have thrown in the leg in progress, in the order of their first visits.
    private var throwers: [Int] = []

    init(_ setup: Setup) {
        let options = setup.options
        seats = setup.players.map { player in
            let own = player.start.map { Int(clamping: $0.roundedDown) }
            let start = own.flatMap { DartsRules.starts ~= $0 ? $0 : nil }
            return Seat(options, start: start ?? options.start)
        }
    }

    static func points(of result: DartsState.Result) -> Int64 { Int64(result.scored) }

    var isOver: Bool { !winners.isEmpty }

    func result(of move: DartsVisit, by seat: Int, _ setup: Setup) throws(RuleViolation) -> Result {
        let seat = seats[seat]
        return try DartsScorer(options: setup.options, left: seat.left, isIn: seat.isIn)
            .result(of: move)
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: Setup) -> DartsLeg? {
        let thrower = turn.seat
        if seats[thrower].tally[.visits] == 0 { throwers.append(thrower) }
        seats[thrower].left = turn.result.left
        seats[thrower].isIn = turn.result.isIn
        seats[thrower].tally.add(turn.result)
        if setup.hasPartners {
            seats[thrower].shares[turn.member, default: DartsTally()].add(turn.result)
        }
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
        // Not all players are in each leg, because an untrusted player could write many legs of one
        // dart.
        var players = throwers
        if sitters > 0 {
            players += rotation.seats.filter { seats[$0].tally[.visits] == 0 }.prefix(sitters)
            sitters -= players.count - throwers.count
        }
        players.sort()
        let leg = DartsLeg(
            place: place,
            turns: legStart..<index + 1,
            winner: thrower,
            players: players.map { DartsLeg.Part($0, seats[$0]) },
            at: latest
        )
        legStart = index + 1
        latest = nil
        seats[thrower].legs += 1
        legWinners.insert(thrower)
        let isSetWon = !options.playsAll && seats[thrower].legs == options.legsToWin
        if isSetWon { seats[thrower].sets += 1 }
        for player in throwers {
            var seat = Seat(options, start: seats[player].start)
            (seat.legs, seat.sets) = (seats[player].legs, seats[player].sets)
            seats[player] = seat
        }
        throwers = []
        if seats[thrower].sets == options.setsToWin {
            winners = [thrower]
            return leg
        }
        if options.endsAfterLegs, place.leg == options.legs {
            let most = seats.lazy.map(\.legs).max() ?? 0
            winners = seats.indices.filter { seats[$0].legs == most }
            return leg
        }
        if isSetWon {
            for player in legWinners { seats[player].legs = 0 }
            legWinners = []
            place = DartsLeg.Place(set: place.set + 1, leg: 1)
        } else {
            place.leg += 1
        }
        // Each leg of a set starts with the next player, and so does each set.
        rotation.restart(from: place.set + place.leg - 2)
        return leg
    }

    struct Result: Hashable {
        let end: End
        /// The points taken off; 0 for a bust.
        let scored: Int
        let darts: Int
        let left: Int
        let isIn: Bool
        /// The darts thrown while one dart could have finished; nil if the darts are unknown.
        var chances: Int?

        enum End: Hashable {
            case open
            case bust
            case finish
        }
    }
}

struct DartsScorer {
    let options: DartsOptions
    let left: Int
    let isIn: Bool

    /// Returns the result of a visit; throws if no darts can have scored it.
    func result(of visit: DartsVisit) throws(RuleViolation) -> DartsState.Result {
        switch visit {
        case .total(let total, let darts): try result(total, darts)
        case .darts(let darts): try result(darts)
        case .bust(let darts): try bust(darts)
        }
    }

    private func result(_ total: Int, _ darts: Int) throws(RuleViolation) -> DartsState.Result {
        guard DartsTotals.isPossible(total, darts: darts, isOpening: !isIn) else {
            // The board has such a total, but not with the double that opens a leg.
            let isOpening = DartsTotals.isPossible(total, darts: darts, isOpening: false)
            throw DartsVisit.impossible("\(total)", darts: darts, isOpening: isOpening)
        }
        if total == left,
            DartsTotals.canFinish(left, darts: darts, out: options.out, isOpening: !isIn)
        {
            return end(.finish, darts)
        }
        if left - total < options.out.minLeft { return end(.bust, darts) }
        return result(.open, darts, scored: total, isIn: isIn || total > 0)
    }

    private func bust(_ darts: Int) throws(RuleViolation) -> DartsState.Result {
        guard DartsTotals.canBust(left, darts: darts, out: options.out, isOpening: !isIn) else {
            throw RuleViolation("\(left) cannot go bust with \(DartsVisit.count(darts))")
        }
        return end(.bust, darts)
    }

    /// Scores dart by dart; darts before the leg is opened and after the visit is over score
    /// nothing.
    private func result(_ darts: [Dart]) throws(RuleViolation) -> DartsState.Result {
        var (rest, isOpen, chances) = (left, isIn, 0)
        for (index, dart) in darts.enumerated() {
            if DartsTotals.canFinish(rest, darts: 1, out: options.out, isOpening: !isOpen) {
                chances += 1
            }
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
        return result(.open, darts.count, scored: left - rest, isIn: isOpen, chances)
    }

    /// Returns the result of a visit that ended; a bust restores the points left and undoes the
    /// opening double.
    private func end(
        _ end: DartsState.Result.End,
        _ darts: Int,
        _ chances: Int? = nil
    ) -> DartsState.Result {
        let isFinish = end == .finish
        return result(end, darts, scored: isFinish ? left : 0, isIn: isFinish || isIn, chances)
    }

    private func result(
        _ end: DartsState.Result.End,
        _ darts: Int,
        scored: Int,
        isIn: Bool,
        _ chances: Int? = nil
    ) -> DartsState.Result {
        DartsState.Result(
            end: end,
            scored: scored,
            darts: darts,
            left: left - scored,
            isIn: isIn,
            chances: chances
        )
    }
}

struct DartsLeg: Hashable {
    let place: Place
    /// The indices of the leg's turns among all turns of the game.
    let turns: Range<Int>
    let winner: Int
    /// The result of each player in this leg, in seat order.
    let players: [Part]
    /// The time at which its latest visit was written; nil if that is not written yet.
    let at: Stamp?

    /// A set and a leg of it, both from 1.
    struct Place: Hashable {
        var set = 1
        var leg = 1

        /// Returns the place in the match: `leg 2`, or `set 1, leg 2`.
        func words(_ options: DartsOptions) -> String {
            options.hasSets ? "set \(set), leg \(leg)" : "leg \(leg)"
        }
    }

    struct Part: Hashable {
        let player: Int
        var tally = DartsTally()
        /// The parts of the tally by member, if the player is a side of several.
        var shares: [Int: DartsTally] = [:]
        /// The indices of the player's latest turns among all turns.
        var recent: [Int] = []
        /// The points from which the player counted down.
        let start: Int

        init(_ player: Int, _ seat: DartsState.Seat, isBlank: Bool = false) {
            (self.player, start) = (player, seat.start)
            if !isBlank { (tally, shares, recent) = (seat.tally, seat.shares, seat.recent) }
        }
    }

    var winning: DartsTally { players.first { $0.player == winner }?.tally ?? DartsTally() }

    /// Returns the outcome of the leg for statistics, ranked by the points that are left.
    func outcome(_ number: Int, of seated: [Player]) -> Outcome {
        Outcome(
            number,
            at: at,
            of: players.map { part in
                let points = Int64(part.tally[.points])
                return (
                    seated[part.player], (points, [points - Int64(part.start)]), part.tally.byName
                )
            },
            shares: players.map { $0.shares.mapValues(\.byName) }
        )
    }
}
