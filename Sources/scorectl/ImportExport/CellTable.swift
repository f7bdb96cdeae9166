import ControlSocket
import SyncProtocol

/// Sessions as comma-separated values (RFC 4180): a line for each cell, in UTF-8.
///
/// A text that a spreadsheet would evaluate, because it begins with = + - @, a tab or a carriage
/// return, gets an apostrophe: names chosen by other people must not run as formulas.
struct CellTable {
    private static let columns = [
        "session", "title", "game", "status", "player", "name", "team", "removed", "row", "round",
        "value", "counts", "points", "by", "at", "conflicts",
    ]

    /// Writes the cells of sessions and returns their number.
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

    /// An entry; only texts need the apostrophe.
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

/// Finished plays, a line of JSON each, in the import format of the app BG Stats (bgstatsapp.com,
/// “Push plays to BG Stats from other apps or websites”).
enum Plays {
    /// Writes the plays of sessions, with `--all` also those of sessions that were left, and returns
    /// their number.
    static func write(
        _ options: ExportOptions,
        _ client: ControlClient,
        _ call: Invocation,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        let all = try client.call(.results, .init()).items
        let ids = try options.isAll ? nil : options.ids(client)
        var count = 0
        for result in all where ids?.contains(result.session) ?? true {
            guard let play = Play(result, call.console) else { continue }
            try target.write(try ControlJSON.encode(play) + [0x0A])
            count += 1
        }
        if count == 0 { call.inform("No finished plays to export.") }
        return count
    }
}

/// A play, with the field names of BG Stats.
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

    /// The play of a result; nil if its time is unknown.
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
