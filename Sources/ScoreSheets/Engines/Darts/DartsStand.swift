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
