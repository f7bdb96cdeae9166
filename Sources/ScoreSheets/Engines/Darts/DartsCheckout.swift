/// The suggested route to zero for every score that can be finished.
///
/// A route takes as few darts as possible. The first of three darts is a triple whose single keeps a
/// finish with the other two, where there is one. Among such routes, each dart has a cost, low for
/// the common triples and doubles and twice for the first of three, and the cheapest route wins; of
/// equally cheap routes the one with the higher darts first. So all devices suggest the same route.
package enum DartsCheckout {
    /// Returns the route for the points left with a number of darts in hand; nil if there is none.
    package static func route(for left: Int, darts: Int, out: DartsOut) -> [Dart]? {
        let table = tables[out.index]
        guard table.indices.contains(left), let route = table[left], route.count <= darts else {
            return nil
        }
        return route
    }

    /// Returns the route as typed for each number of points left, empty if there is none; nil for
    /// points that no visit can leave.
    static func routes(_ out: DartsOut) -> [[String]?] { typed[out.index] }

    private static let typed = DartsOut.allCases.map { out in
        tables[out.index].enumerated().map { left, route in
            (1..<out.minLeft).contains(left) ? nil : (route ?? []).map(\.words)
        }
    }

    private static let tables = DartsOut.allCases.map(table)

    private struct Route {
        let darts: [Dart]
        let cost: Int
    }

    private static func table(_ out: DartsOut) -> [[Dart]?] {
        var routes = [Route?](repeating: nil, count: DartsTotals.highest + 1)
        for dart in Dart.scoring where out.allows(dart) {
            improve(&routes[dart.points], Route(darts: [dart], cost: costAtEnd(of: dart)))
        }
        for darts in 2...DartsVisit.maxDarts {
            let shorter = routes
            let isLong = darts == DartsVisit.maxDarts
            for left in routes.indices where shorter[left] == nil {
                func keeps(_ points: Int) -> Bool { points < left && shorter[left - points] != nil }
                let first = Dart.scoring.filter { keeps($0.points) }
                let safe = first.filter { isLong && $0.ring == .triple && keeps($0.number) }
                for dart in safe.isEmpty ? first : safe {
                    guard let rest = shorter[left - dart.points] else { continue }
                    let cost = costOnTheWay(of: dart) * (isLong ? 2 : 1) + rest.cost
                    improve(&routes[left], Route(darts: [dart] + rest.darts, cost: cost))
                }
            }
        }
        return routes.map { $0?.darts }
    }

    private static func improve(_ best: inout Route?, _ route: Route) {
        if let known = best, known.cost <= route.cost { return }
        best = route
    }

    /// The costs of each double from 1 to 20 as the last dart, and of a triple; uncommon targets
    /// cost more.
    private static let doubleCosts = [10, 8, 9, 4, 8, 7, 8, 2, 7, 2, 7, 3, 7, 4, 6, 1, 6, 3, 5, 0]
    private static let tripleCosts = [9, 9, 9, 9, 9, 9, 9, 9, 9, 6, 7, 7, 6, 5, 5, 3, 3, 2, 1, 0]

    private static func costAtEnd(of dart: Dart) -> Int {
        switch dart.ring {
        case .miss: 0
        case .single: dart.number == 25 ? costOnTheWay(of: dart) : 0
        case .double: dart.number == 25 ? 9 : doubleCosts[dart.number - 1]
        case .triple: 1 + costOnTheWay(of: dart)
        }
    }

    private static func costOnTheWay(of dart: Dart) -> Int {
        switch dart.ring {
        case .miss, .single:
            switch dart.number {
            case 25: 8
            case ...5: 3
            case 6...8: 2
            default: 1
            }
        case .double: dart.number == 25 ? 6 : 12
        case .triple: tripleCosts[dart.number - 1]
        }
    }
}

/// The totals that one, two and three darts can score, and those with which they can finish or go
/// bust.
///
/// All of them are enumerated once from the 62 darts of a board.
package enum DartsTotals {
    package static let highest = 180

    /// Whether a number of darts can score exactly `total`; in an opening visit nothing counts
    /// before a double.
    package static func isPossible(_ total: Int, darts: Int, isOpening: Bool) -> Bool {
        let table = isOpening ? opened : scored
        return table.indices.contains(darts) && (0...highest).contains(total)
            && table[darts][total]
    }

    /// Whether a number of darts can take exactly `left` to zero, ending as the rule requires.
    package static func canFinish(_ left: Int, darts: Int, out: DartsOut, isOpening: Bool) -> Bool {
        turns(out, isOpening).ends.holds(left, darts)
    }

    /// Whether a number of darts can go bust from `left` with the last dart.
    package static func canBust(_ left: Int, darts: Int, out: DartsOut, isOpening: Bool) -> Bool {
        turns(out, isOpening).busts.holds(left, darts)
    }

    /// The totals that a number of darts, including misses, can score: by number of darts, then by
    /// total.
    private static let scored = (1...DartsVisit.maxDarts).reduce(into: [sums([0])]) { table, _ in
        let before = table[table.count - 1]
        table.append(sums(reached(before).flatMap { sum in [sum] + throwable.map { sum + $0 } }))
    }

    /// The totals if nothing counts before a double.
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

    /// The points left from which a visit can end in a certain way, by the number of darts.
    private struct Ways {
        /// The highest number of points left that matters: three darts leave at least 1 of 181.
        static let highest = DartsTotals.highest + 1
        var table = [[Bool]](
            repeating: [Bool](repeating: false, count: highest + 1),
            count: DartsVisit.maxDarts + 1
        )

        func holds(_ left: Int, _ darts: Int) -> Bool {
            table.indices.contains(darts) && (0...Ways.highest).contains(left)
                && table[darts][left]
        }
    }

    private struct Turns {
        var ends = Ways()
        var busts = Ways()

        init(making out: DartsOut, isOpening: Bool) {
            let before = isOpening ? opened : scored
            for darts in 1...DartsVisit.maxDarts {
                for sum in reached(before[darts - 1]) {
                    for last in Dart.scoring {
                        // Darts before the first double score nothing.
                        if isOpening, sum == 0, last.ring != .double { continue }
                        count(last, after: sum, darts, out)
                    }
                }
            }
        }

        /// Marks the points left from which a last dart after a sum finishes or goes bust.
        private mutating func count(_ last: Dart, after sum: Int, _ darts: Int, _ out: DartsOut) {
            let total = sum + last.points
            let allowsLast = out.allows(last)
            if allowsLast { ends.table[darts][total] = true }
            // The visit was not over before the last dart, but leaves less than the rule allows
            // after it.
            let highest = min(total + out.minLeft - 1, Ways.highest)
            for left in stride(from: sum + out.minLeft, through: highest, by: 1)
            where left != total || !allowsLast {
                busts.table[darts][left] = true
            }
        }
    }

    private static func turns(_ out: DartsOut, _ isOpening: Bool) -> Turns {
        (isOpening ? openings : visits)[out.index]
    }

    private static let visits = DartsOut.allCases.map { Turns(making: $0, isOpening: false) }
    private static let openings = DartsOut.allCases.map { Turns(making: $0, isOpening: true) }
}
