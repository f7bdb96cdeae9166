import SessionCRDT

/// What the book says about a game: who sits where, and the moves that count.
///
/// Turns are replayed from the first. At each one the cell of the side that is to move counts, if
/// the move is legal; with the first that is missing or illegal the replay ends, and all that was
/// written for that turn or later does not count.
struct ReversiRecord {
    /// Who plays, black first; empty until there are two.
    ///
    /// Players who came later only watch, so that somebody who is added by mistake, on a device
    /// that was away, stops no game.
    let seats: [Player]
    /// The game as far as it counts.
    private(set) var game = ReversiGame()
    /// When the latest of the moves that count was written.
    private(set) var last: Stamp?

    private let sheet: Sheet
    let book: Book
    private let presentCount: Int

    /// The row of the moves.
    static let row = Symbol(known: "move")

    /// The record of a book, of at most so many turns.
    init(_ book: Book, by sheet: Sheet, turns limit: Int = 60) {
        self.book = book
        self.sheet = sheet
        let present = book.players.filter(\.isPresent)
        presentCount = present.count
        seats = present.count < 2 ? [] : Array(present.prefix(2))
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
    var turn: Player? { game.isOver || book.isFinished ? nil : player(of: game.side) }

    /// The side of a player; nil for those who do not play.
    func side(of player: PlayerID) -> ReversiSide? {
        ReversiSide.allCases.first { self.player(of: $0)?.id == player }
    }

    /// Why there is no game; nil where there is one, though perhaps somebody only watches.
    var missing: RuleViolation? {
        seats.isEmpty ? sheet.violation(ofPlayerCount: presentCount) : nil
    }

    /// What is wrong with the number of players; nil where it is right.
    var crowd: RuleViolation? {
        presentCount > 2 ? sheet.violation(ofPlayerCount: presentCount) : nil
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
        guard player.isPresent else { return .removedPlayer(name: player.name) }
        if let missing { return missing }
        guard let side = side(of: player.id) else {
            return ReversiRule.noSeat(player.name).violation
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
        return (crowd.map { [Flag(.game, $0)] } ?? []) + Settings(sheet, book).flags + ignored
    }
}
