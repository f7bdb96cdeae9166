import SessionCRDT

struct SportState: TurnState {
    typealias Setup = SportSetup

    struct Result: Hashable {
        let side: MatchSide
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

    /// Returns the result of an entry.
    ///
    /// A choice counts for its part wherever it is, because a correction may have moved the score
    /// that asked for it; only `check` insists that it is due.
    func result(
        of entry: SportEntry,
        by seat: Int,
        _ setup: SportSetup
    ) throws(RuleViolation) -> Result {
        if let violation = setup.tooFewPlayers { throw violation }
        guard let side = setup.side(of: seat) else { throw setup.onlyWatches(setup.name(seat)) }
        switch entry {
        case .points(let count):
            try setup.checkCount(count)
            return Result(side: side, points: match.counted(count, by: side))
        case .setting:
            guard setup.options.isSetByReceiver else { throw setup.noChoice }
            return Result(side: side, points: 0)
        }
    }

    /// Throws if an entry is not due: a choice that nobody has, or a rally before it is made.
    func check(_ entry: SportEntry, by seat: Int, _ setup: SportSetup) throws(RuleViolation) {
        guard match.winner == nil else { return }
        switch (entry, match.chooser) {
        case (.points, nil): break
        case (.points, let side?): throw setup.choiceDue(of: side, match)
        case (.setting, nil): throw setup.noChoice
        case (.setting, let side?):
            guard setup.side(of: seat) == side else { throw setup.choiceDue(of: side, match) }
        }
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: SportSetup) -> Never? {
        let parts = match.parts.count
        switch turn.move {
        case .points(let count): match.add(count, by: turn.result.side)
        case .setting(let setting): match.choose(setting)
        }
        if match.parts.count > parts { partStart = index + 1 }
        latest.advance(to: turn.stamp)
        return nil
    }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: SportSetup) -> RuleViolation {
        match.winner.map { setup.words.over(winners: [setup.name(of: $0)]) }
            ?? setup.words.gap(turn, of: nil)
    }
}
