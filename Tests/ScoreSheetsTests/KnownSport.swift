import ScoreSheets

/// The sports as their rules say, to be compared with what their sheets say.
enum KnownSport: String, CaseIterable {
    case tableTennis = "table-tennis"
    case tennis, badminton, volleyball, squash, petanque, padel, fast4, pickleball
    case squashNine = "squash-nine"

    /// The rules of points.
    ///
    /// ITTF 2.11, 2.12; ITF 5–7; BWF 7; FIVB 6; WSF 2, before 2009 for squash to nine; FIPJP 5; FIP
    /// for padel; USA Pickleball 4; Fast4 as tennissolutions.co.uk publishes it.
    var options: SportOptions {
        var options = SportOptions()
        switch self {
        case .tableTennis: options.best = 5
        case .tennis:
            (options.best, options.points, options.last) = (3, 4, 10)
            (options.games, options.tieBreak) = (6, 7)
        case .badminton: (options.best, options.points, options.cap) = (3, 21, 30)
        case .volleyball: (options.best, options.points, options.last) = (5, 25, 15)
        case .squash: options.best = 5
        case .petanque: (options.points, options.lead, options.most) = (13, 1, 6)
        case .padel:
            (options.best, options.points, options.last) = (3, 4, 10)
            (options.games, options.tieBreak) = (6, 7)
        case .fast4:
            (options.best, options.points, options.lead) = (3, 4, 1)
            (options.games, options.tieBreak, options.tieBreakAt) = (4, 5, 3)
            (options.tieBreakLead, options.final, options.last) = (1, .short, 10)
        case .squashNine:
            (options.best, options.points, options.lead, options.setBy) = (5, 9, 1, .receiver)
            (options.scores, options.serves.opening) = (.server, .winner)
        case .pickleball: (options.best, options.scores) = (3, .server)
        }
        return options
    }

    /// The rules of serving and of changing ends.
    ///
    /// ITTF 2.13; ITF 8, 10, 14; BWF 8, 10; FIVB 12, 18; WSF 5; FIPJP 6; USA Pickleball 5; Fast4 as
    /// tenniscedarpark.com and tennissolutions.co.uk publish it.
    var service: SportService {
        var service = SportService()
        switch self {
        case .tableTennis: (service.order, service.ends, service.endsAt) = (.turns, .parts, 5)
        case .tennis, .padel: (service.order, service.ends) = (.games, .games)
        case .fast4:
            (service.order, service.ends) = (.games, .games)
            (service.tieBreakServes, service.tieBreakEnds) = (2, 4)
        case .badminton:
            (service.order, service.opening) = (.rally, .winner)
            (service.ends, service.endsAt) = (.parts, 11)
        case .volleyball: (service.order, service.ends, service.endsAt) = (.rally, .parts, 8)
        case .squash: (service.order, service.opening) = (.rally, .winner)
        case .squashNine: service.opening = .winner
        case .pickleball: (service.order, service.ends, service.endsAt) = (.rally, .parts, 6)
        case .petanque: (service.order, service.opening) = (.jack, .winner)
        }
        return service
    }
}

extension SportMatch {
    /// A match of a sport after these points: `a` of the first side, `b` of the second, `10a` ten
    /// in a row.
    init(
        _ sport: KnownSport,
        _ points: String = "",
        _ change: (inout SportOptions, inout SportService) -> Void = { _, _ in }
    ) {
        var (options, service) = (sport.options, sport.service)
        change(&options, &service)
        self.init(options, service)
        play(points)
    }

    /// Plays points: `3a 2b ab`.
    mutating func play(_ points: String) {
        for side in SportMatch.sides(points) { add(by: side) }
    }

    /// The sides that win these points.
    static func sides(_ points: String) -> [MatchSide] {
        var sides: [MatchSide] = []
        var digits = ""
        for character in points where character != " " {
            if character.isNumber {
                digits.append(character)
            } else {
                let side: MatchSide = character == "a" ? .first : .second
                sides += Array(repeating: side, count: Int(digits) ?? 1)
                digits = ""
            }
        }
        return sides
    }

    /// Plays games of tennis that each side wins to nothing: `6a 4b`.
    mutating func playGames(_ games: String) {
        for side in SportMatch.sides(games) { for _ in 0..<4 { add(by: side) } }
    }

    /// The results of the parts: `11–7`, with the points of a tie-break `7–6(4)`.
    var partScores: [String] {
        parts.map { part in
            let score = "\(part.score[.first])–\(part.score[.second])"
            return score + (part.tieBreak.map { "(\($0[part.winner.other]))" } ?? "")
        }
    }

    /// The servers of these points and of the one after: `aabb`.
    func servers(of points: String) -> String {
        var stand = self
        var servers = stand.serverLetter
        for side in SportMatch.sides(points) {
            stand.add(by: side)
            servers += stand.serverLetter
        }
        return servers
    }

    private var serverLetter: String { server.map { $0 == .first ? "a" : "b" } ?? "-" }

    /// After how many of these points the sides change ends.
    func endChanges(of points: String) -> [Int] {
        var stand = self
        return SportMatch.sides(points).enumerated().compactMap { index, side in
            stand.add(by: side)
            return stand.changesEnds ? index + 1 : nil
        }
    }
}
