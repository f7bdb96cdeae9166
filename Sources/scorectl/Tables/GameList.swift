import SyncProtocol

/// What `games list` prints.
enum GameList {
    /// All games, the user's own marked, in so many columns.
    static func lines(_ games: [GameSummary], columns: Int) -> [Line] {
        let rows = games.map { game -> (cells: [Line], text: String) in
            let mark = game.own ? "yours, version \(game.version)" : ""
            let count = PlayerCountWords.short(game.players)
            return (
                [Line(game.id, .strong), Line(game.name), Line(count), Line(mark, .good)],
                game.summary
            )
        }
        return WrappedList.lines(rows, columns: columns) + [
            Line(),
            Line("Explain one: scorectl games show GAME", .faint),
            Line("Begin one:   scorectl session new GAME", .faint),
        ]
    }
}
