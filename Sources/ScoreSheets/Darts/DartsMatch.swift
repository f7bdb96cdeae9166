import SessionCRDT

/// A match as the visits tell it, replayed from the first turn.
///
/// Turns count over the whole match. At each turn one player is to throw; the replay stops at the
/// first turn at which nothing of that player counts, and nothing behind it does.
struct DartsMatch {
    /// How the match is set.
    let mode: DartsMode
    /// The columns in seat order, those of removed players too.
    private(set) var columns: [DartsColumn]
    /// How each of them stands.
    private(set) var seats: [Seat]
    /// The turns that count, from turn 1.
    private(set) var turns: [Turn] = []
    /// The finished legs.
    private(set) var legs: [DartsLeg] = []
    /// Where in `turns` the leg in progress begins.
    private(set) var legStart = 0
    /// The place of the leg in progress, or of the last one.
    private(set) var place = DartsLeg.Place()
    /// Who has won the match.
    private(set) var winner: Int?
    /// Why the visit of the open turn does not count, where there is one.
    private(set) var refusal: DartsRule?
    /// Whose turn is open by what is recorded.
    private(set) var recordedThrower: Int?
    /// Who throws in which order at the open turn.
    private(set) var rotation: [Int] = []
    /// The order that the next visit has to record; nil where what is recorded holds.
    private(set) var orderToRecord: DartsOrder?

    private var position = 0
    private var last: Int?
    /// The throwing order of the leg in progress, with those who were there and left.
    private var circle: [Int] = []
    /// Who has won a leg of the set that is on.
    private var legWinners: Set<Int> = []
    /// How many more parts in legs are kept of those who did not throw in them.
    private var sitters = DartsMatch.mostSitters

    /// How many parts in legs a match keeps of those who did not throw in them: far more than any
    /// match has, and a limit because legs of one dart among thousands of players are cheap to
    /// write.
    static let mostSitters = 10_000

    /// How one player stands.
    struct Seat: Hashable {
        var left: Int
        var isIn: Bool
        /// The leg in progress.
        var tally = DartsTally()
        /// Legs of the set in progress, or of the last one.
        var legs = 0
        var sets = 0
        /// Legs of the whole match.
        var allLegs = 0
    }

    /// A visit that counts.
    struct Turn: Hashable {
        let player: Int
        let visit: DartsVisit
        let result: DartsResult
        let stamp: Stamp?
    }

    /// The match of a book, in which `wish` stands instead of what is there.
    init(_ book: Book, by sheet: Sheet, settings: Settings, with wish: DartsWish? = nil) {
        mode = DartsMode(settings)
        columns = book.players.map { DartsColumn($0, in: book, by: sheet, with: wish) }
        let seat = Seat(left: mode.start, isIn: !mode.needsDoubleIn)
        seats = columns.map { _ in seat }
        replay(by: DartsMatch.order(settings))
    }

    /// The recorded order; nil where there is none, or what is there is not one.
    static func order(_ settings: Settings) -> DartsOrder? {
        settings.values[orderOption]?.string.flatMap(DartsOrder.init)
    }

    /// The option that keeps the throwing order.
    static let orderOption = Symbol(known: "order")

    /// The first turn of which nothing counts.
    var openTurn: UInt32 { UInt32(clamping: turns.count + 1) }

    /// Who is to throw; nil of nobody, as after the end.
    var thrower: Int? {
        winner == nil && rotation.indices.contains(position) ? rotation[position] : nil
    }

    /// What judges a visit of the player to throw.
    func judge(of player: Int) -> DartsJudge {
        DartsJudge(mode: mode, left: seats[player].left, isIn: seats[player].isIn)
    }

    private mutating func replay(by recorded: DartsOrder?) {
        var seatOf: [PlayerID: Int] = [:]
        for (seat, column) in columns.enumerated() { seatOf[column.player.id] = seat }
        // Nobody recorded an order where visits came by `score` only.
        let order =
            recorded
            ?? DartsOrder(
                columns.filter { $0.player.isPresent || !$0.visits.isEmpty }.map(\.player.id)
            )
        var stints = order.stints[...]
        while winner == nil {
            if let stint = stints.first, stint.turn == openTurn {
                stints.removeFirst()
                seat(stint.players.compactMap { seatOf[$0] })
            }
            guard let thrower, let place = columns[thrower].visit(at: openTurn) else { break }
            let slot = columns[thrower].visits[place]
            do {
                let result = try count(slot.visit, by: thrower, slot.stamp)
                columns[thrower].count(place, points: result.scored)
            } catch {
                refusal = error
                break
            }
        }
        recordedThrower = thrower
        guard winner == nil else { return }
        let isSeatedAnew = seatWhoIsHere()
        if recorded == nil || isSeatedAnew {
            let players = rotation.map { columns[$0].player.id }
            orderToRecord = isSeatedAnew ? order.changing(at: openTurn, to: players) : order
        }
    }

    /// Counts a visit of the player to throw.
    @discardableResult
    mutating func count(
        _ visit: DartsVisit,
        by thrower: Int,
        _ stamp: Stamp?
    ) throws(DartsRule) -> DartsResult {
        let result = try judge(of: thrower).result(of: visit)
        turns.append(Turn(player: thrower, visit: visit, result: result, stamp: stamp))
        seats[thrower].left = result.left
        seats[thrower].isIn = result.isIn
        seats[thrower].tally.add(result)
        if result.end == .finish {
            finishLeg(wonBy: thrower)
        } else {
            last = thrower
            position = (position + 1) % rotation.count
        }
        return result
    }

    private mutating func finishLeg(wonBy thrower: Int) {
        let threw = Set(turns[legStart...].map(\.player))
        let sitting = rotation.filter { !threw.contains($0) }.prefix(sitters)
        sitters -= sitting.count
        let players = threw.union(sitting).sorted()
        legs.append(
            DartsLeg(
                place: place,
                turns: legStart..<turns.count,
                winner: thrower,
                players: players.map { DartsLeg.Part(player: $0, tally: seats[$0].tally) },
                at: turns[legStart...].lazy.compactMap(\.stamp).max()
            )
        )
        legStart = turns.count
        seats[thrower].legs += 1
        seats[thrower].allLegs += 1
        legWinners.insert(thrower)
        let isSetWon = seats[thrower].legs == mode.legsToWin
        if isSetWon { seats[thrower].sets += 1 }
        for player in threw {
            seats[player].left = mode.start
            seats[player].isIn = !mode.needsDoubleIn
            seats[player].tally = DartsTally()
        }
        if seats[thrower].sets == mode.setsToWin {
            winner = thrower
            return
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
        circle = DartsMatch.weaving(before, into: players)
        if let place = players.firstIndex(of: last) {
            position = (place + 1) % players.count
        } else {
            let start = before.firstIndex(of: last).map { $0 + 1 } ?? 0
            let places = Dictionary(players.enumerated().map { ($1, $0) }) { first, _ in first }
            let following = before[start...] + before[..<start]
            position = following.lazy.compactMap { places[$0] }.first ?? 0
        }
    }

    /// Lets those throw who are here now, and says whether that changes what is recorded.
    ///
    /// Whoever is in the recorded order of the leg keeps their place in it, also once they come
    /// back; another order of the seats holds from the next leg on. Newcomers throw at once, each
    /// after whoever sits before them.
    /// Where a turn in the past was cleared, it is still that of whoever threw then.
    private mutating func seatWhoIsHere() -> Bool {
        let present = columns.indices.filter { columns[$0].player.isPresent }
        let isPast = columns.contains { ($0.visits.last?.turn ?? 0) > openTurn }
        if isPast, let thrower, columns[thrower].player.isPresent { return false }
        let staying = circle.filter { columns[$0].player.isPresent }
        let here = last == nil ? present : DartsMatch.weaving(present, into: staying)
        guard here != rotation else { return false }
        seat(here)
        return true
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
