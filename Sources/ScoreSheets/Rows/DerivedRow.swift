import SessionCRDT

/// A row computed from other rows, for one player's column at a time.
struct DerivedRow: Sendable {
    let place: Int
    let pointsRule: PointsRule
    /// The formula; nil for other derivations.
    let formula: BoundFormula?
    /// The rows of the player that it reads.
    let sources: [Int]
    /// The rows of all players that it reads.
    let shared: [Int]

    private let derivation: Derivation
    /// The rows that the derivation counts, in its order; nil for rows that are off.
    private let counted: [Int?]

    struct Result {
        /// The result; nil while there is nothing to compute.
        var number: Int64?
        /// The empty rows without which the entered ones score nothing.
        var missing: [Symbol] = []
        /// An entry that does not count.
        var refusal: (row: Int, reason: RuleViolation)?
    }

    /// Creates a derived row; nil for a row that is entered.
    init?(_ plan: SheetPlan, at place: Int) {
        let row = plan.rows[place]
        guard case .computed(let derivation, let pointsRule) = row.content else { return nil }
        self.place = place
        self.pointsRule = pointsRule
        self.derivation = derivation
        counted = derivation.counted.map { plan.index(of: $0) }
        formula = row.formulas.first.map { plan.bound($0, ofRow: place) }
        sources = formula?.ownRows.sorted() ?? derivation.sources.compactMap(plan.index)
        shared = formula?.sharedRows.sorted() ?? []
    }

    /// Returns the result for a column and its cells; empty for a formula.
    func result(of column: RowColumn, _ written: BookColumn, by plan: SheetPlan) -> Result {
        let found = counted.map { place in place.flatMap { column.count(ofRow: $0) } }
        // A sum is the same in any unit; whatever multiplies counts has whole numbers only.
        let unit = derivation.isSum ? 1 : plan.unit.rawValue
        let counts = found.map { $0.map { $0 / unit } }
        var result = result(of: counts, column, written, by: plan)
        result.number = result.number.map { Bounds.cut(Int128($0) * Int128(unit)) }
        return result
    }

    private func result(
        of counts: [Int64?],
        _ column: RowColumn,
        _ written: BookColumn,
        by plan: SheetPlan
    ) -> Result {
        switch derivation {
        case .sum:
            guard counts.contains(where: { $0 != nil }) else { return Result(number: nil) }
            return Result(number: Bounds.cut(counts.reduce(Int128(0)) { $0 + Int128($1 ?? 0) }))
        case .product(let rows):
            guard counts.contains(where: { $0 != nil }) else { return Result(number: nil) }
            if !counts.contains(0) {
                // An empty flag is a no.
                let missing = zip(rows, counts).filter { row, count in
                    count == nil && plan.isActive(row) && plan.row(row)?.kind != .flag
                }
                if !missing.isEmpty { return Result(number: 0, missing: missing.map(\.0)) }
            }
            let product = counts.reduce(Int64(1)) { product, count in
                Bounds.cut(Int128(product) * Int128(count ?? 0))
            }
            return Result(number: product)
        case .sets(let rule):
            let wild = rule.wild.flatMap(plan.index).flatMap { column.count(ofRow: $0) }
                .map { $0 / plan.unit.rawValue }
            guard wild != nil || counts.contains(where: { $0 != nil }) else {
                return Result(number: nil)
            }
            return Result(number: rule.best(counts.map { $0 ?? 0 }, wild: wild ?? 0))
        case .drop(let rule): return drop(rule, counts, column, written, by: plan)
        case .formula: return Result(number: nil)
        }
    }

    private func word(
        _ row: Symbol,
        _ column: RowColumn,
        _ written: BookColumn,
        by plan: SheetPlan
    ) -> String? {
        let only = RoundCell.place(of: nil)
        guard let source = plan.index(of: row), column.isEntered(source, only, seenFrom: place)
        else { return nil }
        return written.cells(of: row)?[only]?.live.winner.value.string
    }

    private func drop(
        _ rule: DropTheMost,
        _ found: [Int64?],
        _ column: RowColumn,
        _ written: BookColumn,
        by plan: SheetPlan
    ) -> Result {
        let counts = found.map { max(0, $0 ?? 0) }
        let most = rule.most(counts)
        var choice: Int?
        var refusal: (row: Int, reason: RuleViolation)?
        if let override = rule.override,
            let word = word(override, column, written, by: plan).flatMap(Symbol.init)
        {
            choice = rule.rows.firstIndex(of: word).flatMap { most.contains($0) ? $0 : nil }
            if choice == nil, let place = plan.index(of: override) {
                let reason = RuleViolation.notTheMost(
                    row: override,
                    most: most.map { rule.rows[$0] },
                    found: word
                )
                refusal = (place, reason)
            }
        }
        guard case .order(let words)? = plan.row(rule.order)?.content,
            let order = word(rule.order, column, written, by: plan).flatMap(words.order)
        else {
            // Without an order, the value is known only if all counts are 0.
            let isNothing = found.contains { $0 != nil } && counts.allSatisfy { $0 == 0 }
            let missing =
                counts.contains { $0 > 0 } && plan.isActive(rule.order) ? [rule.order] : []
            return Result(number: isNothing ? 0 : nil, missing: missing, refusal: refusal)
        }
        let number = rule.rest(of: counts, order, dropping: choice)
        return Result(number: number, refusal: refusal)
    }
}

extension Derivation {
    var isSum: Bool { if case .sum = self { true } else { false } }

    /// The rows that are counted, in order.
    fileprivate var counted: [Symbol] {
        switch self {
        case .sum(let rows), .product(let rows): rows
        case .sets(let rule): rule.rows
        case .drop(let rule): rule.rows
        case .formula: []
        }
    }
}

extension DropTheMost {
    /// Returns the indices of the greatest counts; empty if all are 0.
    func most(_ counts: [Int64]) -> [Int] {
        guard let most = counts.max(), most > 0 else { return [] }
        return counts.indices.filter { counts[$0] == most }
    }

    /// Returns the value of the rows by this order, without the row that is dropped.
    ///
    /// Among equally frequent rows, the player's choice is dropped, else the one with two values,
    /// else the one with the lowest value. (Container, Valley Games 2007.)
    func rest(of counts: [Int64], _ order: [Symbol], dropping choice: Int?) -> Int64 {
        // Computed before a row is dropped.
        let isComplete = counts.allSatisfy { $0 > 0 }
        var worths = [Int64](repeating: 0, count: rows.count)
        var twofold: Set<Int> = []
        for (word, value) in zip(order, values) {
            guard let place = rows.firstIndex(of: word) else { continue }
            switch value {
            case .one(let value): worths[place] = value
            case .two(let complete, let other):
                worths[place] = isComplete ? complete : other
                twofold.insert(place)
            }
        }
        let most = most(counts)
        let dropped =
            choice ?? most.first(where: twofold.contains)
            ?? most.min { (worths[$0], $0) < (worths[$1], $1) }
        let kept = counts.indices.filter { $0 != dropped }
        return Bounds.cut(
            kept.reduce(Int128(0)) { $0 + Int128(counts[$1]) * Int128(worths[$1]) }
        )
    }
}

/// Points by place in a ranking; the greatest number is first.
///
/// By default tied players share the points of the places that they cover, rounded down; 0 gets
/// nothing. (Wingspan, Stonemaier Games 2019, end-of-round goals.)
enum PlacePoints {
    static func shares(
        _ numbers: [Int64],
        of places: [Int64],
        _ ties: TieRule = .share
    ) -> [Int64] {
        var shares = [Int64](repeating: 0, count: numbers.count)
        let order = numbers.indices.filter { numbers[$0] > 0 }
            .sorted { (numbers[$1], $0) < (numbers[$0], $1) }
        var (first, next) = (0, 0)
        while first < order.count {
            let tied = order[first...].prefix { numbers[$0] == numbers[order[first]] }
            let place = ties == .each ? next : first
            let covered = places.dropFirst(place).prefix(tied.count)
            let share =
                switch ties {
                case .share: pooled(covered, tied.count)
                case .split: pooled(covered.prefix(1), tied.count)
                case .each, .skip: covered.first ?? 0
                }
            for index in tied { shares[index] = share }
            first += tied.count
            next += 1
        }
        return shares
    }

    /// Returns the sum of some places, divided and rounded down.
    private static func pooled(_ places: ArraySlice<Int64>, _ count: Int) -> Int64 {
        let pool = places.reduce(Int128(0)) { $0 + Int128($1) }
        let (share, rest) = pool.quotientAndRemainder(dividingBy: Int128(count))
        return Bounds.cut(rest < 0 ? share - 1 : share)
    }
}
