import SessionCRDT

extension SmashUpTable {
    /// What an entry adds to the total; what belongs to an earlier game adds nothing to this one.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        typealias Verdict = TurnColumns.Verdict
        let round = bookCell.cell.round ?? 0
        switch try? terms.fact(of: bookCell) {
        case .points(let amount) where countsPoints(at: TurnRounds.turn(of: round)):
            let isLast = TurnRounds.turn(of: round) >= game.firstTurn
            // Different things that devices wrote in one cell while apart are shown as a conflict.
            let isTwice = bookCell.live.count > 1 && !bookCell.live.isConflicting
            return Verdict(points: isLast ? amount : 0, count: amount, isFlagged: isTwice)
        case .madness(let cards) where round <= gameCount:
            let costs = round == gameCount && isSettled
            let penalty = SmashUpGame.penalty(ofHolding: cards)
            return Verdict(points: costs ? 0 - penalty : 0, count: cards, isFlagged: false)
        case .deal where bookCell.cell == terms.dealCell:
            return Verdict(points: 0, isFlagged: false)
        case .reveal(let shown) where shown == terms.deal?.value:
            return Verdict(points: 0, isFlagged: false)
        case .points, .madness, .mark, .deal, .reveal, nil: return record.verdict(of: bookCell)
        }
    }

    /// Whether points of a turn count: it has begun, and the game was not over before.
    private func countsPoints(at turn: UInt32) -> Bool {
        guard turn >= record.openTurn else { return !turns[Int(turn) - 1].result }
        return turn == record.openTurn && !stand.isOver && !game.isOver
    }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        let round = bookCell.cell.round ?? 0
        do throws(RuleViolation) {
            switch try terms.fact(of: bookCell) {
            case .points:
                let turn = TurnRounds.turn(of: round)
                return countsPoints(at: turn)
                    ? SmashUpRule.enteredAtOnce.violation : reason(behind: turn)
            case .mark where round > record.openTurn: return reason(behind: round)
            case .madness: return SmashUpRule.gameNotBegun(round, now: gameCount).violation
            case .deal: return SmashUpRule.otherDeal.violation
            case .reveal: return SmashUpRule.otherDealRevealed.violation
            case .mark, nil: return record.reason(against: bookCell, of: player)
            }
        } catch { return error }
    }

    /// Why what stands in a turn that has not begun, or after the end of a game, does not count.
    private func reason(behind turn: UInt32) -> RuleViolation {
        guard turn > record.openTurn, !game.isOver, !stand.isOver else {
            return record.reasonBehind
        }
        return SmashUpRule.turnNotBegun(game.count(of: turn), now: game.count(of: record.openTurn))
            .violation
    }
}
