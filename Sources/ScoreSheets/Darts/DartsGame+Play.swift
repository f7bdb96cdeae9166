import SessionCRDT

extension DartsGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        let count = match.terms.present.count
        guard count <= DartsOrder.mostPlayers else {
            let allowed = Bounds(within: 1...Int64(DartsOrder.mostPlayers))
            throw RuleViolation.playerCount(count, allowed: allowed)
        }
        let thrower = try thrower(for: move)
        do throws(DartsRule) {
            return try play(move, by: thrower)
        } catch { throw error.violation }
    }

    private func play(_ move: Move, by thrower: Int) throws(DartsRule) -> Played {
        let strange = move.details.keys.filter { $0 != "darts" }.min()
        if let strange { throw .unknownDetail(strange) }
        let visit = try DartsVisit(typed: move.words, darts: move.details["darts"])
        var options: [Symbol: Value] = [:]
        if let order = match.orderToRecord?.description {
            guard order.utf8.count <= DartsOrder.longest else { throw .orderFull }
            options[DartsTerms.orderOption] = .text(order)
        }
        let cell = match.terms.cell(thrower, match.turns.count + 1)
        return Played(
            by: cell.player,
            writes: [Score(cell, .text(visit.description))],
            options: options,
            notes: try match.notes(
                on: visit,
                by: thrower,
                isCountSaid: move.details["darts"] != nil,
                isLast: !isPast
            )
        )
    }

    /// The player whose visit a move is.
    private func thrower(for move: Move) throws(RuleViolation) -> Int {
        let players = match.terms.players
        if let winner = match.stand.winner {
            throw DartsRule.matchOver(winner: match.name(winner)).violation
        }
        guard let thrower = match.stand.thrower else { throw DartsRule.nobody.violation }
        guard match.openTurn <= Cell.lastRound else { throw DartsRule.noTurnLeft.violation }
        guard let wanted = move.player, wanted != players[thrower].id else { return thrower }
        guard let player = match.terms.seats[wanted].map({ players[$0] }) else {
            throw .unknownPlayer(wanted)
        }
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        throw DartsRule.otherTurn(match.openTurn, thrower: match.name(thrower)).violation
    }

    /// The visits of the leg in progress, and what is written behind them and does not count.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        if let winner = match.stand.winner {
            throw DartsRule.matchOver(winner: match.name(winner)).violation
        }
        let cells = match.terms.players.flatMap { book.cells(of: $0.id) }.filter { bookCell in
            bookCell.cell.row == DartsColumn.row && !bookCell.isEmpty
                && (bookCell.cell.round ?? 0) > UInt32(clamping: match.stand.legStart)
        }
        guard !cells.isEmpty else { throw DartsRule.nothingToReset.violation }
        return Reset(
            question: match.resetQuestion(losing: cells.count),
            writes: cells.map { Score($0.cell, .null) }
        )
    }
}
