import SessionCRDT

/// What the book says about a game: who sits where, and the moves that count.
///
/// Turns are replayed from the first. At each one the cell of the side that is to move counts, if
/// the move is legal; with the first that is missing or illegal the replay ends, and all that was
/// written for that turn or later does not count.
struct ReversiRecord {
    /// Who plays, black first; empty until there are two.
    ///
    /// The first move records it, and from then on it holds: whoever comes, leaves or changes seats
    /// later, on a device that was away perhaps, changes no move of the past. Moves that came
    /// without `play`, so that nothing is recorded, are read by the first two seats of now.
    let seats: [Player]
    /// Whether the first move recorded who plays, and stands.
    let isRecorded: Bool
    /// The game as far as it counts.
    private(set) var game = ReversiGame()
    /// When the latest of the moves that count was written.
    private(set) var last: Stamp?

    private let sheet: Sheet
    private let settings: Settings
    /// Whether somebody finished the session.
    let isFinished: Bool
    private let presentCount: Int

    /// More discs cannot be put.
    private static let mostTurns = 60

    /// The row of the moves.
    static let row = Symbol(known: "move")
    /// The option that records who plays black and who white.
    static let sides = Symbol(known: "sides")

    /// The record of a book.
    init(_ book: Book, by sheet: Sheet) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        isFinished = book.isFinished
        let present = book.players.filter(\.isPresent)
        presentCount = present.count
        let recorded = Self.recorded(settings).compactMap(book.player)
        isRecorded = recorded.count == 2 && Self.isBegun(by: recorded.map(\.id), in: book)
        seats =
            isRecorded ? recorded : present.count < 2 ? [] : Array(present.prefix(2))
        replay(book)
    }

    private mutating func replay(_ book: Book) {
        guard seats.count == 2 else { return }
        while game.turns.count < Self.mostTurns {
            let cell = Self.cell(seats[game.side.seat].id, game.turns.count + 1)
            guard let winner = book[cell]?.winner, winner.value != .null,
                let square = try? Self.square(of: winner.value).get(),
                (try? game.play(square)) != nil
            else { return }
            last = max(last ?? winner.stamp, winner.stamp)
        }
    }

    /// The record of the turns before one only.
    func before(turn: Int) -> ReversiRecord {
        var record = self
        record.game = ReversiGame()
        for move in game.turns.prefix(max(turn - 1, 0)) { try? record.game.play(move.square) }
        return record
    }

    /// The cells of the turns that another game does not share, of both players.
    func turns(differingFrom other: ReversiRecord) -> [Cell] {
        let (mine, theirs) = (game.turns, other.game.turns)
        let same = zip(mine, theirs).prefix { $0 == $1 }.count
        let count = max(mine.count, theirs.count)
        return (same..<count).flatMap { turn in seats.map { Self.cell($0.id, turn + 1) } }
    }

    /// The cell of a turn of a player.
    private static func cell(_ player: PlayerID, _ turn: Int) -> Cell {
        Cell(player: player, row: row, round: UInt32(clamping: turn))
    }

    /// Who is recorded, black first; empty where nobody is, or what is there says nothing.
    private static func recorded(_ settings: Settings) -> [PlayerID] {
        let words = settings.values[sides]?.string?.split(separator: " ") ?? []
        let players = words.compactMap { PlayerID($0) }
        return words.count == 2 && Set(players).count == 2 ? players : []
    }

    /// Whether a move of these stands: the first, which is black's, or the second, white's.
    ///
    /// What an earlier game recorded, or one whose moves were taken back, binds nobody.
    private static func isBegun(by players: [PlayerID], in book: Book) -> Bool {
        players.enumerated().contains { index, player in
            book[cell(player, index + 1)].map { $0.winner.value != .null } ?? false
        }
    }

    /// What records these as black and white.
    static func record(_ players: [Player]) -> Value {
        .text(players.map(\.id.description).joined(separator: " "))
    }

    /// The square that a value names.
    private static func square(of value: Value) -> Result<ReversiSquare, ReversiRule> {
        let text = value.string ?? value.words
        guard let square = ReversiSquare(text) else {
            return .failure(.noSquare(value.integer.map(String.init) ?? named(text)))
        }
        return .success(square)
    }

    /// A name that is none as messages show it.
    static func named(_ text: String) -> String {
        let isPlain = (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126) ~= $0 }
        return isPlain ? text : text.quoted
    }

    /// The players of the two sides, where there are two players.
    func player(of side: ReversiSide) -> Player? {
        seats.indices.contains(side.seat) ? seats[side.seat] : nil
    }

    /// Who is to move; nil where nobody is.
    var turn: Player? {
        game.isOver || isFinished || absent != nil ? nil : player(of: game.side)
    }

    /// Who plays and was removed, so that the game waits; nil of nobody.
    var absent: Player? { seats.first { !$0.isPresent } }

    /// The side of a player; nil for those who do not play.
    func side(of player: PlayerID) -> ReversiSide? {
        ReversiSide.allCases.first { self.player(of: $0)?.id == player }
    }

    /// Why there is no game; nil where there is one, though perhaps somebody only watches.
    var missing: RuleViolation? {
        let allowed = Bounds(within: 2...2)
        return seats.isEmpty ? .playerCount(presentCount, allowed: allowed) : nil
    }

    /// What is wrong with the number of players; nil where it is right, or the game has begun.
    var crowd: RuleViolation? {
        presentCount > 2 && !isRecorded ? sheet.violation(ofPlayerCount: presentCount) : nil
    }

    /// Whose game it is, for those who only watch: `Ann and Bob`, or `the first two players`.
    var whoPlays: String {
        isRecorded ? seats.map(\.name).joined(separator: " and ") : "the first two players"
    }

    /// Why this value in this cell does not count; nil where it does, or could as the next move.
    func violation(of value: Value, in cell: Cell, _ book: Book) -> RuleViolation? {
        if let violation = sheet.violation(of: value, in: cell) { return violation }
        guard cell.row == Self.row else {
            return .unknownRow(cell.row.description, candidates: [Self.row])
        }
        guard let round = cell.round, let turn = Int(exactly: round), turn > 0 else {
            return .roundMissing(row: Self.row)
        }
        guard let player = book.player(cell.player) else { return .unknownPlayer(cell.player) }
        let side = side(of: player.id)
        guard player.isPresent || (isRecorded && side != nil) else {
            return .removedPlayer(name: player.name)
        }
        if let missing { return missing }
        guard let side else {
            return ReversiRule.noSeat(player.name, players: whoPlays).violation
        }
        let next = game.turns.count + 1
        if turn < next {
            let mover = game.turns[turn - 1].side
            return side == mover ? nil : ReversiRule.moved(turn, by: name(of: mover)).violation
        }
        if game.isOver { return ReversiRule.over.violation }
        if turn > next { return ReversiRule.early(next).violation }
        if side != game.side { return ReversiRule.turn(of: name(of: game.side)).violation }
        switch Self.square(of: value) {
        case .failure(let rule): return rule.violation
        case .success(let square): return game.rule(against: square)?.violation
        }
    }

    /// What a side's player is called.
    func name(of side: ReversiSide) -> String { player(of: side)?.name ?? side.name }

    /// What a cell comes to.
    func verdict(of bookCell: BookCell, in book: Book) -> TurnColumns.Verdict {
        guard bookCell.value != .null else {
            return TurnColumns.Verdict(points: nil, isFlagged: false)
        }
        let isWrong = violation(of: bookCell.value, in: bookCell.cell, book) != nil
        return TurnColumns.Verdict(points: isWrong ? nil : 0, isFlagged: isWrong)
    }

    /// Everything that does not count, in the order of the players and of their cells.
    func flags(of book: Book, _ columns: TurnColumns) -> [Flag] {
        let flagged = book.players.flatMap { Array(columns.flagged(of: $0.id)) }
        let ignored = flagged.compactMap { bookCell in
            violation(of: bookCell.value, in: bookCell.cell, book)
                .map { Flag(.cell(bookCell.cell), $0) }
        }
        let sides = settings.values[Self.sides] ?? .null
        let isSpoilt = sides != .null && Self.recorded(settings).isEmpty
        let spoilt = isSpoilt ? [Flag(.option(Self.sides), ReversiRule.wrongSides.violation)] : []
        return (crowd.map { [Flag(.game, $0)] } ?? []) + settings.flags + spoilt + ignored
    }
}
