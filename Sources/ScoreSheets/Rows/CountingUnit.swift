import SessionCRDT

/// The unit in which a game of rows counts: half points if any of its rows takes them with its
/// options, else whole ones.
///
/// Halves are whole numbers to the game, so that it computes with integers only. Constants of the
/// sheet are doubled once, in `Row.countedInHalves` and `BoundFormula.countedInHalves`; games
/// without halves pay nothing.
enum CountingUnit: Int64, Sendable {
    case point = 1
    case half = 2

    init(of rows: some Sequence<Row>) {
        self = rows.contains { $0.accepted.takesHalves } ? .half : .point
    }

    /// Returns how many units a number of points has.
    func count(of points: Points) -> Int64 {
        switch self {
        case .point: points.roundedDown
        case .half: points.halves
        }
    }

    /// Returns the points of a number of units.
    func points(_ count: Int64) -> Points {
        switch self {
        case .point: Points(count)
        case .half: Points(halves: count)
        }
    }

    var totalOutOfRange: RuleViolation { .totalOutOfRange(beyond: points(Bounds.all.to)) }
}

extension Row {
    /// Returns the row with what it accepts by the options in effect.
    func inEffect(_ settings: Settings) -> Row {
        guard isByOption else { return self }
        var row = self
        if let halves { row.accepted.takesHalves = settings(halves) }
        // An option that is off limits nothing.
        if let most = most.flatMap({ settings($0) }) { row.accepted.range = range.upTo(most) }
        guard let number = lastByOption.flatMap({ settings($0) }) else { return row }
        let last = UInt32(clamping: min(max(1, number), Int64(Cell.lastRound)))
        row.group?.last = last
        if case .rounds(let rule, var rounds) = content {
            rounds.last = last
            row.content = .rounds(rule, rounds)
        }
        return row
    }

    /// The row for a game that counts in halves: its constants are doubled, except those of what is
    /// entered, which readers convert.
    var countedInHalves: Row {
        var row = self
        row.empty = empty.map { 2 * $0 }
        switch content {
        case .number(let rule): row.content = .number(rule.countedInHalves)
        case .rounds(let rule, let rounds): row.content = .rounds(rule.countedInHalves, rounds)
        case .computed(let derivation, let rule):
            row.content = .computed(derivation, rule.countedInHalves)
        case .flag(let points): row.content = .flag(points: 2 * points)
        case .tokens, .choice, .order, .text, .moves: break
        }
        return row
    }
}

extension PointsRule {
    /// The rule for numbers in halves: `per`, `table` and `steps` see whole numbers, rounded down, as
    /// places have whole points.
    fileprivate var countedInHalves: PointsRule {
        var rule = self
        let isOfWhole = per != 1 || !table.isEmpty || !steps.isEmpty
        if isOfWhole { rule.per = 2 * per }
        if isOfWhole || !places.isEmpty { rule.factor = 2 * factor }
        return rule
    }
}

extension BoundFormula {
    /// The formula for numbers in halves.
    ///
    /// Each part of a formula counts in halves or in whole numbers, as the names in it do, and parts
    /// that meet are brought to one unit. So the value is exact, except for a product of two numbers
    /// with halves, which is rounded down to a half; a quotient is a whole number as ever.
    var countedInHalves: BoundFormula { Scaled(self).doubled }

    private struct Scaled {
        let formula: BoundFormula
        /// Whether the value is a number of halves; else of whole points.
        let isHalves: Bool

        var doubled: BoundFormula {
            if isHalves { return formula }
            if case .number(let number) = formula { return .number(2 * number) }
            return .binary(.times, formula, .number(2))
        }

        /// The value as an index, rounded down.
        private var whole: BoundFormula {
            isHalves ? .binary(.over, formula, .number(2)) : formula
        }

        private init(_ formula: BoundFormula, isHalves: Bool) {
            (self.formula, self.isHalves) = (formula, isHalves)
        }

        init(_ formula: BoundFormula) {
            switch formula {
            case .number: self.init(formula, isHalves: false)
            case .name(let name): self.init(formula, isHalves: !name.isCount)
            case .unary(let sign, let operand):
                let operand = Scaled(operand)
                let isTruth = sign == .not
                self.init(.unary(sign, operand.formula), isHalves: !isTruth && operand.isHalves)
            case .binary(let sign, let left, let right):
                self.init(sign, Scaled(left), Scaled(right))
            case .several(let which, let operands):
                let isSelector = which == .choice || which == .pick
                let selector = operands.prefix(isSelector ? 1 : 0).map { operand in
                    let operand = Scaled(operand)
                    return which == .pick ? operand.whole : operand.formula
                }
                let parts = operands.dropFirst(selector.count).map(Scaled.init)
                let isHalves = parts.contains(where: \.isHalves)
                let values = parts.map { isHalves ? $0.doubled : $0.formula }
                self.init(.several(which, selector + values), isHalves: isHalves)
            }
        }

        private init(_ sign: FormulaOperator.Binary, _ left: Scaled, _ right: Scaled) {
            let isHalves = left.isHalves || right.isHalves
            switch sign {
            case .or, .and:
                self.init(.binary(sign, left.formula, right.formula), isHalves: false)
            case .times:
                let product = BoundFormula.binary(sign, left.formula, right.formula)
                let isOfBoth = left.isHalves && right.isHalves
                self.init(
                    isOfBoth ? .binary(.over, product, .number(2)) : product,
                    isHalves: isHalves
                )
            case .plus, .minus, .rest, .over, .equal, .unequal, .less, .lessOrEqual, .greater,
                .greaterOrEqual:
                let formula =
                    isHalves
                    ? BoundFormula.binary(sign, left.doubled, right.doubled)
                    : .binary(sign, left.formula, right.formula)
                let keepsUnit = sign == .plus || sign == .minus || sign == .rest
                self.init(formula, isHalves: isHalves && keepsUnit)
            }
        }
    }
}

extension FormulaReference {
    /// Whether it counts something else than points, in whole numbers.
    var isCount: Bool {
        switch self {
        case .word, .count, .players, .sides, .since, .round, .ofRounds(.zeros, _, _): true
        case .ofAll(let aggregate, _): [.rank, .tied, .count].contains(aggregate)
        case .row, .ofRounds, .highestSoFar, .lowestSoFar, .entered, .before: false
        }
    }
}
