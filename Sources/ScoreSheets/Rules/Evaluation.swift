import SessionCRDT

/// What formulas make of one player's column.
struct Evaluation {
    private let column: Column
    private let form: SheetForm

    /// What comes out.
    struct Result {
        /// The number; nil where there is nothing to work out yet.
        let number: Int64?
        /// The rows without which nothing comes out, though what goes with them was entered.
        var missing: [Symbol] = []
        /// The row of an entry that does not count, and why.
        var refusal: (row: Int, reason: RuleViolation)?
    }

    /// The evaluation of a column.
    init(_ column: Column, _ form: SheetForm) {
        self.column = column
        self.form = form
    }

    /// What a formula makes of the column.
    func number(_ formula: Formula) -> Result {
        switch formula {
        case .sum(let rows):
            let counts = rows.compactMap(count)
            guard !counts.isEmpty else { return Result(number: nil) }
            return Result(number: Bounds.cut(counts.reduce(Int128(0)) { $0 + Int128($1) }))
        case .product(let rows):
            guard rows.contains(where: { count($0) != nil }) else { return Result(number: nil) }
            if rows.allSatisfy({ count($0) != 0 }) {
                // A flag that nobody set says no.
                let missing = rows.filter { count($0) == nil && isOn($0) && !isFlag($0) }
                if !missing.isEmpty { return Result(number: 0, missing: missing) }
            }
            let product = rows.reduce(Int64(1)) { product, row in
                Bounds.cut(Int128(product) * Int128(count(row) ?? 0))
            }
            return Result(number: product)
        case .sets(let rule):
            let counts = rule.rows.map(count)
            let wild = rule.wild.flatMap(count)
            guard wild != nil || counts.contains(where: { $0 != nil }) else {
                return Result(number: nil)
            }
            return Result(number: rule.best(counts.map { $0 ?? 0 }, wild: wild ?? 0))
        case .drop(let rule): return drop(rule)
        }
    }

    private func count(_ row: Symbol) -> Int64? {
        form.place(of: row).flatMap { column.counts[$0] }
    }

    private func isOn(_ row: Symbol) -> Bool { form.place(of: row).map { form.isOn[$0] } ?? false }

    private func isFlag(_ row: Symbol) -> Bool {
        guard let place = form.place(of: row), case .flag = form.rows[place].content else {
            return false
        }
        return true
    }

    private func word(_ row: Symbol?) -> String? {
        row.flatMap(form.place).flatMap(column.value(ofRow:))?.string
    }

    private func drop(_ rule: DropTheMost) -> Result {
        let counts = rule.rows.map { max(0, count($0) ?? 0) }
        guard let place = form.place(of: rule.order),
            case .order(let words) = form.rows[place].content,
            let order = word(rule.order).flatMap(words.order)
        else {
            // Without an order nothing is worth anything; what is nothing needs none.
            let isNothing = rule.rows.contains { count($0) != nil } && counts.allSatisfy { $0 == 0 }
            let missing = counts.contains { $0 > 0 } && isOn(rule.order) ? [rule.order] : []
            return Result(number: isNothing ? 0 : nil, missing: missing)
        }
        let most = rule.most(counts)
        var choice: Int?
        var result = Result(number: nil)
        if let override = rule.override, let word = word(override).flatMap(Symbol.init) {
            choice = rule.rows.firstIndex(of: word).flatMap { most.contains($0) ? $0 : nil }
            if choice == nil, let place = form.place(of: override) {
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
