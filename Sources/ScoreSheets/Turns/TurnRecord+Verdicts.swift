import SessionCRDT

extension TurnRecord {
    /// What a cell comes to: what its turn counts for, where it counts.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        if let place = place(of: bookCell.cell), place.turn < openTurn {
            let counting = turns[Int(place.turn) - 1]
            if counting.seat == place.seat {
                let points = Stand.points(of: counting.result)
                return TurnColumns.Verdict(points: points, isFlagged: false)
            }
        }
        return TurnColumns.Verdict(uncounted: bookCell, by: terms.sheet)
    }

    /// Why nothing behind the open turn counts.
    var reasonBehind: RuleViolation { stand.reasonBehind(openTurn, terms) }

    /// Why a cell of somebody, with which something is wrong, does not count.
    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            let read = try Terms.move(of: bookCell.value, in: bookCell.cell, by: terms.sheet)
            guard let move = read else { return reasonBehind }
            guard let place = place(of: bookCell.cell) else {
                return terms.violation(byStranger: player, at: bookCell.cell.round ?? 0)
            }
            if place.turn < openTurn {
                return reason(kept: place)
                    ?? terms.violation(atPast: place.turn, of: turns[Int(place.turn) - 1].seat)
            }
            if place.turn > openTurn || stand.isOver { return reasonBehind }
            return reason(against: move, at: place, on: recorded) ?? reasonBehind
        } catch { return error }
    }

    /// Why a move that somebody wishes to write in a cell would not count; nil when it would.
    func reason(against move: Terms.Move, in cell: Cell, of player: Player?) -> RuleViolation? {
        guard let place = place(of: cell) else {
            return terms.violation(byStranger: player, at: cell.round ?? 0)
        }
        guard place.turn <= openTurn else {
            // Another move behind the open turn: it is the past.
            return recorded.seating(terms, isPast: true).reasonBehind(openTurn, terms)
        }
        if place.turn == openTurn, stand.isOver { return reasonBehind }
        if isSeatedAnew(place) { return terms.violation(ofSeatedAnew: openTurn) }
        let before = stand(before: place.turn)
        if let reason = reason(against: move, at: place, on: before) { return reason }
        guard place.turn < openTurn else { return nil }
        // Somebody else may have moved then.
        let mover = turns[Int(place.turn) - 1].seat
        return mover == place.seat ? nil : terms.violation(at: place.turn, of: mover)
    }

    /// Why a move does not fit where the game stands at its turn; nil when it does.
    private func reason(
        against move: Terms.Move,
        at place: Place,
        on stand: Stand
    ) -> RuleViolation? {
        guard !Stand.isMoverFixed || stand.mover == place.seat else {
            return terms.violation(at: place.turn, of: stand.mover)
        }
        do throws(RuleViolation) {
            _ = try stand.result(of: move, by: place.seat, terms)
            return nil
        } catch { return error }
    }

    /// Whether the open turn is that of somebody because the players changed, which only `play`
    /// records.
    private func isSeatedAnew(_ place: Place) -> Bool {
        guard Stand.isMoverFixed, place.turn == openTurn, recorded.mover != place.seat,
            stand.mover == place.seat
        else { return false }
        return recorded.mover.map { !isWritten(at: Place(turn: openTurn, seat: $0)) } ?? true
    }

    /// What is written from a turn on, also what does not count.
    func cells(from turn: Int, in book: Book) -> [Cell] {
        book.players.flatMap { book.cells(of: $0.id) }.filter { bookCell in
            bookCell.cell.row == Terms.row && !bookCell.isEmpty
                && bookCell.cell.round.map { $0 >= turn } ?? false
        }
        .map(\.cell)
    }
}
