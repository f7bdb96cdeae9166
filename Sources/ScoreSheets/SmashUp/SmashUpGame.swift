import SessionCRDT

/// One game of a session: the first one, or one that `replay` began.
struct SmashUpGame: Hashable {
    /// Which one of the session, from 1.
    let number: Int
    /// The points of each player, by seat.
    var points: Ledger { Ledger(numbers: gained) }
    /// The Madness cards of each player, by seat.
    var madness: Ledger { Ledger(numbers: held) }
    /// How many turns were ended.
    private(set) var turns: Int64 = 0
    /// Whether anybody has gained or lost anything.
    private(set) var isScored = false
    /// Whether somebody won at the end of a turn.
    var isOver = false
    /// Who shared the lead at or above the target when the last turn ended, by seat.
    var tied: [Int] = []
    /// Who had left with points when the last turn ended.
    var absent: Set<PlayerID> = []
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
    init(number: Int) { self.number = number }

    /// The seats of those who gained or held anything, in order.
    var active: [Int] { Set(gained.keys).union(held.keys).sorted() }

    /// The seats of those who gained so many points or more, in order.
    func seats(from least: Int64) -> [Int] { gained.filter { $0.value >= least }.keys.sorted() }

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
    mutating func endTurn(at stamp: Stamp) {
        turns += 1
        touch(stamp)
    }

    private mutating func touch(_ stamp: Stamp) { latest = max(latest ?? stamp, stamp) }

    /// What a player's Madness costs at the end: a point for every two cards.
    func penalty(of player: Int) -> Int64 { madness[player] / 2 }

    /// What a player has when everything is counted.
    func total(of player: Int) -> Int64 { points[player] - penalty(of: player) }
}
