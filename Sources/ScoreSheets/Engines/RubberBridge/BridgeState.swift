import SessionCRDT

/// The score of a rubber before a deal.
struct BridgeState: TurnState {
    typealias Setup = SidedSetup<BridgeOptions>

    struct Result: Hashable {
        let side: MatchSide
        let points: BridgePoints
    }

    static let isMoverFixed = false

    /// The points below the line that win a game (Law 73).
    static let game = 100
    /// The games that win the rubber (Law 74).
    static let gamesToWin = 2

    private(set) var games = SideCount()
    /// The points below the line in the game in progress.
    private(set) var partScores = SideCount()
    /// All points below the line.
    private(set) var below = SideCount()
    /// The points above the line, those for the rubber included.
    private(set) var above = SideCount()
    private(set) var winner: MatchSide?
    private(set) var latest: Stamp?
    private(set) var declared = SideCount()
    private(set) var made = SideCount()
    private(set) var slams = SideCount()

    init(_ setup: Setup) {}

    static func points(of result: Result) -> Int64 {
        Int64(result.points.below + result.points.above)
    }

    /// Nil, because either side can play the next contract.
    var mover: Int? { nil }
    var isOver: Bool { winner != nil }

    /// Whether a side has won a game.
    func isVulnerable(_ side: MatchSide) -> Bool { games[side] > 0 }

    /// The premium for the rubber: 500, or 700 if the other side has won no game (Law 74).
    var rubberPoints: Int { winner.map { games[$0.other] == 0 ? 700 : 500 } ?? 0 }

    func result(
        of deal: BridgeDeal,
        by seat: Int,
        _ setup: Setup
    ) throws(RuleViolation) -> Result {
        if let violation = setup.tooFewPlayers { throw violation }
        guard let side = setup.side(of: seat) else { throw setup.onlyWatches(setup.name(seat)) }
        return Result(side: side, points: deal.points(isVulnerable: isVulnerable(side)))
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: Setup) -> Never? {
        let (side, points) = (turn.result.side, turn.result.points)
        below[side] += points.below
        partScores[side] += points.below
        above[side] += points.above
        above[side.other] += points.ofDefenders
        declared[side] += 1
        if turn.move.margin >= 0 {
            made[side] += 1
            if turn.move.level > 5 { slams[side] += 1 }
        }
        latest.advance(to: turn.stamp)
        guard partScores[side] >= BridgeState.game else { return nil }
        partScores = SideCount()
        games[side] += 1
        if games[side] == BridgeState.gamesToWin {
            winner = side
            above[side] += rubberPoints
        }
        return nil
    }

    /// The premiums of a rubber that ends here unfinished: 300 for the only game, 100 for the part-
    /// score of the only side that has one (Law 80); 0 for a finished rubber.
    func unfinished(_ side: MatchSide) -> (game: Int, partScore: Int) {
        guard !isOver else { return (0, 0) }
        return (
            games[side] == 1 && games[side.other] == 0 ? 300 : 0,
            partScores[side] > 0 && partScores[side.other] == 0 ? 100 : 0
        )
    }

    /// Returns all points of a side; those of an unfinished rubber if it is abandoned.
    func total(of side: MatchSide, isAbandoned: Bool) -> Int {
        let (game, partScore) = isAbandoned ? unfinished(side) : (0, 0)
        return below[side] + above[side] + game + partScore
    }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: Setup) -> RuleViolation {
        winner.map { setup.words.over(winners: [setup.name(of: $0)]) }
            ?? setup.words.gap(turn, of: nil)
    }
}
