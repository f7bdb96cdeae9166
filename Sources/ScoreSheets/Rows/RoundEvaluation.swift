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
    let checks: [Check]
    /// The places of what is entered: the fields of a round, or the row itself.
    let entered: [Int]
    /// The rows whose numbers of the player it reads, beside what is entered.
    let sources: [Int]
    /// The rows of which it reads what all players have.
    let shared: [Int]
    /// Whether a round has fields.
    let hasFields: Bool

    /// Something that has to hold of a round.
    struct Check {
        /// Which one of the row.
        let index: Int
        /// What it is, as the sheet says it.
        let check: RoundCheck
        /// What has to be true.
        let formula: BoundFormula
    }

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
        var checks: [Check] = []
        if case .rounds(_, let rounds) = row.content {
            checks = zip(rounds.checks, formulas.filter(\.role.isCheck)).enumerated().map {
                Check(index: $0, check: $1.0, formula: form.bound($1.1, ofRow: place))
            }
        }
        self.checks = checks
        hasFields = formulas.contains { $0.role == .fields }
        entered =
            hasFields ? form.rows.indices.filter { form.rows[$0].group?.row == row.id } : [place]
        let read = [worth, running].compactMap(\.self) + checks.map(\.formula)
        let own = read.reduce(into: Set<Int>()) { $0.formUnion($1.ownRows) }
        sources = own.subtracting(entered).sorted()
        shared = read.reduce(into: Set<Int>()) { $0.formUnion($1.sharedRows) }.sorted()
    }
}
