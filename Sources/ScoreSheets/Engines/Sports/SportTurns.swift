import SessionCRDT

/// Where a match stands before a point, with when it was written.
struct SportTurns: TurnStand {
    typealias Terms = SportTerms

    /// Where the match stands.
    private(set) var match: SportStand
    /// When the latest point was written.
    private(set) var latest: Stamp?
    /// With which point the part in progress begins, by its place among all.
    private(set) var partStart = 0

    init(_ terms: SportTerms) {
        match = SportStand(terms.mode, terms.service)
    }

    /// In that of either side.
    static var isMoverFixed: Bool { false }

    static func points(of result: SportResult) -> Int64 { Int64(result.points) }

    /// Nobody: either can win the next point.
    var mover: Int? { nil }

    var isOver: Bool { match.winner != nil }

    func result(
        of count: Int,
        by seat: Int,
        _ terms: SportTerms
    ) throws(RuleViolation) -> SportResult {
        if let missing = terms.missing { throw missing }
        guard let side = terms.side(of: seat) else {
            throw SportRule.watches(terms.name(seat), players: terms.whoPlays).violation
        }
        guard count <= match.mode.most else {
            throw SportRule.tooMany(count, most: match.mode.most).violation
        }
        return SportResult(side: side, points: match.counted(count, by: side))
    }

    mutating func take(
        _ turn: CountedTurn<Int, SportResult>,
        at index: Int,
        _ terms: SportTerms
    ) -> Never? {
        let parts = match.parts.count
        match.take(turn.result.points, by: turn.result.side)
        if match.parts.count > parts { partStart = index + 1 }
        latest.rise(to: turn.stamp)
        return nil
    }

    func reasonBehind(_ turn: UInt32, _ terms: SportTerms) -> RuleViolation {
        let winners = match.winner.map { [terms.name(of: $0)] }
        return terms.violation(winners.map(TurnRule.over) ?? .gap(turn, of: nil))
    }
}
