import ControlSocket
import SessionCRDT
import SyncProtocol

/// Sessions as comma-separated values (RFC 4180) in UTF-8: a line for each cell, or a table of each
/// session as on paper.
///
/// A text that a spreadsheet would evaluate, because it begins with = + - @, a tab or a carriage
/// return, gets an apostrophe: names chosen by other people must not run as formulas.
struct CellTable {
    /// The character between two fields; spreadsheets of many languages expect a semicolon.
    enum Separator: String, CaseIterable {
        case comma, semicolon, tab

        /// Creates a separator from its character; nil if there is none.
        init?(character: String) {
            guard let found = Self.allCases.first(where: { $0.character == character }) else {
                return nil
            }
            self = found
        }

        var character: String {
            switch self {
            case .comma: ","
            case .semicolon: ";"
            case .tab: "\t"
            }
        }
    }

    /// The columns; those that only programs need come last.
    private static let columns = [
        "title", "game", "status", "name", "team", "removed", "row", "round", "value", "counts",
        "points", "by", "at", "conflicts", "session", "player",
    ]

    let separator: Separator
    /// Whether a line is a round of all players, in place of one cell of one player.
    let isOfRounds: Bool

    /// Writes sessions, and returns the number of cells.
    func write(
        _ sessions: [String?],
        _ client: ControlClient,
        _ target: ExportTarget
    ) throws(ControlError) -> Int {
        if !isOfRounds { try target.write(line(Self.columns)) }
        var count = 0
        for (index, session) in sessions.enumerated() {
            let show = try client.call(.show, .init(session: session))
            count += show.document.players.reduce(0) { $0 + $1.cells.count }
            if isOfRounds, index > 0 { try target.write(line([])) }
            for row in isOfRounds ? table(show) : cells(show) { try target.write(line(row)) }
        }
        return count
    }

    // MARK: A line for each cell

    /// Returns the cells player by player, or in a game of turns in the order of play.
    private func cells(_ show: ShowReply) -> [[String]] {
        var cells = show.document.players.flatMap { player in
            player.cells.map { (player: player, cell: $0) }
        }
        if show.context.moves != nil {
            cells = cells.enumerated().sorted { left, right in
                (left.element.cell.round ?? 0, left.offset)
                    < (right.element.cell.round ?? 0, right.offset)
            }.map(\.element)
        }
        return cells.map { Self.fields($0.cell, $0.player, show.document.session) }
    }

    private static func fields(
        _ cell: ShownCell,
        _ player: ShownPlayer,
        _ session: ShownSession
    ) -> [String] {
        let conflicts = cell.conflict.map { "\(field($0.value)) (\($0.by))" }
        return [
            guarded(session.title), session.game, session.status,
            guarded(player.name), guarded(player.team ?? ""), player.removed ? "yes" : "no",
            cell.row, cell.round.map(String.init) ?? "",
            field(cell.value), cell.count.map { "\($0)" } ?? "",
            cell.points.map { "\($0)" } ?? "",
            guarded(cell.by), cell.at.description, guarded(conflicts.joined(separator: "; ")),
            session.id, player.id,
        ]
    }

    // MARK: A line for each round

    /// Returns the title with the scorers, the rows with their points, and the totals.
    private func table(_ show: ShowReply) -> [[String]] {
        let scorers = show.exportedScorers
        let places = SheetPlaces(show, scorers)
        let rows = show.context.lines.isEmpty ? Self.turns(of: scorers) : show.context.lines
        let title = Self.guarded(show.document.session.title)
        return [[title] + scorers.map { Self.guarded($0.name) }]
            + rows.map { row in
                [Self.guarded(row.label)] + scorers.map { Self.points(of: $0, row, places) }
            }
            + [[show.context.totalLabel] + scorers.map { "\($0.total)" }]
    }

    /// Returns the rows of a game whose sheet shows none: its turns, one after the other.
    private static func turns(of scorers: [ShownPlayer]) -> [ShownRow] {
        var seen: Set<String> = []
        let cells = scorers.flatMap(\.cells).enumerated().sorted { left, right in
            (left.element.round ?? 0, left.offset) < (right.element.round ?? 0, right.offset)
        }
        return cells.map(\.element).compactMap { cell in
            let address = CellAddress.text(cell.row, cell.round)
            guard seen.insert(address).inserted else { return nil }
            return ShownRow(row: cell.row, round: cell.round, label: cell.label ?? address)
        }
    }

    /// Returns the points of a cell, of a field of a round what was entered.
    private static func points(
        of player: ShownPlayer,
        _ row: ShownRow,
        _ places: SheetPlaces
    ) -> String {
        guard let cell = places.cell(of: player, row)
        else { return places.computedPoints(of: player, row).map { "\($0)" } ?? "" }
        if row.scores, row.group == nil, let points = cell.points { return "\(points)" }
        return cell.count.map { "\($0)" } ?? field(cell.value)
    }

    // MARK: Fields

    /// Returns the field of an entry; only texts need the apostrophe.
    private static func field(_ value: Scalar) -> String {
        // A number with a half is stored as a text, and no formula even if it is negative.
        if case .text(let text) = value { return Points(.text(text)) == nil ? guarded(text) : text }
        return value == .null ? "" : value.description
    }

    private static func guarded(_ text: String) -> String {
        guard let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) else { return text }
        return "'" + text
    }

    private func line(_ fields: [String]) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        let special = Array("\"\r\n\(separator.character)".utf8)
        let quoted = fields.map { field -> [UInt8] in
            guard field.utf8.contains(where: special.contains) else { return Array(field.utf8) }
            // By bytes: a quote with a combining mark is a character of its own.
            let doubled = field.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
            return [quote] + doubled + [quote]
        }
        return Array(quoted.joined(separator: separator.character.utf8)) + Array("\r\n".utf8)
    }
}
