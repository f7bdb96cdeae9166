import SessionCRDT

/// A game of Ghost.
struct GhostGame: TurnGame {
    let rules: GhostRules
    var record: TurnRecord<GhostStand>
    var kept: KeptStandings

    /// The rounds that were lost, the first first.
    var losses: Chunks<GhostLoss> { record.parts }

    var totalLabel: String { "Lives" }

    /// A letter can be picked out of a conflict with the verdict that it had, also when who is
    /// there has changed since; any other is refused, since nothing here can judge it: a verdict
    /// that somebody typed would stand for good.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let cell = score.cell
        guard cell.row == GhostTerms.row else {
            throw .unknownRow(cell.row.description, candidates: [GhostTerms.row])
        }
        guard book[cell]?.entries.contains(where: { $0.value == score.value }) == true else {
            throw GhostRule.unjudged.violation
        }
        try checkTurn(score, in: book)
    }

    /// The letter and what it made, of a beginning with its verdict.
    func words(in book: Book) -> GameWords {
        GameWords(value: { score in
            score.cell.row == GhostTerms.row ? GhostLetter(score.value)?.words : nil
        })
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !GhostTerms.recorded.contains(option) else {
            throw GhostRule.recorded(option: option).violation
        }
        guard turns.isEmpty else { throw GhostRule.begun(option: option).violation }
    }
}
