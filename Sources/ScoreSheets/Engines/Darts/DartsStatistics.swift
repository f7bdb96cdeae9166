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

/// What is counted of one player in one leg.
struct DartsTally: Hashable {
    /// Darts thrown, those of busts too.
    private(set) var darts = 0
    /// Points taken off; a bust takes off none.
    private(set) var points = 0
    private(set) var visits = 0
    private var busts = 0
    private var maximums = 0
    private var highTons = 0
    private var tons = 0
    private var highestVisit = 0
    private var firstNineDarts = 0
    private var firstNinePoints = 0
    /// What the winning visit took out.
    private(set) var checkout = 0
    private var chances = 0
    private var hits = 0

    /// Adds a visit.
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

    /// What is not zero, by name.
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
    /// Those of them that did finish.
    static let hitsName = Symbol(known: "outs-hit")
}

/// Which totals one, two and three darts can make, end with and go bust with.
///
/// Everything is enumerated once from the 62 darts of a board; no list is copied from anywhere.
package enum DartsTotals {
    /// The most that three darts score.
    package static let highest = 180

    /// Whether so many darts can score exactly this; in an opening visit only from a double on.
    package static func isPossible(_ total: Int, darts: Int, isOpening: Bool) -> Bool {
        let table = isOpening ? opened : scored
        return table.indices.contains(darts) && (0...highest).contains(total)
            && table[darts][total]
    }

    /// Whether so many darts can take exactly this to zero, the last of them as the rule wants.
    package static func canFinish(
        _ left: Int,
        darts: Int,
        out: DartsOut,
        isOpening: Bool
    ) -> Bool {
        turns(out, isOpening).ends.holds(left, darts)
    }

    /// Whether so many darts can go bust from this, the last of them being the one that does.
    package static func canBust(_ left: Int, darts: Int, out: DartsOut, isOpening: Bool) -> Bool {
        turns(out, isOpening).busts.holds(left, darts)
    }

    /// What so many darts score together, misses among them, by darts from none and by total.
    private static let scored = (1...DartsVisit.most).reduce(into: [sums([0])]) { table, _ in
        let before = table[table.count - 1]
        table.append(sums(reached(before).flatMap { sum in [sum] + throwable.map { sum + $0 } }))
    }

    /// The same where nothing counts before a double.
    private static let opened =
        [sums([0])]
        + scored.dropLast().map { rest in
            sums([0] + doubles.flatMap { double in reached(rest).map { double + $0 } })
        }

    private static let throwable = Set(Dart.scoring.map(\.points)).sorted()
    private static let doubles = Dart.scoring.filter { $0.ring == .double }.map(\.points)

    private static func sums(_ totals: [Int]) -> [Bool] {
        var table = [Bool](repeating: false, count: highest + 1)
        for total in totals where table.indices.contains(total) { table[total] = true }
        return table
    }

    private static func reached(_ table: [Bool]) -> [Int] { table.indices.filter { table[$0] } }

    /// What can happen from what is left, by darts and by points left.
    private struct Ways {
        /// From 181 three darts can still leave one.
        static let highest = DartsTotals.highest + 1
        var table = [[Bool]](
            repeating: [Bool](repeating: false, count: highest + 1),
            count: DartsVisit.most + 1
        )

        func holds(_ left: Int, _ darts: Int) -> Bool {
            table.indices.contains(darts) && (0...Ways.highest).contains(left)
                && table[darts][left]
        }
    }

    /// How a visit under one rule can end the leg or go bust.
    private struct Turns {
        var ends = Ways()
        var busts = Ways()

        init(making out: DartsOut, isOpening: Bool) {
            let before = isOpening ? opened : scored
            for darts in 1...DartsVisit.most {
                for sum in reached(before[darts - 1]) {
                    for last in Dart.scoring {
                        // What comes before the first double scores nothing.
                        if isOpening, sum == 0, last.ring != .double { continue }
                        count(last, after: sum, darts, out)
                    }
                }
            }
        }

        /// Counts a last dart after a sum, for every number that can have been left.
        private mutating func count(_ last: Dart, after sum: Int, _ darts: Int, _ out: DartsOut) {
            let total = sum + last.points
            if out.allows(last) { ends.table[darts][total] = true }
            // Short of the sum by what is still no bust, at most one above the total.
            let most = min(total + out.least - 1, Ways.highest)
            for left in stride(from: sum + out.least, through: most, by: 1)
            where left != total || !out.allows(last) {
                busts.table[darts][left] = true
            }
        }
    }

    /// The tables of a rule, which are made once.
    private static func turns(_ out: DartsOut, _ isOpening: Bool) -> Turns {
        switch (out, isOpening) {
        case (.straight, false): straight
        case (.straight, true): straightOpening
        case (.double, false): double
        case (.double, true): doubleOpening
        case (.master, false): master
        case (.master, true): masterOpening
        }
    }

    private static let straight = Turns(making: .straight, isOpening: false)
    private static let straightOpening = Turns(making: .straight, isOpening: true)
    private static let double = Turns(making: .double, isOpening: false)
    private static let doubleOpening = Turns(making: .double, isOpening: true)
    private static let master = Turns(making: .master, isOpening: false)
    private static let masterOpening = Turns(making: .master, isOpening: true)
}

/// The finished legs of a match as statistics count them.
///
/// They are made when somebody asks: legs of one dart are cheap to write, and who looks how all
/// stand does not ask.
package struct DartsLegs: Hashable, Sendable {
    /// The legs, the first first.
    let legs: Chunks<DartsLeg>
    /// All players in seat order.
    let players: [Player]
    /// What a leg begins with.
    let start: Int

    /// What ended, a leg each.
    var outcomes: [Outcome] {
        zip(1..., legs).map { $1.outcome($0, of: players, from: start) }
    }
}
