import SessionCRDT

/// A game of turns that goes on from the last turn before a change: what all of them share.
///
/// To build an engine on it, write
/// - a `TurnMode`: the row, how a value is read as a move, the options that the first turn records,
///   and what the game calls its turns;
/// - a `MatchStand`, whose terms are `MatchTerms` of that mode: who is to move (a `TurnRotation`
///   in it), what a move comes to or why it does not fit, and what the stand becomes after it. Set
///   `isMoverFixed` to false where the cell of any player may hold a turn: then of what fits the
///   latest entry counts;
/// - the game itself, `struct CricketGame: TurnGame` with `rules`, `record` and `kept`, and for it
///   lines, notes, panels, endings, `play` (by `openTurn`, which says whose turn it is and what it
///   records) and `reset`.
///
/// Everything else is here: gaps, strays, other's turns, the order of play and its changes, removed
/// players, flags, checks of scores and options, and the kept stands. A game in which people do not
/// move in a recorded order has terms and a stand of its own, `TurnTerms` and `TurnStand`; what
/// stands beside its turns, as points of other rows, its terms take in (`take`), and its stand with
/// the turn (`begin`). One without turns is a `KeptGame`.
protocol TurnGame: KeptGame {
    /// Where the game stands.
    associatedtype Stand: TurnStand

    /// The game of these parts.
    init(rules: Rules, record: TurnRecord<Stand>, kept: KeptStandings)

    /// The turns that count.
    var record: TurnRecord<Stand> { get set }
}

extension TurnGame {
    init(reading book: Book, by rules: Rules) {
        let terms = Stand.Terms(rules.sheet, book)
        self.init(rules: rules, record: TurnRecord(terms, book), kept: KeptStandings())
    }

    /// What it is played by and with whom.
    var terms: Stand.Terms { record.terms }

    /// The turns that count, from turn 1.
    var turns: Chunks<Stand.Turn> { record.turns }

    /// Where it stands among those who are here.
    var stand: Stand { record.stand }

    /// What whoever sits there is called.
    func name(_ seat: Int) -> String { terms.name(seat) }

    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        guard terms.hold(in: book, after: change) else { return nil }
        let before = stand
        let turned = record.update(to: book, change.cells)
        differing.arePanelsDifferent = !turned.isEmpty || stand != before
        return change.cells + turned
    }

    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict { record.verdict(of: bookCell) }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        record.reason(against: bookCell, of: player)
    }

    func flagsOfGame(in book: Book) -> [Flag] { terms.flags(of: book) }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try checkTurn(score, in: book)
    }

    /// Refuses a score of somebody at whose turn it would not count.
    func checkTurn(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let read = try Stand.Terms.move(of: score.value, in: score.cell, by: rules.sheet)
        guard let move = read else { return }
        let player = book.player(score.cell.player)
        if let reason = record.reason(against: move, in: score.cell, of: player) { throw reason }
    }

    /// The game after a move of somebody at the open turn, and what it came to.
    func playing(
        _ move: Stand.Terms.Move,
        by seat: Int
    ) throws(RuleViolation) -> (game: Self, result: Stand.Result) {
        var after = self
        let (record, result) = try record.playing(move, by: seat)
        after.record = record
        return (after, result)
    }
}

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

/// Where a game of turns stands before a turn: all that the next one depends on.
///
/// Law: it does not grow with the turns, so that a game can keep one every so many turns and go on
/// from there after a correction.
protocol TurnStand: Equatable, Sendable {
    /// What the game is played by.
    associatedtype Terms: TurnTerms
    /// What a turn comes to.
    associatedtype Result: Hashable, Sendable
    /// What ends within the game; `Never` where nothing does.
    associatedtype Part: TurnPart = Never

    /// A turn that counts.
    typealias Turn = CountedTurn<Terms.Move, Result>

    /// Whether a turn can stand only in the cell of whoever is to move.
    ///
    /// Where that is not so, it can stand in anybody's, and of what fits the latest entry counts.
    static var isMoverFixed: Bool { get }

    /// What a cell counts for whose turn came to this; 0 where turns have no points.
    static func points(of result: Result) -> Int64

    /// Before the first turn.
    init(_ terms: Terms)

    /// Who is to move, by seat; nil of nobody, as after the end.
    var mover: Int? { get }

    /// Whether the game has ended by its rules.
    var isOver: Bool { get }

    /// Who has won, by seat; nobody while the game is on, or where nobody has.
    var winners: [Int] { get }

    /// Takes in what is recorded to begin with a turn, which is the open one; twice is as once.
    mutating func begin(_ turn: UInt32, _ terms: Terms)

    /// What a move of somebody comes to; refused where it does not fit.
    func result(
        of move: Terms.Move,
        by seat: Int,
        _ terms: Terms
    ) throws(RuleViolation) -> Result

    /// Takes in a turn that counts, which is this one of all from 0; gives back the part of the
    /// game that ended with it.
    mutating func take(_ turn: Turn, at index: Int, _ terms: Terms) -> Part?

    /// Where it stands among those who are here now; `isPast` says whether moves wait behind the
    /// open turn, which then is one of the past.
    func seating(_ terms: Terms, isPast: Bool) -> Self

    /// Why nothing behind the open turn counts, which is this one.
    func reasonBehind(_ turn: UInt32, _ terms: Terms) -> RuleViolation
}

extension TurnStand {
    /// Nobody.
    var winners: [Int] { [] }

    /// Only in that cell.
    static var isMoverFixed: Bool { true }

    /// None.
    static func points(of result: Result) -> Int64 { 0 }

    /// Nothing is recorded.
    mutating func begin(_ turn: UInt32, _ terms: Terms) {}

    /// As it is recorded.
    func seating(_ terms: Terms, isPast: Bool) -> Self { self }

    /// That the game is over, or that the open turn comes first.
    func reasonBehind(_ turn: UInt32, _ terms: Terms) -> RuleViolation {
        terms.violation(
            isOver
                ? .over(winners: winners.map(terms.name)) : .gap(turn, of: mover.map(terms.name))
        )
    }
}
