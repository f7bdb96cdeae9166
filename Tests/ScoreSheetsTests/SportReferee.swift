import ScoreSheets

/// An independent model of matches: a referee who plays game after game until the rallies run out,
/// and writes down what is called before each of them.
final class SportReferee {
    /// The score before a rally: the server, then points, games and parts of both sides.
    struct Call: Hashable {
        let server: Int
        let points: [Int]
        let games: [Int]
        let won: [Int]
    }

    /// The rules of a match, as they are published.
    enum Format {
        /// Sets of games; `decides` is the deuce after which one point decides, if any.
        case sets(Sets)
        case games(Games)
    }

    struct Sets {
        var decides: Int?
        var games = 6
        var tieBreakAt = 6
        /// The points of the tie-break, its lead, and its servers in turn, `a` the first.
        var tieBreak = (to: 7, lead: 2, servers: SportReferee.usual)
        /// A tie-break in place of the third set.
        var last: (to: Int, lead: Int)?
    }

    struct Games {
        var best = 3
        var to = 11
        var lead = 2
        /// The points that win once both sides are one short.
        var set: Int?
        /// Whether the receiver says at that moment to how many points the game goes.
        var asksReceiver = false
        var isSideOut = true
        var servers = 1
        var isOpenedByWinner = false
    }

    /// One serve, then two each.
    static let usual = "a" + String(repeating: "bbaa", count: 60)

    private struct NoRallyLeft: Error {}

    private let rallies: [Int]
    private var next = 0
    /// The points to which receivers set games, one after the other, and who did.
    private var settings: [Int]
    private(set) var setters: [Int] = []
    private(set) var calls: [Call] = []
    private(set) var winner: Int?
    private var games = [0, 0]
    private var won = [0, 0]

    init(_ rallies: [Int], _ format: Format, first: Int = 0, settings: [Int] = []) {
        (self.rallies, self.settings) = (rallies, settings)
        do {
            switch format {
            case .sets(let sets): try play(sets, first)
            case .games(let games): try play(games, first)
            }
        } catch {}
    }

    /// Returns the winner of the next rally.
    private func rally(_ server: Int, _ points: [Int]) throws(NoRallyLeft) -> Int {
        calls.append(Call(server: server, points: points, games: games, won: won))
        guard next < rallies.count else { throw NoRallyLeft() }
        next += 1
        return rallies[next - 1]
    }

    private func play(_ sets: Sets, _ first: Int) throws(NoRallyLeft) {
        var server = first
        while won.max() != 2 {
            if won == [1, 1], let last = sets.last {
                won[try tieBreak(server, last.to, last.lead, SportReferee.usual)] += 1
                continue
            }
            games = [0, 0]
            var isOver = false
            while !isOver {
                let side: Int
                if games == [sets.tieBreakAt, sets.tieBreakAt] {
                    let (to, lead, servers) = sets.tieBreak
                    side = try tieBreak(server, to, lead, servers)
                    isOver = true
                } else {
                    side = try game(server, sets.decides)
                    isOver = games[side] + 1 >= sets.games && games[side] + 1 - games[1 - side] > 1
                }
                server = 1 - server
                games[side] += 1
                if isOver { won[side] += 1 }
            }
            games = [0, 0]
        }
        winner = won[0] == 2 ? 0 : 1
    }

    private func game(_ server: Int, _ decides: Int?) throws(NoRallyLeft) -> Int {
        var points = [0, 0]
        var deuces = 0
        while true {
            if points[0] == points[1], points[0] >= 3 { deuces += 1 }
            let side = try rally(server, points)
            points[side] += 1
            if deuces > 0, deuces == decides { return side }
            if points[side] > 3, points[side] - points[1 - side] > 1 { return side }
        }
    }

    private func tieBreak(
        _ first: Int,
        _ to: Int,
        _ lead: Int,
        _ servers: String
    ) throws(NoRallyLeft) -> Int {
        let servers = Array(servers)
        var points = [0, 0]
        while true {
            let isFirst = servers[points[0] + points[1]] == "a"
            let side = try rally(isFirst ? first : 1 - first, points)
            points[side] += 1
            if points[side] >= to, points[side] - points[1 - side] >= lead { return side }
        }
    }

    private func play(_ match: Games, _ first: Int) throws(NoRallyLeft) {
        var opener = first
        while won.max() != match.best / 2 + 1 {
            var points = [0, 0]
            var goal = match.to
            // The side that begins has one server, whoever that is.
            var (server, left) = (opener, 1)
            var isSet = false
            while true {
                if match.asksReceiver, !isSet, points == [match.to - 1, match.to - 1] {
                    (goal, isSet) = (settings.removeFirst(), true)
                    setters.append(1 - server)
                }
                let side = try rally(server, points)
                if side == server || !match.isSideOut { points[side] += 1 }
                if side != server {
                    left -= 1
                    if left == 0 { (server, left) = (side, match.servers) }
                }
                if points == [match.to - 1, match.to - 1], let set = match.set { goal = set }
                guard points[side] >= goal, points[side] - points[1 - side] >= match.lead else {
                    continue
                }
                won[side] += 1
                opener = match.isOpenedByWinner ? side : 1 - opener
                break
            }
        }
        winner = won[0] > won[1] ? 0 : 1
    }
}
