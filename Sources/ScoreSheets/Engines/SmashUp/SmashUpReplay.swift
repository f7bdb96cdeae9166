import SessionCRDT

/// A game of Smash Up as its facts tell it, turn by turn from the first, or from the last turn
/// before a change.
///
/// A turn ends with the mark of whoever was to move. That it was their turn is checked when the
/// mark is entered and not here: it depended on who was seated where at that time, of which nothing
/// is known any more, so that players who come, go and change seats leave the past as it was.
/// Points count in the turn in which they were gained, so that points which arrive late still
/// decide whether somebody had won when that turn ended. What stands in turns that have not begun,
/// or after the end, does not count and is flagged.
struct SmashUpReplay {
    /// What it is played by and with whom.
    let terms: SmashUpTerms
    /// What was read.
    private(set) var facts: SmashUpFacts
    /// The turn that is on.
    private(set) var turn: UInt32 = 1
    /// Who is to move, by seat; nil where nobody is, and after the last turn that there can be.
    private(set) var mover: Int?
    /// Whose mark ended each turn, by seat.
    private(set) var movers = Chunks<Int>()
    /// The game that is on or just over, with what is held in it.
    private(set) var game = SmashUpGame(number: 1, firstTurn: 1)
    /// How those before it ended.
    private(set) var results = SmashUpResults()
    /// The deal that counts.
    private(set) var deal: (cell: Cell, deal: FactionDeal)?
    /// Whether it was revealed.
    private(set) var isRevealed = false

    /// The games before the one that is on, without what is held in them.
    private(set) var past = Chunks<SmashUpGame>()
    /// Where it stood before the turn that is on.
    private var open = Stand(game: SmashUpGame(number: 1, firstTurn: 1))
    /// Where it stood every so many turns, the first before turn 1.
    private var stands = Chunks<Stand>()

    /// How many turns are played again at most before the first that changed.
    private static let interval: UInt32 = 32

    /// What the points of a turn are added to.
    private struct Stand {
        var game: SmashUpGame
        /// Who moved last, by seat; nil before the first turn of a game.
        var last: Int?
    }

    /// The replay of a book.
    init(_ sheet: Sheet, _ book: Book) {
        terms = SmashUpTerms(sheet, book)
        facts = SmashUpFacts(terms, book)
        takeTurns()
        takeDeal()
        takeMadness(from: 1)
    }

    /// How many games were begun.
    var gameCount: Int { past.count + 1 }

    /// The first turn of each game.
    var beginnings: [UInt32] { past.map(\.firstTurn) + [game.firstTurn] }
    /// The deal that everybody may read.
    var shownDeal: Value? { isRevealed ? deal?.deal.value : nil }

    /// Whether nothing more is added: the game is over, or the session finished.
    var isSettled: Bool { game.isOver || terms.isFinished }

    /// Who of those at the table has most of the points, and enough to win if it is nobody else, by
    /// seat.
    ///
    /// Madness is not looked at: it costs points only once the game is over.
    var leaders: [Int] {
        game.leaders(from: terms.target) { terms.players[$0].isPresent }
    }

    /// What ends the turn that is on: of a crowd it records those with most points.
    var mark: TurnMark {
        let seats = terms.present.sorted { (game.points[$1], $0) < (game.points[$0], $1) }
        let players = seats.prefix(TurnMark.mostPlayers).map { terms.players[$0].id }
        // Laptops on which people sit otherwise record the same.
        return .end(.recorded(target: terms.target, players: players.sorted()))
    }

    /// A game by its number, with what is held in it.
    func game(_ number: Int) -> SmashUpGame {
        var game = number <= past.count ? past[number - 1] : open(through: turn).game
        let held = UInt32(clamping: number)
        for fact in facts.facts(of: .madness, in: held...held) {
            guard case .madness(let cards) = fact.content else { continue }
            game.hold(cards, by: fact.player, at: fact.entry.stamp)
        }
        return game
    }

    /// Takes in that cells say something else.
    ///
    /// - Returns: the cells of which something else may have come.
    mutating func update(to book: Book, _ cells: [Cell]) -> [Cell] {
        let before = self
        let subjects = Set(
            cells.compactMap { cell in
                book[cell].flatMap { facts.read(BookCell(cell: cell, live: $0), terms) }
            }
        )
        let turns = subjects.filter { $0.row == .points || $0.row == .turn }.map(\.number)
        let kept = rewind(to: turns.min() ?? turn)
        takeTurns()
        var touched = cells
        if subjects.contains(where: { $0.row == .deal || $0.row == .reveal }) {
            takeDeal()
            touched += [.deal, .reveal].flatMap { facts.facts(of: $0).map(\.cell) }
        }
        let games = subjects.filter { $0.row == .madness }.map { Int($0.number) }
        takeMadness(from: min(games.min() ?? .max, kept.game))

        // Whose game is the last one matters to all that was gained and is held in it.
        let isOtherGame = before.gameCount != gameCount
        let first = isOtherGame ? min(before.game.firstTurn, game.firstTurn) : kept.turn
        let range = min(first, kept.turn)...max(before.turn, turn)
        let (fewer, more) = (min(before.gameCount, gameCount), max(before.gameCount, gameCount))
        let held = UInt32(clamping: fewer)...UInt32(clamping: more)
        return touched + facts.facts(of: .points, in: range).map(\.cell)
            + facts.facts(of: .turn, in: range).map(\.cell)
            + facts.facts(of: .madness, in: held).map(\.cell)
    }

    /// Goes back to before a turn; gives back the first turn, and the game of it, that may differ.
    private mutating func rewind(to first: UInt32) -> (turn: UInt32, game: Int) {
        guard first < turn else { return (turn, gameCount) }
        let index = Int((max(first, 1) - 1) / SmashUpReplay.interval)
        open = stands[index]
        stands.removeAll(from: index + 1)
        turn = UInt32(index) * SmashUpReplay.interval + 1
        movers.removeAll(from: Int(turn) - 1)
        past.removeAll(from: open.game.number - 1)
        return (turn, gameCount)
    }

    private mutating func takeTurns() {
        mover = nil
        while true {
            if turn == UInt32(stands.count) * SmashUpReplay.interval + 1 { stands.append(open) }
            guard turn <= TurnRounds.lastTurn else { return }
            var stand = open(through: turn)
            let marks = facts.facts(of: .turn, in: turn...turn)
            guard let (fact, mark) = counting(marks, isOver: stand.game.isOver) else {
                mover = next(after: stand.last)
                return
            }
            switch mark {
            case .end(let recorded):
                let roll = SmashUpRoll(recorded, target: terms.target)
                stand.game.endTurn(of: fact.player, at: fact.entry.stamp)
                stand.game.roll = roll
                let leaders = stand.game.leaders(from: roll.target) {
                    roll.counts(terms.players[$0].id)
                }
                stand.game.end = leaders.count == 1 ? turn : nil
                stand.game.tied = leaders.count > 1 ? leaders : []
                stand.last = fact.player
            case .replay:
                past.append(stand.game)
                let game = SmashUpGame(number: past.count + 1, firstTurn: turn + 1)
                stand = Stand(game: game)
            }
            open = stand
            movers.append(fact.player)
            turn += 1
        }
    }

    /// Where it stands with the points of the turn that is on.
    private func open(through turn: UInt32) -> Stand {
        var stand = open
        guard !stand.game.isOver, turn <= TurnRounds.lastTurn else { return stand }
        for fact in facts.facts(of: .points, in: turn...turn) {
            guard case .points(let amount) = fact.content else { continue }
            stand.game.gain(amount, by: fact.player, at: fact.entry.stamp)
        }
        return stand
    }

    /// The mark that ends a turn: of several the last one.
    ///
    /// Several come from laptops that were apart and had others at the table.
    private func counting(
        _ marks: [SmashUpFacts.Fact],
        isOver: Bool
    ) -> (SmashUpFacts.Fact, TurnMark)? {
        let counting = marks.compactMap { fact -> (SmashUpFacts.Fact, TurnMark)? in
            guard case .mark(let mark) = fact.content, mark == .replay || !isOver else {
                return nil
            }
            return (fact, mark)
        }
        return counting.max { $1.0.entry.wins(over: $0.0.entry) }
    }

    /// Who moves after this player, as everybody is seated now.
    func next(after last: Int?) -> Int? {
        let count = terms.players.count
        let first = last.map { $0 + 1 } ?? 0
        return (first..<first + count).lazy.map { $0 % count }
            .first { terms.players[$0].isPresent }
    }

    /// Works out how the games from one on ended, and the one that is on.
    private mutating func takeMadness(from number: Int) {
        game = game(gameCount)
        results.remove(from: number)
        for number in stride(from: number, through: past.count, by: 1) {
            results.add(game(number), self)
        }
    }

    private mutating func takeDeal() {
        let deals = facts.facts(of: .deal)
        let winner = deals.max { $1.entry.wins(over: $0.entry) }
        deal = winner.flatMap { fact in
            guard case .deal(let deal) = fact.content else { return nil }
            return (fact.cell, deal)
        }
        let value = deal?.deal.value
        isRevealed = facts.facts(of: .reveal).contains { fact in
            guard case .reveal(let shown) = fact.content else { return false }
            return shown == value
        }
    }
}
