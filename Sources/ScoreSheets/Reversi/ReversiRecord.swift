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
    let book: Book
    private let presentCount: Int

    /// The row of the moves.
    static let row = Symbol(known: "move")
    /// The option that records who plays black and who white.
    static let sides = Symbol(known: "sides")

    /// The record of a book, of at most so many turns.
    init(_ book: Book, by sheet: Sheet, turns limit: Int = 60) {
        self.book = book
        self.sheet = sheet
        settings = Settings(sheet, book)
        let present = book.players.filter(\.isPresent)
        presentCount = present.count
        let recorded = Self.recorded(settings).compactMap(book.player)
        isRecorded = recorded.count == 2 && Self.isBegun(by: recorded.map(\.id), in: book)
        seats =
            isRecorded ? recorded : present.count < 2 ? [] : Array(present.prefix(2))
        replay(upTo: limit)
    }

    private mutating func replay(upTo limit: Int) {
        let columns = seats.map { moves(of: $0.id) }
        guard columns.count == 2 else { return }
        while game.turns.count < limit, let turn = UInt32(exactly: game.turns.count + 1) {
            guard let cell = columns[game.side.seat][turn],
                let square = try? Self.square(of: cell.value).get(),
                (try? game.play(square)) != nil
            else { return }
            let stamp = cell.live.winner.stamp
            last = max(last ?? stamp, stamp)
        }
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
            let turn = Cell(player: player, row: row, round: UInt32(clamping: index + 1))
            return book.cells(of: player).contains { $0.cell == turn && $0.value != .null }
        }
    }

    /// What records these as black and white.
    static func record(_ players: [Player]) -> Value {
        .text(players.map(\.id.description).joined(separator: " "))
    }

    /// The cells of a player that can be moves, by turn.
    private func moves(of player: PlayerID) -> [UInt32: BookCell] {
        var moves: [UInt32: BookCell] = [:]
        for cell in book.cells(of: player) where cell.cell.row == Self.row {
            if let round = cell.cell.round, (1...60).contains(round), cell.value != .null {
                moves[round] = cell
            }
        }
        return moves
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
        game.isOver || book.isFinished || absent != nil ? nil : player(of: game.side)
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
    func violation(of value: Value, in cell: Cell) -> RuleViolation? {
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

    /// Everything that does not count, in the order of the players and of their cells.
    var flags: [Flag] {
        let written = book.players.flatMap { book.cells(of: $0.id) }.filter { !$0.isEmpty }
        let ignored = (written + book.strays.filter { !$0.isEmpty }).compactMap { entry in
            entry.value == .null
                ? nil
                : violation(of: entry.value, in: entry.cell).map { Flag(.cell(entry.cell), $0) }
        }
        let sides = settings.values[Self.sides] ?? .null
        let isSpoilt = sides != .null && Self.recorded(settings).isEmpty
        let spoilt = isSpoilt ? [Flag(.option(Self.sides), ReversiRule.wrongSides.violation)] : []
        return (crowd.map { [Flag(.game, $0)] } ?? []) + settings.flags + spoilt + ignored
    }
}
