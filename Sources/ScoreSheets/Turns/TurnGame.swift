import SessionCRDT

/// A game of turns, replayed after each change from the last snapshot before it.
///
/// An engine in which everyone moves in turn has
/// - `XOptions: TurnOptions`: the row, the reading of a value as a move, the options that the first
///   turn records, and the words for turns;
/// - `XState: OrderedTurnState`: who is to move (a `TurnRotation`), the result of a move or the
///   reason why it does not fit, and the state after it;
/// - `XGame: TurnGame`: lines, notes, panels, endings, `played` (by `openTurn`) and `reset`.
///
/// The extensions provide everything else: gaps, entries of unknown players, turns of others, the
/// order of play and its changes, removed players, flags, checks of scores and options, and
/// snapshots. A game without a recorded order has a `TurnSetup` and a `TurnState` of its own; its
/// setup holds the other rows of the sheet, of which its state reads points with `prepare`. A game
/// without turns is a `CodedGame`.
protocol TurnGame: CodedGame {
    associatedtype State: TurnState

    init(rules: Rules, record: TurnRecord<State>, cached: CachedStandings)

    var record: TurnRecord<State> { get set }
}

extension TurnGame {
    init(reading book: Book, by rules: Rules) {
        let setup = State.Setup(rules.sheet, book)
        self.init(rules: rules, record: TurnRecord(setup, book), cached: CachedStandings())
    }

    var setup: State.Setup { record.setup }

    /// The turns that count, from turn 1.
    var turns: Chunks<State.Turn> { record.turns }

    /// The state after these turns, among the players who are present.
    var state: State { record.state }

    static var words: TurnWords { State.Setup.words }

    var nextTurn: Int? { state.isOver ? nil : Int(record.openTurn) }
    func turn(of cell: Cell) -> Int? { record.place(of: cell).map { Int($0.turn) } }
    func isNextTurn(_ cell: Cell) -> Bool { record.isNextTurn(cell) }

    var mover: PlayerID? { state.mover.map { setup.players[$0].id } }

    func name(_ seat: Int) -> String { setup.name(seat) }

    /// Returns the name for a table, with a mark for the player to move.
    func label(_ seat: Int) -> String { (seat == state.mover ? "> " : "  ") + name(seat) }

    mutating func apply(_ cells: [Cell], of book: Book, _ diff: inout ScoreboardChange) -> [Cell]? {
        guard setup.isCurrent(in: book, afterChangesIn: cells) else { return nil }
        let before = state
        let turned = record.update(to: book, cells)
        diff.arePanelsDifferent = !turned.isEmpty || state != before
        return cells + turned
    }

    func score(of bookCell: BookCell) -> CellScore { record.score(of: bookCell) }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        record.reason(against: bookCell, of: player)
    }

    func flagsOfGame(in book: Book) -> [Flag] { setup.flags(of: book) }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkTurn(score, in: book)
    }

    func checkTurn(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let read = try State.Setup.move(of: score.value, in: score.cell, by: rules.sheet)
        guard let move = read else { return }
        let player = book.player(score.cell.player)
        if let reason = record.reason(against: move, in: score.cell, of: player) { throw reason }
    }

    /// Returns the game after a move at the open turn, and the result of the move.
    func playing(
        _ move: State.Setup.Move,
        by seat: Int
    ) throws(RuleViolation) -> (game: Self, result: State.Result) {
        var after = self
        let (record, result) = try record.playing(move, by: seat)
        after.record = record
        return (after, result)
    }

    /// Throws if an option cannot be set: any option after the end, the order, which the game
    /// records, and these options once they are recorded or there are turns.
    func check(
        option: Symbol,
        of names: [String],
        areOpen: Bool,
        in book: Book
    ) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != TurnOrder.option else { throw setup.words.recordedOrder }
        guard names.contains(option.description) else { return }
        guard turns.isEmpty, areOpen else { throw setup.words.optionFixed(option) }
    }

    /// Throws if the session is finished or the game has ended by its rules.
    func checkIsOn(in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !state.isOver else { throw record.reasonAfterOpenTurn }
    }

    /// Returns a reset of everything written from a turn on; `question` gets the number of cells.
    func reset(
        of book: Book,
        from turn: Int,
        part: String = State.Setup.words.part,
        question: (Int) -> String
    ) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let cells = record.cells(from: turn, in: book)
        guard !cells.isEmpty else { throw setup.words.nothingToReset(part) }
        return Reset(question: question(cells.count), clearing: cells)
    }
}

struct OpenTurn {
    let seat: Int
    let cell: Cell
    /// Options that the turn records for the whole session.
    let options: [Symbol: Value]

    func writing(_ value: Value, notes: [Note]) -> Played {
        Played(by: cell.player, writes: [Score(cell, value)], options: options, notes: notes)
    }
}

extension TurnGame where State: OrderedTurnState {
    func openTurn(for move: Move) throws(RuleViolation) -> OpenTurn {
        guard setup.present.count <= TurnOrder.maxPlayers else {
            let allowed = Bounds(within: 1...Int64(TurnOrder.maxPlayers))
            throw .playerCount(setup.present.count, allowed: allowed)
        }
        guard let mover = state.mover else { throw setup.words.noPlayer }
        guard record.openTurn <= Cell.lastRound else { throw setup.words.noTurnLeft }
        try check(move.player, isAt: mover)
        return OpenTurn(
            seat: mover,
            cell: setup.cell(mover, turns.count + 1),
            options: try recordedByNextTurn()
        )
    }

    private func check(_ player: PlayerID?, isAt mover: Int) throws(RuleViolation) {
        guard let player, player != setup.players[mover].id else { return }
        guard let other = setup.seats[player].map({ setup.players[$0] }) else {
            throw .unknownPlayer(player)
        }
        guard other.isPresent else { throw .removedPlayer(name: other.name) }
        throw setup.otherTurn(record.openTurn, of: mover)
    }

    /// Returns the options and the order of play that the next turn must record, if any.
    private func recordedByNextTurn() throws(RuleViolation) -> [Symbol: Value] {
        guard let order = record.orderToRecord?.description else { return [:] }
        guard order.utf8.count <= TurnOrder.maxBytes else { throw setup.words.orderFull }
        return [TurnOrder.option: .text(order)]
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        let areOpen = setup.isBlank || setup.recorded?.options == nil
        try check(option: option, of: State.Options.names, areOpen: areOpen, in: book)
    }
}
