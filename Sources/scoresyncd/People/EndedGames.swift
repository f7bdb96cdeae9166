import ScoreSheets
import SessionCRDT
import SessionStore

/// What has ended in a session, kept in place of its scoreboard, of which results need no more.
struct EndedGames: Sendable {
    /// The sheet of the session; nil where its game is not known here.
    let sheet: Sheet?
    /// What has ended; nil where that cannot be told.
    let results: [ResultRecord]?

    /// What has ended in a session that comes to this.
    init(of session: SessionID, _ board: Scoreboard) {
        let sheet = try? board.sheet.get()
        let computers = Set(board.players.filter { $0.computer != nil }.map(\.id))
        self.sheet = sheet
        results = sheet.flatMap { sheet in
            board.standings.map { $0.outcomes + ($0.match.map { [$0] } ?? []) }?.compactMap {
                outcome in
                // A game in which nothing was entered was none.
                guard outcome.at != nil else { return nil }
                return ResultRecord(
                    session: session,
                    number: outcome.number,
                    game: sheet.id.description,
                    title: board.header.title,
                    endedAt: outcome.at?.milliseconds,
                    players: outcome.players.map {
                        ResultPlayer($0, isComputer: computers.contains($0.player))
                    }
                )
            }
        }
    }
}
