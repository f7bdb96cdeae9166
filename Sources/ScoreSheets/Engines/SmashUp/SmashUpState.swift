import SessionCRDT

/// Where an evening of Smash Up stands before a turn ends.
///
/// A turn ends with the mark of whoever was to move. That it was their turn is checked when the
/// mark is entered and not here: it depended on who was seated where at that time, of which nothing
/// is known any more, so that players who come, go and change seats leave the past as it was.
/// Points count in the turn in which they were gained, so that points which arrive late still
/// decide whether somebody had won when that turn ended. Only another game follows one that is
/// over.
struct SmashUpState: TurnState {
    static let isMoverFixed = false

    /// The game that is on or just over, with the points of the open turn and without Madness.
    private(set) var game = SmashUpPlaythrough(number: 1, firstTurn: 1)
    private(set) var mover: Int?
    /// Whether all turns that there can be are used.
    private(set) var isOver = false

    /// The game as it stood when the last turn ended.
    private var ended = SmashUpPlaythrough(number: 1, firstTurn: 1)

    init(_ setup: SmashUpSetup) {
        mover = setup.present.first
    }

    mutating func prepare(for turn: UInt32, _ setup: SmashUpSetup) {
        game = ended
        guard !game.isOver else { return }
        for gain in setup.points.of(turn...turn) { game.gain(gain) }
    }

    /// Whether the game was over before: then points of this turn do not count.
    func result(
        of mark: TurnMark,
        by seat: Int,
        _ setup: SmashUpSetup
    ) throws(RuleViolation) -> Bool {
        guard mark == .replay || !game.isOver else { throw SmashUpSetup.over }
        return game.isOver
    }

    mutating func apply(
        _ turn: CountedTurn<TurnMark, Bool>,
        at index: Int,
        _ setup: SmashUpSetup
    ) -> SmashUpPlaythrough? {
        isOver = index + 1 == Int(TurnRounds.lastTurn)
        var past: SmashUpPlaythrough?
        switch turn.move {
        case .end(let recorded):
            let roll = SmashUpRoll(recorded, target: setup.target)
            game.endTurn(of: turn.seat, at: turn.stamp, roll, among: setup.players)
            mover = setup.present.next(from: turn.seat + 1)
        case .replay:
            past = game
            game = SmashUpPlaythrough(
                number: game.number + 1,
                firstTurn: UInt32(clamping: index + 2)
            )
            mover = setup.present.first
        }
        if isOver { mover = nil }
        ended = game
        return past
    }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: SmashUpSetup) -> RuleViolation {
        if game.isOver { return SmashUpSetup.over }
        if isOver { return setup.words.noTurnLeft }
        return setup.words.gap(turn, of: mover.map(setup.name))
    }
}

/// One game of a session: the first one, or one that `replay` began.
struct SmashUpPlaythrough: Hashable {
    /// Which one of the session, from 1.
    let number: Int
    /// The turn of the session that is its first one.
    let firstTurn: UInt32
    /// The points of each player, by seat.
    var points: Ledger { Ledger(numbers: gained) }
    /// The Madness cards of each player, by seat.
    var madness: Ledger { Ledger(numbers: held) }
    /// How many turns were ended.
    private(set) var turnCount: Int64 = 0
    /// The seats of those who ended a turn.
    private(set) var movers: Set<Int> = []
    /// Whether anybody has gained or lost anything.
    private(set) var isScored = false
    /// Who had most of the points when the last turn ended, where that wins if it is one, by seat.
    private(set) var leaders: [Int] = []
    /// Whether somebody won at the end of a turn.
    var isOver: Bool { leaders.count == 1 }
    /// By what the points were looked at when the latest turn ended; nil before one has.
    private(set) var roll: SmashUpRoll?
    /// The stamp of the latest entry that counts.
    private(set) var latest: Stamp?

    /// All of it, with the turn after which another began.
    var turns: Range<Int> { Int(firstTurn) - 1..<Int(firstTurn) + Int(turnCount) }

    // Of those who have any, because a session may have a thousand games and a crowd of players.
    private var gained: [Int: Int64] = [:]
    private var held: [Int: Int64] = [:]

    /// A number for each seat.
    struct Ledger {
        fileprivate let numbers: [Int: Int64]

        subscript(seat: Int) -> Int64 { numbers[seat] ?? 0 }
    }

    /// A game that has just begun.
    init(number: Int, firstTurn: UInt32) {
        self.number = number
        self.firstTurn = firstTurn
    }

    /// The seats of those who gained or held anything or ended a turn, in order.
    var active: [Int] { movers.union(gained.keys).union(held.keys).sorted() }

    /// Whether somebody gained or held anything or ended a turn.
    func hasPlayed(_ seat: Int) -> Bool {
        movers.contains(seat) || gained[seat] != nil || held[seat] != nil
    }

    /// Takes in points.
    mutating func gain(_ points: SmashUpNumber) {
        // A gain is within ±9999 and there are at most a million for each player.
        gained[points.player, default: 0] += points.number
        isScored = true
        latest.advance(to: points.stamp)
    }

    /// Takes in what somebody holds at the end.
    mutating func hold(_ cards: SmashUpNumber) {
        held[cards.player] = cards.number
        latest.advance(to: cards.stamp)
    }

    /// Takes in the end of a turn.
    mutating func endTurn(
        of player: Int,
        at stamp: Stamp?,
        _ roll: SmashUpRoll,
        among players: [Player]
    ) {
        turnCount += 1
        movers.insert(player)
        self.roll = roll
        latest.advance(to: stamp)
        let able = gained.filter { $0.value >= roll.target && roll.counts(players[$0.key].id) }
        let most = able.values.max()
        leaders = able.filter { $0.value == most }.keys.sorted()
    }

    /// Which turn of this game a turn of the session is, as people count them.
    func count(of turn: UInt32) -> UInt32 { turn < firstTurn ? 0 : turn - firstTurn + 1 }

    /// What Madness costs at the end: a point for every two cards.
    static func penalty(ofHolding cards: Int64) -> Int64 { cards / 2 }

    /// What a player's Madness costs at the end.
    func penalty(of player: Int) -> Int64 { SmashUpPlaythrough.penalty(ofHolding: madness[player]) }

    /// What a player has when everything is counted.
    func total(of player: Int) -> Int64 { points[player] - penalty(of: player) }
}

/// What a cell of Smash Up can say.
enum SmashUpFact {
    /// A gain or a loss.
    case points(Int64)
    /// What is held at the end of a game.
    case madness(Int64)
    /// What ends a turn.
    case mark
    /// Who was dealt what.
    case deal(FactionDeal)
    /// What is said to be revealed.
    case reveal(Value)
}

extension SmashUpSetup {
    /// The fact that a cell says; nil of nothing, refused where it says none.
    func fact(of bookCell: BookCell) throws(RuleViolation) -> SmashUpFact? {
        let (cell, value) = (bookCell.cell, bookCell.value)
        let count = try form.reading(of: bookCell, at: form.place(of: cell.row)).get()
        guard value != .null else { return nil }
        switch try SmashUpRow(of: cell) {
        case .points: return .points(count ?? 0)
        case .madness: return .madness(count ?? 0)
        case .turn:
            _ = try SmashUpSetup.move(of: value)
            return .mark
        case .deal:
            guard let deal = FactionDeal(value, by: self) else {
                throw SmashUpSetup.notADeal
            }
            return .deal(deal)
        case .reveal: return .reveal(value)
        }
    }

    /// The number that a cell of somebody says; nil where it says none.
    private func number(in cell: Cell, _ live: LiveSet?, of player: Int) -> SmashUpNumber? {
        guard let live else { return nil }
        switch try? fact(of: BookCell(cell: cell, live: live)) {
        case .points(let number), .madness(let number):
            return SmashUpNumber(
                cell: cell,
                player: player,
                number: number,
                stamp: live.winner.stamp
            )
        case .mark, .deal, .reveal, nil: return nil
        }
    }

    /// The numbers that the cells of a row say.
    func numbers(in row: SmashUpRow, of book: Book) -> [SmashUpNumber] {
        players.enumerated().flatMap { seat, player -> [SmashUpNumber] in
            guard seats[player.id] == seat else { return [] }
            let cells = book.column(of: player.id).cells(of: row.id) ?? OrderedPieces()
            return cells.compactMap { found in
                let cell = Cell(player: player.id, row: row.id, round: found.round)
                return number(in: cell, found.live, of: seat)
            }
        }
    }

    mutating func update(_ cell: Cell, of book: Book) -> UInt32? {
        guard let player = seats[cell.player], let row = try? SmashUpRow(of: cell) else {
            return nil
        }
        switch row {
        case .points:
            points.take(number(in: cell, book[cell], of: player), in: cell, of: player)
            return TurnRounds.turn(of: cell.round ?? 0)
        case .madness: madness.take(number(in: cell, book[cell], of: player), in: cell, of: player)
        case .deal, .reveal: readDeal(of: book)
        case .turn: break
        }
        return nil
    }

    /// Reads the deal that was written last, and whether it was revealed.
    mutating func readDeal(of book: Book) {
        let deals = players.compactMap { player -> (cell: Cell, deal: FactionDeal, entry: Entry)? in
            let cell = Cell(player: player.id, row: SmashUpRow.deal.id)
            guard let live = book[cell],
                case .deal(let deal) = try? fact(of: BookCell(cell: cell, live: live))
            else { return nil }
            return (cell, deal, live.winner)
        }
        let last = deals.max { $1.entry.wins(over: $0.entry) }
        (dealCell, deal) = (last?.cell, last?.deal)
        isRevealed = players.contains { player in
            let shown = book[Cell(player: player.id, row: SmashUpRow.reveal.id)]?.winner.value
            return deal != nil && shown == deal?.value
        }
    }
}

/// How the games ended that others followed.
struct SmashUpResults {
    /// Those that somebody won, as statistics count them.
    private(set) var outcomes: [Outcome] = []
    /// The numbers of those that were won with too few players to count.
    private(set) var flawed: [Int] = []
    /// The numbers of the games of the outcomes.
    private var numbers: [Int] = []

    /// Takes in how a game ended; one that was given up ended without a winner and is none of them.
    mutating func add(_ game: SmashUpPlaythrough, at table: SmashUpGame) {
        guard game.isOver else { return }
        guard table.isValid(game) else {
            flawed.append(game.number)
            return
        }
        numbers.append(game.number)
        outcomes.append(table.outcome(of: game, as: numbers.count))
    }

    /// Forgets the games from a number on.
    mutating func remove(from number: Int) {
        while let last = flawed.last, last >= number { flawed.removeLast() }
        while let last = numbers.last, last >= number {
            numbers.removeLast()
            outcomes.removeLast()
        }
    }
}
