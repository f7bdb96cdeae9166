import SyncProtocol

/// What became of a move, in a line, with what computers answered and what the rules have to say;
/// then the board, where the game has one.
struct PlayedMove {
    let reply: PlayReply
    let page: PageForm

    var lines: [Line] {
        var told = [line(reply.player, reply.move)]
        told += reply.answers.map { line($0.player, $0.text ?? $0.value.description) }
        told[told.count - 1] += next
        told += reply.notes.map { Line("  " + $0) }
        guard let board = reply.board else { return told }
        let blocks = [told, BoardPanel(board, page).lines, totals(beside: board)]
        return Array(blocks.joined(separator: [Line()]))
    }

    private func line(_ player: String?, _ move: String) -> Line {
        // Where the move is who won a point, one name is enough.
        Line(player.flatMap { $0 == move ? nil : $0 + ": " } ?? "", .strong) + Line(move)
    }

    /// Who is to move, or how the game ended.
    private var next: Line {
        guard !reply.finished else { return Line(" – ") + Line(end, .good) }
        return reply.turn.map { Line(" – ") + Line($0, .strong) + Line(" to move") } ?? Line()
    }

    /// How the game ended: `Ann has won (Ann 40, Bob 24)`.
    private var end: String {
        let totals = reply.totals.map { "\($0.player) \($0.total)" }.joined(separator: ", ")
        return (NameList.won(by: reply.winners) ?? "the game is over") + " (\(totals))"
    }

    /// What everybody has now, with their pieces.
    private func totals(beside board: ShownBoard) -> [Line] {
        var table = Table([
            Table.Column(""), Table.Column(""), Table.Column(reply.totalLabel, .right),
        ])
        for total in reply.totals {
            let piece = board.pieces.first { $0.player == total.player }
            let mark = piece?.mark.first.map { BoardPanel.glyph($0, board.pieces, page) }
            table.add([
                Line([mark, piece?.name].compactMap(\.self).joined(separator: " ")),
                Line(TextWidth.truncated(total.player, to: 24), .strong),
                Line("\(total.total)", .strong),
            ])
        }
        return table.lines.map { Line("  ") + $0 }
    }
}
