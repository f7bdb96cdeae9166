import SessionCRDT

extension SmashUpRules {
    package func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let stranger = move.details.keys.min() {
            throw SmashUpWording.unknownDetail(stranger).violation
        }
        let replay = SmashUpReplay(sheet, book)
        switch try SmashUpMove(move.words) {
        case .deal: return try deal(replay, in: book, using: &aids.chance)
        case .reveal: return try reveal(replay, in: book)
        case .end:
            try checkTable(book)
            return try end(by: move.player, replay)
        case .replay: return try again(replay)
        case .choose(let change, let words):
            return try choose(change, words, replay, in: book)
        case .madness(let held): return try madness(held, replay, in: book)
        case .base(let printed, let powers):
            try checkTable(book)
            return try base(printed, powers, replay, in: book, using: &aids.chance)
        case .points(let points):
            try checkTable(book)
            let gains = try gains(points, by: move.player, replay, in: book)
            return try gain(gains, replay, in: book, using: &aids.chance)
        }
    }

    private func choose(
        _ change: FactionSwitch,
        _ words: [String],
        _ replay: SmashUpReplay,
        in book: Book
    ) throws(RuleViolation) -> Played {
        guard replay.deal == nil else { throw SmashUpRule.dealt.violation }
        let options = try FactionChoice(sheet, book).options(of: change, words)
        let after = Book(
            players: [],
            cells: [:],
            options: book.options.merging(options) { $1 }
        )
        let choice = FactionChoice(sheet, after)
        let sets = choice.lines.joined(separator: "; ")
        return Played(
            by: nil,
            writes: [],
            options: options,
            notes: [
                choice.poolInWords + (sets.isEmpty ? "" : ": \(sets)")
            ]
        )
    }

    private func deal(
        _ replay: SmashUpReplay,
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        guard replay.deal == nil else { throw SmashUpRule.dealt.violation }
        let players = book.players.filter(\.isPresent)
        if let violation = sheet.violation(ofPlayerCount: players.count) { throw violation }
        if let twin = SmashUpReplay.twins(among: players).first {
            throw SmashUpWording.sameName(twin.name).violation
        }
        let pool = FactionChoice(sheet, book).pool
        guard pool.count >= players.count * FactionDeal.factionsEach else {
            throw SmashUpRule.tooFewFactions(chosen: pool.count, players: players.count).violation
        }
        let deal = FactionDeal(to: players.map(\.id), from: pool, using: &chance)
        let names = SmashUpReplay.list(players.map(\.name))
        return Played(
            by: nil,
            writes: [Score(try commonCell(.deal, in: book), deal.value)],
            notes: ["two factions each are dealt to \(names); show them: play reveal"]
        )
    }

    private func reveal(_ replay: SmashUpReplay, in book: Book) throws(RuleViolation) -> Played {
        guard let deal = replay.deal else { throw SmashUpRule.notDealt.violation }
        guard !replay.isRevealed else { throw SmashUpRule.revealed.violation }
        return Played(
            by: nil,
            writes: [Score(try commonCell(.reveal, in: book), deal.value)],
            notes: SmashUpNames(sheet, book, replay).hands(of: deal)
        )
    }

    /// The cell of what belongs to the whole table: that of the least id, because the order of the
    /// seats may be changed, and two deals must meet in one cell.
    func commonCell(_ row: SmashUpRow, in book: Book) throws(RuleViolation) -> Cell {
        guard let first = book.players.filter(\.isPresent).map(\.id).min() else {
            throw SmashUpRule.nobodyToMove.violation
        }
        return Cell(player: first, row: row.id)
    }

    /// Where the turn that is on is ended.
    func turnCell(_ replay: SmashUpReplay) throws(RuleViolation) -> Cell {
        guard replay.turn <= TurnRounds.lastTurn else { throw SmashUpRule.noTurnLeft.violation }
        guard let seat = replay.mover else { throw SmashUpRule.nobodyToMove.violation }
        let mover = replay.facts.players[seat]
        return Cell(player: mover.id, row: SmashUpRow.turn.id, round: replay.turn)
    }

    private func end(
        by player: PlayerID?,
        _ replay: SmashUpReplay
    ) throws(RuleViolation) -> Played {
        let mark = TurnMark.end(without: replay.absent)
        let cell = try turnCell(replay)
        try checkMark(mark, replay)
        guard player == nil || player == cell.player else {
            let mover = replay.mover.map { replay.facts.players[$0].name } ?? ""
            throw SmashUpRule.notTheTurn(of: mover).violation
        }
        return Played(
            by: cell.player,
            writes: [Score(cell, mark.value)],
            notes: [wordsAfterEnd(replay)]
        )
    }

    /// Another game is of the whole table, whoever is to move.
    private func again(_ replay: SmashUpReplay) throws(RuleViolation) -> Played {
        let cell = try turnCell(replay)
        try checkMark(.replay, replay)
        return Played(
            by: nil,
            writes: [Score(cell, TurnMark.replay.value)],
            notes: ["a new game begins with the same players and factions"]
        )
    }

    /// What the end of the turn leads to, as the table is told it.
    private func wordsAfterEnd(_ replay: SmashUpReplay) -> String {
        let leaders = replay.leaders
        let names = SmashUpReplay.list(leaders.map { replay.facts.players[$0].name })
        switch leaders.count {
        case 0:
            let next = replay.next(after: replay.mover).map { replay.facts.players[$0].name }
            let turn = replay.game.count(of: replay.turn) + 1
            return "turn \(turn): \(next ?? "nobody")"
        case 1:
            return
                "\(names) ends the game; Madness counts now, if there is any: play madness NAME=5"
        default: return "\(names) are tied at \(replay.game.points[leaders[0]]): play on"
        }
    }
}
