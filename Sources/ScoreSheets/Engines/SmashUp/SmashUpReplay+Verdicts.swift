import SessionCRDT

extension SmashUpReplay {
    /// What an entry adds to the total; what belongs to an earlier game adds nothing to this one.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        guard let fact = SmashUpFacts.fact(of: bookCell, terms) else {
            return TurnColumns.Verdict(uncounted: bookCell, by: terms.sheet)
        }
        let round = bookCell.cell.round ?? 0
        switch fact.content {
        case .points(let amount):
            guard countsPoints(at: TurnRounds.turn(of: round)) else { break }
            let isLast = TurnRounds.turn(of: round) >= game.firstTurn
            return TurnColumns.Verdict(
                points: isLast ? amount : 0,
                count: amount,
                isFlagged: fact.isTwice
            )
        case .madness(let cards):
            guard round <= gameCount else { break }
            let costs = round == gameCount && isSettled
            return TurnColumns.Verdict(
                points: costs ? 0 - game.penalty(of: fact.player) : 0,
                count: cards,
                isFlagged: false
            )
        case .mark:
            guard round < turn, movers[Int(round) - 1] == fact.player else { break }
            return TurnColumns.Verdict(points: 0, isFlagged: false)
        case .deal:
            guard deal?.cell == bookCell.cell else { break }
            return TurnColumns.Verdict(points: 0, isFlagged: false)
        case .reveal(let shown):
            guard shown == deal?.deal.value else { break }
            return TurnColumns.Verdict(points: 0, isFlagged: false)
        }
        return TurnColumns.Verdict(points: nil, isFlagged: true)
    }

    /// Whether points of a turn count: it has begun, and the game was not over before.
    private func countsPoints(at turn: UInt32) -> Bool {
        guard turn <= self.turn, turn <= TurnRounds.lastTurn else { return false }
        // Of games that others followed the one that began last before the turn.
        let place = past.indices.partitioningIndex { past[$0].firstTurn > turn }
        let isLast = turn >= game.firstTurn || place == 0
        return (isLast ? game.end : past[place - 1].end).map { turn <= $0 } ?? true
    }

    /// Why something is wrong with a cell.
    func reason(against bookCell: BookCell) -> RuleViolation {
        guard let fact = SmashUpFacts.fact(of: bookCell, terms) else {
            return SmashUpFacts.flaw(of: bookCell, terms) ?? SmashUpRule.notADeal.violation
        }
        let round = bookCell.cell.round ?? 0
        switch fact.content {
        case .points:
            let turn = TurnRounds.turn(of: round)
            if countsPoints(at: turn) { return SmashUpRule.enteredAtOnce.violation }
            return later(turn).violation
        case .mark:
            guard round < turn else { return later(round).violation }
            return SmashUpRule.notTheTurn(of: terms.players[movers[Int(round) - 1]].name).violation
        case .madness: return SmashUpRule.gameNotBegun(round, now: gameCount).violation
        case .deal: return SmashUpRule.otherDeal.violation
        case .reveal: return SmashUpRule.otherDealRevealed.violation
        }
    }

    /// Why what stands in a turn that has not begun, or after the end of a game, does not count.
    private func later(_ later: UInt32) -> SmashUpRule {
        guard later > turn || later > TurnRounds.lastTurn, !game.isOver else { return .over }
        return .turnNotBegun(game.count(of: later), now: game.count(of: turn))
    }
}
