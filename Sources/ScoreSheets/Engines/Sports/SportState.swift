import SessionCRDT

struct SportState: TurnState {
    typealias Setup = SportSetup

    struct Result: Hashable {
        let side: SportSide
        let points: Int
    }

    static let isMoverFixed = false

    private(set) var match: SportMatch
    private(set) var latest: Stamp?
    /// The first point of the part in progress, by its index among all.
    private(set) var partStart = 0

    init(_ setup: SportSetup) { match = SportMatch(setup.options, setup.service) }

    static func points(of result: Result) -> Int64 { Int64(result.points) }

    /// Nil, because either side can win the next point.
    var mover: Int? { nil }
    var isOver: Bool { match.winner != nil }

    func result(of move: Int, by seat: Int, _ setup: SportSetup) throws(RuleViolation) -> Result {
        if let violation = setup.tooFewPlayers { throw violation }
        guard let side = setup.side(of: seat) else { throw setup.onlyWatches(setup.name(seat)) }
        try setup.checkCount(move)
        return Result(side: side, points: match.counted(move, by: side))
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: SportSetup) -> Never? {
        let parts = match.parts.count
        match.add(turn.move, by: turn.result.side)
        if match.parts.count > parts { partStart = index + 1 }
        latest.advance(to: turn.stamp)
        return nil
    }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: SportSetup) -> RuleViolation {
        match.winner.map { setup.words.over(winners: [setup.name(of: $0)]) }
            ?? setup.words.gap(turn, of: nil)
    }
}
