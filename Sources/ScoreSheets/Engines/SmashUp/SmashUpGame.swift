import SessionCRDT

/// The games of Smash Up in a session: turns, points, Madness and the deal.
struct SmashUpGame: TurnGame {
    let rules: SmashUpRules
    var record: TurnRecord<SmashUpState>
    var kept: KeptStandings
    /// The game in progress or just over, with its Madness.
    private(set) var game: SmashUpPlaythrough
    /// The results of the games before it.
    private(set) var results = SmashUpResults()

    init(rules: SmashUpRules, record: TurnRecord<SmashUpState>, kept: KeptStandings) {
        self.rules = rules
        self.record = record
        self.kept = kept
        game = record.state.game
        updateGames(from: 1)
    }

    var gameCount: Int { record.parts.count + 1 }

    /// Whether nothing more is added: the game is over, or the session finished.
    var isSettled: Bool { game.isOver || setup.isFinished }

    var totalLabel: String { "Points" }

    mutating func apply(
        _ cells: [Cell],
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        let before = self
        let turned = record.update(to: book, cells)
        let touched = cells + turned
        updateGames(from: touched.compactMap(numberOfGame).min() ?? gameCount)
        differing.arePanelsDifferent =
            !turned.isEmpty || state != before.state || board != before.board
        // The words for deals and gains depend on these.
        differing.isWhole =
            beginnings != before.beginnings || setup.shownDeal != before.setup.shownDeal
        let first = turned.compactMap(\.round).min() ?? record.openTurn
        return touched + self.cells(since: before, from: first)
    }

    /// The cells other than turns that may count differently, after turns changed from one on.
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

    /// Updates the results of the games from one on, and the game in progress.
    private mutating func updateGames(from number: Int) {
        results.remove(from: number)
        let table = self
        for number in stride(from: number, to: gameCount, by: 1) {
            results.add(holding(record.parts[number - 1]), at: table)
        }
        game = holding(state.game)
    }

    /// A game with its Madness.
    private func holding(_ game: SmashUpPlaythrough) -> SmashUpPlaythrough {
        var game = game
        let number = UInt32(clamping: game.number)
        for cards in setup.madness.of(number...number) { game.hold(cards) }
        return game
    }

    private var beginnings: [UInt32] { record.parts.map(\.firstTurn) + [state.game.firstTurn] }

    /// The game of a turn; the last one for turns to come.
    private func numberOfGame(at turn: UInt32) -> Int {
        record.parts.partitioningIndex { $0.turns.upperBound >= turn } + 1
    }

    /// The number of a turn within its game, and the number of the game, both as people count them.
    func place(of turn: UInt32) -> (turn: UInt32, game: Int) {
        let number = numberOfGame(at: turn)
        let game = number < gameCount ? record.parts[number - 1] : state.game
        return (game.count(of: turn), number)
    }

    /// The game that a cell belongs to; nil for cells of the whole table.
    func numberOfGame(_ cell: Cell) -> Int? {
        switch try? SmashUpRow(of: cell) {
        case .points: numberOfGame(at: TurnRounds.turn(of: cell.round ?? 0))
        case .turn: numberOfGame(at: cell.round ?? 0)
        case .madness: cell.round.map { Int($0) }
        case .deal, .reveal, nil: nil
        }
    }

    /// Gains named by turn and game, and deals with the names of the factions.
    func words(in book: Book) -> GameWords {
        let names = SmashUpNames(self, in: book)
        return GameWords(
            cell: { names.name(of: $0) },
            value: { names.words(of: $0) },
            isOfTable: { SmashUpNames.isOfTable($0) }
        )
    }

    /// The deal to the same players without those who left, revealed if it was.
    func carriedOver(from book: Book) -> Played {
        let present = book.players.filter(\.isPresent).map(\.id)
        guard let deal = setup.deal?.dealt(to: present),
            let cell = try? commonCell(.deal, in: book)
        else {
            return Played(by: nil, writes: [])
        }
        var writes = [Score(cell, deal.value)]
        if setup.isRevealed, let shown = try? commonCell(.reveal, in: book) {
            writes.append(Score(shown, deal.value))
        }
        return Played(by: nil, writes: writes)
    }
}

/// Gains, bases and Madness.
extension SmashUpGame {
    struct Gain: Hashable {
        let player: Player
        let points: Int64
    }

    /// The gains of a move; points without a name go to the mover.
    func gains(
        _ points: [SmashUpMove.NamedNumber],
        by mover: PlayerID?,
        in book: Book
    ) throws(RuleViolation) -> [Gain] {
        let own = mover ?? state.mover.map { setup.players[$0].id }
        var gains: [Gain] = []
        for point in points {
            if let name = point.name {
                gains.append(Gain(player: try player(name, in: book), points: point.number))
            } else {
                guard let player = own.flatMap(book.player) else {
                    throw setup.words.nobody
                }
                gains.append(Gain(player: player, points: point.number))
            }
        }
        return gains
    }

    /// Writes each gain in a cell of its own, all in one commit.
    func gain(
        _ gains: [Gain],
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        if game.isOver { throw SmashUpSetup.over }
        if state.isOver { throw setup.words.noTurnLeft }
        var writes: [Score] = []
        for gain in gains {
            let id = gain.player.id
            guard !writes.contains(where: { $0.cell.player == id }) else {
                throw SmashUpSetup.namedTwice(gain.player.name)
            }
            // Rounds that were cleared are not used again: undo may restore them.
            let round = TurnRounds.free(in: record.openTurn, using: &chance) { round in
                book[Cell(player: id, row: SmashUpRow.points.id, round: round)] != nil
            }
            guard let round else {
                throw RuleViolation("turn \(record.openTurn) has no place left for points")
            }
            let cell = Cell(player: id, row: SmashUpRow.points.id, round: round)
            let score = Score(cell, .integer(gain.points))
            try rules.checkForm(score, in: book)
            writes.append(score)
        }
        return Played(by: gains.count == 1 ? gains[0].player.id : nil, writes: writes)
    }

    func base(
        _ printed: [Int64],
        _ powers: [SmashUpMove.NamedNumber],
        in book: Book,
        using chance: inout any RandomNumberGenerator
    ) throws(RuleViolation) -> Played {
        let players = try players(powers, in: book)
        let awards = BaseScoring.awards(printed: printed, powers: powers.map(\.number))
        let gains = zip(players, awards).map { Gain(player: $0, points: $1) }
            .filter { $0.points != 0 }
        guard !gains.isEmpty else { throw RuleViolation("the base pays nobody anything") }
        let played = try gain(gains, in: book, using: &chance)
        let pays = gains.map { "\($0.player.name) \($0.points > 0 ? "+" : "")\($0.points)" }
        return Played(
            by: played.player,
            writes: played.writes,
            notes: [Note("the base pays " + pays.joined(separator: ", "))]
        )
    }

    func madness(
        _ held: [SmashUpMove.NamedNumber],
        in book: Book
    ) throws(RuleViolation) -> Played {
        let players = try players(held, in: book)
        var writes: [Score] = []
        for (player, cards) in zip(players, held.map(\.number)) {
            let round = UInt32(clamping: gameCount)
            let cell = Cell(player: player.id, row: SmashUpRow.madness.id, round: round)
            let score = Score(cell, .integer(cards))
            try rules.checkForm(score, in: book)
            writes.append(score)
        }
        return Played(by: players.count == 1 ? players[0].id : nil, writes: writes)
    }

    /// The named players, each once.
    private func players(
        _ named: [SmashUpMove.NamedNumber],
        in book: Book
    ) throws(RuleViolation) -> [Player] {
        var players: [Player] = []
        for namedNumber in named {
            let player = try player(namedNumber.name ?? "", in: book)
            guard !players.contains(player) else {
                throw SmashUpSetup.namedTwice(player.name)
            }
            players.append(player)
        }
        return players
    }

    /// The player with a name, which may be shortened.
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
}

extension SmashUpGame {
    /// The points of a cell; those of earlier games add nothing to the total.
    func score(of bookCell: BookCell) -> CellScore {
        typealias Verdict = CellScore
        let round = bookCell.cell.round ?? 0
        switch try? setup.fact(of: bookCell) {
        case .points(let amount) where countsPoints(at: TurnRounds.turn(of: round)):
            let isLast = TurnRounds.turn(of: round) >= game.firstTurn
            // Different values of disconnected devices are shown as a conflict instead.
            let isTwice = bookCell.live.count > 1 && !bookCell.live.isConflicting
            return Verdict(points: isLast ? amount : 0, count: amount, isFlagged: isTwice)
        case .madness(let cards) where round <= gameCount:
            let costs = round == gameCount && isSettled
            let penalty = SmashUpPlaythrough.penalty(ofHolding: cards)
            return Verdict(points: costs ? 0 - penalty : 0, count: cards, isFlagged: false)
        case .deal where bookCell.cell == setup.dealCell:
            return Verdict(points: 0, isFlagged: false)
        case .reveal(let shown) where shown == setup.deal?.value:
            return Verdict(points: 0, isFlagged: false)
        case .points, .madness, .mark, .deal, .reveal, nil: return record.score(of: bookCell)
        }
    }

    /// Whether points of a turn count: it has begun, and the game was not over before.
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

    /// The reason why points of a turn to come, or after the end of a game, do not count.
    private func reason(behind turn: UInt32) -> RuleViolation {
        guard turn > record.openTurn, !game.isOver, !state.isOver else {
            return record.reasonAfterOpenTurn
        }
        return SmashUpSetup.turnNotBegun(
            game.count(of: turn),
            now: game.count(of: record.openTurn)
        )
    }
}
