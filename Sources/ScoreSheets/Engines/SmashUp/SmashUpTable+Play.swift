import SessionCRDT

extension SmashUpTable {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let stranger = move.details.keys.min() {
            throw SmashUpWording.unknownDetail(stranger).violation
        }
        switch try SmashUpMove(move.words) {
        case .deal: return try deal(in: book, using: &aids.chance)
        case .reveal: return try reveal(in: book)
        case .end:
            try checkTable()
            return try end(by: move.player)
        case .replay: return try again()
        case .choose(let change, let words):
            return try choose(change, words, in: book)
        case .madness(let held): return try madness(held, in: book)
        case .base(let printed, let powers):
            try checkTable()
            return try base(printed, powers, in: book, using: &aids.chance)
        case .points(let points):
            try checkTable()
            let gains = try gains(points, by: move.player, in: book)
            return try gain(gains, in: book, using: &aids.chance)
        }
    }

    private func choose(
        _ change: FactionSwitch,
        _ words: [String],
        in book: Book
    ) throws(RuleViolation) -> Played {
        guard replay.deal == nil else { throw SmashUpRule.dealt.violation }
        let options = try replay.terms.choice.options(of: change, words)
        let after = Book(
            players: [],
            cells: [:],
            options: book.options.merging(options) { $1 }
        )
        let choice = FactionChoice(rules.sheet, after)
        return Played(
            by: nil,
            writes: [],
            options: options,
            notes: [.smashUp(.pool(count: choice.pool.count, sets: choice.lines))]
        )
    }

    private func deal(
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        guard replay.deal == nil else { throw SmashUpRule.dealt.violation }
        let players = book.players.filter(\.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: players.count) { throw violation }
        if let twin = SmashUpReplay.twins(among: players).first {
            throw SmashUpWording.sameName(twin.name).violation
        }
        let pool = replay.terms.choice.pool
        guard pool.count >= players.count * FactionDeal.factionsEach else {
            throw SmashUpRule.tooFewFactions(chosen: pool.count, players: players.count).violation
        }
        let deal = FactionDeal(to: players.map(\.id), from: pool, using: &chance)
        return Played(
            by: nil,
            writes: [Score(try commonCell(.deal, in: book), deal.value)],
            notes: [.smashUp(.dealt(to: players.map(\.name)))]
        )
    }

    private func reveal(in book: Book) throws(RuleViolation) -> Played {
        guard let deal = replay.deal?.deal else { throw SmashUpRule.notDealt.violation }
        guard !replay.isRevealed else { throw SmashUpRule.revealed.violation }
        return Played(
            by: nil,
            writes: [Score(try commonCell(.reveal, in: book), deal.value)],
            notes: SmashUpNames(replay, in: book).hands(of: deal).map(Note.smashUp)
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
    func turnCell() throws(RuleViolation) -> Cell {
        guard replay.turn <= TurnRounds.lastTurn else { throw SmashUpRule.noTurnLeft.violation }
        guard let seat = replay.mover else { throw SmashUpRule.nobodyToMove.violation }
        let mover = replay.terms.players[seat]
        return Cell(player: mover.id, row: SmashUpRow.turn.id, round: replay.turn)
    }

    private func end(
        by player: PlayerID?
    ) throws(RuleViolation) -> Played {
        let mark = replay.mark
        let cell = try turnCell()
        try checkMark(mark)
        guard player == nil || player == cell.player else {
            let mover = replay.mover.map { replay.terms.players[$0].name } ?? ""
            throw SmashUpRule.notTheTurn(of: mover).violation
        }
        return Played(
            by: cell.player,
            writes: [Score(cell, mark.value)],
            notes: [.smashUp(noteAfterEnd)]
        )
    }

    /// Another game is of the whole table, whoever is to move.
    private func again() throws(RuleViolation) -> Played {
        let cell = try turnCell()
        try checkMark(.replay)
        return Played(
            by: nil,
            writes: [Score(cell, TurnMark.replay.value)],
            notes: [.smashUp(.again)]
        )
    }

    /// What the end of the turn leads to, as the table is told it.
    private var noteAfterEnd: SmashUpNote {
        let leaders = replay.leaders
        let names = leaders.map { replay.terms.players[$0].name }
        switch leaders.count {
        case 0:
            let next = replay.next(after: replay.mover).map { replay.terms.players[$0].name }
            return .turn(Int(replay.game.count(of: replay.turn)) + 1, player: next)
        case 1: return .ended(winner: names[0])
        default: return .tied(names, points: replay.game.points[leaders[0]])
        }
    }

    /// Begins the game that is on again, or after its end another one, without factions dealt.
    ///
    /// What was won stays: a game that is over is followed by another one as a replay follows it,
    /// and one that is on is cleared from its first turn. The chosen factions are options and stay.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
            .map(\.cell)
        return replay.game.isOver
            ? try another(besides: written, in: book) : try again(written)
    }

    private func again(_ written: [Cell]) throws(RuleViolation) -> Reset {
        let cells = written.filter { !replay.isOfEarlierGame($0) }
        guard !cells.isEmpty else { throw .nothingEntered }
        return Reset(
            question: "Take back the deal, all points and all turns"
                + (replay.gameCount > 1 ? " of game \(replay.game.number)" : "")
                + " (\(cells.count) \(cells.count == 1 ? "value" : "values"))? "
                + "The chosen sets stay.",
            writes: cells.map { Score($0, .null) }
        )
    }

    private func another(
        besides written: [Cell],
        in book: Book
    ) throws(RuleViolation) -> Reset {
        let mark = Score(try turnCell(), TurnMark.replay.value)
        // What was entered elsewhere for turns to come would else count in the next game.
        let cells = written.filter {
            $0 != mark.cell && !replay.isOfEarlierGame($0) && !replay.isOfGameThatIsOver($0)
        }
        let winners = kept.lines.isFinished ? kept.lines.lines.filter { $0.rank == 1 } : []
        let won =
            winners.isEmpty
            ? ""
            : ", and the game that \(SmashUpReplay.list(winners.map(\.player.name))) won "
                + "stays in the results"
        return Reset(
            question: "Begin another game with the same players and no factions dealt? "
                + "The chosen sets stay" + won + ".",
            writes: [mark] + cells.map { Score($0, .null) }
        )
    }
}

extension SmashUpReplay {
    /// Whether a cell tells of a game before this one.
    fileprivate func isOfEarlierGame(_ cell: Cell) -> Bool {
        guard let round = cell.round, round > 0 else { return false }
        return switch SmashUpRow(cell.row) {
        case .points: TurnRounds.turn(of: round) < game.firstTurn
        case .madness: round < game.number
        case .turn: round < game.firstTurn
        case .deal, .reveal, nil: false
        }
    }

    /// Whether a cell tells of this game up to its end.
    fileprivate func isOfGameThatIsOver(_ cell: Cell) -> Bool {
        guard let round = cell.round, round > 0 else { return false }
        return switch SmashUpRow(cell.row) {
        case .points: TurnRounds.turn(of: round) <= turn
        case .madness: round <= game.number
        case .turn: round <= turn
        case .deal, .reveal, nil: false
        }
    }
}
