/// The score of a match: everything that the next point and the display depend on.
///
/// Its size depends on the number of parts that were won, not on the points. Sources: the rules of
/// the ITTF (2.11–2.15), the ITF (5–10, 14), the BWF (7, 8, 10), the FIVB (6, 12, 18), the WSF (2,
/// 5), the FIPJP (5, 6), the FIP (padel) and USA Pickleball (4, 5), and of squash to nine (2); a
/// sheet selects one of them by its options.
package struct SportMatch: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        case points
        case game
        case tieBreak
    }

    package let options: SportOptions
    package let service: SportService
    package private(set) var parts: [SportPart] = []
    /// The number of parts that each side has won.
    package private(set) var won = SideCount()
    package private(set) var games = SideCount()
    /// The points of the part, game or tie-break in progress.
    package private(set) var points = SideCount()
    package private(set) var allPoints = SideCount()
    package private(set) var longestRun = SideCount()
    package private(set) var winner: MatchSide?
    /// The receiver's choice in the part in progress; nil before it is made.
    package private(set) var setting: SportSetting?
    /// Whether the sides change ends before the next point.
    package private(set) var changesEnds = false

    /// The side that served first in the part, game or tie-break in progress.
    private var opener: MatchSide
    /// Whether no rally of the part, game or tie-break in progress was played.
    package private(set) var isFresh = true
    /// The side that has won the serve: with one server a side, by the last rally of the part.
    private var holder: MatchSide
    /// The number of the server among those of the side, from 1, if rallies decide who serves.
    package private(set) var serverNumber: Int
    /// Whether the sides have already changed ends within the last possible part.
    private var hasTurned = false
    /// The current run of points of one side, across parts.
    private var run = SideCount()

    package init(_ options: SportOptions, _ service: SportService = SportService()) {
        self.options = options
        self.service = service
        opener = service.first
        if options.best == 1, let last = service.last { opener = last }
        if options.scores == .server { opener = options.serves.first }
        holder = opener
        serverNumber = options.serves.servers
    }

    package var isLastPart: Bool {
        MatchSide.allCases.allSatisfy { won[$0] == options.partsToWin - 1 }
    }

    package var phase: Phase {
        guard options.hasGames else { return .points }
        if isLastPart, options.final == .short { return .tieBreak }
        let hasTieBreak = options.tieBreak > 0 && !(isLastPart && options.final == .advantage)
        let all = options.tieBreakAt > 0 ? options.tieBreakAt : options.games
        let isAll = MatchSide.allCases.allSatisfy { games[$0] == all }
        return hasTieBreak && isAll ? .tieBreak : .game
    }

    /// The points and the lead that win the part, game or tie-break in progress.
    package var target: (points: Int, lead: Int) {
        switch phase {
        case .points:
            let usual = usualPoints
            guard isLevel else { return (usual, options.lead) }
            if options.setTo > 0 { return (options.setTo, options.lead) }
            return (setting == .two ? usual + 1 : usual, options.lead)
        case .game: return (options.points, options.lead)
        case .tieBreak:
            return (isLonger ? options.last : max(options.tieBreak, 1), options.tieBreakLead)
        }
    }

    /// The points that win a part without games, unless they are set.
    ///
    /// The only part of a match is played to `points`, not to `last`.
    private var usualPoints: Int {
        let isLast = options.best > 1 && isLastPart && options.last > 0
        return isLast ? options.last : options.points
    }

    /// Whether both sides of a part without games are one point short of the usual number, or
    /// beyond.
    private var isLevel: Bool {
        MatchSide.allCases.allSatisfy { points[$0] >= usualPoints - 1 }
    }

    /// The side that must choose the points of the part before the next rally; nil if none must.
    package var chooser: MatchSide? {
        guard winner == nil, phase == .points, options.isSetByReceiver, setting == nil,
            MatchSide.allCases.allSatisfy({ points[$0] == usualPoints - 1 })
        else { return nil }
        return server?.other
    }

    /// Records the receiver's choice for the part in progress.
    ///
    /// Before the first rally of a part it has no effect: it is left over from a part that ended
    /// earlier by a correction.
    package mutating func choose(_ setting: SportSetting) {
        if !isFresh { self.setting = setting }
    }

    /// The choice in words: `set two, to 10`; nil before both sides are one point short.
    var settingWords: String? {
        guard phase == .points, isLevel else { return nil }
        return setting.map { "\($0.rawValue), to \(target.points)" }
    }

    /// Returns what a side must choose: `8–8: Bob chooses set one (to 9) or set two (to 10)`.
    func choiceWords(_ name: String) -> String {
        let (one, two) = (usualPoints, usualPoints + 1)
        return "\(one - 1)–\(one - 1): \(name) chooses set one (to \(one)) or set two (to \(two))"
    }

    /// Whether a tie-break of the part in progress is the longer one of the last part.
    private var isLonger: Bool {
        isLastPart && options.last > 0 && (options.final == .long || options.final == .short)
    }

    /// The lead in games that wins a set.
    private static let setLead = 2

    /// Adds a rally that a side has won, or an end with several points as in pétanque; points
    /// beyond the end of the part do not count.
    package mutating func add(_ count: Int = 1, by side: MatchSide) {
        changesEnds = false
        for _ in 0..<count {
            guard winner == nil, !addRally(wonBy: side) else { return }
        }
    }

    /// Adds a rally, which is a point if its winner may score; returns whether it ended a game or a
    /// part.
    private mutating func addRally(wonBy side: MatchSide) -> Bool {
        isFresh = false
        let isPoint = options.scores == .both || side == holder
        if side != holder {
            if serverNumber < options.serves.servers {
                serverNumber += 1
            } else {
                (holder, serverNumber) = (side, 1)
            }
        }
        return isPoint && addPoint(by: side)
    }

    /// Adds a point; returns whether it ended a game or a part.
    private mutating func addPoint(by side: MatchSide) -> Bool {
        points[side] += 1
        allPoints[side] += 1
        run[side] += 1
        run[side.other] = 0
        longestRun[side] = max(longestRun[side], run[side])
        guard isWon(by: side) else {
            turnWithin(by: side)
            return false
        }
        switch phase {
        case .points: finishPart(SportPart(points, winner: side))
        case .game: finishGame(by: side)
        case .tieBreak:
            guard options.final != .short || !isLastPart else {
                finishPart(SportPart(points, winner: side))
                break
            }
            let tieBreak = points
            games[side] += 1
            finishPart(SportPart(games, tieBreak: tieBreak, winner: side))
        }
        return true
    }

    private func isWon(by side: MatchSide) -> Bool {
        let (target, lead) = target
        guard points[side] >= target else { return false }
        if points.lead(of: side) >= lead { return true }
        return phase != .tieBreak && options.cap > 0 && points[side] >= options.cap
    }

    private mutating func finishGame(by side: MatchSide) {
        games[side] += 1
        guard games[side] < options.games || games.lead(of: side) < SportMatch.setLead else {
            finishPart(SportPart(games, winner: side))
            return
        }
        points = SideCount()
        isFresh = true
        opener = opener.other
        changesEnds = service.ends == .games && !games.sum.isMultiple(of: 2)
    }

    private mutating func finishPart(_ part: SportPart) {
        parts.append(part)
        won[part.winner] += 1
        guard won[part.winner] < options.partsToWin else {
            winner = part.winner
            return
        }
        changesEnds =
            switch service.ends {
            case .never: false
            case .parts: true
            case .games: !games.sum.isMultiple(of: 2)
            }
        points = SideCount()
        games = SideCount()
        setting = nil
        isFresh = true
        let decides = options.scores == .server
        let opening = decides ? options.serves.opening : service.opening
        opener = opening == .winner ? part.winner : opener.other
        if !decides, isLastPart, let last = service.last { opener = last }
        (holder, serverNumber) = (opener, options.serves.servers)
    }

    /// Changes ends within a part if a point of this side requires it.
    private mutating func turnWithin(by side: MatchSide) {
        switch service.ends {
        case .never: break
        case .parts:
            guard isLastPart, !hasTurned, service.endsAt > 0, points[side] >= service.endsAt
            else { return }
            hasTurned = true
            changesEnds = true
        case .games:
            guard phase == .tieBreak else { return }
            let ends = isLonger ? SportService.usualTieBreakEnds : service.tieBreakEnds
            changesEnds = points.sum.isMultiple(of: max(ends, 1))
        }
    }

    /// The side that serves the next point or throws the jack; nil after the end, and without a
    /// serving order.
    package var server: MatchSide? {
        guard winner == nil else { return nil }
        if options.scores == .server { return holder }
        switch service.order {
        case .none: return nil
        case .rally, .jack: return holder
        case .games: return turnOfTieBreak.isMultiple(of: 2) ? opener : opener.other
        case .turns:
            // Once both sides are one point short of the target, each serves once in turn.
            let single = 2 * (target.points - 1)
            let turns =
                min(points.sum, single) / max(service.serves, 1) + max(points.sum - single, 0)
            return turns.isMultiple(of: 2) ? opener : opener.other
        }
    }
}

extension SportMatch {
    /// The number of times that the serve has passed in the tie-break in progress; 0 in a game.
    ///
    /// The side that has the last turn keeps it for a point that decides after an even number.
    private var turnOfTieBreak: Int {
        guard phase == .tieBreak else { return 0 }
        let opening = isLonger ? 1 : service.tieBreakServes
        let (points, lead) = target
        let played = lead > 1 ? self.points.sum : min(self.points.sum, 2 * points - 3)
        return opening > 1 ? played / 2 : (played + 1) / 2
    }
}

/// The score in progress as it is called.
package enum SportScore: Hashable, Sendable {
    /// The points of each side, such as `15` and `30`.
    case points(String, String)
    /// Deuce: forty all or more, if a lead of two points decides.
    case deuce
    /// Forty all, if the next point decides the game.
    case decidingPoint
    /// The side that is one point ahead after deuce.
    case advantage(MatchSide)
}

extension SportMatch {
    /// The unit that the next point can win.
    package enum Stake: Int, Hashable, Sendable {
        case part
        case match
    }

    /// The points of a game of tennis as they are called.
    private static let called = ["0", "15", "30", "40"]

    package var score: SportScore {
        let (first, second) = (points[.first], points[.second])
        guard isCalled else { return .points("\(first)", "\(second)") }
        let highest = SportMatch.called.count - 1
        guard min(first, second) >= highest else {
            return .points(
                SportMatch.called[min(first, highest)],
                SportMatch.called[min(second, highest)]
            )
        }
        if first == second {
            let isLast = options.lead == 1 || options.cap > 0 && first + 1 >= options.cap
            return isLast ? .decidingPoint : .deuce
        }
        return .advantage(first > second ? .first : .second)
    }

    /// Whether points are called as in tennis.
    private var isCalled: Bool {
        phase == .game && options.points == SportMatch.called.count
            && options.lead <= 2 && (options.cap == 0 || options.cap >= options.points)
    }

    /// Returns the cell of a side in the table: `40`, `Ad`, `11`.
    package func cell(of side: MatchSide) -> String {
        switch score {
        case .points(let first, let second): side == .first ? first : second
        case .deuce, .decidingPoint: "40"
        case .advantage(let ahead): ahead == side ? "Ad" : "40"
        }
    }

    /// The side that can win a unit with the next point, and that unit; nil if both or neither can.
    ///
    /// It is nil if one entry can have several points.
    package var stake: (side: MatchSide, stake: Stake)? {
        guard winner == nil, options.most == 1, allPoints.sum > 0, chooser == nil else {
            return nil
        }
        let stakes = MatchSide.allCases.compactMap { side -> (MatchSide, Stake)? in
            var after = self
            after.add(by: side)
            if after.winner != nil { return (side, .match) }
            return after.parts.count > parts.count ? (side, .part) : nil
        }
        return stakes.count == 1 ? stakes[0] : nil
    }

    /// Returns the total of a side: the parts won, or the games or points of a match of one part.
    package func total(of side: MatchSide) -> Int {
        if options.best > 1 { return won[side] }
        if winner != nil, let part = parts.last { return part.score[side] }
        return options.hasGames ? games[side] : points[side]
    }

    /// Returns the number of points of one entry that count: at most those that win the part.
    package func counted(_ count: Int, by side: MatchSide) -> Int {
        var after = self
        after.add(count, by: side)
        return after.allPoints[side] - allPoints[side]
    }
}

/// A finished part of a match: a game, or a set.
package struct SportPart: Hashable, Sendable {
    /// The games of each side, or the points if the part had no games.
    package let score: SideCount
    /// The points of the tie-break that ended the part, if any.
    package let tieBreak: SideCount?
    package let winner: MatchSide

    package init(_ score: SideCount, tieBreak: SideCount? = nil, winner: MatchSide) {
        (self.score, self.tieBreak, self.winner) = (score, tieBreak, winner)
    }
}
