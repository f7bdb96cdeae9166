import SyncProtocol

/// The players of a game that shows panels, in seat order: piece, total, rank, whose turn it is.
struct PlayerTable {
    private let show: ShowReply
    private let page: PageForm
    private let players: [ShownPlayer]

    /// The table of a sheet.
    init(_ show: ShowReply, _ page: PageForm) {
        self.show = show
        self.page = page
        players = show.document.players.filter { !$0.removed }
    }

    /// The lines.
    var lines: [Line] {
        guard !players.isEmpty else {
            return [Line("  No players yet: scorectl player add NAME...", .faint)]
        }
        let isRanked = players.contains { $0.rank != nil }
        let label = show.context.totalLabel + (players.contains(where: isStarred) ? " " : "")
        let heads = ["", "", label, isRanked ? "Rank" : "", ""]
        let rows = [heads.map { Line($0, .faint) }] + players.map { row($0, isRanked: isRanked) }
        let sides: [Alignment] = [.left, .left, .right, .right, .left]
        return Table.aligned(rows, sides, gap: 2).map { Line("  ") + $0 }
            + TieBreakNotes(players, columns: page.columns).lines
    }

    private func row(_ player: ShownPlayer, isRanked: Bool) -> [Line] {
        let isStarred = isStarred(player)
        let space = players.contains(where: self.isStarred) ? " " : ""
        let total =
            Line("\(player.total)", isStarred ? .good : .strong)
            + Line(isStarred ? "★" : space, .good)
        let name = TextWidth.truncated(player.name, to: 24)
        return [
            Line(piece(of: player)), Line(name, .strong), total,
            Line(isRanked ? player.rank.map { "\($0)" } ?? "–" : ""),
            Line(remark(player), player.id == show.document.turn ? .strong : .faint),
        ]
    }

    /// Whether the player has won, or leads while somebody is behind.
    private func isStarred(_ player: ShownPlayer) -> Bool {
        player.winner
            || show.context.leaders.contains(player.id) && players.contains { $0.rank ?? 1 > 1 }
    }

    /// What stands for the player on a board of the game.
    func piece(of player: ShownPlayer) -> String {
        for panel in show.document.panels {
            guard case .board(let board) = panel,
                let piece = board.pieces.first(where: { $0.player == player.name }),
                let mark = piece.mark.first
            else { continue }
            return BoardPanel.glyph(mark, board.pieces, page) + " " + piece.name
        }
        return ""
    }

    private func remark(_ player: ShownPlayer) -> String {
        var words: [String] = []
        if player.id == show.document.turn { words.append("to move") }
        if player.id == show.context.me { words.append("you") }
        return words.joined(separator: ", ")
    }
}
