import SessionCRDT
import SyncProtocol

/// Documents of games that are played move by move.
extension Sample {
    static let played = PlayReply(
        player: "Ann",
        move: "d3",
        cells: [
            WrittenCell(row: "move", label: "Move 1", round: 1, value: .text("d3")).with {
                $0.player = "Ann"
            }
        ],
        totals: [
            PlayerTotal(player: "Ann", total: 4, rank: 1),
            PlayerTotal(player: "Bob", total: 1, rank: 2),
        ]
    ).with {
        $0.notes = ["Bob must pass"]
        $0.turn = "Ann"
        $0.totalLabel = "Discs"
    }

    static let board = ShownBoard(
        squares: ["....", ".ox.", ".xo.", "...."],
        pieces: [
            ShownPiece(mark: "x", name: "black", player: "Ann"),
            ShownPiece(mark: "o", name: "white", player: "Bob"),
        ],
        legal: ["a2", "d3"],
        last: "c3"
    )

    static let visits = ShownTable(
        title: "Leg 1",
        columns: ["Ann", "Bob", "Note"],
        rows: (1...9).map { ShownTableRow(label: "\($0)", cells: ["\($0 * 20)", "–", "bust"]) }
    )

    /// A game with these panels in which Bob is to move.
    static func game(_ panels: [ShownPanel]) -> ShowReply {
        var show = show([
            player("Ann", seat: 1, [cell(1, 5)], rank: 1),
            player("Bob", seat: 2, [cell(1, 3)], rank: 2),
        ])
        show.document.panels = panels
        show.document.turn = "id-Bob"
        show.context.rows = []
        show.context.gameName = "Reversi"
        show.context.totalLabel = "Discs"
        show.context.peers = []
        show.context.unsynced = 0
        return show
    }
}
