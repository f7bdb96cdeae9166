import ScoreSheets
import SyncProtocol

extension ShownPanel {
    /// The form in which clients see a panel of the standings.
    init(_ panel: Panel) {
        switch panel {
        case .board(let board):
            self = .board(
                ShownBoard(
                    squares: board.squares,
                    pieces: board.pieces.map { piece in
                        ShownPiece(
                            mark: String(piece.mark),
                            name: piece.name,
                            player: piece.player
                        )
                    },
                    legal: board.legal,
                    last: board.last
                )
            )
        case .table(let grid):
            self = .table(
                ShownTable(
                    title: grid.title,
                    columns: grid.columns,
                    rows: grid.rows.map { ShownTableRow(label: $0.label, cells: $0.cells) }
                )
            )
        case .text(let title, let lines): self = .text(ShownText(title: title, lines: lines))
        }
    }
}
