import SessionCRDT

extension SmashUpTable {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        try move.checkDetails(SmashUpTerms.words)
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
        guard terms.deal == nil else { throw SmashUpRule.dealt.violation }
        let options = try terms.choice.options(of: change, words)
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
        guard terms.deal == nil else { throw SmashUpRule.dealt.violation }
        let players = book.players.filter(\.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: players.count) { throw violation }
        if let twin = SmashUpTerms.twins(among: players).first {
            throw SmashUpWording.sameName(twin.name).violation
        }
        let pool = terms.choice.pool
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
        guard let deal = terms.deal else { throw SmashUpRule.notDealt.violation }
        guard !terms.isRevealed else { throw SmashUpRule.revealed.violation }
        return Played(
            by: nil,
            writes: [Score(try commonCell(.reveal, in: book), deal.value)],
            notes: SmashUpNames(self, in: book).hands(of: deal).map(Note.smashUp)
        )
    }

    /// The cell of what belongs to the whole table: that of the least id, because the order of the
    /// seats may be changed, and two deals must meet in one cell.
    func commonCell(_ row: SmashUpRow, in book: Book) throws(RuleViolation) -> Cell {
        guard let first = book.players.filter(\.isPresent).map(\.id).min() else {
            throw terms.violation(.nobody)
        }
        return Cell(player: first, row: row.id)
    }

    /// The turn that is on.
    func openTurn() throws(RuleViolation) -> OpenTurn {
        if stand.isOver { throw terms.violation(.noTurnLeft) }
        guard let seat = stand.mover else { throw terms.violation(.nobody) }
        return OpenTurn(seat: seat, cell: terms.cell(seat, turns.count + 1), options: [:])
    }

    /// What ends the turn that is on: of a crowd it records those with most points.
    var mark: TurnMark {
        let seats = terms.present.sorted { (game.points[$1], $0) < (game.points[$0], $1) }
        let players = seats.prefix(TurnMark.mostPlayers).map { terms.players[$0].id }
        // Laptops on which people sit otherwise record the same.
        return .end(.recorded(target: terms.target, players: players.sorted()))
    }

    private func end(by player: PlayerID?) throws(RuleViolation) -> Played {
        let open = try openTurn()
        try checkMark(mark)
        if let player { try check(player, isAt: open) }
        let after = try playing(mark, by: open.seat).game.stand
        return open.writing(mark.value, notes: [.smashUp(note(of: after))])
    }

    /// Another game is of the whole table, whoever is to move.
    private func again() throws(RuleViolation) -> Played {
        let open = try openTurn()
        try checkMark(.replay)
        return Played(
            by: nil,
            writes: [Score(open.cell, TurnMark.replay.value)],
            notes: [.smashUp(.again)]
        )
    }

    /// What the end of a turn has led to, as the table is told it.
    private func note(of after: SmashUpStand) -> SmashUpNote {
        let leaders = after.game.leaders
        guard let first = leaders.first else {
            let turn = after.game.count(of: record.openTurn) + 1
            return .turn(Int(turn), player: after.mover.map(name))
        }
        return leaders.count == 1
            ? .ended(winner: name(first))
            : .tied(leaders.map(name), points: after.game.points[first])
    }

    /// Begins the game that is on again, or after its end another one, without factions dealt.
    ///
    /// What was won stays: a game that is over is followed by another one as a replay follows it,
    /// and one that is on is cleared from its first turn. The chosen factions are options and stay.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
            .map(\.cell)
        return game.isOver
            ? try another(besides: written, in: book) : try again(written)
    }

    private func again(_ written: [Cell]) throws(RuleViolation) -> Reset {
        let cells = written.filter { !isOfEarlierGame($0) }
        guard !cells.isEmpty else { throw .nothingEntered }
        return Reset(
            question: "Take back the deal, all points and all turns"
                + (gameCount > 1 ? " of game \(game.number)" : "")
                + " (\(cells.count) \(cells.count == 1 ? "value" : "values"))? "
                + "The chosen sets stay.",
            clearing: cells
        )
    }

    private func another(
        besides written: [Cell],
        in book: Book
    ) throws(RuleViolation) -> Reset {
        let mark = Score(try openTurn().cell, TurnMark.replay.value)
        // What was entered elsewhere for turns to come would else count in the next game.
        let cells = written.filter {
            $0 != mark.cell && !isOfEarlierGame($0) && !isOfGameThatIsOver($0)
        }
        let winners = kept.lines.isFinished ? kept.lines.lines.filter { $0.rank == 1 } : []
        let won =
            winners.isEmpty
            ? ""
            : ", and the game that \(winners.map(\.player.name).together) won "
                + "stays in the results"
        return Reset(
            question: "Begin another game with the same players and no factions dealt? "
                + "The chosen sets stay" + won + ".",
            writes: [mark] + cells.map { Score($0, .null) }
        )
    }

    /// Whether a cell tells of a game before this one.
    private func isOfEarlierGame(_ cell: Cell) -> Bool {
        numberOfGame(cell).map { $0 < game.number } ?? false
    }

    /// Whether a cell tells of this game up to its end.
    private func isOfGameThatIsOver(_ cell: Cell) -> Bool {
        guard let round = cell.round, round > 0 else { return false }
        return switch SmashUpRow(cell.row) {
        case .points: TurnRounds.turn(of: round) <= record.openTurn
        case .madness: round <= game.number
        case .turn: round <= record.openTurn
        case .deal, .reveal, nil: false
        }
    }
}
