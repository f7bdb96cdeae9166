import SessionCRDT

extension SmashUpRules {
    /// Begins the game that is on again, or after its end another one, without factions dealt.
    ///
    /// What was won stays: a game that is over is followed by another one as a replay follows it,
    /// and one that is on is cleared from its first turn. The chosen factions are options and stay.
    package func reset(of book: Book) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let replay = SmashUpReplay(sheet, book)
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
            .map(\.cell)
        return replay.game.isOver
            ? try another(replay, besides: written, in: book) : try again(replay, written)
    }

    private func again(
        _ replay: SmashUpReplay,
        _ written: [Cell]
    ) throws(RuleViolation) -> Reset {
        let cells = written.filter { !replay.isOfEarlierGame($0) }
        guard !cells.isEmpty else { throw SmashUpRule.nothingEntered.violation }
        return Reset(
            question: "Take back the deal, all points and all turns"
                + (replay.games.count > 1 ? " of game \(replay.game.number)" : "")
                + " (\(cells.count) \(cells.count == 1 ? "value" : "values"))? "
                + "The chosen sets stay.",
            writes: cells.map { Score($0, .null) }
        )
    }

    private func another(
        _ replay: SmashUpReplay,
        besides written: [Cell],
        in book: Book
    ) throws(RuleViolation) -> Reset {
        let mark = Score(try turnCell(replay), TurnMark.replay.value)
        // What was entered elsewhere for turns to come would else count in the next game.
        let cells = written.filter {
            $0 != mark.cell && !replay.isOfEarlierGame($0) && !replay.isOfGameThatIsOver($0)
        }
        let winners = replay.standings(sheet, book).winners.compactMap { book.player($0)?.name }
        let kept =
            winners.isEmpty
            ? "" : ", and the game that \(SmashUpReplay.list(winners)) won stays in the results"
        return Reset(
            question: "Begin another game with the same players and no factions dealt? "
                + "The chosen sets stay" + kept + ".",
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
