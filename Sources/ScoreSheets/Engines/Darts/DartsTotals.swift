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
