package import SessionCRDT

/// What computes the standings of a game.
package enum GameEngine: String, Hashable, Sendable, CaseIterable {
    /// The rows, as the sheet describes them.
    case rows
    /// Ghost, letter by letter.
    case ghost
    /// The facts of a game of Smash Up: deals, turns, points and Madness.
    case smashup
    /// Cricket, the game of darts: marks and points.
    case cricket
    /// Darts: X01 in legs and sets.
    case darts
    /// The board of Reversi.
    case reversi
    /// A match of two sides, point by point: table tennis, tennis and others, as the options say.
    case match
    /// Ten-pin bowling, frame by frame.
    case bowling
}

/// A row that a coded game reads: what it is called, and what is entered there.
package struct CodedRow: Hashable, Sendable {
    /// The id of the row.
    package let id: Symbol
    /// The kind that it has to be of.
    package let kind: RowKind
}

extension GameEngine {
    /// The rows that a coded game reads, and there are no others in its sheet; nil of the game
    /// engine that reads whatever rows there are.
    ///
    /// The kinds are what the code relies on: a row of moves has a round in every cell.
    package var rows: [CodedRow]? {
        switch self {
        case .rows: nil
        case .ghost: [CodedRow(id: GhostSetup.row, kind: .moves)]
        case .smashup: SmashUpRow.allCases.map { CodedRow(id: $0.id, kind: $0.kind) }
        case .cricket: [CodedRow(id: CricketOptions.row, kind: .moves)]
        case .darts: [CodedRow(id: DartsOptions.row, kind: .moves)]
        case .reversi: [CodedRow(id: ReversiSetup.row, kind: .moves)]
        case .match: [CodedRow(id: SportOptions.row, kind: .moves)]
        case .bowling: [CodedRow(id: BowlingRules.row, kind: .moves)]
        }
    }
}

extension Sheet {
    /// What is wrong between the rows and what a coded game reads.
    var codedRowFlaws: [SheetFlaw] {
        guard let needed = gameEngine.rows else { return [] }
        let missing = needed.filter { fact in
            !rows.contains { $0.id == fact.id && $0.kind == fact.kind }
        }
        let known = needed.map(\.id)
        return missing.map { fact in
            let row = "a row \(fact.id) of kind \(fact.kind.rawValue)"
            return SheetFlaw(["rows"], "the engine \(gameEngine.rawValue) needs \(row)")
        }
            + rows.enumerated().compactMap { index, row in
                guard !known.contains(row.id) else {
                    let isAlways = "the engine \(gameEngine.rawValue) needs the row whatever is set"
                    return row.condition == nil
                        ? nil : SheetFlaw(path(ofRow: index) + ["when"], isAlways)
                }
                let reason =
                    "the engine \(gameEngine.rawValue) reads no other rows than \(known.list)"
                return SheetFlaw(path(ofRow: index) + ["id"], reason)
            }
    }
}
