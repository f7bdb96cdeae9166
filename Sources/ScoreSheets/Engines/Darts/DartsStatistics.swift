import SessionCRDT

/// What somebody's finished legs come to.
struct DartsStatistics {
    private let legs: [PlayerOutcome]
    /// Those that they won, alone too: whoever practises has statistics as well.
    private let won: [PlayerOutcome]

    /// The statistics of these legs.
    init(_ legs: [PlayerOutcome]) {
        self.legs = legs
        won = legs.filter(\.isWinner)
    }

    /// The seven of old, then what else is counted.
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

    /// `3 of 8 (37.50 %)`; nil where no dart at a finish is known.
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
