import SessionCRDT

extension DartsRules {
    /// Returns the seven statistics of the first version, then later ones; practice alone counts,
    /// too.
    package func statistics(of legs: [PlayerOutcome]) -> [Statistic] {
        let won = legs.filter(\.isWinner)
        let (games, wins) = (Int128(legs.count), Int128(won.count))
        let darts = legs.sum(of: .darts)
        let (chances, hits) = (legs.sum(of: .chances), legs.sum(of: .hits))
        let wonDarts = won.map { $0.tally[DartsTally.Count.darts.name] ?? 0 }
        let quotient = Statistic.average
        func count(_ label: String, _ count: DartsTally.Count) -> Statistic {
            .sum(count.name, label, legs)
        }
        func average(_ points: DartsTally.Count, _ darts: DartsTally.Count) -> String? {
            quotient(legs.sum(of: points) * 3, legs.sum(of: darts))
        }
        func most(_ id: StaticString, _ label: String, _ count: DartsTally.Count) -> Statistic {
            Statistic(id, label, Statistic.most(count.name, label, legs).text)
        }
        return [
            Statistic("games-won", "Legs won", "\(wins)"),
            Statistic("average", "Three-dart average", average(.points, .darts)),
            count("Visits of 180", .maximums),
            most("highest-out", "Highest out", .checkout),
            Statistic("average-out", "Average out", quotient(won.sum(of: .checkout), wins)),
            Statistic("fewest-darts", "Fewest darts in a leg", wonDarts.min().map { "\($0)" }),
            Statistic("darts-per-game", "Darts per leg", quotient(darts, games)),
            Statistic("games", "Legs", "\(games)"),
            Statistic("darts-per-win", "Darts per leg won", quotient(won.sum(of: .darts), wins)),
            Statistic("first-nine", "First nine average", average(.ninePoints, .nineDarts)),
            count("Visits of 140–179", .highTons),
            count("Visits of 100–139", .tons),
            most("highest-visit", "Highest visit", .highestVisit),
            count("Busts", .busts),
            Statistic("darts", "Darts", "\(darts)"),
            Statistic(
                "outs",
                "Outs hit, dart by dart",
                quotient(hits * 100, chances).map { "\(hits) of \(chances) (\($0) %)" }
            ),
        ]
    }
}

extension [PlayerOutcome] {
    fileprivate func sum(of count: DartsTally.Count) -> Int128 { sum(of: count.name) }
}

struct DartsTally: Hashable {
    enum Count: Int, CaseIterable {
        /// The darts thrown, including those of busts.
        case darts
        case points, visits, busts
        /// The visits of 180, of 140 to 179 and of 100 to 139.
        case maximums, highTons, tons
        case highestVisit
        /// The darts and points of the first three visits.
        case nineDarts, ninePoints
        case checkout
        /// The darts thrown while one could have finished, in visits entered dart by dart.
        case chances
        /// The darts of `chances` that finished.
        case hits

        var name: Symbol { Count.names[rawValue] }

        private static let names = [
            "darts", "points", "visits", "busts", "180s", "140s", "100s", "highest-visit",
            "first-nine-darts", "first-nine-points", "checkout", "out-darts", "outs-hit",
        ].compactMap { Symbol($0) }
    }

    private var counts = SIMD16<Int32>()

    private(set) subscript(count: Count) -> Int {
        get { Int(counts[count.rawValue]) }
        set { counts[count.rawValue] = Int32(clamping: newValue) }
    }

    mutating func add(_ result: DartsState.Result) {
        self[.darts] += result.darts
        self[.points] += result.scored
        self[.visits] += 1
        self[.highestVisit] = max(self[.highestVisit], result.scored)
        switch result.scored {
        case 180: self[.maximums] += 1
        case 140..<180: self[.highTons] += 1
        case 100..<140: self[.tons] += 1
        default: break
        }
        if self[.visits] <= 3 {
            self[.nineDarts] += result.darts
            self[.ninePoints] += result.scored
        }
        self[.chances] += result.chances ?? 0
        switch result.end {
        case .open: break
        case .bust: self[.busts] += 1
        case .finish:
            self[.checkout] = result.scored
            if result.chances != nil { self[.hits] += 1 }
        }
    }

    var byName: [Symbol: Int64] {
        var byName: [Symbol: Int64] = [:]
        byName.reserveCapacity(Count.allCases.count)
        for count in Count.allCases where self[count] != 0 {
            byName[count.name] = Int64(self[count])
        }
        return byName
    }
}

/// The finished legs of a match, from which outcomes are computed on request.
///
/// An untrusted player could write many legs of one dart, and the standings do not need their
/// outcomes.
package struct DartsLegs: Hashable, Sendable {
    let legs: Chunks<DartsLeg>
    let players: [Player]

    var outcomes: [Outcome] { zip(1..., legs).map { $1.outcome($0, of: players) } }
}
