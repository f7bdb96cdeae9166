import SessionCRDT

/// What a formula makes of one player's column after the other.
struct Evaluation {
    private let formula: Formula
    private let form: SheetForm
    /// Where the rows stand that the formula reads; looked up once for all players.
    private let places: [Symbol: Int]
    /// The same for the rows that it counts, in their order.
    private let counted: [Int?]

    /// What comes out.
    struct Result {
        /// The number; nil where there is nothing to work out yet.
        let number: Int64?
        /// The rows without which nothing comes out, though what goes with them was entered.
        var missing: [Symbol] = []
        /// The row of an entry that does not count, and why.
        var refusal: (row: Int, reason: RuleViolation)?
    }

    /// The evaluation of a formula.
    init(_ formula: Formula, _ form: SheetForm) {
        self.formula = formula
        self.form = form
        let known = formula.sources.compactMap { row in form.place(of: row).map { (row, $0) } }
        let places = Dictionary(known) { first, _ in first }
        self.places = places
        counted = formula.counted.map { places[$0] }
    }

    /// What the formula makes of a column.
    func result(of column: Column) -> Result {
        let counts = counted.map { place in place.flatMap { column.count(ofRow: $0) } }
        switch formula {
        case .sum:
            guard counts.contains(where: { $0 != nil }) else { return Result(number: nil) }
            return Result(number: Bounds.cut(counts.reduce(Int128(0)) { $0 + Int128($1 ?? 0) }))
        case .product(let rows):
            guard counts.contains(where: { $0 != nil }) else { return Result(number: nil) }
            if !counts.contains(0) {
                // A flag that nobody set says no.
                let missing = zip(rows, counts).filter { row, count in
                    count == nil && isOn(row) && !isFlag(row)
                }
                if !missing.isEmpty { return Result(number: 0, missing: missing.map(\.0)) }
            }
            let product = counts.reduce(Int64(1)) { product, count in
                Bounds.cut(Int128(product) * Int128(count ?? 0))
            }
            return Result(number: product)
        case .sets(let rule):
            let wild = rule.wild.flatMap { places[$0] }.flatMap { column.count(ofRow: $0) }
            guard wild != nil || counts.contains(where: { $0 != nil }) else {
                return Result(number: nil)
            }
            return Result(number: rule.best(counts.map { $0 ?? 0 }, wild: wild ?? 0))
        case .drop(let rule): return drop(rule, counts, column)
        }
    }

    private func isOn(_ row: Symbol) -> Bool { places[row].map { form.isOn[$0] } ?? false }

    private func isFlag(_ row: Symbol) -> Bool {
        guard let place = places[row], case .flag = form.rows[place].content else { return false }
        return true
    }

    private func word(_ row: Symbol?, _ column: Column) -> String? {
        row.flatMap { places[$0] }.flatMap(column.value(ofRow:))?.string
    }

    private func drop(_ rule: DropTheMost, _ found: [Int64?], _ column: Column) -> Result {
        let counts = found.map { max(0, $0 ?? 0) }
        guard let place = places[rule.order],
            case .order(let words) = form.rows[place].content,
            let order = word(rule.order, column).flatMap(words.order)
        else {
            // Without an order nothing is worth anything; what is nothing needs none.
            let isNothing = found.contains { $0 != nil } && counts.allSatisfy { $0 == 0 }
            let missing = counts.contains { $0 > 0 } && isOn(rule.order) ? [rule.order] : []
            return Result(number: isNothing ? 0 : nil, missing: missing)
        }
        let most = rule.most(counts)
        var choice: Int?
        var result = Result(number: nil)
        if let override = rule.override, let word = word(override, column).flatMap(Symbol.init) {
            choice = rule.rows.firstIndex(of: word).flatMap { most.contains($0) ? $0 : nil }
            if choice == nil, let place = places[override] {
                let reason = RuleViolation.notTheMost(
                    row: override,
                    most: most.map { rule.rows[$0] },
                    found: word
                )
                result.refusal = (place, reason)
            }
        }
        let number = rule.rest(of: counts, order, dropping: choice)
        return Result(number: number, refusal: result.refusal)
    }
}

extension Formula {
    /// The rows whose counts it works with, in their order.
    fileprivate var counted: [Symbol] {
        switch self {
        case .sum(let rows), .product(let rows): rows
        case .sets(let rule): rule.rows
        case .drop(let rule): rule.rows
        }
    }
}
