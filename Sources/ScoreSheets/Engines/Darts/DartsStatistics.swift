import SessionCRDT

/// Statistics over a player's finished legs.
struct DartsStatistics {
    private let legs: [PlayerOutcome]
    /// The legs that the player won, also alone: practice counts too.
    private let won: [PlayerOutcome]

    init(_ legs: [PlayerOutcome]) {
        self.legs = legs
        won = legs.filter(\.isWinner)
    }

    /// The seven statistics of the first version, then the others.
    var all: [Statistic] {
        let darts = legs.sum(of: DartsTally.dartsName)
        return [
            Statistic(Symbol(known: "games-won"), "Legs won", "\(won.count)"),
            average("average", "Three-dart average", DartsTally.pointsName, DartsTally.dartsName),
            count("180s", "Visits of 180", DartsTally.maximumsName),
            most("highest-out", "Highest out", DartsTally.checkoutName),
            Statistic(
                Symbol(known: "average-out"),
                "Average out",
                quotient(won.sum(of: DartsTally.checkoutName), Int128(won.count))
            ),
            Statistic(
                Symbol(known: "fewest-darts"),
                "Fewest darts in a leg",
                won.map { value(DartsTally.dartsName, of: $0) }.min().map { "\($0)" }
            ),
            Statistic(
                Symbol(known: "darts-per-game"),
                "Darts per leg",
                quotient(darts, Int128(legs.count))
            ),
            Statistic(Symbol(known: "games"), "Legs", "\(legs.count)"),
            Statistic(
                Symbol(known: "darts-per-win"),
                "Darts per leg won",
                quotient(won.sum(of: DartsTally.dartsName), Int128(won.count))
            ),
            average(
                "first-nine",
                "First nine average",
                DartsTally.ninePointsName,
                DartsTally.nineDartsName
            ),
            count("140s", "Visits of 140–179", DartsTally.highTonsName),
            count("100s", "Visits of 100–139", DartsTally.tonsName),
            most("highest-visit", "Highest visit", DartsTally.highestName),
            count("busts", "Busts", DartsTally.bustsName),
            Statistic(Symbol(known: "darts"), "Darts", "\(darts)"),
            Statistic(Symbol(known: "outs"), "Outs hit, dart by dart", outs),
        ]
    }

    /// `3 of 8 (37.50 %)`; nil if no dart at a finish is known.
    private var outs: String? {
        let chances = legs.sum(of: DartsTally.chancesName)
        let hits = legs.sum(of: DartsTally.hitsName)
        return quotient(hits * 100, chances).map { "\(hits) of \(chances) (\($0) %)" }
    }

    private func count(_ id: StaticString, _ label: String, _ name: Symbol) -> Statistic {
        Statistic(Symbol(known: id), label, "\(legs.sum(of: name))")
    }

    private func most(_ id: StaticString, _ label: String, _ name: Symbol) -> Statistic {
        let most = legs.map { value(name, of: $0) }.max() ?? 0
        return Statistic(Symbol(known: id), label, most > 0 ? "\(most)" : nil)
    }

    /// Points for three darts.
    private func average(
        _ id: StaticString,
        _ label: String,
        _ points: Symbol,
        _ darts: Symbol
    ) -> Statistic {
        let average = quotient(legs.sum(of: points) * 3, legs.sum(of: darts))
        return Statistic(Symbol(known: id), label, average)
    }

    private func value(_ name: Symbol, of leg: PlayerOutcome) -> Int64 { leg.tally[name] ?? 0 }

    private func quotient(_ dividend: Int128, _ divisor: Int128) -> String? {
        divisor > 0 ? Statistic.quotient(dividend, divisor) : nil
    }
}

/// The counts of one player in one leg.
struct DartsTally: Hashable {
    /// Darts thrown, including those of busts.
    private(set) var darts = 0
    private(set) var points = 0
    private(set) var visits = 0
    private var busts = 0
    private var maximums = 0
    private var highTons = 0
    private var tons = 0
    private var highestVisit = 0
    private var firstNineDarts = 0
    private var firstNinePoints = 0
    /// The points of the winning visit.
    private(set) var checkout = 0
    private var chances = 0
    private var hits = 0

    mutating func add(_ result: DartsResult) {
        darts += result.darts
        points += result.scored
        visits += 1
        highestVisit = max(highestVisit, result.scored)
        switch result.scored {
        case 180: maximums += 1
        case 140..<180: highTons += 1
        case 100..<140: tons += 1
        default: break
        }
        if visits <= 3 {
            firstNineDarts += result.darts
            firstNinePoints += result.scored
        }
        if let known = result.chances {
            chances += known
            if result.end == .finish { hits += 1 }
        }
        switch result.end {
        case .open: break
        case .bust: busts += 1
        case .finish: checkout = result.scored
        }
    }

    /// The counts that are not zero, by name.
    var counts: [Symbol: Int64] {
        let all: [(Symbol, Int)] = [
            (DartsTally.dartsName, darts), (DartsTally.pointsName, points),
            (DartsTally.visitsName, visits), (DartsTally.bustsName, busts),
            (DartsTally.maximumsName, maximums), (DartsTally.highTonsName, highTons),
            (DartsTally.tonsName, tons), (DartsTally.highestName, highestVisit),
            (DartsTally.nineDartsName, firstNineDarts),
            (DartsTally.ninePointsName, firstNinePoints),
            (DartsTally.checkoutName, checkout), (DartsTally.chancesName, chances),
            (DartsTally.hitsName, hits),
        ]
        var counts: [Symbol: Int64] = [:]
        counts.reserveCapacity(all.count)
        for (name, count) in all where count != 0 { counts[name] = Int64(count) }
        return counts
    }
}

extension DartsTally {
    static let dartsName = Symbol(known: "darts")
    static let pointsName = Symbol(known: "points")
    static let visitsName = Symbol(known: "visits")
    static let bustsName = Symbol(known: "busts")
    /// Visits of 180.
    static let maximumsName = Symbol(known: "180s")
    /// Visits of 140 to 179.
    static let highTonsName = Symbol(known: "140s")
    /// Visits of 100 to 139.
    static let tonsName = Symbol(known: "100s")
    static let highestName = Symbol(known: "highest-visit")
    /// Darts of the first three visits.
    static let nineDartsName = Symbol(known: "first-nine-darts")
    /// Points of the first three visits.
    static let ninePointsName = Symbol(known: "first-nine-points")
    static let checkoutName = Symbol(known: "checkout")
    /// Darts thrown while one could have finished, of visits entered dart by dart.
    static let chancesName = Symbol(known: "out-darts")
    /// The darts among them that finished.
    static let hitsName = Symbol(known: "outs-hit")
}

/// The finished legs of a match as statistics count them.
///
/// They are made on request: legs of one dart are cheap to write, and the standings do not need
/// them.
package struct DartsLegs: Hashable, Sendable {
    let legs: Chunks<DartsLeg>
    /// All players in seat order.
    let players: [Player]
    /// The points that a leg starts with.
    let start: Int

    var outcomes: [Outcome] {
        zip(1..., legs).map { $1.outcome($0, of: players, from: start) }
    }
}
