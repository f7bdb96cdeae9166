import SessionCRDT

/// A move typed after `play`, with names as typed that have not been looked up.
enum SmashUpMove: Hashable {
    case deal
    case reveal
    case end
    case replay
    case choose(FactionSwitch, [String])
    /// The Madness cards that players hold at the end.
    case madness([NamedNumber])
    case base(printed: [Int64], powers: [NamedNumber])
    /// Gains and losses of points; those without a name are the mover's.
    case points([NamedNumber])

    struct NamedNumber: Hashable {
        /// The name as typed; nil if there is none.
        let name: String?
        let number: Int64
    }

    static let scoringRanks = 3

    /// Parses words.
    ///
    /// Points have priority: only they end in a signed number, so that even a player called End can
    /// score.
    init(_ words: [String]) throws(RuleViolation) {
        let rest = Array(words.dropFirst())
        let first = words.first?.lowercased() ?? ""
        let isPaid = ["base", "madness"].contains(first) && rest.contains { $0.contains("=") }
        if let last = words.last, SmashUpMove.signed(last) != nil, !isPaid {
            self = .points(try SmashUpMove.points(words))
            return
        }
        switch (first, rest.isEmpty) {
        case ("deal", true): self = .deal
        case ("reveal", true): self = .reveal
        case ("end", true): self = .end
        case ("replay", true): self = .replay
        case ("madness", false): self = .madness(try SmashUpMove.numbers(rest))
        case ("base", false):
            let printed = rest.prefix(SmashUpMove.scoringRanks)
            guard rest.count > SmashUpMove.scoringRanks,
                !printed.contains(where: { $0.contains("=") })
            else {
                throw RuleViolation(
                    "enter the three numbers printed on the base, then everyone's power: "
                        + "base 4 2 1 NAME=10"
                )
            }
            self = .base(
                printed: try printed.map { word throws(RuleViolation) in
                    try SmashUpMove.number(word)
                },
                powers: try SmashUpMove.numbers(Array(rest.dropFirst(printed.count)))
            )
        case (let word, _):
            if let change = FactionSwitch(rawValue: word) {
                self = .choose(change, rest)
            } else if let last = words.last, rest.count > 0, Sum(last)?.hasFraction == false {
                throw RuleViolation("write +\(last) or -\(last), for up or down")
            } else {
                throw RuleViolation(
                    "\(words.joined(separator: " ").quoted) is not a move; moves: NAME +3, "
                        + "base 4 2 1 NAME=10 NAME=8, end, madness NAME=5, deal, reveal, replay, "
                        + "use SET or FACTION, also without, only"
                )
            }
        }
    }

    /// Parses `Ann +3 Bob -1`, `Ann=+3` and `+3`; a name may contain spaces.
    private static func points(_ words: [String]) throws(RuleViolation) -> [NamedNumber] {
        var points: [NamedNumber] = []
        var name: [String] = []
        for word in words {
            guard let (own, number) = signed(word) else {
                name.append(word)
                continue
            }
            if let own { name.append(own) }
            let whole = name.isEmpty ? nil : name.joined(separator: " ")
            guard number != 0 else { throw RuleViolation("0 points would change nothing") }
            points.append(NamedNumber(name: whole, number: number))
            name = []
        }
        return points
    }

    /// Parses `Ann=+3` or `+3`; nil for a word without a signed number.
    private static func signed(_ word: String) -> (name: String?, number: Int64)? {
        let mark = word.lastIndex(of: "=")
        let text = mark.map { String(word[word.index(after: $0)...]) } ?? word
        guard let first = text.unicodeScalars.first, ["+", "-", "\u{2212}"].contains(first),
            let number = Sum(text)?.whole
        else { return nil }
        return (mark.map { String(word[..<$0]) }, number)
    }

    /// Parses `Ann=10 Bob=8`.
    private static func numbers(_ words: [String]) throws(RuleViolation) -> [NamedNumber] {
        var numbers: [NamedNumber] = []
        for word in words {
            guard let mark = word.lastIndex(of: "="), mark > word.startIndex else {
                throw RuleViolation("write NAME=NUMBER, not \(word.quoted)")
            }
            let number = try number(String(word[word.index(after: mark)...]))
            guard number >= 0 else { throw SmashUpSetup.badNumber(word) }
            numbers.append(NamedNumber(name: String(word[..<mark]), number: number))
        }
        return numbers
    }

    private static func number(_ text: String) throws(RuleViolation) -> Int64 {
        guard let number = Sum(text)?.whole, (-999...999).contains(number) else {
            throw SmashUpSetup.badNumber(text)
        }
        return number
    }
}

extension SmashUpGame {
    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        try move.checkDetails(SmashUpSetup.words)
        switch try SmashUpMove(move.words) {
        case .deal: return try deal(in: book, using: &context.random)
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
            return try base(printed, powers, in: book, using: &context.random)
        case .points(let points):
            try checkTable()
            let gains = try named(points, by: move.player, in: book)
            return try recordGains(gains, in: book, using: &context.random)
        }
    }

    private func choose(
        _ change: FactionSwitch,
        _ words: [String],
        in book: Book
    ) throws(RuleViolation) -> Played {
        guard setup.deal == nil else { throw SmashUpSetup.alreadyDealt }
        let options = try setup.choice.options(of: change, words)
        let after = Book(players: [], cells: [:], options: book.options.merging(options) { $1 })
        let choice = FactionChoice(rules.sheet, after)
        let sets = choice.lines.isEmpty ? "" : ": " + choice.lines.joined(separator: "; ")
        return Played(options: options, notes: [Note(choice.poolWords + sets)])
    }

    private func deal(
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        guard setup.deal == nil else { throw SmashUpSetup.alreadyDealt }
        let players = book.players.filter(\.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: players.count) { throw violation }
        if let twin = SmashUpSetup.twins(among: players).first {
            throw SmashUpSetup.sameName(twin.name)
        }
        let (pool, needed) = (setup.choice.pool, players.count * FactionDeal.factionsEach)
        guard pool.count >= needed else {
            let chosen = pool.count == 1 ? "1 faction is" : "\(pool.count) factions are"
            throw RuleViolation(
                "\(chosen) chosen and \(players.count) players need \(needed)",
                hint: "choose more with: scorectl play use SET"
            )
        }
        let deal = FactionDeal(to: players.map(\.id), from: pool, using: &chance)
        let names = players.map(\.name).together
        return Played(
            writes: [Score(try commonCell(.deal, in: book), deal.value)],
            notes: [Note("dealt two factions each to \(names); reveal shows them")]
        )
    }

    private func reveal(in book: Book) throws(RuleViolation) -> Played {
        guard let deal = setup.deal else {
            throw RuleViolation(
                "the factions are not dealt yet",
                hint: "deal them with: scorectl play deal"
            )
        }
        guard !setup.isRevealed else { throw RuleViolation("the deal is shown already") }
        return Played(
            writes: [Score(try commonCell(.reveal, in: book), deal.value)],
            notes: hands(of: deal, in: book).map { Note($0) }
        )
    }

    /// Returns the cell of a value for the whole table, in the column of the player with the lowest
    /// id.
    ///
    /// Seats may change, and two deals must be in the same cell.
    func commonCell(_ row: SmashUpRow, in book: Book) throws(RuleViolation) -> Cell {
        guard let first = book.players.filter(\.isPresent).map(\.id).min() else {
            throw setup.words.noPlayer
        }
        return Cell(player: first, row: row.id)
    }

    func openTurn() throws(RuleViolation) -> OpenTurn {
        if state.isOver { throw setup.words.noTurnLeft }
        guard let seat = state.mover else { throw setup.words.noPlayer }
        return OpenTurn(seat: seat, cell: setup.cell(seat, turns.count + 1), options: [:])
    }

    /// The mark that ends the open turn; with more than a hundred players it lists those with the
    /// most points.
    var mark: TurnMark {
        let seats = setup.present.sorted { (game.points(of: $1), $0) < (game.points(of: $0), $1) }
        let players = seats.prefix(TurnMark.mostPlayers).map { setup.players[$0].id }
        // Sorted by id, so that devices with different seats record the same text.
        return .end(SmashUpRoster(target: setup.target, listed: players.sorted()))
    }

    private func end(by player: PlayerID?) throws(RuleViolation) -> Played {
        let open = try openTurn()
        try checkMark(mark)
        if let player { try check(player, isAt: open) }
        let after = try playing(mark, by: open.seat).game.state
        return open.writing(mark.value, notes: [Note(words(onTurnBefore: after))])
    }

    /// Returns the start of another game with the same factions, even if it is another player's
    /// turn.
    private func again() throws(RuleViolation) -> Played {
        let open = try openTurn()
        try checkMark(.replay)
        return Played(
            writes: [Score(open.cell, TurnMark.replay.value)],
            notes: [Note("a new game begins with the same players and factions")]
        )
    }

    private func words(onTurnBefore after: SmashUpState) -> String {
        let leaders = after.game.leaders
        guard let first = leaders.first else {
            let turn = after.game.count(of: record.openTurn) + 1
            return "turn \(turn): \(after.mover.map(name) ?? "no player")"
        }
        return leaders.count == 1
            ? "\(name(first)) ends the game; Madness counts now, if there is any: "
                + "madness NAME=5"
            : "\(leaders.map(name).together) are tied at \(after.game.points(of: first)): play on"
    }

    /// Returns a reset of the game in progress; after its end, the start of another game without a
    /// deal.
    ///
    /// Finished games stay. A game in progress is cleared from its first turn. The chosen factions
    /// are options and stay.
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

    private func another(besides written: [Cell], in book: Book) throws(RuleViolation) -> Reset {
        let mark = Score(try openTurn().cell, TurnMark.replay.value)
        // Disconnected devices may have written entries for future turns, which would count in the
        // next game.
        let cells = written.filter {
            $0 != mark.cell && !isOfEarlierGame($0) && !isOfGameThatIsOver($0)
        }
        let winners = cached.lines.isFinished ? cached.lines.lines.filter { $0.rank == 1 } : []
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

    private func isOfEarlierGame(_ cell: Cell) -> Bool {
        numberOfGame(cell).map { $0 < game.number } ?? false
    }

    private func isOfGameThatIsOver(_ cell: Cell) -> Bool {
        guard let round = cell.round, round > 0 else { return false }
        return switch SmashUpRow(cell.row) {
        case .points: TurnRounds.turn(of: round) <= record.openTurn
        case .madness: round <= game.number
        case .turn: round <= record.openTurn
        case .deal, .reveal, nil: false
        }
    }

    /// Throws if a value is invalid for the open turn.
    ///
    /// A cell may always be cleared and, once it has been written, corrected or filled again, as
    /// undo, redo and the resolution of a conflict do.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let row = try SmashUpRow(of: score.cell)
        let before = book[score.cell]
        switch row {
        case .points:
            guard before == nil else { return }
            try checkTable()
            if game.isOver { throw SmashUpSetup.gameOver }
            // Points in a past turn could change that turn's result.
            try checkOpen(TurnRounds.turn(of: score.cell.round ?? 0))
        case .madness:
            let number = score.cell.round ?? 0
            guard number > gameCount else { return }
            throw SmashUpSetup.gameNotBegun(number, now: gameCount)
        case .turn:
            let mark = try SmashUpSetup.move(of: score.value)
            guard before == nil else { return }
            if mark != .replay { try checkTable() }
            try checkOpen(score.cell.round ?? 0)
            try checkMark(mark)
            try check(score.cell.player, isAt: openTurn())
            guard mark == .replay || mark == self.mark else {
                throw RuleViolation(
                    "only a move ends a turn",
                    hint: "end it with: scorectl play end"
                )
            }
        case .deal:
            guard FactionDeal(score.value, by: setup) != nil else {
                throw SmashUpSetup.notADeal
            }
            let isLive = before?.entries.contains { $0.value == score.value } ?? false
            guard isLive || setup.deal == nil else { throw SmashUpSetup.alreadyDealt }
        case .reveal:
            let isAgain = before != nil && FactionDeal(score.value, by: setup) != nil
            guard isAgain || score.value == setup.deal?.value else {
                throw SmashUpSetup.otherDealRevealed
            }
        }
    }

    func checkTable() throws(RuleViolation) {
        let count = setup.present.count
        guard count >= setup.allowed.from else {
            throw .playerCount(count, allowed: setup.allowed)
        }
    }

    private func checkOpen(_ turn: UInt32) throws(RuleViolation) {
        let now = record.openTurn
        if state.isOver { throw setup.words.noTurnLeft }
        if turn > now { throw SmashUpSetup.turnNotBegun(turn, now: now) }
        if turn < now {
            throw RuleViolation(
                "turn \(turn) is past: this is turn \(now)",
                hint: "add points to this one with: scorectl play NAME +3"
            )
        }
    }

    func check(_ player: PlayerID, isAt open: OpenTurn) throws(RuleViolation) {
        guard player != open.cell.player else { return }
        throw setup.violation(at: record.openTurn, of: open.seat)
    }

    /// Throws for ending a turn after the game is over, and for a replay before it is.
    func checkMark(_ mark: TurnMark) throws(RuleViolation) {
        guard (mark == .replay) != game.isOver else { return }
        throw game.isOver
            ? SmashUpSetup.gameOver
            : RuleViolation("the game is not over", hint: "to clear it: scorectl reset")
    }

    /// Throws for changes of the factions after the deal.
    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard rules.sheet.factions.contains(where: { $0.option == option }) else { return }
        guard setup.deal == nil else { throw SmashUpSetup.alreadyDealt }
    }
}
