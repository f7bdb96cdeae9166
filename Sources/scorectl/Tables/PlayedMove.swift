import SyncProtocol

/// What became of a move, in a line, and below it what the rules have to say.
enum PlayedMove {
    static func lines(_ reply: PlayReply) -> [Line] {
        var line = Line(reply.player.map { $0 + ": " } ?? "", .strong) + Line(reply.move)
        if reply.finished {
            line += Line(" – ") + Line(end(reply), .good)
        } else if let turn = reply.turn {
            line += Line(" – ") + Line(turn, .strong) + Line(" to move")
        }
        return [line] + reply.notes.map { Line("  " + $0) }
    }

    /// How the game ended: `Ann has won (Ann 40, Bob 24)`.
    private static func end(_ reply: PlayReply) -> String {
        let totals = reply.totals.map { "\($0.player) \($0.total)" }.joined(separator: ", ")
        return (NameList.won(by: reply.winners) ?? "the game is over") + " (\(totals))"
    }
}
