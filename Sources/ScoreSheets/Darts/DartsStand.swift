import SessionCRDT

/// Where a match stands before a turn: all that the next visit depends on.
///
/// It does not grow with the visits, so that a match can keep one every so many turns and go on
/// from there after a correction.
struct DartsStand: Hashable {
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
    /// Who throws in which order.
    private(set) var rotation: [Int] = []
    /// How many stints of the order have begun.
    private(set) var stints = 0

    private var position = 0
    private var last: Int?
    /// The throwing order of the leg in progress, with those who were there and left.
    private var circle: [Int] = []
    /// Who has won a leg of the set that is on.
    private var legWinners: Set<Int> = []
    /// How many more parts in legs are kept of those who did not throw in them.
    private var sitters = DartsStand.mostSitters
    /// When the latest visit of the leg in progress was written.
    private var latest: Stamp?

    /// Before the first turn.
    init(_ terms: DartsTerms) {
        let seat = Seat(terms.mode)
        seats = terms.players.map { _ in seat }
    }

    /// Who is to throw; nil of nobody, as after the end.
    var thrower: Int? {
        winner == nil && rotation.indices.contains(position) ? rotation[position] : nil
    }

    /// Who has thrown in the leg in progress, in the order of their first visits.
    private var threw: [Int] = []

    /// What a visit of this player comes to; refused where it cannot have happened.
    func result(
        of visit: DartsVisit,
        by player: Int,
        _ mode: DartsMode
    ) throws(DartsRule) -> DartsResult {
        let seat = seats[player]
        return try DartsJudge(mode: mode, left: seat.left, isIn: seat.isIn).result(of: visit)
    }

    /// Goes on in another order where one begins with the open turn.
    mutating func begin(_ order: DartsOrder, at turn: UInt32, _ terms: DartsTerms) {
        guard stints < order.stints.count, order.stints[stints].turn == turn else { return }
        seat(order.stints[stints].players.compactMap { terms.seats[$0] })
        stints += 1
    }

    /// Takes in the turn of whoever is to throw, which is this one of all; gives back the leg that
    /// it won.
    mutating func take(_ turn: DartsTurn, at index: Int, _ mode: DartsMode) -> DartsLeg? {
        let thrower = turn.player
        if seats[thrower].tally.visits == 0 { threw.append(thrower) }
        seats[thrower].left = turn.result.left
        seats[thrower].isIn = turn.result.isIn
        seats[thrower].tally.add(turn.result)
        if seats[thrower].recent.count == DartsStand.shownVisits {
            seats[thrower].recent.removeFirst()
        }
        seats[thrower].recent.append(index)
        latest = turn.stamp.map { max(latest ?? $0, $0) } ?? latest
        if turn.result.end == .finish {
            return finishLeg(wonBy: thrower, through: index, mode)
        }
        last = thrower
        position = (position + 1) % rotation.count
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
            players += rotation.filter { seats[$0].tally.visits == 0 }.prefix(sitters)
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
        last = nil
        circle = rotation
        position = starter
        return leg
    }

    /// Who begins the leg: each leg of a set the next one, and each set the next one.
    private var starter: Int {
        rotation.isEmpty ? 0 : (place.set + place.leg - 2) % rotation.count
    }

    /// Goes on in another order, with whoever follows the last one who threw.
    private mutating func seat(_ players: [Int]) {
        let before = circle
        rotation = players
        guard let last else {
            circle = players
            position = starter
            return
        }
        circle = DartsStand.weaving(before, into: players)
        if let place = players.firstIndex(of: last) {
            position = (place + 1) % players.count
        } else {
            let start = before.firstIndex(of: last).map { $0 + 1 } ?? 0
            let places = Dictionary(players.enumerated().map { ($1, $0) }) { first, _ in first }
            let following = before[start...] + before[..<start]
            position = following.lazy.compactMap { places[$0] }.first ?? 0
        }
    }

    /// Lets those throw who are here now.
    ///
    /// Whoever is in the recorded order of the leg keeps their place in it, also once they come
    /// back; another order of the seats holds from the next leg on. Newcomers throw at once, each
    /// after whoever sits before them.
    /// Where a turn in the past was cleared, it is still that of whoever threw then.
    func seating(_ players: [Player], _ present: [Int], isPast: Bool) -> DartsStand {
        guard winner == nil else { return self }
        if isPast, let thrower, players[thrower].isPresent { return self }
        let staying = circle.filter { players[$0].isPresent }
        let here = last == nil ? present : DartsStand.weaving(present, into: staying)
        guard here != rotation else { return self }
        var stand = self
        stand.seat(here)
        return stand
    }

    /// The circle, with those of the order who are not in it each after whoever of it is before
    /// them in the order.
    private static func weaving(_ order: [Int], into circle: [Int]) -> [Int] {
        let members = Set(circle)
        guard let start = order.firstIndex(where: members.contains) else { return circle + order }
        // Where the order begins as the circle does, those before are first in both.
        let isSameStart = order[start] == circle.first
        var anchor = order[start]
        var following: [Int: [Int]] = [:]
        for seat in order[start...] + (isSameStart ? [] : order[..<start]) {
            if members.contains(seat) {
                anchor = seat
            } else {
                following[anchor, default: []].append(seat)
            }
        }
        return (isSameStart ? Array(order[..<start]) : [])
            + circle.flatMap { [$0] + (following[$0] ?? []) }
    }
}
