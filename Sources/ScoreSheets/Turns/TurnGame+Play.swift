import SessionCRDT

/// The turn that a move is for.
struct OpenTurn {
    /// Whose it is, by seat.
    let seat: Int
    /// Where it is written.
    let cell: Cell
    /// What it records for the whole session.
    let options: [Symbol: Value]

    /// What writes this there.
    func writing(_ value: Value, notes: [Note]) -> Played {
        Played(by: cell.player, writes: [Score(cell, value)], options: options, notes: notes)
    }
}

extension TurnGame where Stand: MatchStand {
    /// The turn that a move is for: the open one, of whoever is to move.
    func openTurn(for move: Move, in book: Book) throws(RuleViolation) -> OpenTurn {
        try checkIsOn(in: book)
        guard terms.present.count <= TurnOrder.mostPlayers else {
            let allowed = Bounds(within: 1...Int64(TurnOrder.mostPlayers))
            throw .playerCount(terms.present.count, allowed: allowed)
        }
        guard let mover = stand.mover else { throw terms.violation(.nobody) }
        guard record.openTurn <= Cell.lastRound else { throw terms.violation(.noTurnLeft) }
        try check(move.player, isAt: mover)
        return OpenTurn(
            seat: mover,
            cell: terms.cell(mover, turns.count + 1),
            options: try recordedByNext()
        )
    }

    /// Refuses a move of anybody else than whoever is to move.
    private func check(_ wanted: PlayerID?, isAt mover: Int) throws(RuleViolation) {
        guard let wanted, wanted != terms.players[mover].id else { return }
        guard let player = terms.seats[wanted].map({ terms.players[$0] }) else {
            throw .unknownPlayer(wanted)
        }
        guard player.isPresent else { throw .removedPlayer(name: player.name) }
        throw terms.violation(at: record.openTurn, of: mover)
    }

    /// What the next turn records: how the game is set, and who moves in which order.
    private func recordedByNext() throws(RuleViolation) -> [Symbol: Value] {
        guard let order = record.orderToRecord?.description else { return [:] }
        guard order.utf8.count <= TurnOrder.longest else { throw terms.violation(.orderFull) }
        return [TurnOrder.option: .text(order)]
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        let isOpen = terms.isBlank || terms.recorded?.mode == nil
        try check(option: option, of: Stand.Mode.options, isOpen: isOpen, in: book)
    }
}

extension TurnGame {
    /// Refuses what cannot be set: anything after the end, the order, which the game records, and
    /// the options of its mode once there are turns or the mode is not open.
    func check(
        option: Symbol,
        of mode: [String],
        isOpen: Bool,
        in book: Book
    ) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != TurnOrder.option else { throw terms.violation(.recordedOrder) }
        guard mode.contains(option.description) else { return }
        guard turns.isEmpty, isOpen else {
            throw terms.violation(.modeFixed(option.description))
        }
    }

    /// Refuses what no game allows that was finished, or has ended by its rules.
    func checkIsOn(in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !stand.isOver else { throw record.reasonBehind }
    }

    /// What takes back all that is written from a turn on, as a part of the game; `question` is of
    /// so many cells.
    func reset(
        of book: Book,
        from turn: Int,
        part: String = Stand.Terms.words.part,
        question: (Int) -> String
    ) throws(RuleViolation) -> Reset {
        guard !book.isFinished else { throw .finished }
        let cells = record.cells(from: turn, in: book)
        guard !cells.isEmpty else { throw terms.violation(.nothingToReset(part: part)) }
        return Reset(question: question(cells.count), clearing: cells)
    }
}
