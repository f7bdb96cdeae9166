import SessionCRDT

/// Who moves in which order, and who is to move.
struct TurnRotation: Hashable, Sendable {
    /// Who moves in which order, by seat.
    private(set) var seats: [Int] = []

    /// Where the turn is in that order.
    private var position = 0
    /// Where it begins: the place of whoever makes the first move of the round.
    private var start = 0
    /// Who moved last since it began.
    private var last: Int?
    /// The order since it began, with those who were there and left.
    private var circle: [Int] = []
    /// How many stints of the order have begun.
    private var stints = 0

    /// An order of nobody, until a stint begins.
    init() {}

    /// Who is to move; nil of nobody.
    var mover: Int? { seats.indices.contains(position) ? seats[position] : nil }

    /// Goes on in another order where a stint begins with the open turn.
    mutating func begin(_ order: TurnOrder, at turn: UInt32, _ places: [PlayerID: Int]) {
        guard stints < order.stints.count, order.stints[stints].turn == turn else { return }
        seat(order.stints[stints].players.compactMap { places[$0] })
        stints += 1
    }

    /// Passes the turn on to the next one who can move, if there is any.
    mutating func pass(toWhom canMove: (Int) -> Bool = { _ in true }) {
        last = mover
        for _ in seats {
            position = (position + 1) % seats.count
            if canMove(seats[position]) { return }
        }
    }

    /// Begins anew with the player at this place of the order, counted on from the end of it.
    mutating func restart(from place: Int) {
        start = place
        last = nil
        circle = seats
        position = starter
    }

    private var starter: Int { seats.isEmpty ? 0 : start % seats.count }

    /// Goes on in another order, with whoever follows the last one who moved.
    private mutating func seat(_ players: [Int]) {
        let before = circle
        seats = players
        guard let last else {
            circle = players
            position = starter
            return
        }
        circle = TurnRotation.weaving(before, into: players)
        if let place = players.firstIndex(of: last) {
            position = (place + 1) % players.count
        } else {
            let start = before.firstIndex(of: last).map { $0 + 1 } ?? 0
            let places = Dictionary(players.enumerated().map { ($1, $0) }) { first, _ in first }
            let following = before[start...] + before[..<start]
            position = following.lazy.compactMap { places[$0] }.first ?? 0
        }
    }

    /// Lets those move who are here now.
    ///
    /// Whoever is in the recorded order since it began keeps their place in it, also once they come
    /// back; another order of the seats holds from the next beginning on. Newcomers move at once,
    /// each after whoever sits before them.
    /// Where a turn in the past was cleared, it is still that of whoever moved then.
    func seating(_ players: [Player], _ present: [Int], isPast: Bool) -> TurnRotation {
        if isPast, let mover, players[mover].isPresent { return self }
        let staying = circle.filter { players[$0].isPresent }
        let here = last == nil ? present : TurnRotation.weaving(present, into: staying)
        guard here != seats else { return self }
        var rotation = self
        rotation.seat(here)
        return rotation
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
