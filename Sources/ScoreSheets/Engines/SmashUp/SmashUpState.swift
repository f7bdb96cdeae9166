import SessionCRDT

/// The state of a session of Smash Up before a turn ends.
///
/// Whether the player to move ended the turn is checked when the mark is entered and not here: it
/// depends on the seats at that time, which are not recorded, so that players who come, leave and
/// change seats do not change the past. Points belong to a turn, so that points which arrive late
/// still affect whether a player had won when it ended. After a game is over, only the start of
/// another game is valid.
struct SmashUpState: TurnState {
    typealias Setup = SmashUpSetup
    /// Whether the game was over before the turn, so that the turn's points do not count.
    typealias Result = Bool

    static let isMoverFixed = false

    /// The game in progress or just over, with the points of the open turn but without Madness.
    private(set) var game = SmashUpPlaythrough(number: 1, firstTurn: 1)
    private(set) var mover: Int?
    /// Whether the last possible turn was ended.
    private(set) var isOver = false

    /// The game when the last turn ended.
    private var ended = SmashUpPlaythrough(number: 1, firstTurn: 1)

    init(_ setup: SmashUpSetup) { mover = setup.present.first }

    mutating func prepare(for turn: UInt32, _ setup: SmashUpSetup) {
        game = ended
        guard !game.isOver else { return }
        for gain in setup.points.of(turn...turn) { game.gain(gain) }
    }

    func result(of mark: TurnMark, by seat: Int, _ setup: Setup) throws(RuleViolation) -> Bool {
        guard mark == .replay || !game.isOver else { throw SmashUpSetup.gameOver }
        return game.isOver
    }

    mutating func apply(_ turn: Turn, at index: Int, _ setup: Setup) -> SmashUpPlaythrough? {
        isOver = index + 1 == Int(TurnRounds.lastTurn)
        var past: SmashUpPlaythrough?
        switch turn.move {
        case .end(let roster):
            game.endTurn(of: turn.seat, at: turn.stamp, roster, setup)
            mover = setup.present.next(from: turn.seat + 1)
        case .replay:
            past = game
            let firstTurn = UInt32(clamping: index + 2)
            game = SmashUpPlaythrough(number: game.number + 1, firstTurn: firstTurn)
            mover = setup.present.first
        }
        if isOver { mover = nil }
        ended = game
        return past
    }

    func reasonAfterOpenTurn(_ turn: UInt32, _ setup: SmashUpSetup) -> RuleViolation {
        if game.isOver { return SmashUpSetup.gameOver }
        if isOver { return setup.words.noTurnLeft }
        return setup.words.gap(turn, of: mover.map(setup.name))
    }
}

/// One game of a session: the first one, or one after a replay.
struct SmashUpPlaythrough: Hashable {
    /// The number within the session, from 1.
    let number: Int
    let firstTurn: UInt32
    private(set) var turnCount: Int64 = 0
    private(set) var movers: Set<Int> = []
    private(set) var isScored = false
    /// The seats that had the most points at or above the target when the last turn ended.
    private(set) var leaders: [Int] = []
    /// Whether one player alone led at the target when a turn ended.
    var isOver: Bool { leaders.count == 1 }
    /// The latest turn's end; nil before the first.
    private(set) var roster: SmashUpRoster?
    private(set) var latest: Stamp?

    /// The indices of its turns, including the one that ended it.
    var turns: Range<Int> { Int(firstTurn) - 1..<Int(firstTurn) + Int(turnCount) }

    // Only players with points, because a session may have a thousand games and many players.
    private var gained: [Int: Int64] = [:]
    private var held: [Int: Int64] = [:]

    init(number: Int, firstTurn: UInt32) { (self.number, self.firstTurn) = (number, firstTurn) }

    func points(of seat: Int) -> Int64 { gained[seat] ?? 0 }

    func madness(of seat: Int) -> Int64 { held[seat] ?? 0 }

    /// The seats with points, Madness or turns, in order.
    var active: [Int] { movers.union(gained.keys).union(held.keys).sorted() }

    func hasPlayed(_ seat: Int) -> Bool {
        movers.contains(seat) || gained[seat] != nil || held[seat] != nil
    }

    mutating func gain(_ points: SmashUpNumber) {
        // A gain is within ±9999 and there are at most a million for each player.
        gained[points.seat, default: 0] += points.number
        isScored = true
        latest.advance(to: points.stamp)
    }

    mutating func hold(_ cards: SmashUpNumber) {
        held[cards.seat] = cards.number
        latest.advance(to: cards.stamp)
    }

    mutating func endTurn(
        of seat: Int,
        at stamp: Stamp?,
        _ roster: SmashUpRoster,
        _ setup: SmashUpSetup
    ) {
        turnCount += 1
        movers.insert(seat)
        self.roster = roster
        latest.advance(to: stamp)
        let target = roster.target ?? setup.target
        let able = gained.filter { $0.value >= target && roster.counts(setup.players[$0.key].id) }
        let most = able.values.max()
        leaders = able.filter { $0.value == most }.keys.sorted()
    }

    /// Returns the number of a turn within this game.
    func count(of turn: UInt32) -> UInt32 { turn < firstTurn ? 0 : turn - firstTurn + 1 }

    /// Returns the points that Madness costs at the end: one for every two cards.
    static func penalty(ofHolding cards: Int64) -> Int64 { cards / 2 }

    func penalty(of seat: Int) -> Int64 { SmashUpPlaythrough.penalty(ofHolding: madness(of: seat)) }

    func total(of seat: Int) -> Int64 { points(of: seat) - penalty(of: seat) }
}

enum SmashUpFact {
    case points(Int64)
    case madness(Int64)
    case mark
    case deal(FactionDeal)
    case reveal(Value)
}

extension SmashUpSetup {
    /// Reads a cell; nil for an empty one, throws if it cannot count.
    func fact(of bookCell: BookCell) throws(RuleViolation) -> SmashUpFact? {
        let (cell, value) = (bookCell.cell, bookCell.value)
        let count = try plan.reading(of: bookCell, at: plan.index(of: cell.row)).get()
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

    private func number(in cell: Cell, _ live: LiveSet?, of seat: Int) -> SmashUpNumber? {
        guard let live else { return nil }
        switch try? fact(of: BookCell(cell: cell, live: live)) {
        case .points(let number), .madness(let number):
            let stamp = live.winner.stamp
            return SmashUpNumber(cell: cell, seat: seat, number: number, stamp: stamp)
        case .mark, .deal, .reveal, nil: return nil
        }
    }

    func numbers(in row: SmashUpRow, of book: Book) -> [SmashUpNumber] {
        players.enumerated().flatMap { seat, player -> [SmashUpNumber] in
            guard seats[player.id] == seat else { return [] }
            let cells = book.column(of: player.id).cells(of: row.id) ?? SortedChunks()
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
            points.set(number(in: cell, book[cell], of: player), in: cell, of: player)
            return TurnRounds.turn(of: cell.round ?? 0)
        case .madness: madness.set(number(in: cell, book[cell], of: player), in: cell, of: player)
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
