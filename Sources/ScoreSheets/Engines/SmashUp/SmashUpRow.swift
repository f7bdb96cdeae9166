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

    /// The row of a cell, whatever row a sheet has it in; refused where nothing in it can count.
    init(of cell: Cell) throws(RuleViolation) {
        guard let row = SmashUpRow(cell.row) else {
            throw .unknownRow(cell.row.description, candidates: SmashUpRow.allCases.map(\.id))
        }
        guard !row.kind.repeats || cell.round ?? 0 > 0 else { throw .roundMissing(row: row.id) }
        self = row
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
