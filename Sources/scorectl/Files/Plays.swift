import ControlSocket
import SyncProtocol

/// Plays that have ended, a line of JSON each, in the form in which the app BG Stats takes one play
/// from other programs (bgstatsapp.com, “Push plays to BG Stats from other apps or websites”).
enum Plays {
    /// Writes the plays of sessions, with `--all` also those of sessions that were left; how many
    /// there were.
    static func write(
        _ wish: ExportWish,
        _ client: ControlClient,
        _ call: Invocation,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        let all = try client.call(ResultsRequest()).results
        let ids = try wish.isAll ? nil : wish.ids(client)
        let wanted = all.filter { ids?.contains($0.session) ?? true }
        var count = 0
        for result in wanted {
            guard let play = Play(result, call.console) else { continue }
            try target.write(try ControlJSON.encode(play) + [0x0A])
            count += 1
        }
        if count == 0 { call.tell("No play has ended there yet, so that there is none to write.") }
        return count
    }
}

/// One play, with the names that BG Stats gives its fields.
private struct Play: Encodable {
    struct Game: Encodable {
        let name: String
        let sourceGameId: String
        let highestWins: Bool
        let noPoints: Bool
    }

    struct Player: Encodable {
        let name: String
        let sourcePlayerId: String
        let score: Int64
        let rank: Int?
        let winner: Bool
        let role: String
    }

    let sourceName = "ScoreSync"
    let sourcePlayId: String
    let playDate: String
    let comments: String
    let game: Game
    let players: [Player]

    /// The play of a result; nil where nobody knows when it was.
    init?(_ result: ResultSummary, _ console: Console) {
        guard let at = result.at?.milliseconds else { return nil }
        sourcePlayId = "\(result.session)-\(result.number)"
        playDate = "\(console.date(at)) \(console.timeOfDay(at)):00"
        comments = result.title
        let ranked = result.players.filter { $0.rank != nil }
            .sorted { ($0.rank ?? 0, $0.id) < ($1.rank ?? 0, $1.id) }
        let isLowest = (ranked.first?.total ?? 0) < (ranked.last?.total ?? 0)
        game = Game(
            name: result.name,
            sourceGameId: result.game,
            highestWins: !isLowest,
            noPoints: result.players.allSatisfy { $0.total == 0 }
        )
        players = result.players.map { line in
            let team = result.teams.first { $0.players.contains(line.id) }
            return Player(
                name: line.name,
                sourcePlayerId: line.id,
                score: line.total,
                rank: line.rank,
                winner: line.winner,
                role: team?.name ?? ""
            )
        }
    }
}
