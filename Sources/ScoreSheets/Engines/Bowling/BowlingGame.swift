import SessionCRDT

/// A game of bowling: a column of at most ten frames for each player, each read anew where it
/// changed.
struct BowlingGame: KeptGame {
    let rules: BowlingRules
    var kept = KeptStandings()
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// How the game of each player stands, by seat.
    private(set) var stands: [BowlingStand] = []

    /// When the latest frame of each player that counts was written.
    private(set) var latest: [Stamp?] = []
    private let seats: [PlayerID: Int]
    private let settings: Settings

    init(reading book: Book, by rules: BowlingRules) {
        self.rules = rules
        players = book.players
        seats = book.players.seats
        settings = Settings(rules.sheet, book)
        for player in book.players {
            let (stand, stamp) = bowled(player.id, in: book)
            stands.append(stand)
            latest.append(stamp)
        }
    }

    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        let before = stands
        var touched = change.cells
        for seat in Set(change.cells.compactMap { seats[$0.player] }) {
            let id = players[seat].id
            (stands[seat], latest[seat]) = bowled(id, in: book)
            // A frame counts, or does not, by those before it.
            touched += (1...BowlingFrame.most).map { BowlingGame.cell(id, $0) }
        }
        differing.arePanelsDifferent = stands != before
        return touched
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
                let frame = try? rules.frame(of: winner.value, in: cell)?.frame
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
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        let cell = bookCell.cell
        if cell.row == BowlingRules.row, let round = cell.round, round > 0,
            let stand = seats[cell.player].map({ stands[$0] }), round <= stand.frames.count
        {
            let pins = stand.frames[Int(round) - 1].pins
            return TurnColumns.Verdict(points: Int64(pins), isFlagged: false)
        }
        return TurnColumns.Verdict(uncounted: bookCell, by: rules.sheet)
    }

    func flagsOfGame(in book: Book) -> [Flag] { settings.flags }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            _ = try rules.frame(of: bookCell.value, in: bookCell.cell)
            return gap(of: player)
        } catch { return error }
    }

    /// Why nothing behind the open frame of a player counts.
    private func gap(of player: Player) -> RuleViolation {
        let count = seats[player.id].map { stands[$0].frames.count } ?? 0
        return BowlingRule.gap(count + 1, player: player.name).violation
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard let number = try rules.frame(of: score.value, in: score.cell)?.number,
            let seat = seats[score.cell.player]
        else { return }
        let count = stands[seat].frames.count
        guard count > 0 || !isOver else { throw over }
        guard number <= count + 1 else { throw gap(of: players[seat]) }
    }
}
