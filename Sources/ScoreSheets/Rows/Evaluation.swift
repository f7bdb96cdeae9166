import SessionCRDT

/// A row that is worked out: what its derivation makes of one player's column after the other.
struct Evaluation: Sendable {
    /// The place of the row.
    let place: Int
    /// What its number is worth.
    let worth: Worth
    /// What a formula says here; nil where something else is made of rows.
    let formula: BoundFormula?
    /// The places of the rows of the player that it reads.
    let sources: [Int]
    /// The places of the rows of which it reads what all players have.
    let shared: [Int]

    private let derivation: Derivation
    /// Where the rows stand that it counts, in their order; looked up once for all players.
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

    /// The evaluation of the row at a place; nil of one that is entered.
    init?(_ form: SheetForm, at place: Int) {
        let row = form.rows[place]
        guard case .computed(let derivation, let worth) = row.content else { return nil }
        self.place = place
        self.worth = worth
        self.derivation = derivation
        counted = derivation.counted.map { form.place(of: $0) }
        formula = row.formulas.first.map { form.bound($0, ofRow: place) }
        sources = formula?.ownRows.sorted() ?? derivation.sources.compactMap(form.place)
        shared = formula?.sharedRows.sorted() ?? []
    }

    /// What is made of a column, of which this is written; nothing where a formula says it.
    func result(of column: RowColumn, _ written: BookColumn, by form: SheetForm) -> Result {
        let counts = counted.map { place in place.flatMap { column.count(ofRow: $0) } }
        switch derivation {
        case .sum:
            guard counts.contains(where: { $0 != nil }) else { return Result(number: nil) }
            return Result(number: Bounds.cut(counts.reduce(Int128(0)) { $0 + Int128($1 ?? 0) }))
        case .product(let rows):
            guard counts.contains(where: { $0 != nil }) else { return Result(number: nil) }
            if !counts.contains(0) {
                // A flag that nobody set says no.
                let missing = zip(rows, counts).filter { row, count in
                    count == nil && form.isThere(row) && form.row(row)?.kind != .flag
                }
                if !missing.isEmpty { return Result(number: 0, missing: missing.map(\.0)) }
            }
            let product = counts.reduce(Int64(1)) { product, count in
                Bounds.cut(Int128(product) * Int128(count ?? 0))
            }
            return Result(number: product)
        case .sets(let rule):
            let wild = rule.wild.flatMap(form.place).flatMap { column.count(ofRow: $0) }
            guard wild != nil || counts.contains(where: { $0 != nil }) else {
                return Result(number: nil)
            }
            return Result(number: rule.best(counts.map { $0 ?? 0 }, wild: wild ?? 0))
        case .drop(let rule): return drop(rule, counts, column, written, by: form)
        case .formula: return Result(number: nil)
        }
    }

    /// The word that counts in a row.
    private func word(
        _ row: Symbol,
        _ column: RowColumn,
        _ written: BookColumn,
        by form: SheetForm
    ) -> String? {
        let only = RoundCell.place(of: nil)
        guard let source = form.place(of: row), column.isEntered(source, only, seenFrom: place)
        else { return nil }
        return written.cells(of: row)?[only]?.live.winner.value.string
    }

    private func drop(
        _ rule: DropTheMost,
        _ found: [Int64?],
        _ column: RowColumn,
        _ written: BookColumn,
        by form: SheetForm
    ) -> Result {
        let counts = found.map { max(0, $0 ?? 0) }
        guard case .order(let words)? = form.row(rule.order)?.content,
            let order = word(rule.order, column, written, by: form).flatMap(words.order)
        else {
            // Without an order nothing is worth anything; what is nothing needs none.
            let isNothing = found.contains { $0 != nil } && counts.allSatisfy { $0 == 0 }
            let missing = counts.contains { $0 > 0 } && form.isThere(rule.order) ? [rule.order] : []
            return Result(number: isNothing ? 0 : nil, missing: missing)
        }
        let most = rule.most(counts)
        var choice: Int?
        var result = Result(number: nil)
        if let override = rule.override,
            let word = word(override, column, written, by: form).flatMap(Symbol.init)
        {
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

extension Derivation {
    /// The rows whose counts it works with, in their order.
    fileprivate var counted: [Symbol] {
        switch self {
        case .sum(let rows), .product(let rows): rows
        case .sets(let rule): rule.rows
        case .drop(let rule): rule.rows
        case .formula: []
        }
    }
}
