/// Where a match stands: all that the next point depends on, and what is shown of it.
///
/// It does not grow with the points, only with the parts that were won. Sources: the rules of the
/// ITTF (2.11–2.15), the ITF (5–10, 14), the BWF (7, 8, 10), the FIVB (6, 12, 18), the WSF (2, 5)
/// and the FIPJP (5, 6); each is a set of options of a sheet.
package struct SportStand: Hashable, Sendable {
    /// What a point is a point of.
    package enum Phase: Hashable, Sendable {
        /// A part that has points only.
        case points
        /// A game of a set.
        case game
        /// A tie-break.
        case tieBreak
    }

    /// How the match is counted.
    package let mode: SportMode
    /// Who serves, and when ends are changed.
    package let service: SportService
    /// The finished parts, the first first.
    package private(set) var parts: [SportPart] = []
    /// How many parts each side has won.
    package private(set) var won = SportCount()
    /// The games of the set in progress.
    package private(set) var games = SportCount()
    /// The points of the part, game or tie-break in progress.
    package private(set) var points = SportCount()
    /// All points of the match.
    package private(set) var allPoints = SportCount()
    /// The longest run of points of each side.
    package private(set) var longestRun = SportCount()
    /// Who has won the match.
    package private(set) var winner: SportSide?
    /// Whether the sides change ends before the next point.
    package private(set) var changesEnds = false

    /// Who served first in the part, game or tie-break in progress.
    private var opener: SportSide
    /// Who won the last point of the part in progress.
    private var scorer: SportSide?
    /// Whether ends were changed within the last possible part.
    private var hasTurned = false
    /// The points that the same side won last, over all parts.
    private var run = SportCount()

    /// Before the first point.
    package init(_ mode: SportMode, _ service: SportService = SportService()) {
        self.mode = mode
        self.service = service
        opener = service.first
        if mode.best == 1, let last = service.last { opener = last }
    }

    /// Whether the part in progress is the last possible one.
    package var isLastPart: Bool {
        SportSide.allCases.allSatisfy { won[$0] == mode.partsToWin - 1 }
    }

    /// What the next point is a point of.
    package var phase: Phase {
        guard mode.hasGames else { return .points }
        if isLastPart, mode.final == .short { return .tieBreak }
        let hasTieBreak = mode.tieBreak > 0 && !(isLastPart && mode.final == .advantage)
        let isAll = SportSide.allCases.allSatisfy { games[$0] == mode.games }
        return hasTieBreak && isAll ? .tieBreak : .game
    }

    /// How many points win what is in progress, and by how many.
    package var target: (points: Int, lead: Int) {
        let last = isLastPart && mode.last > 0 ? mode.last : nil
        switch phase {
        // A match of one part is as long as any.
        case .points: return (mode.best > 1 ? last ?? mode.points : mode.points, mode.lead)
        case .game: return (mode.points, mode.lead)
        case .tieBreak:
            let isLonger = mode.final == .long || mode.final == .short
            return ((isLonger ? last : nil) ?? max(mode.tieBreak, 1), SportStand.tieBreakLead)
        }
    }

    /// By how many points a tie-break is won, and by how many games a set.
    static let tieBreakLead = 2

    /// After how many points of a tie-break ends are changed.
    private static let tieBreakEnds = 6

    /// Takes in that a side won so many points at once, as with several boules; what is more than
    /// wins the part does not count.
    package mutating func take(_ count: Int = 1, by side: SportSide) {
        changesEnds = false
        for _ in 0..<count {
            guard winner == nil, takePoint(by: side) == .open else { return }
        }
    }

    /// The match after one more point of a side.
    package func taking(by side: SportSide) -> SportStand {
        var stand = self
        stand.take(by: side)
        return stand
    }

    /// What becomes of a game or a part by a point.
    private enum Course {
        case open, ended
    }

    private mutating func takePoint(by side: SportSide) -> Course {
        points[side] += 1
        allPoints[side] += 1
        run[side] += 1
        run[side.other] = 0
        longestRun[side] = max(longestRun[side], run[side])
        scorer = side
        guard isWon(by: side) else {
            turnWithin(by: side)
            return .open
        }
        switch phase {
        case .points: finishPart(SportPart(points, winner: side))
        case .game: finishGame(by: side)
        case .tieBreak:
            guard mode.final != .short || !isLastPart else {
                finishPart(SportPart(points, winner: side))
                break
            }
            let tieBreak = points
            games[side] += 1
            finishPart(SportPart(games, tieBreak: tieBreak, winner: side))
        }
        return .ended
    }

    /// Whether what is in progress is won with the points that a side has now.
    private func isWon(by side: SportSide) -> Bool {
        let (target, lead) = target
        guard points[side] >= target else { return false }
        if points.lead(of: side) >= lead { return true }
        return phase != .tieBreak && mode.cap > 0 && points[side] >= mode.cap
    }

    private mutating func finishGame(by side: SportSide) {
        games[side] += 1
        guard games[side] < mode.games || games.lead(of: side) < SportStand.tieBreakLead else {
            finishPart(SportPart(games, winner: side))
            return
        }
        points = SportCount()
        opener = opener.other
        changesEnds = service.ends == .games && !games.sum.isMultiple(of: 2)
    }

    private mutating func finishPart(_ part: SportPart) {
        parts.append(part)
        won[part.winner] += 1
        guard won[part.winner] < mode.partsToWin else {
            winner = part.winner
            return
        }
        changesEnds =
            switch service.ends {
            case .never: false
            case .parts: true
            case .games: !games.sum.isMultiple(of: 2)
            }
        points = SportCount()
        games = SportCount()
        scorer = nil
        opener = service.opening == .winner ? part.winner : opener.other
        if isLastPart, let last = service.last { opener = last }
    }

    /// Changes ends within a part, where a point brings it to that.
    private mutating func turnWithin(by side: SportSide) {
        switch service.ends {
        case .never: break
        case .parts:
            guard isLastPart, !hasTurned, service.endsAt > 0, points[side] >= service.endsAt
            else { return }
            hasTurned = true
            changesEnds = true
        case .games:
            guard phase == .tieBreak else { return }
            changesEnds = points.sum.isMultiple(of: SportStand.tieBreakEnds)
        }
    }

    /// Who serves the next point, or throws the jack; nil of nobody, as after the end.
    package var server: SportSide? {
        guard winner == nil else { return nil }
        switch service.order {
        case .none: return nil
        case .rally, .jack: return scorer ?? opener
        case .games:
            let isOther = phase == .tieBreak && !((points.sum + 1) / 2).isMultiple(of: 2)
            return isOther ? opener.other : opener
        case .turns:
            // From the last point but one of both on, one serve each.
            let single = 2 * (target.points - 1)
            let turns =
                min(points.sum, single) / max(service.serves, 1) + max(points.sum - single, 0)
            return turns.isMultiple(of: 2) ? opener : opener.other
        }
    }
}
