package import SessionCRDT

/// The rules of darts: X01 in legs and sets, for one player or more.
///
/// A visit is a fact in the row `visit`, its round is the turn of the whole match. Source: the
/// playing rules of the Darts Regulation Authority, with what pubs do for more than two players.
/// Deliberate choices: a visit that goes bust takes back the double that opened the leg too; best
/// of N means the first to win more than half of N, and is played on where several players share N
/// without that; a newcomer throws at once, at their seat.
package struct DartsRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// A leg.
    package var outcomeWord: String { "leg" }

    /// All but the order, which the first visit records.
    package func isChoice(_ option: Symbol) -> Bool {
        option != DartsMatch.orderOption && sheet.option(option) != nil
    }

    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkForm(score, in: book)
        guard
            let (turn, visit) = try DartsColumn.reading(score.value, in: score.cell, by: sheet)
                .get()
        else { return }
        let wish = DartsWish(player: score.cell.player, turn: turn, visit: visit)
        let match = match(of: book, with: wish)
        if let reason = match.reason(against: wish) { throw reason.violation }
    }

    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != DartsMatch.orderOption else { throw DartsRule.recordedOrder.violation }
        guard DartsMode.options.contains(option.description) else { return }
        guard match(of: book).turns.isEmpty else {
            throw DartsRule.modeFixed(option.description).violation
        }
    }

    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        do {
            let match = match(of: book)
            let count = book.players.count(where: \.isPresent)
            guard count <= DartsOrder.mostPlayers else {
                let allowed = Bounds(within: 1...Int64(DartsOrder.mostPlayers))
                throw RuleViolation.playerCount(count, allowed: allowed)
            }
            let thrower = try thrower(of: match, for: move)
            let strange = move.details.keys.filter { $0 != "darts" }.min()
            if let strange { throw DartsRule.unknownDetail(strange) }
            let visit = try DartsVisit(typed: move.words, darts: move.details["darts"])
            let player = match.columns[thrower].player.id
            var options: [Symbol: Value] = [:]
            if let order = match.orderToRecord?.description {
                guard order.utf8.count <= DartsOrder.longest else { throw DartsRule.orderFull }
                options[DartsMatch.orderOption] = .text(order)
            }
            let cell = Cell(player: player, row: DartsColumn.row, round: match.openTurn)
            return Played(
                by: player,
                writes: [Score(cell, .text(visit.description))],
                options: options,
                notes: try match.notes(
                    on: visit,
                    by: thrower,
                    isCountSaid: move.details["darts"] != nil
                )
            )
        } catch let rule as DartsRule {
            throw rule.violation
        } catch let violation as RuleViolation {
            throw violation
        } catch {
            throw .game("\(error)")
        }
    }

    /// The player whose visit a move is.
    private func thrower(of match: DartsMatch, for move: Move) throws -> Int {
        if let winner = match.winner {
            throw DartsRule.matchOver(winner: match.columns[winner].player.name)
        }
        guard let thrower = match.thrower else { throw DartsRule.nobody }
        guard match.openTurn <= Cell.lastRound else { throw DartsRule.noTurnLeft }
        guard let wanted = move.player, wanted != match.columns[thrower].player.id else {
            return thrower
        }
        guard let column = match.columns.first(where: { $0.player.id == wanted }) else {
            throw RuleViolation.unknownPlayer(wanted)
        }
        guard column.player.isPresent else {
            throw RuleViolation.removedPlayer(name: column.player.name)
        }
        let name = match.columns[thrower].player.name
        throw DartsRule.otherTurn(match.openTurn, thrower: name)
    }

    /// The visits of the leg in progress, and what is written behind them and does not count.
    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let match = match(of: book)
        if let winner = match.winner {
            throw DartsRule.matchOver(winner: match.columns[winner].player.name).violation
        }
        let cells = match.columns.flatMap(\.cells).map(\.cell).filter { cell in
            cell.row == DartsColumn.row && (cell.round ?? 0) > UInt32(clamping: match.legStart)
        }
        guard !cells.isEmpty else { throw DartsRule.nothingToReset.violation }
        return Reset(
            question: match.resetQuestion(losing: cells.count),
            writes: cells.map { Score($0, .null) }
        )
    }

    package func standings(of book: Book) -> Standings {
        let settings = Settings(sheet, book)
        let match = DartsMatch(book, by: sheet, settings: settings)
        return match.standings(of: book, settings)
    }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        DartsStatistics(outcomes).all
    }

    private func match(of book: Book, with wish: DartsWish? = nil) -> DartsMatch {
        DartsMatch(book, by: sheet, settings: Settings(sheet, book), with: wish)
    }
}
