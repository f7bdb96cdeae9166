package import SessionCRDT

/// What the rules of a game read: who plays, what is written, and how the game is set.
///
/// It is derived from a session and never stored. Nothing in it has been checked.
package struct Book: Hashable, Sendable {
    /// The players in seat order, removed ones too.
    package let players: [Player]
    /// The options as somebody set them.
    package let options: [Symbol: Value]
    /// Whether somebody called the session finished.
    package let isFinished: Bool

    private let columns: [PlayerID: [BookCell]]
    private let places: [PlayerID: Int]

    /// The book of these parts.
    package init(
        players: [Player],
        cells: [Cell: LiveSet],
        options: [Symbol: Value] = [:],
        isFinished: Bool = false
    ) {
        self.players = players
        self.options = options
        self.isFinished = isFinished
        let seated = players.enumerated().map { ($0.element.id, $0.offset) }
        places = Dictionary(seated) { first, _ in first }
        columns = Dictionary(grouping: cells.map(BookCell.init), by: \.cell.player)
            .mapValues { column in
                // The places are sorted, because a cell with its live set is large to move about.
                column.indices.sorted { BookCell.precedes(column[$0], column[$1]) }
                    .map { column[$0] }
            }
    }

    /// The book of a session.
    package init(_ document: SessionDocument) {
        self.init(
            players: document.players,
            cells: document.cells,
            options: document.options,
            isFinished: document.isFinished
        )
    }

    /// The player with this id.
    package func player(_ id: PlayerID) -> Player? { places[id].map { players[$0] } }

    /// The cells of a player, by row and round.
    package func cells(of player: PlayerID) -> [BookCell] { columns[player] ?? [] }

    /// The cells of those who are not players of this session, by player, row and round.
    package var strays: [BookCell] {
        columns.filter { places[$0.key] == nil }.sorted { $0.key < $1.key }
            .flatMap(\.value)
    }

    /// The player's first round in which nothing is written, neither in the book nor in `taken`.
    ///
    /// A cleared round is empty again; one in which anybody's value is still live is not, so that
    /// nothing that was typed is written over by accident.
    package func nextRound(
        of row: Symbol,
        for player: PlayerID,
        after taken: Set<Cell> = []
    ) throws(RuleViolation) -> UInt32 {
        let written = cells(of: player).filter { $0.cell.row == row && !$0.isEmpty }
        let full = Set(written.map(\.cell)).union(taken)
        for round in 1...Cell.lastRound
        where !full.contains(Cell(player: player, row: row, round: round)) {
            return round
        }
        throw .noRoundLeft(row: row)
    }
}
