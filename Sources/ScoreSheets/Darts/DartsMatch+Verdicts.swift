import SessionCRDT

extension DartsMatch {
    /// What a cell comes to: what its visit took off, where it counts.
    ///
    /// It is not what the visit adds to the total, which counts legs or sets.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        let cell = bookCell.cell
        if let turn = cell.round, 0 < turn, turn < openTurn, cell.row == DartsColumn.row {
            let counting = turns[Int(turn) - 1]
            if counting.player == terms.seats[cell.player] {
                let points = Int64(counting.result.scored)
                return TurnColumns.Verdict(points: points, isFlagged: false)
            }
        }
        let isFlagged =
            bookCell.value != .null || terms.sheet.violation(of: .null, in: cell) != nil
        return TurnColumns.Verdict(points: nil, isFlagged: isFlagged)
    }

    /// Why a cell with which something is wrong does not count; `behind` is said of all behind the
    /// open turn.
    func reason(against bookCell: BookCell, behind: RuleViolation) -> RuleViolation {
        switch DartsColumn.reading(bookCell.value, in: bookCell.cell, by: terms.sheet) {
        case .failure(let violation): return violation
        case .success(let visit):
            guard let turn = visit?.0, turn <= openTurn,
                let seat = terms.seats[bookCell.cell.player]
            else { return behind }
            return reason(against: turn, of: seat).violation
        }
    }

    /// Why a visit that somebody wishes to write would not count; nil when it would.
    func reason(against wish: DartsWish) -> DartsRule? {
        guard let seat = terms.seats[wish.player] else {
            return .otherTurn(wish.turn, thrower: nil)
        }
        guard wish.turn <= openTurn else {
            // Another visit behind the open turn: it is the past.
            return recorded.seating(terms.players, terms.present, isPast: true).reasonBehind(self)
        }
        let isPast = wish.turn < openTurn
        let thrower = isPast ? turns[Int(wish.turn) - 1].player : recorded.thrower
        guard thrower == seat else {
            let isSeatedAnew = !isPast && stand.thrower == seat && refusal == nil
            return isSeatedAnew ? .seatedAnew(openTurn) : reason(against: wish.turn, of: seat)
        }
        let before = isPast ? stand(before: wish.turn) : recorded
        do throws(DartsRule) {
            _ = try before.result(of: wish.visit, by: seat, mode)
            return nil
        } catch { return error }
    }

    /// Why the visit of a turn, which does not count, does not.
    private func reason(against turn: UInt32, of seat: Int) -> DartsRule {
        if turn < openTurn {
            return .otherTurn(turn, thrower: name(turns[Int(turn) - 1].player))
        }
        if turn > openTurn || stand.winner != nil { return reasonBehind }
        if let refusal, seat == recorded.thrower { return refusal }
        return .otherTurn(turn, thrower: recorded.thrower.map(name))
    }

    /// Why nothing behind the open turn counts.
    var reasonBehind: DartsRule { stand.reasonBehind(self) }
}

extension DartsStand {
    /// Why nothing behind the open turn of a match counts.
    fileprivate func reasonBehind(_ match: DartsMatch) -> DartsRule {
        if let winner { return .matchOver(winner: match.name(winner)) }
        return .gap(match.openTurn, thrower: thrower.map(match.name))
    }
}
