import SessionCRDT

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

/// How people say what the points of a part, a game or a tie-break are.
package enum SportScore: Hashable, Sendable {
    /// The points of both, as each is said: `15` and `30`.
    case points(String, String)
    /// Forty all, or more, where two points decide.
    case deuce
    /// Forty all where the next point decides.
    case decidingPoint
    /// One point ahead after deuce.
    case advantage(SportSide)
}

extension SportStand {
    /// What a point can be that is about to be played.
    package enum Stake: Int, Hashable, Sendable {
        /// It can win a part.
        case part
        /// It can win the match.
        case match
    }

    /// The points of a game of tennis as they are called.
    private static let called = ["0", "15", "30", "40"]

    /// How the points in progress are said.
    package var score: SportScore {
        let (first, second) = (points[.first], points[.second])
        guard isCalled else { return .points("\(first)", "\(second)") }
        let highest = SportStand.called.count - 1
        guard min(first, second) >= highest else {
            return .points(
                SportStand.called[min(first, highest)],
                SportStand.called[min(second, highest)]
            )
        }
        if first == second { return mode.lead > 1 ? .deuce : .decidingPoint }
        return .advantage(first > second ? .first : .second)
    }

    /// Whether points are said as in tennis.
    private var isCalled: Bool {
        phase == .game && mode.points == SportStand.called.count
            && mode.lead <= SportStand.tieBreakLead && mode.cap == 0
    }

    /// What stands in the table for a side: `40`, `Ad`, `11`.
    package func cell(of side: SportSide) -> String {
        switch score {
        case .points(let first, let second): side == .first ? first : second
        case .deuce, .decidingPoint: "40"
        case .advantage(let ahead): ahead == side ? "Ad" : "40"
        }
    }

    /// What the next point could win, and for whom; nil of nothing that is told.
    ///
    /// Where one entry can bring several points, nobody can say it.
    package var stake: (side: SportSide, stake: Stake)? {
        guard winner == nil, mode.most == 1, allPoints.sum > 0 else { return nil }
        let stakes = SportSide.allCases.compactMap { side -> (SportSide, Stake)? in
            let after = taking(by: side)
            if after.winner != nil { return (side, .match) }
            return after.parts.count > parts.count ? (side, .part) : nil
        }
        return stakes.count == 1 ? stakes[0] : nil
    }
}

extension SportStand {
    /// What the total of a side counts: parts won; of a single part its games or points.
    package func total(of side: SportSide) -> Int {
        if mode.best > 1 { return won[side] }
        if winner != nil, let part = parts.last { return part.score[side] }
        return mode.hasGames ? games[side] : points[side]
    }

    /// How many of so many points that a side wins at once count: no more than win the part.
    package func counted(_ count: Int, by side: SportSide) -> Int {
        var stand = self
        stand.take(count, by: side)
        return stand.allPoints[side] - allPoints[side]
    }
}

/// Who serves when, and when ends are changed: what of a match is told and decides no point.
package struct SportService: Hashable, Sendable {
    /// Who serves next.
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// So many serves each by turns, and one each from the last point but one on.
        case turns
        /// Whoever has won the rally.
        case rally
        /// A game each by turns, and in a tie-break one serve, then two each.
        case games
        /// Nobody serves: whoever has won the end throws the jack.
        case jack
        /// Nobody.
        case none
    }

    /// Who serves first in the next part of a match.
    package enum Opening: String, Hashable, Sendable, CaseIterable {
        /// Whoever did not in the part before.
        case alternate
        /// Whoever has won the part before.
        case winner
    }

    /// When the sides change ends.
    package enum Ends: String, Hashable, Sendable, CaseIterable {
        /// Never.
        case never
        /// After each part, and in the last possible one once at so many points.
        case parts
        /// After each odd game of a set, and after every six points of a tie-break.
        case games
    }

    /// Who serves next.
    package var order = Order.none
    /// How many serves each has in a turn, where they serve by turns.
    package var serves = 2
    /// Who serves first in the next part.
    package var opening = Opening.alternate
    /// Who serves first in the match.
    package var first = SportSide.first
    /// Who serves first in the last possible part; nil where the order says it.
    package var last: SportSide?
    /// When ends are changed.
    package var ends = Ends.never
    /// With how many points of a side ends are changed in the last possible part; 0 of none.
    package var endsAt = 0

    /// Nobody serves and ends are kept.
    package init() {}

    /// The service of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings) {
        func word(_ name: StaticString) -> String? {
            settings.values[Symbol(known: name)]?.string
        }
        func number(_ name: StaticString, _ range: ClosedRange<Int>) -> Int? {
            settings.number(name, within: range)
        }
        order = word("service").flatMap(Order.init) ?? .none
        serves = number("serves", 1...SportMode.limit) ?? 2
        opening = word("opens").flatMap(Opening.init) ?? .alternate
        first = word("server").flatMap(SportService.seats) ?? .first
        last = word("last-server").flatMap(SportService.seats)
        ends = word("ends").flatMap(Ends.init) ?? .never
        endsAt = number("ends-at", 0...SportMode.limit) ?? 0
    }

    /// The service of a book, as its options hold.
    package init(_ sheet: Sheet, _ book: Book) { self.init(Settings(sheet, book)) }

    /// The side of a seat as options name it.
    private static func seats(_ word: String) -> SportSide? {
        ["first": SportSide.first, "second": .second][word]
    }
}

extension Settings {
    /// The number of an option, cut to what a game can count with; nil where it is off.
    func number(_ name: StaticString, within range: ClosedRange<Int>) -> Int? {
        values[Symbol(known: name)]?.integer.map {
            min(max(Int(clamping: $0), range.lowerBound), range.upperBound)
        }
    }
}

/// One of the two sides of a match: a player, a pair or a team, under one name.
package enum SportSide: Int, Hashable, Sendable, CaseIterable {
    /// Whoever sits in the first of the two seats.
    case first
    /// Whoever sits in the second.
    case second

    /// The opponents.
    package var other: SportSide { self == .first ? .second : .first }
}

/// What a point came to.
struct SportResult: Hashable {
    /// Who won it.
    let side: SportSide
    /// How many points of it counted.
    let points: Int
}

/// A number for each side.
package struct SportCount: Hashable, Sendable {
    private var first: Int
    private var second: Int

    /// So many of each side.
    package init(_ first: Int = 0, _ second: Int = 0) {
        self.first = first
        self.second = second
    }

    /// Both together.
    package var sum: Int { first + second }

    /// The number of a side.
    package subscript(side: SportSide) -> Int {
        get { side == .first ? first : second }
        set { if side == .first { first = newValue } else { second = newValue } }
    }

    /// By how much a side is ahead; less than nothing of one that is behind.
    package func lead(of side: SportSide) -> Int { self[side] - self[side.other] }
}

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

/// What is counted of a side's match for statistics.
enum SportTally {
    private static let parts = Symbol(known: "parts-won")
    private static let points = Symbol(known: "points-won")
    private static let pointsLost = Symbol(known: "points-lost")
    private static let run = Symbol(known: "longest-run")

    /// What a match comes to for a side, by name.
    static func counts(of match: SportStand, _ side: SportSide) -> [Symbol: Int64] {
        [
            parts: Int64(match.won[side]), points: Int64(match.allPoints[side]),
            pointsLost: Int64(match.allPoints[side.other]), run: Int64(match.longestRun[side]),
        ]
    }

    /// What somebody's finished matches come to.
    static func statistics(of outcomes: [PlayerOutcome], part: SportPartWord) -> [Statistic] {
        let won = outcomes.sum(of: points)
        let played = won + outcomes.sum(of: pointsLost)
        let share = played > 0 ? Statistic.quotient(won * 100, played) + " %" : nil
        let longest = outcomes.compactMap { $0.tally[run] }.max()
        return [
            Statistic(Symbol(known: "matches"), "Matches", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Matches won", "\(outcomes.count(where: \.isWin))"),
            Statistic(parts, "\(part.title) won", "\(outcomes.sum(of: parts))"),
            Statistic(points, "Points won", "\(won)"),
            Statistic(Symbol(known: "points-share"), "Share of all points", share),
            Statistic(run, "Longest run of points", longest.map { "\($0)" }),
        ]
    }
}
