import SessionCRDT

/// The result of an entry.
struct SportResult: Hashable {
    let side: SportSide
    /// The points of it that count.
    let points: Int
}

/// The state of a match before a point, and when the last one was written.
struct SportState: TurnState {
    typealias Setup = SportSetup

    private(set) var match: SportMatch
    /// The time at which the latest point was written.
    private(set) var latest: Stamp?
    /// The first point of the part in progress, by its index among all.
    private(set) var partStart = 0

    init(_ setup: SportSetup) {
        match = SportMatch(setup.options, setup.service)
    }

    static var isMoverFixed: Bool { false }

    static func points(of result: SportResult) -> Int64 { Int64(result.points) }

    /// Nobody: either side can win the next point.
    var mover: Int? { nil }

    var isOver: Bool { match.winner != nil }

    func result(
        of count: Int,
        by seat: Int,
        _ setup: SportSetup
    ) throws(RuleViolation) -> SportResult {
        if let missing = setup.missing { throw missing }
        guard let side = setup.side(of: seat) else { throw setup.onlyWatches(setup.name(seat)) }
        try setup.checkCount(count)
        return SportResult(side: side, points: match.counted(count, by: side))
    }

    mutating func apply(
        _ turn: CountedTurn<Int, SportResult>,
        at index: Int,
        _ setup: SportSetup
    ) -> Never? {
        let parts = match.parts.count
        match.add(turn.result.points, by: turn.result.side)
        if match.parts.count > parts { partStart = index + 1 }
        latest.advance(to: turn.stamp)
        return nil
    }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: SportSetup) -> RuleViolation {
        match.winner.map { setup.words.over(winners: [setup.name(of: $0)]) }
            ?? setup.words.gap(turn, of: nil)
    }
}
