import SessionCRDT

/// What a name of a formula stands for, once the sheet and the options are known.
enum FormulaReference: Hashable {
    /// What the player has in the row of a place.
    case row(Int)
    /// Whether the player chose a word in the row of a place.
    case word(Int, Symbol)
    /// How many entries the player has in the row of a place.
    case count(Int)
    /// The most or the least that the player has in any round of the row of a place; of a field in
    /// any whole round of the row at another.
    case extreme(FormulaName.Extreme, Int, whole: Int?)
    /// A number of all players in the row of a place.
    case ofAll(FormulaName.Aggregate, Int)
    /// What was entered.
    case entered
    /// What the row had come to before the round.
    case before
    /// The number of the round.
    case round
}

typealias BoundFormula = Expression<FormulaReference>

extension BoundFormula {
    /// The rows whose numbers of this player it reads, by place.
    var ownRows: Set<Int> {
        names.reduce(into: []) { rows, name in
            switch name {
            case .row(let place), .count(let place), .word(let place, _): rows.insert(place)
            case .extreme(_, let place, let whole): rows.formUnion([place, whole ?? place])
            case .ofAll, .entered, .before, .round: break
            }
        }
    }

    /// The rows of which it reads what all players have, by place.
    var sharedRows: Set<Int> {
        Set(names.compactMap { if case .ofAll(_, let place) = $0 { place } else { nil } })
    }
}

extension SheetForm {
    /// A formula of a row with what its names stand for here; what is not there counts as nothing.
    ///
    /// An option may have the name of a row below, which is not meant.
    func bound(_ formula: RowFormula, ofRow own: Int) -> BoundFormula {
        func row(_ name: Symbol) -> Int? { place(of: name).flatMap { $0 < own ? $0 : nil } }
        return formula.formula.expression.mapNames { name in
            switch name {
            case .value(let subject):
                if formula.role.names.contains(subject.description) {
                    return named(subject.description)
                }
                if let place = row(subject) { return .name(.row(place)) }
                return .number(settings.number(of: subject))
            case .ofAll(.count, let row) where !formula.role.isByRounds:
                return place(of: row).map { .name(.count($0)) } ?? .number(0)
            case .ofAll(let aggregate, let row):
                return place(of: row).map { .name(.ofAll(aggregate, $0)) } ?? .number(0)
            case .extreme(let extreme, let subject):
                guard let place = row(subject) else { return .number(0) }
                let whole = rows[place].group.flatMap { self.place(of: $0.row) }
                return .name(.extreme(extreme, place, whole: whole))
            case .word(let subject, let word):
                if let place = row(subject), formula.role != .check {
                    return .name(.word(place, word))
                }
                return .number(settings.values[subject]?.string == word.description ? 1 : 0)
            }
        }
    }

    private func named(_ name: String) -> BoundFormula {
        switch name {
        case "entered": .name(.entered)
        case "before": .name(.before)
        case "round": .name(.round)
        default: .number(Int64(playerCount))
        }
    }
}

extension Settings {
    /// An option as a number: yes is 1, and what is off is 0.
    fileprivate func number(of option: Symbol) -> Int64 {
        switch values[option] {
        case .integer(let number): number
        case .boolean(let isSet): isSet ? 1 : 0
        case .text, .null, .foreign, nil: 0
        }
    }
}
