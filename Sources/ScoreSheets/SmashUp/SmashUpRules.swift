package import SessionCRDT

/// The rules of Smash Up (Alderac Entertainment Group): deal, reveal, points up and down, fifteen
/// win at the end of a turn.
///
/// Every gain is a fact of its own in the row `points`, in a place of its turn that chance chose
/// (`TurnRounds`), and not a total that two devices could write over each other: gains that are
/// entered at once while apart both count. Turns are ended by marks in the row `turn` of whoever
/// moves, one number for each turn of the session. The deal and its reveal are one value each,
/// Madness is a number for each player and game. Which factions are dealt from stands in options
/// (`FactionChoice`).
///
/// `play replay` takes nothing back: it is a mark after which the next turn begins another game
/// with the same factions; a reset after the end is the same without the deal. So one `undo` takes
/// it back, and the games that were won stay in the statistics. Hidden factions are hidden from the
/// table only: every device has the deal, and who looks there spoils nothing but their own fun.
package struct SmashUpRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet that has the engine's rows.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func standings(of book: Book) -> Standings {
        SmashUpReplay(sheet, book).standings(sheet, book)
    }

    /// The turns of gains, counted from 1 in each game, and deals with the names of the factions.
    package func words(in book: Book) -> GameWords {
        let names = SmashUpNames(sheet, book, SmashUpReplay(sheet, book))
        return GameWords(
            cell: { names.name(of: $0) },
            value: { names.reading(of: $0) },
            isOfTable: { SmashUpNames.isOfTable($0) }
        )
    }

    /// Refuses what does not fit the turn that is on.
    ///
    /// A cell may always be cleared, and corrected or filled again once it was written: that is how
    /// an entry is taken back, brought back, or chosen among those of a conflict.
    package func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkForm(score, in: book)
        guard score.value != .null else { return }
        if let violation = SmashUpRow.violation(of: score.cell) { throw violation }
        guard let row = SmashUpRow(score.cell.row) else { return }
        let replay = SmashUpReplay(sheet, book)
        let before = book.cells(of: score.cell.player).first { $0.cell == score.cell }
        let factions = Set(sheet.factions.map(\.id))
        switch row {
        case .points:
            guard before == nil else { return }
            try checkTable(book)
            try checkPoints(score.cell.round ?? 0, replay)
        case .madness:
            let number = score.cell.round ?? 0
            guard number > replay.games.count else { return }
            throw SmashUpRule.gameNotBegun(number, now: replay.games.count).violation
        case .turn:
            guard let mark = TurnMark(score.value) else {
                throw SmashUpRule.notATurnMark(score.value.words).violation
            }
            guard before == nil else { return }
            if mark != .replay { try checkTable(book) }
            try checkTurn(mark, in: score.cell, replay)
        case .deal:
            guard FactionDeal(score.value, factions, book) != nil else {
                throw SmashUpRule.notADeal.violation
            }
            let isLive = before?.live.entries.contains { $0.value == score.value } ?? false
            guard isLive || replay.deal == nil else { throw SmashUpRule.dealt.violation }
        case .reveal:
            let isAgain = before != nil && FactionDeal(score.value, factions, book) != nil
            guard isAgain || score.value == replay.deal?.value else {
                throw SmashUpRule.otherDealRevealed.violation
            }
        }
    }

    /// Refuses to play with fewer than the game is for: alone nobody wins.
    func checkTable(_ book: Book) throws(RuleViolation) {
        let allowed = sheet.players(of: book)
        let count = book.players.count(where: \.isPresent)
        guard count >= allowed.from else { throw .playerCount(count, allowed: allowed) }
    }

    /// Points may be written where no hindsight is: in the turn that is on.
    private func checkPoints(
        _ round: UInt32,
        _ replay: SmashUpReplay
    ) throws(RuleViolation) {
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
        in cell: Cell,
        _ replay: SmashUpReplay
    ) throws(RuleViolation) {
        guard replay.turn <= TurnRounds.lastTurn else { throw SmashUpRule.noTurnLeft.violation }
        let turn = cell.round ?? 0
        guard turn == replay.turn else {
            throw
                (turn > replay.turn
                ? SmashUpRule.turnNotBegun(turn, now: replay.turn)
                : SmashUpRule.turnPast(turn, now: replay.turn)).violation
        }
        try checkMark(mark, replay)
        guard let mover = replay.mover else { throw SmashUpRule.nobodyToMove.violation }
        let player = replay.facts.players[mover]
        guard player.id == cell.player else {
            throw SmashUpRule.notTheTurn(of: player.name).violation
        }
    }

    /// A game that is over is followed by another one and not by a turn, and one that is not is not
    /// wiped without a question.
    func checkMark(_ mark: TurnMark, _ replay: SmashUpReplay) throws(RuleViolation) {
        switch (mark, replay.game.isOver) {
        case (.end, true): throw SmashUpRule.over.violation
        case (.replay, false): throw SmashUpRule.notOver.violation
        case (.end, false), (.replay, true): break
        }
    }

    /// The factions stay as they are once they are dealt; the target may be agreed on anew.
    package func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard sheet.factions.contains(where: { $0.option == option }) else { return }
        guard SmashUpReplay(sheet, book).deal == nil else { throw SmashUpRule.dealt.violation }
    }
}
