import ScoreSheets
import SessionCRDT
import SyncProtocol

/// The differences of two sheets, found by comparing all of them: the reference for what a
/// scoreboard says by itself.
enum ShownDifference {
    static func change(from before: ShowReply, to after: ShowReply) -> ScoreboardChange {
        var change = ScoreboardChange()
        change.isWhole = outline(before) != outline(after)
        for (old, new) in zip(before.document.players, after.document.players) {
            guard let player = PlayerID(new.id) else { continue }
            if bare(old) != bare(new) { change.lines.insert(player) }
            let (had, has) = (cells(old, player), cells(new, player))
            for cell in Set(had.keys).union(has.keys) where had[cell] != has[cell] {
                change.cells.insert(cell)
            }
        }
        change.isOtherTurn = before.document.turn != after.document.turn
        change.isEndDifferent = before.document.finished != after.document.finished
        change.areFlagsDifferent = before.document.flags != after.document.flags
        change.areNotesDifferent = before.context.notes != after.context.notes
        change.arePanelsDifferent = before.document.panels != after.document.panels
        return change
    }

    /// The first difference of two sheets, for people; nil if there is none.
    static func place(in one: ShowReply, and other: ShowReply) throws -> String? {
        guard one != other else { return nil }
        let texts = [try ControlJSON.encode(one), try ControlJSON.encode(other)]
        let same = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
        return texts.map { text in
            String(decoding: text.dropFirst(max(0, same - 60)).prefix(160), as: UTF8.self)
        }
        .joined(separator: " | ")
    }

    private static func outline(_ show: ShowReply) -> [String] {
        let context = show.context
        return [
            "\(show.document.session)", context.gameName, context.totalLabel, "\(context.order)",
            "\(context.lowestWins)", "\(show.document.panels.isEmpty)",
            // The rows depend on the options.
            "\(context.rows.filter { $0.round == nil }.map(\.row))",
        ]
            + show.document.players.map {
                "\($0.id) \($0.name) \($0.seat) \($0.team ?? "") \($0.removed)"
            }
    }

    private static func bare(_ player: ShownPlayer) -> ShownPlayer {
        var player = player
        player.cells = []
        return player
    }

    private static func cells(_ shown: ShownPlayer, _ player: PlayerID) -> [Cell: ShownCell] {
        var cells: [Cell: ShownCell] = [:]
        for cell in shown.cells {
            guard let row = Symbol(cell.row) else { continue }
            let round = cell.round.flatMap { UInt32(exactly: $0) }
            cells[Cell(player: player, row: row, round: round)] = cell
        }
        return cells
    }
}
