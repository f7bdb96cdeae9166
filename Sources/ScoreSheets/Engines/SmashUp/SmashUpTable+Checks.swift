import SessionCRDT

extension SmashUpTable {
    /// Refuses what does not fit the turn that is on.
    ///
    /// A cell may always be cleared, and corrected or filled again once it was written: that is how
    /// an entry is taken back, brought back, or chosen among those of a conflict.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        if let violation = SmashUpRow.violation(of: score.cell) { throw violation }
        guard let row = SmashUpRow(score.cell.row) else { return }
        let before = book[score.cell]
        switch row {
        case .points:
            guard before == nil else { return }
            try checkTable()
            try checkPoints(score.cell.round ?? 0)
        case .madness:
            let number = score.cell.round ?? 0
            guard number > replay.gameCount else { return }
            throw SmashUpRule.gameNotBegun(number, now: replay.gameCount).violation
        case .turn:
            guard let mark = TurnMark(score.value) else {
                throw SmashUpRule.notATurnMark(score.value.words).violation
            }
            guard before == nil else { return }
            if mark != .replay { try checkTable() }
            try checkTurn(mark, in: score.cell)
            guard mark == .replay || mark == replay.mark else {
                throw SmashUpRule.endByHand.violation
            }
        case .deal:
            guard FactionDeal(score.value, by: replay.terms) != nil else {
                throw SmashUpRule.notADeal.violation
            }
            let isLive = before?.entries.contains { $0.value == score.value } ?? false
            guard isLive || replay.deal == nil else { throw SmashUpRule.dealt.violation }
        case .reveal:
            let isAgain = before != nil && FactionDeal(score.value, by: replay.terms) != nil
            guard isAgain || score.value == replay.deal?.deal.value else {
                throw SmashUpRule.otherDealRevealed.violation
            }
        }
    }

    /// Refuses to play with fewer than the game is for: alone nobody wins.
    func checkTable() throws(RuleViolation) {
        let allowed = replay.terms.allowed
        let count = replay.terms.present.count
        guard count >= allowed.from else { throw .playerCount(count, allowed: allowed) }
    }

    /// Points may be written where no hindsight is: in the turn that is on.
    private func checkPoints(_ round: UInt32) throws(RuleViolation) {
        let turn = TurnRounds.turn(of: round)
        if replay.game.isOver { throw SmashUpRule.over.violation }
        if replay.turn > TurnRounds.lastTurn { throw SmashUpRule.noTurnLeft.violation }
        if turn > replay.turn {
            throw SmashUpRule.turnNotBegun(turn, now: replay.turn).violation
        }
        if turn < replay.turn { throw SmashUpRule.turnPast(turn, now: replay.turn).violation }
    }

    private func checkTurn(
        _ mark: TurnMark,
        in cell: Cell
    ) throws(RuleViolation) {
        guard replay.turn <= TurnRounds.lastTurn else { throw SmashUpRule.noTurnLeft.violation }
        let turn = cell.round ?? 0
        guard turn == replay.turn else {
            throw
                (turn > replay.turn
                ? SmashUpRule.turnNotBegun(turn, now: replay.turn)
                : SmashUpRule.turnPast(turn, now: replay.turn)).violation
        }
        try checkMark(mark)
        guard let mover = replay.mover else { throw SmashUpRule.nobodyToMove.violation }
        let player = replay.terms.players[mover]
        guard player.id == cell.player else {
            throw SmashUpRule.notTheTurn(of: player.name).violation
        }
    }

    /// A game that is over is followed by another one and not by a turn, and one that is not is not
    /// wiped without a question.
    func checkMark(_ mark: TurnMark) throws(RuleViolation) {
        switch (mark, replay.game.isOver) {
        case (.end, true): throw SmashUpRule.over.violation
        case (.replay, false): throw SmashUpRule.notOver.violation
        case (.end, false), (.replay, true): break
        }
    }

    /// The factions stay as they are once they are dealt; the target may be agreed on anew.
    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard rules.sheet.factions.contains(where: { $0.option == option }) else { return }
        guard replay.deal == nil else { throw SmashUpRule.dealt.violation }
    }
}
