import SessionCRDT

/// An evening of Smash Up: its turns, and what stands beside them.
struct SmashUpTable: TurnGame {
    let rules: SmashUpRules
    var record: TurnRecord<SmashUpStand>
    var kept: KeptStandings
    /// The game that is on or just over, with what is held in it.
    private(set) var game: SmashUpGame
    /// How those before it ended.
    private(set) var results = SmashUpResults()

    init(rules: SmashUpRules, record: TurnRecord<SmashUpStand>, kept: KeptStandings) {
        self.rules = rules
        self.record = record
        self.kept = kept
        game = record.stand.game
        takeGames(from: 1)
    }

    /// How many games were begun.
    var gameCount: Int { record.parts.count + 1 }

    /// Whether nothing more is added: the game is over, or the session finished.
    var isSettled: Bool { game.isOver || terms.isFinished }

    var totalLabel: String { "Points" }

    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        let before = self
        let turned = record.update(to: book, change.cells)
        let touched = change.cells + turned
        takeGames(from: touched.compactMap(numberOfGame).min() ?? gameCount)
        differing.arePanelsDifferent =
            !turned.isEmpty || stand != before.stand || board != before.board
        // Deals are hidden or read, and gains named by the turns of their games.
        differing.isWhole =
            beginnings != before.beginnings || terms.shownDeal != before.terms.shownDeal
        let first = turned.compactMap(\.round).min() ?? record.openTurn
        return touched + cells(since: before, from: first)
    }

    /// The cells beside the turns that may count otherwise than before, where turns do from one on.
    private func cells(since before: SmashUpTable, from first: UInt32) -> [Cell] {
        let isOtherDeal =
            (terms.dealCell, terms.deal) != (before.terms.dealCell, before.terms.deal)
        let deals =
            isOtherDeal
            ? terms.players.flatMap { player in
                [SmashUpRow.deal, .reveal].map { Cell(player: player.id, row: $0.id) }
            } : []
        // Whose game is the last one matters to all that was gained and is held in it.
        let firsts =
            game.firstTurn == before.game.firstTurn
            ? [] : [game.firstTurn, before.game.firstTurn]
        let turns = [first, record.openTurn, before.record.openTurn] + firsts
        let games = [gameCount, before.gameCount].map { UInt32(clamping: $0) }
        return deals + terms.points.of(SmashUpTable.range(turns)).map(\.cell)
            + terms.madness.of(SmashUpTable.range(games)).map(\.cell)
    }

    private static func range(_ numbers: [UInt32]) -> ClosedRange<UInt32> {
        (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }

    /// Works out how the games from one on ended, and the one that is on.
    private mutating func takeGames(from number: Int) {
        results.remove(from: number)
        let table = self
        for number in stride(from: number, to: gameCount, by: 1) {
            results.add(holding(record.parts[number - 1]), at: table)
        }
        game = holding(stand.game)
    }

    /// A game with what is held in it.
    private func holding(_ game: SmashUpGame) -> SmashUpGame {
        var game = game
        let number = UInt32(clamping: game.number)
        for cards in terms.madness.of(number...number) { game.hold(cards) }
        return game
    }

    /// The first turn of each game.
    private var beginnings: [UInt32] { record.parts.map(\.firstTurn) + [stand.game.firstTurn] }

    /// The number of the game that a turn is of; one that has not begun is of the last.
    private func numberOfGame(at turn: UInt32) -> Int {
        record.parts.partitioningIndex { $0.turns.upperBound >= turn } + 1
    }

    /// Which turn of its game a turn of the session is, as people count them, and which game it is.
    func place(of turn: UInt32) -> (turn: UInt32, game: Int) {
        let number = numberOfGame(at: turn)
        let game = number < gameCount ? record.parts[number - 1] : stand.game
        return (game.count(of: turn), number)
    }

    /// The number of the game that a cell tells of; nil of what is of the whole table.
    func numberOfGame(_ cell: Cell) -> Int? {
        switch try? SmashUpRow(of: cell) {
        case .points: numberOfGame(at: TurnRounds.turn(of: cell.round ?? 0))
        case .turn: numberOfGame(at: cell.round ?? 0)
        case .madness: cell.round.map { Int($0) }
        case .deal, .reveal, nil: nil
        }
    }

    /// The turns of gains, counted from 1 in each game, and deals with the names of the factions.
    func words(in book: Book) -> GameWords {
        let names = SmashUpNames(self, in: book)
        return GameWords(
            cell: { names.name(of: $0) },
            value: { names.words(of: $0) },
            isOfTable: { SmashUpNames.isOfTable($0) }
        )
    }

    /// The deal, revealed where it was: the same players with the same factions, without those who
    /// left.
    func carriedOver(from book: Book) -> Played {
        let present = book.players.filter(\.isPresent).map(\.id)
        guard let deal = terms.deal?.dealt(to: present),
            let cell = try? commonCell(.deal, in: book)
        else {
            return Played(by: nil, writes: [])
        }
        var writes = [Score(cell, deal.value)]
        if terms.isRevealed, let shown = try? commonCell(.reveal, in: book) {
            writes.append(Score(shown, deal.value))
        }
        return Played(by: nil, writes: writes)
    }
}
