import SessionCRDT

/// How the cells of a player are read as visits.
enum DartsColumn {
    /// The row of the visits.
    static let row = Symbol(known: "visit")

    /// The visit that a value is, or why it is none; nil of nothing.
    static func reading(
        _ value: Value,
        in cell: Cell,
        by sheet: Sheet
    ) -> Result<(UInt32, DartsVisit)?, RuleViolation> {
        if let violation = sheet.violation(of: value, in: cell) { return .failure(violation) }
        if value == .null { return .success(nil) }
        guard cell.row == row else {
            return .failure(.unknownRow(cell.row.description, candidates: [row]))
        }
        guard let turn = cell.round, turn > 0 else { return .failure(.roundMissing(row: row)) }
        if let text = value.string, let visit = DartsVisit(spelling: text) {
            return .success((turn, visit))
        }
        let words = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? DartsVisit(typed: [words])
        let rule = DartsRule.misspelled(value.words, canonical: meant?.description)
        return .failure(rule.violation)
    }

    /// Whether a cell holds a visit, wherever it stands.
    static func holdsVisit(_ bookCell: BookCell, by sheet: Sheet) -> Bool {
        (try? reading(bookCell.value, in: bookCell.cell, by: sheet).get()) != nil
    }
}
