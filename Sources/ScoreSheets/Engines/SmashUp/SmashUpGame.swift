import SessionCRDT

/// The games of Smash Up in a session: turns, points, Madness and the deal.
struct SmashUpGame: TurnGame {
    let rules: SmashUpRules
    var record: TurnRecord<SmashUpState>
    var cached: CachedStandings
    /// The game in progress or just over, with its Madness.
    private(set) var game: SmashUpPlaythrough
    /// The previous games, each with its result; nil if too few players took part.
    private(set) var results: [(game: Int, outcome: Outcome?)] = []

    init(rules: SmashUpRules, record: TurnRecord<SmashUpState>, cached: CachedStandings) {
        (self.rules, self.record, self.cached) = (rules, record, cached)
        game = record.state.game
        updateGames(from: 1)
    }

    var gameCount: Int { record.parts.count + 1 }

    /// Whether no more scores are accepted: the game is over, or the session finished.
    var isSettled: Bool { game.isOver || setup.isFinished }
    var totalLabel: String { "Points" }

    /// The end of a turn also changes which points of others count.
    func isNextTurn(_ cell: Cell) -> Bool { false }

    mutating func apply(_ cells: [Cell], of book: Book, _ diff: inout ScoreboardChange) -> [Cell]? {
        let before = self
        let turned = record.update(to: book, cells)
        let touched = cells + turned
        updateGames(from: touched.compactMap(numberOfGame).min() ?? gameCount)
        diff.arePanelsDifferent =
            !turned.isEmpty || state != before.state || table != before.table
        // The names of deals and gains, and the keys of pads depend on these.
        diff.isWhole =
            beginnings != before.beginnings || setup.shownDeal != before.setup.shownDeal
            || moveInput != before.moveInput
        let first = turned.compactMap(\.round).min() ?? record.openTurn
        return touched + self.cells(since: before, from: first)
    }

    /// Returns the cells other than turns that may count differently after turns changed from the
    /// turn `first` on.
    private func cells(since before: SmashUpGame, from first: UInt32) -> [Cell] {
        let isOtherDeal =
            (setup.dealCell, setup.deal) != (before.setup.dealCell, before.setup.deal)
        let deals =
            isOtherDeal
            ? setup.players.flatMap { player in
                [SmashUpRow.deal, .reveal].map { Cell(player: player.id, row: $0.id) }
            } : []
        // Gains and Madness count only in the last game.
        let firsts =
            game.firstTurn == before.game.firstTurn
            ? [] : [game.firstTurn, before.game.firstTurn]
        let turns = [first, record.openTurn, before.record.openTurn] + firsts
        let games = [gameCount, before.gameCount].map { UInt32(clamping: $0) }
        return deals + setup.points.of(SmashUpGame.range(turns)).map(\.cell)
            + setup.madness.of(SmashUpGame.range(games)).map(\.cell)
    }

    private static func range(_ numbers: [UInt32]) -> ClosedRange<UInt32> {
        (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }

    /// Updates the results of the games from a number on, including the game in progress.
    private mutating func updateGames(from number: Int) {
        while let last = results.last, last.game >= number { results.removeLast() }
        var count = results.count { $0.outcome != nil }
        for number in stride(from: number, to: gameCount, by: 1) {
            let game = holding(record.parts[number - 1])
            guard game.isOver else { continue }
            let isValid = isValid(game)
            if isValid { count += 1 }
            results.append((number, isValid ? outcome(of: game, as: count) : nil))
        }
        game = holding(state.game)
    }

    private func holding(_ game: SmashUpPlaythrough) -> SmashUpPlaythrough {
        var game = game
        let number = UInt32(clamping: game.number)
        for cards in setup.madness.of(number...number) { game.hold(cards) }
        return game
    }

    private var beginnings: [UInt32] { record.parts.map(\.firstTurn) + [state.game.firstTurn] }

    /// Returns the game of a turn; the last one for future turns.
    private func numberOfGame(at turn: UInt32) -> Int {
        record.parts.partitioningIndex { $0.turns.upperBound >= turn } + 1
    }

    /// Returns the number of a turn within its game, and the number of the game, both from 1.
    func place(of turn: UInt32) -> (turn: UInt32, game: Int) {
        let number = numberOfGame(at: turn)
        let game = number < gameCount ? record.parts[number - 1] : state.game
        return (game.count(of: turn), number)
    }

    /// Returns the game that a cell belongs to; nil for cells of the whole table.
    func numberOfGame(_ cell: Cell) -> Int? {
        switch try? SmashUpRow(of: cell) {
        case .points: numberOfGame(at: TurnRounds.turn(of: cell.round ?? 0))
        case .turn: numberOfGame(at: cell.round ?? 0)
        case .madness: cell.round.map { Int($0) }
        case .deal, .reveal, nil: nil
        }
    }

    /// Returns the names for gains, by turn and game, and for deals, by the factions.
    func words(in book: Book) -> GameWords {
        GameWords(
            cell: { name(of: $0) },
            value: { words(of: $0, in: book) },
            isOfTable: { score in
                switch SmashUpRow(score.cell.row) {
                case .deal, .reveal: true
                case .turn: TurnMark(score.value) == .replay
                case .points, .madness, nil: false
                }
            }
        )
    }

    /// Returns the deal to the remaining players, revealed if it was revealed.
    func carriedOver(from book: Book) -> Played {
        let present = book.players.filter(\.isPresent).map(\.id)
        guard let deal = setup.deal?.dealt(to: present) else { return Played() }
        let rows = [SmashUpRow.deal] + (setup.isRevealed ? [.reveal] : [])
        let cells = rows.compactMap { try? commonCell($0, in: book) }
        return Played(writes: cells.map { Score($0, deal.value) })
    }

    typealias Named = (player: Player, number: Int64)

    /// Returns the players with their numbers, each once; a number without a name is the mover's.
    func named(
        _ numbers: [SmashUpMove.NamedNumber],
        by mover: PlayerID? = nil,
        in book: Book
    ) throws(RuleViolation) -> [Named] {
        let own = mover ?? self.mover
        var found: [Named] = []
        for number in numbers {
            let named: Player? =
                if let name = number.name { try player(name, in: book) } else {
                    own.flatMap(book.player)
                }
            guard let named else { throw setup.words.noPlayer }
            guard !found.contains(where: { $0.player == named }) else {
                throw RuleViolation("\(named.name) named twice")
            }
            found.append((named, number.number))
        }
        return found
    }

    /// Returns the writes of the gains, each in its own cell, for one commit.
    func recordGains(
        _ gains: [Named],
        in book: Book,
        using chance: inout any RandomNumberGenerator,
        notes: [Note] = []
    ) throws(RuleViolation) -> Played {
        if game.isOver { throw SmashUpSetup.gameOver }
        if state.isOver { throw setup.words.noTurnLeft }
        return try writing(gains, in: .points, of: book, notes: notes) { id throws(RuleViolation) in
            // Rounds that were cleared are not reused, because undo may restore them.
            let round = TurnRounds.free(in: record.openTurn, using: &chance) { round in
                book[Cell(player: id, row: SmashUpRow.points.id, round: round)] != nil
            }
            if let round { return round }
            throw RuleViolation("turn \(record.openTurn) cannot hold any more point entries")
        }
    }

    private func writing(
        _ named: [Named],
        in row: SmashUpRow,
        of book: Book,
        notes: [Note] = [],
        round: (PlayerID) throws(RuleViolation) -> UInt32
    ) throws(RuleViolation) -> Played {
        var writes: [Score] = []
        for (player, number) in named {
            let cell = Cell(player: player.id, row: row.id, round: try round(player.id))
            writes.append(Score(cell, .integer(number)))
            try rules.checkForm(writes[writes.count - 1], in: book)
        }
        return Played(by: named.count == 1 ? named[0].player.id : nil, writes: writes, notes: notes)
    }

    /// Scores a base: returns the printed points as gains of the players with the most power there.
    ///
    /// The printed points are those for first, second and third place. Tied players all get the
    /// better place and the next is skipped: power 10, 10, 5 is first, first, third. Players
    /// without power get nothing.
    func base(
        _ printed: [Int64],
        _ powers: [SmashUpMove.NamedNumber],
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        let powers = try named(powers, in: book)
        let ranks = CompetitionRanking.ranks(powers.map { $0.number > 0 ? [$0.number] : nil })
        let gains = zip(powers, ranks).compactMap { power, rank -> Named? in
            guard let rank, rank <= printed.count, printed[rank - 1] != 0 else { return nil }
            return (power.player, printed[rank - 1])
        }
        guard !gains.isEmpty else { throw RuleViolation("no player gets points from this base") }
        let pays = gains.map { "\($0.name) \($1 > 0 ? "+" : "")\($1)" }
        let note = Note("the base pays " + pays.joined(separator: ", "))
        return try recordGains(gains, in: book, using: &chance, notes: [note])
    }

    func madness(_ held: [SmashUpMove.NamedNumber], in book: Book) throws(RuleViolation) -> Played {
        let game = UInt32(clamping: gameCount)
        return try writing(try named(held, in: book), in: .madness, of: book) { _ in game }
    }

    private func player(_ name: String, in book: Book) throws(RuleViolation) -> Player {
        let present = book.players.filter(\.isPresent)
        switch Match(name, among: present, \.name) {
        case .one(let player): return player
        case .many(let players):
            let names = players.map(\.name).joined(separator: ", ")
            throw RuleViolation("\(name.quoted) could be any of: \(names)")
        case .none:
            let removed = book.players.filter { !$0.isPresent }
            if case .one(let player) = Match(name, among: removed, \.name) {
                throw .removedPlayer(name: player.name)
            }
            let names = present.map(\.name).joined(separator: ", ")
            throw RuleViolation("there is no player \(name.quoted); players: \(names)")
        }
    }

    /// Returns the points of a cell; points of earlier games add nothing to the total.
    func score(of bookCell: BookCell) -> CellScore {
        let round = bookCell.cell.round ?? 0
        switch try? setup.fact(of: bookCell) {
        case .points(let amount) where countsPoints(at: TurnRounds.turn(of: round)):
            let isLast = TurnRounds.turn(of: round) >= game.firstTurn
            // Values of disconnected devices that differ are shown as a conflict instead of a flag.
            let isTwice = bookCell.live.count > 1 && !bookCell.live.isConflicting
            return CellScore(points: isLast ? amount : 0, count: amount, isFlagged: isTwice)
        case .madness(let cards) where round <= gameCount:
            let costs = round == gameCount && isSettled
            let penalty = SmashUpPlaythrough.penalty(ofHolding: cards)
            return CellScore(points: costs ? 0 - penalty : 0, count: cards, isFlagged: false)
        case .deal where bookCell.cell == setup.dealCell:
            return CellScore(points: 0, isFlagged: false)
        case .reveal(let shown) where shown == setup.deal?.value:
            return CellScore(points: 0, isFlagged: false)
        case .points, .madness, .mark, .deal, .reveal, nil: return record.score(of: bookCell)
        }
    }

    /// Whether points of a turn count: it has begun, and the game was not over before it.
    private func countsPoints(at turn: UInt32) -> Bool {
        guard turn >= record.openTurn else { return !turns[Int(turn) - 1].result }
        return turn == record.openTurn && !state.isOver && !game.isOver
    }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        let round = bookCell.cell.round ?? 0
        do throws(RuleViolation) {
            switch try setup.fact(of: bookCell) {
            case .points:
                let turn = TurnRounds.turn(of: round)
                return countsPoints(at: turn)
                    ? RuleViolation("two devices entered this at once; it counts once")
                    : reason(behind: turn)
            case .mark where round > record.openTurn: return reason(behind: round)
            case .madness: return SmashUpSetup.gameNotBegun(round, now: gameCount)
            case .deal: return RuleViolation("another deal counts")
            case .reveal: return SmashUpSetup.otherDealRevealed
            case .mark, nil: return record.reason(against: bookCell, of: player)
            }
        } catch { return error }
    }

    /// Returns the reason why points of a future turn, or after the end of a game, do not count.
    private func reason(behind turn: UInt32) -> RuleViolation {
        guard turn > record.openTurn, !game.isOver, !state.isOver else {
            return record.reasonAfterOpenTurn
        }
        return SmashUpSetup.turnNotBegun(game.count(of: turn), now: game.count(of: record.openTurn))
    }
}
