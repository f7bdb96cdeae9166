import SessionCRDT

/// One game of a session: the first one, or one that `replay` began.
struct SmashUpGame: TurnPart, Hashable {
    /// Which one of the session, from 1.
    let number: Int
    /// The turn of the session that is its first one.
    let firstTurn: UInt32
    /// The points of each player, by seat.
    var points: Ledger { Ledger(numbers: gained) }
    /// The Madness cards of each player, by seat.
    var madness: Ledger { Ledger(numbers: held) }
    /// How many turns were ended.
    private(set) var turnCount: Int64 = 0
    /// The seats of those who ended a turn.
    private(set) var movers: Set<Int> = []
    /// Whether anybody has gained or lost anything.
    private(set) var isScored = false
    /// Who had most of the points when the last turn ended, where that wins if it is one, by seat.
    private(set) var leaders: [Int] = []
    /// Whether somebody won at the end of a turn.
    var isOver: Bool { leaders.count == 1 }
    /// By what the points were looked at when the latest turn ended; nil before one has.
    private(set) var roll: SmashUpRoll?
    /// The stamp of the latest entry that counts.
    private(set) var latest: Stamp?

    /// All of it, with the turn after which another began.
    var turns: Range<Int> { Int(firstTurn) - 1..<Int(firstTurn) + Int(turnCount) }

    // Of those who have any, because a session may have a thousand games and a crowd of players.
    private var gained: [Int: Int64] = [:]
    private var held: [Int: Int64] = [:]

    /// A number for each seat.
    struct Ledger {
        fileprivate let numbers: [Int: Int64]

        subscript(seat: Int) -> Int64 { numbers[seat] ?? 0 }
    }

    /// A game that has just begun.
    init(number: Int, firstTurn: UInt32) {
        self.number = number
        self.firstTurn = firstTurn
    }

    /// The seats of those who gained or held anything or ended a turn, in order.
    var active: [Int] { movers.union(gained.keys).union(held.keys).sorted() }

    /// Whether somebody gained or held anything or ended a turn.
    func hasPlayed(_ seat: Int) -> Bool {
        movers.contains(seat) || gained[seat] != nil || held[seat] != nil
    }

    /// Takes in points.
    mutating func gain(_ points: SmashUpNumber) {
        // A gain is within ±9999 and there are at most a million for each player.
        gained[points.player, default: 0] += points.number
        isScored = true
        latest.rise(to: points.stamp)
    }

    /// Takes in what somebody holds at the end.
    mutating func hold(_ cards: SmashUpNumber) {
        held[cards.player] = cards.number
        latest.rise(to: cards.stamp)
    }

    /// Takes in the end of a turn.
    mutating func endTurn(
        of player: Int,
        at stamp: Stamp?,
        _ roll: SmashUpRoll,
        among players: [Player]
    ) {
        turnCount += 1
        movers.insert(player)
        self.roll = roll
        latest.rise(to: stamp)
        let able = gained.filter { $0.value >= roll.target && roll.counts(players[$0.key].id) }
        let most = able.values.max()
        leaders = able.filter { $0.value == most }.keys.sorted()
    }

    /// Which turn of this game a turn of the session is, as people count them.
    func count(of turn: UInt32) -> UInt32 { turn < firstTurn ? 0 : turn - firstTurn + 1 }

    /// What Madness costs at the end: a point for every two cards.
    static func penalty(ofHolding cards: Int64) -> Int64 { cards / 2 }

    /// What a player's Madness costs at the end.
    func penalty(of player: Int) -> Int64 { SmashUpGame.penalty(ofHolding: madness[player]) }

    /// What a player has when everything is counted.
    func total(of player: Int) -> Int64 { points[player] - penalty(of: player) }
}
