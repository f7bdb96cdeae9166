import SessionCRDT

/// One game of a session: the first one, or one that `replay` began.
struct SmashUpGame: Hashable {
    /// Which one of the session, from 1.
    let number: Int
    /// The turn of the session that is its first one.
    let firstTurn: UInt32
    /// The points of each player, by seat.
    var points: Ledger { Ledger(numbers: gained) }
    /// The Madness cards of each player, by seat.
    var madness: Ledger { Ledger(numbers: held) }
    /// How many turns were ended.
    private(set) var turns: Int64 = 0
    /// The seats of those who ended a turn.
    private(set) var movers: Set<Int> = []
    /// Whether anybody has gained or lost anything.
    private(set) var isScored = false
    /// The turn of the session at the end of which somebody won.
    var end: UInt32?
    /// Whether somebody won at the end of a turn.
    var isOver: Bool { end != nil }
    /// Who shared the lead at or above the target when the last turn ended, by seat.
    var tied: [Int] = []
    /// By what the points were looked at when the last turn ended; nil before one has.
    var roll: SmashUpRoll?
    /// The stamp of the latest entry that counts.
    private(set) var latest: Stamp?

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

    /// The seats of those with most of the points, of those who count, in order; nobody where that
    /// is less than the least that wins.
    func leaders(from least: Int64, among counts: (Int) -> Bool) -> [Int] {
        let able = gained.filter { $0.value >= least && counts($0.key) }
        let most = able.values.max()
        return able.filter { $0.value == most }.keys.sorted()
    }

    /// Takes in points.
    mutating func gain(_ amount: Int64, by player: Int, at stamp: Stamp) {
        // A fact is within ±9999 and there are at most a million for each player.
        gained[player, default: 0] += amount
        isScored = true
        touch(stamp)
    }

    /// Takes in what somebody holds at the end.
    mutating func hold(_ cards: Int64, by player: Int, at stamp: Stamp) {
        held[player] = cards
        touch(stamp)
    }

    /// Takes in the end of a turn.
    mutating func endTurn(of player: Int, at stamp: Stamp) {
        turns += 1
        movers.insert(player)
        touch(stamp)
    }

    private mutating func touch(_ stamp: Stamp) { latest = max(latest ?? stamp, stamp) }

    /// Which turn of this game a turn of the session is, as people count them.
    func count(of turn: UInt32) -> UInt32 { turn < firstTurn ? 0 : turn - firstTurn + 1 }

    /// What a player's Madness costs at the end: a point for every two cards.
    func penalty(of player: Int) -> Int64 { madness[player] / 2 }

    /// What a player has when everything is counted.
    func total(of player: Int) -> Int64 { points[player] - penalty(of: player) }
}
