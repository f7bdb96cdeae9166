import SessionCRDT

/// The rows in which the facts of Smash Up stand.
enum SmashUpRow: String, Hashable, CaseIterable {
    /// What somebody gained or lost, a fact of its own each; the round tells the turn.
    case points
    /// The Madness cards that somebody held at the end of a game, a round for each game.
    case madness
    /// What ended each turn.
    case turn
    /// Who was dealt which factions: one value for the whole table.
    case deal
    /// The deal that was revealed.
    case reveal

    /// The id of the row.
    var id: Symbol {
        switch self {
        case .points: Symbol(known: "points")
        case .madness: Symbol(known: "madness")
        case .turn: Symbol(known: "turn")
        case .deal: Symbol(known: "deal")
        case .reveal: Symbol(known: "reveal")
        }
    }

    /// The row of an id; nil of other rows.
    init?(_ id: Symbol) { self.init(rawValue: id.description) }

    /// Why nothing can count in this cell, whatever row a sheet has it in; nil when it can.
    static func violation(of cell: Cell) -> RuleViolation? {
        guard let row = SmashUpRow(cell.row) else {
            return .unknownRow(cell.row.description, candidates: allCases.map(\.id))
        }
        return row.kind.repeats && (cell.round ?? 0) < 1 ? .roundMissing(row: row.id) : nil
    }

    /// What the sheet must say that is entered there.
    var kind: RowKind {
        switch self {
        case .points, .madness: .rounds
        case .turn: .moves
        case .deal, .reveal: .text
        }
    }
}
