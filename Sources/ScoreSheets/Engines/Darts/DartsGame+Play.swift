import SessionCRDT

extension DartsGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        let open = try openTurn(for: move, in: book)
        let darts = move.details["darts"]
        let visit = try visit(of: move)
        let notes = try notes(on: visit, by: open.seat, isCountSaid: darts != nil)
        return open.writing(.text(visit.description), notes: notes)
    }

    private func visit(of move: Move) throws(RuleViolation) -> DartsVisit {
        try move.checkDetails(DartsMode.words, known: ["darts"])
        do throws(DartsRule) {
            return try DartsVisit(typed: move.words, darts: move.details["darts"])
        } catch { throw error.violation }
    }

    /// The visits of the leg in progress, and what is written behind them and does not count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        try checkIsOn(in: book)
        return try reset(of: book, from: stand.legStart + 1, question: resetQuestion)
    }
}
