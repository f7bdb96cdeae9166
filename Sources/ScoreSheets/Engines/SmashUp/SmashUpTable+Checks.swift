import SessionCRDT

extension SmashUpTable {
    /// Refuses what does not fit the turn that is on.
    ///
    /// A cell may always be cleared, and corrected or filled again once it was written: that is how
    /// an entry is taken back, brought back, or chosen among those of a conflict.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let row = try SmashUpRow(of: score.cell)
        let before = book[score.cell]
        switch row {
        case .points:
            guard before == nil else { return }
            try checkTable()
            try checkPoints(score.cell.round ?? 0)
        case .madness:
            let number = score.cell.round ?? 0
            guard number > gameCount else { return }
            throw SmashUpRule.gameNotBegun(number, now: gameCount).violation
        case .turn:
            let mark = try SmashUpTerms.move(of: score.value)
            guard before == nil else { return }
            if mark != .replay { try checkTable() }
            try checkTurn(mark, in: score.cell)
            guard mark == .replay || mark == self.mark else {
                throw SmashUpRule.endByHand.violation
            }
        case .deal:
            guard FactionDeal(score.value, by: terms) != nil else {
                throw SmashUpRule.notADeal.violation
            }
            let isLive = before?.entries.contains { $0.value == score.value } ?? false
            guard isLive || terms.deal == nil else { throw SmashUpRule.dealt.violation }
        case .reveal:
            let isAgain = before != nil && FactionDeal(score.value, by: terms) != nil
            guard isAgain || score.value == terms.deal?.value else {
                throw SmashUpRule.otherDealRevealed.violation
            }
        }
    }

    /// Refuses to play with fewer than the game is for: alone nobody wins.
    func checkTable() throws(RuleViolation) {
        let count = terms.present.count
        guard count >= terms.allowed.from else {
            throw .playerCount(count, allowed: terms.allowed)
        }
    }

    /// Points may be written where no hindsight is: in the turn that is on.
    private func checkPoints(_ round: UInt32) throws(RuleViolation) {
        if game.isOver { throw SmashUpRule.over.violation }
        try checkOpen(TurnRounds.turn(of: round))
    }

    private func checkTurn(_ mark: TurnMark, in cell: Cell) throws(RuleViolation) {
        try checkOpen(cell.round ?? 0)
        try checkMark(mark)
        try check(cell.player, isAt: openTurn())
    }

    /// Refuses what is of another turn than the one that is on.
    private func checkOpen(_ turn: UInt32) throws(RuleViolation) {
        let now = record.openTurn
        if stand.isOver { throw terms.violation(.noTurnLeft) }
        if turn > now { throw SmashUpRule.turnNotBegun(turn, now: now).violation }
        if turn < now { throw SmashUpRule.turnPast(turn, now: now).violation }
    }

    /// Refuses what ends the turn of anybody else than whoever is to move.
    func check(_ player: PlayerID, isAt open: OpenTurn) throws(RuleViolation) {
        guard player != open.cell.player else { return }
        throw terms.violation(at: record.openTurn, of: open.seat)
    }

    /// A game that is over is followed by another one and not by a turn, and one that is not is not
    /// wiped without a question.
    func checkMark(_ mark: TurnMark) throws(RuleViolation) {
        switch (mark, game.isOver) {
        case (.end, true): throw SmashUpRule.over.violation
        case (.replay, false): throw SmashUpRule.notOver.violation
        case (.end, false), (.replay, true): break
        }
    }

    /// The factions stay as they are once they are dealt; the target may be agreed on anew.
    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard rules.sheet.factions.contains(where: { $0.option == option }) else { return }
        guard terms.deal == nil else { throw SmashUpRule.dealt.violation }
    }
}
