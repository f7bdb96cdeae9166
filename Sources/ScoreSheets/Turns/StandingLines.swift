import SessionCRDT

/// How everybody stands in a kept game, without their cells: what is compared to tell what differs
/// after a change.
struct StandingLines {
    /// The line of one player.
    struct Line {
        let player: Player
        let total: Int64
        let rank: Int?
        var tieBreak: String?
    }

    /// Who stands how: those who are here in seat order, then the others.
    let lines: [Line]
    /// Whether the game is over, or the session finished.
    let isFinished: Bool
    /// Whether somebody has won where the game is over, and it was not broken off.
    var isDecided = true
    /// Who is to move.
    let turn: PlayerID?

    /// Whether those who lead have won.
    private var isWon: Bool { isFinished && isDecided }

    /// The players with their cells.
    func players(_ columns: TurnColumns) -> [PlayerStanding] {
        lines.map { line in
            PlayerStanding(
                player: line.player,
                total: line.total,
                rank: line.rank,
                tieBreak: line.tieBreak,
                cells: columns.cells(of: line.player.id)
            )
        }
    }

    /// Notes what differs from how they stood before; the players are the same.
    func note(_ change: inout ScoreboardChange, since before: StandingLines) {
        for (new, old) in zip(lines, before.lines) {
            let isOtherWin = isWon != before.isWon && (new.rank == 1 || old.rank == 1)
            if isOtherWin || new.total != old.total || new.rank != old.rank
                || new.tieBreak != old.tieBreak
            {
                change.lines.insert(new.player.id)
            }
        }
        if isFinished != before.isFinished { change.isEndDifferent = true }
        if turn != before.turn { change.isOtherTurn = true }
    }
}
