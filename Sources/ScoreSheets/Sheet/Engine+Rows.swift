package import SessionCRDT

/// A row that a coded game reads: what it is called, and what is entered there.
package struct EngineRow: Hashable, Sendable {
    /// The id of the row.
    package let id: Symbol
    /// The kind that it has to be of.
    package let kind: RowKind
}

extension Engine {
    /// The rows that a coded game reads, and there are no others in its sheet; nil of the engine
    /// that reads whatever rows there are.
    ///
    /// The kinds are what the code relies on: a row of moves has a round in every cell.
    package var rows: [EngineRow]? {
        switch self {
        case .rows: nil
        case .ghost: [EngineRow(id: GhostTerms.letter, kind: .moves)]
        case .smashup: SmashUpRow.allCases.map { EngineRow(id: $0.id, kind: $0.kind) }
        case .darts: [EngineRow(id: DartsColumn.row, kind: .moves)]
        case .reversi: [EngineRow(id: ReversiRecord.row, kind: .moves)]
        }
    }
}

extension Sheet {
    /// What is wrong between the rows and what a coded game reads.
    var engineFlaws: [SheetFlaw] {
        guard let needed = engine.rows else { return [] }
        let missing = needed.filter { fact in
            !rows.contains { $0.id == fact.id && $0.kind == fact.kind }
        }
        let known = needed.map(\.id)
        return missing.map { fact in
            let row = "a row \(fact.id) of kind \(fact.kind.rawValue)"
            return SheetFlaw(["rows"], "the engine \(engine.rawValue) needs \(row)")
        }
            + rows.enumerated().compactMap { index, row in
                guard !known.contains(row.id) else {
                    let isAlways = "the engine \(engine.rawValue) needs the row whatever is set"
                    return row.condition == nil
                        ? nil : SheetFlaw(["rows", AnyField(index), "when"], isAlways)
                }
                let reason = "the engine \(engine.rawValue) reads no other rows than \(known.list)"
                return SheetFlaw(["rows", AnyField(index), "id"], reason)
            }
    }
}
