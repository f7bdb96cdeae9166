package import SessionCRDT

/// How a row is worked out from rows above it.
///
/// It reads what was entered there and not what that is worth; of a row that is itself worked out
/// it reads the points. Rows refer only upwards, so nothing can refer to itself.
package enum Derivation: Hashable, Sendable {
    /// Adds them.
    case sum([Symbol])
    /// Multiplies them.
    case product([Symbol])
    /// Squares and sets.
    case sets(SymbolSets)
    /// Drops the most.
    case drop(DropTheMost)
    /// Whatever a formula says.
    case formula(Formula)

    /// The rows that it reads; a formula may name options, too.
    package var sources: [Symbol] {
        switch self {
        case .sum(let rows), .product(let rows): rows
        case .sets(let rule): rule.rows + (rule.wild.map { [$0] } ?? [])
        case .drop(let rule): rule.rows + [rule.order] + (rule.override.map { [$0] } ?? [])
        case .formula(let formula): formula.names.map(\.subject)
        }
    }
}

/// The rule of squares and sets: the square of each symbol's count, and points for each set of one
/// of each; a wild symbol stands for whichever helps most.
package struct SymbolSets: Hashable, Sendable {
    /// The rows of the symbols.
    package let rows: [Symbol]
    /// The row of wild symbols.
    package let wild: Symbol?
    /// The points of a set.
    package let set: Int64
}

/// The rule of dropping the most: everything of the row that there is most of is dropped, the rest
/// is worth what the player's order of the rows says.
package struct DropTheMost: Hashable, Sendable {
    /// The rows that are counted.
    package let rows: [Symbol]
    /// The row with the player's order of those rows.
    package let order: Symbol
    /// What each place of the order is worth.
    package let values: [DropValue]
    /// The row in which a player says which of equally many is dropped.
    package let override: Symbol?
}

extension Sheet {
    /// Whether players say in this row which of equally many is dropped.
    package func decidesDrop(_ row: Symbol) -> Bool {
        rows.contains { other in
            guard case .computed(.drop(let rule), _) = other.content else { return false }
            return rule.override == row
        }
    }
}

/// What one of something is worth, by its place in a player's order.
package enum DropValue: Hashable, Sendable {
    /// Always this.
    case one(Int64)
    /// This with at least one of everything, else that.
    case two(complete: Int64, else: Int64)
}
