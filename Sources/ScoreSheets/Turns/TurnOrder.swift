import SessionCRDT

/// How a game is set, who moves in which order, and from which turn on.
///
/// It is recorded by the first turn, and by the first one after players came, left or were seated
/// anew: derived from the present seats and options, an added player or another start, chosen on a
/// device that was apart, would make every turn before wrong. It is one value, so that of two
/// devices which began apart one says both how a game is set and who moves.
///
/// Its text is the mode and `TURN ID ID…` for each stint, joined by `;`. Matches that were begun by
/// the first versions have no mode in it until their next turn, and games without options none.
struct TurnOrder: Hashable, Sendable {
    /// How the game is set; nil where that is not recorded.
    let mode: String?
    /// The stints by their first turn; the first one begins with turn 1.
    let stints: [Stint]

    /// The option that keeps it.
    static let option = Symbol(known: "order")

    /// How long its text may be, in bytes: what a value of a session can hold.
    static let longest = 4096

    /// How many can move: as many as a text of that length surely names.
    static let mostPlayers = 100

    /// An order that holds from a turn on.
    struct Stint: Hashable, Sendable {
        /// The first turn.
        let turn: UInt32
        /// Who moves, each once; at least one.
        let players: [PlayerID]
    }

    /// The order in which these move from the first turn on.
    init(_ players: [PlayerID]) {
        self.init(mode: nil, stints: [Stint(turn: 1, players: players)])
    }

    private init(mode: String?, stints: [Stint]) {
        self.mode = mode
        self.stints = stints
    }

    /// The order of a text; nil where it is none.
    init?(_ text: String, isMode: (Substring) -> Bool) {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false)
        mode = parts.first.flatMap { isMode($0) ? String($0) : nil }
        if mode != nil { parts.removeFirst() }
        var stints: [Stint] = []
        for part in parts {
            let words = part.split(separator: " ", omittingEmptySubsequences: false)
            let players = words.dropFirst().compactMap { PlayerID($0) }
            guard let turn = words.first.flatMap({ UInt32($0) }), !players.isEmpty,
                players.count == words.count - 1, Set(players).count == players.count,
                stints.last.map({ $0.turn < turn }) ?? (turn == 1)
            else { return nil }
            stints.append(Stint(turn: turn, players: players))
        }
        guard !stints.isEmpty else { return nil }
        self.stints = stints
    }

    /// The order in which these move from a turn on.
    func changing(at turn: UInt32, to players: [PlayerID]) -> TurnOrder {
        let before = stints.filter { $0.turn < turn }
        return TurnOrder(mode: mode, stints: before + [Stint(turn: turn, players: players)])
    }

    /// The order in a game that is set like this.
    func setting(_ mode: String?) -> TurnOrder { TurnOrder(mode: mode, stints: stints) }
}

extension TurnOrder: CustomStringConvertible {
    var description: String {
        let stints = stints.map { stint in
            (["\(stint.turn)"] + stint.players.map(\.description)).joined(separator: " ")
        }
        return ((mode.map { [$0] } ?? []) + stints).joined(separator: ";")
    }
}

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

extension Array where Element == Player {
    /// Where everybody sits.
    var seats: [PlayerID: Int] { Dictionary(zip(map(\.id), 0...)) { first, _ in first } }
}

extension Array where Element == Int {
    /// The first of these seats around the table, from one on; they are in their order.
    func next(from seat: Int) -> Int? {
        let place = partitioningIndex { $0 >= seat }
        return place < count ? self[place] : first
    }
}
