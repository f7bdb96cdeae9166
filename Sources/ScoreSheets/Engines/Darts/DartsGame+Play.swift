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
        let strange = move.details.keys.filter { $0 != "darts" }.min()
        if let strange { throw DartsRule.unknownDetail(strange).violation }
        do throws(DartsRule) {
            return try DartsVisit(typed: move.words, darts: move.details["darts"])
        } catch { throw error.violation }
    }

    /// The visits of the leg in progress, and what is written behind them and does not count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        try checkNotOver()
        let cells = record.cells(from: stand.legStart + 1, in: book)
        guard !cells.isEmpty else { throw DartsRule.nothingToReset.violation }
        return Reset(
            question: resetQuestion(losing: cells.count),
            writes: cells.map { Score($0, .null) }
        )
    }
}
