import ControlSocket
import SyncProtocol

/// Sessions as comma-separated values (RFC 4180): a line for each cell, in UTF-8.
///
/// A text that a spreadsheet would compute, because it begins with = + - @, a tab or a carriage
/// return, stands behind an apostrophe: what other people call themselves must not run here.
struct CellTable {
    private static let columns = [
        "session", "title", "game", "status", "player", "name", "team", "removed", "row", "round",
        "value", "counts", "points", "by", "at", "conflicts",
    ]

    /// Writes the cells of sessions; how many there were.
    static func write(
        _ sessions: [String?],
        _ client: ControlClient,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        try target.write(line(columns))
        var count = 0
        for session in sessions {
            let document = try client.call(.show, .init(session: session)).document
            for player in document.players {
                var lines: [UInt8] = []
                for cell in player.cells { lines += line(fields(cell, player, document.session)) }
                count += player.cells.count
                try target.write(lines)
            }
        }
        return count
    }

    private static func fields(
        _ cell: ShownCell,
        _ player: ShownPlayer,
        _ session: ShownSession
    ) -> [String] {
        let conflicts = cell.conflict.map { "\(field($0.value)) (\($0.by))" }
        return [
            session.id, guarded(session.title), session.game, session.status,
            player.id, guarded(player.name), guarded(player.team ?? ""),
            player.removed ? "yes" : "no",
            cell.row, cell.round.map(String.init) ?? "",
            field(cell.value), cell.count.map(String.init) ?? "",
            cell.points.map(String.init) ?? "",
            guarded(cell.by), cell.at.description, guarded(conflicts.joined(separator: "; ")),
        ]
    }

    /// What was entered; only a text can be one that computes.
    private static func field(_ value: Scalar) -> String {
        if case .text(let text) = value { return guarded(text) }
        return value == .null ? "" : value.description
    }

    private static func guarded(_ text: String) -> String {
        guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return text }
        return "'" + text
    }

    private static func line(_ fields: [String]) -> [UInt8] {
        let quoted = fields.map { field in
            guard field.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return field }
            let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"")
            return "\"\(doubled)\""
        }
        return Array((quoted.joined(separator: ",") + "\r\n").utf8)
    }
}

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
        let all = try client.call(.results, .init()).results
        let ids = try wish.isAll ? nil : wish.ids(client)
        let wanted = all.filter { ids?.contains($0.session) ?? true }
        var count = 0
        for result in wanted {
            guard let play = Play(result, call.console) else { continue }
            try target.write(try ControlJSON.encode(play) + [0x0A])
            count += 1
        }
        if count == 0 {
            call.inform("No play has ended there yet, so that there is none to write.")
        }
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
