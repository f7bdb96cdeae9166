import ScoreSheets
import SessionCRDT
import SyncProtocol

/// What a command wrote, for the answer to it.
struct WrittenScores {
    /// Whom the answer is about.
    let player: PlayerID
    /// Where it wrote.
    let places: [Cell]
    /// What it wrote there, as clients see it.
    let cells: [WrittenCell]
    /// Whether the game was over before.
    let wasOver: Bool
    /// What it changed besides.
    let consequences: Consequences
    /// What else to know of it.
    var remarks: [String] = []

    /// What was written by a device, with the player's total now.
    func reply(on board: Scoreboard, by device: DeviceID) -> WrittenReply {
        let now = board.player(player)
        let standings = board.standings
        var notes: [String] = []
        if let now, now.wasKeptIn {
            notes.append("\(now.name) was removed by somebody meanwhile and stays in")
        }
        if let standings { notes += endNotes(standings) }
        if let sheet = try? board.sheet.get() {
            notes += sheet.openRounds(of: places, in: board.book).map(\.description)
        }
        notes += remarks + consequences.notes
        notes += board.losses(of: device, telling: places, besides: consequences, standings)
        return WrittenReply(
            player: now?.name ?? "",
            cells: cells,
            // A count of discs or legs is no total of what was written.
            total: standings.flatMap { $0.panels.isEmpty ? $0[player]?.total : nil },
            notes: notes
        )
    }

    /// Who has won, where a command ended the game or changed one that was over.
    private func endNotes(_ standings: Standings) -> [String] {
        guard standings.isFinished else {
            // Whose turn it is says the same.
            return wasOver && standings.turn == nil ? ["the game is not over any more"] : []
        }
        let names = standings.winners.compactMap { standings[$0]?.player.name }
        let verb = names.count == 1 ? " has won" : " have won"
        let won = names.isEmpty ? [] : [names.joined(separator: ", ") + verb]
        let change = wasOver ? ["this changes a game that is over"] : []
        let note = (won + change).joined(separator: "; ")
        return note.isEmpty ? [] : [note]
    }
}

extension Scoreboard {
    /// Whether the game is over by its rules.
    var isOver: Bool { standings?.isFinished ?? false }
}
