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
            let document = try client.call(ShowRequest(session: session)).document
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
