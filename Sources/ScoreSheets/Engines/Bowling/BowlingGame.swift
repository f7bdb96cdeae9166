import SessionCRDT

/// A game of bowling: a column of at most ten frames for each player, each read anew where it
/// changed.
struct BowlingGame: GameState {
    let rules: BowlingRules
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// How the game of each player stands, by seat.
    private(set) var stands: [BowlingStand] = []

    /// When the latest frame of each player that counts was written.
    private(set) var latest: [Stamp?] = []
    private let seats: [PlayerID: Int]
    private var columns = TurnColumns()
    /// How everybody stands.
    private var lines = StandingLines(lines: [], isFinished: false, turn: nil)

    /// The game of a book.
    init(_ rules: BowlingRules, _ book: Book) {
        self.rules = rules
        players = book.players
        seats = Dictionary(zip(book.players.map(\.id), 0...)) { first, _ in first }
        for player in book.players {
            let (stand, stamp) = bowled(player.id, in: book)
            stands.append(stand)
            latest.append(stamp)
        }
        columns.read(book, by: verdict)
        lines = lines(isFinished: book.isFinished)
    }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        var differing = ScoreboardChange()
        var touched = Set(change.cells)
        let (standsBefore, linesBefore) = (stands, lines)
        for seat in Set(change.cells.compactMap { seats[$0.player] }) {
            let id = players[seat].id
            (stands[seat], latest[seat]) = bowled(id, in: book)
            // A frame counts, or does not, by those before it.
            touched.formUnion((1...BowlingFrame.most).map { BowlingGame.cell(id, $0) })
        }
        for cell in touched.sorted() {
            columns.judge(cell, in: book, &differing, by: verdict)
        }
        lines = lines(isFinished: book.isFinished)
        lines.note(&differing, since: linesBefore)
        if stands != standsBefore {
            differing.arePanelsDifferent = true
            differing.areNotesDifferent = true
            if !columns.isClean { differing.areFlagsDifferent = true }
        }
        return differing
    }

    func standings(of book: Book) -> Standings {
        Standings(
            players: lines.players(columns),
            isFinished: lines.isFinished,
            isDecided: lines.isDecided,
            turn: lines.turn,
            flags: flags(of: book),
            notes: notes(isFinished: lines.isFinished),
            panels: panels,
            endings: .told(outcomes)
        )
    }

    /// Takes in a frame that somebody wishes to write.
    mutating func take(_ frame: BowlingFrame, by seat: Int) { stands[seat].take(frame) }

    /// The cell of a frame of a player.
    static func cell(_ player: PlayerID, _ number: Int) -> Cell {
        Cell(player: player, row: BowlingRules.row, round: UInt32(clamping: number))
    }

    /// The frames of a player, up to the first that is missing or none.
    private func bowled(_ player: PlayerID, in book: Book) -> (BowlingStand, Stamp?) {
        var stand = BowlingStand()
        var stamp: Stamp?
        while !stand.isOver {
            let cell = BowlingGame.cell(player, stand.frames.count + 1)
            guard let winner = book[cell]?.winner,
                case .success(.some((_, let frame))) = rules.reading(winner.value, in: cell)
            else { break }
            stand.take(frame)
            stamp = max(stamp ?? winner.stamp, winner.stamp)
        }
        return (stand, stamp)
    }

    /// What a cell comes to: the pins that its frame took, where it counts.
    ///
    /// The total has the bonuses of strikes and spares besides: were they added to their frames,
    /// each frame would be told to change those before it.
    private func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        let cell = bookCell.cell
        if cell.row == BowlingRules.row, let round = cell.round, round > 0,
            let stand = seats[cell.player].map({ stands[$0] }), round <= stand.frames.count
        {
            let pins = stand.frames[Int(round) - 1].pins
            return TurnColumns.Verdict(points: Int64(pins), isFlagged: false)
        }
        let isFlagged =
            bookCell.value != .null || rules.sheet.violation(of: .null, in: cell) != nil
        return TurnColumns.Verdict(points: nil, isFlagged: isFlagged)
    }

    /// Everything that does not count, and why.
    private func flags(of book: Book) -> [Flag] {
        let settings = Settings(rules.sheet, book)
        return strays(of: book) + settings.flags
            + lines.lines.flatMap { line in
                columns.flagged(of: line.player.id).map { bookCell in
                    Flag(.cell(bookCell.cell), reason(against: bookCell, of: line.player))
                }
            }
    }

    private func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        if case .failure(let violation) = rules.reading(bookCell.value, in: bookCell.cell) {
            return violation
        }
        return gap(of: player)
    }

    /// Why nothing behind the open frame of a player counts.
    private func gap(of player: Player) -> RuleViolation {
        let count = seats[player.id].map { stands[$0].frames.count } ?? 0
        return BowlingRule.gap(count + 1, player: player.name).violation
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard let (number, _) = try rules.reading(score.value, in: score.cell).get(),
            let seat = seats[score.cell.player]
        else { return }
        let count = stands[seat].frames.count
        guard count > 0 || !isOver else { throw BowlingRule.over.violation }
        guard number <= count + 1 else { throw gap(of: players[seat]) }
    }
}
