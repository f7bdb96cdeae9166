import SessionCRDT

/// What the entries of a row are worth by a formula: of each round, or of a number without rounds.
struct RoundEvaluation: Sendable {
    /// The place of the row.
    let place: Int
    /// What one entry is worth; nil where it is worth what was entered.
    let worth: BoundFormula?
    /// What the rounds come to after each; nil where they are added.
    let running: BoundFormula?
    /// What has to hold of each round.
    let checks: [(check: RoundCheck, formula: BoundFormula)]
    /// The places of what is entered: the fields of a round, or the row itself.
    let entered: [Int]
    /// The rows whose numbers of the player it reads, beside what is entered.
    let sources: [Int]
    /// The rows of which it reads what all players have.
    let shared: [Int]
    /// Whether a round has fields.
    let hasFields: Bool

    /// The evaluation of the row at a place; nil of one whose entries are worth themselves, or what
    /// short forms say.
    init?(_ form: SheetForm, at place: Int) {
        let row = form.rows[place]
        let formulas = row.formulas.filter { $0.role != .whole }
        guard !formulas.isEmpty else { return nil }
        func bound(_ isWanted: (RowFormula.Role) -> Bool) -> BoundFormula? {
            formulas.first { isWanted($0.role) }.map { form.bound($0, ofRow: place) }
        }
        self.place = place
        let worth = bound { [.number, .round, .fields].contains($0) }
        let running = bound { $0 == .running }
        self.worth = worth
        self.running = running
        var checks: [(RoundCheck, BoundFormula)] = []
        if case .rounds(_, let rounds) = row.content {
            let bound = formulas.filter { $0.role == .check }.map { form.bound($0, ofRow: place) }
            checks = Array(zip(rounds.checks, bound))
        }
        self.checks = checks.map { (check: $0.0, formula: $0.1) }
        hasFields = formulas.contains { $0.role == .fields }
        entered =
            hasFields ? form.rows.indices.filter { form.rows[$0].group?.row == row.id } : [place]
        let own = (worth?.ownRows ?? []).union(running?.ownRows ?? [])
        sources = own.subtracting(entered).sorted()
        let checked = self.checks.reduce(into: worth?.sharedRows ?? []) { rows, check in
            rows.formUnion(check.formula.sharedRows)
        }
        shared = checked.sorted()
    }
}
