import SessionCRDT

extension ReversiRecord {
    /// The mark of a draw in a tally.
    static let drawn = Symbol(known: "drawn")
    /// The result with the empty squares in a tally.
    private static let result = Symbol(known: "tournament")

    /// How everybody stands.
    ///
    /// More discs rank first from the first move on; equals share the place, in a draw too. Who is
    /// removed has none, but keeps the one of a game that is over.
    func lines(of book: Book) -> StandingLines {
        let players = book.players.filter(\.isPresent) + book.players.filter { !$0.isPresent }
        let ranked = game.turns.isEmpty ? [] : seats
        let totals = players.map { player in
            side(of: player.id).map { Int64(game.count(of: $0)) } ?? 0
        }
        let merits: [[Int64]?] = zip(players, totals).map { player, total in
            (player.isPresent || isOver) && ranked.contains { $0.id == player.id }
                ? [total] : nil
        }
        let ranks = CompetitionRanking.ranks(merits)
        return StandingLines(
            lines: players.indices.map { index in
                StandingLines.Line(
                    player: players[index],
                    total: totals[index],
                    rank: ranks[index]
                )
            },
            isFinished: isFinished || isOver,
            isDecided: isOver,
            turn: turn?.id
        )
    }

    /// Whether the game has ended by its rules.
    private var isOver: Bool { !seats.isEmpty && game.isOver }

    var notes: [Note] {
        if isOver { return [.reversi(ending(of: game))] }
        if let absent, !isFinished { return [.reversi(.absent(absent.name))] }
        guard let turn, let last = game.turns.last, last.isPassed else { return [] }
        return [.reversi(.passes(name(of: last.side.other), next: turn.name))]
    }

    /// How a game ended, with the result as tournaments count it.
    func ending(of game: ReversiGame) -> ReversiNote {
        .over(
            ReversiSide.allCases.map { side in
                ReversiNote.Result(
                    player: name(of: side),
                    discs: game.count(of: side),
                    result: game.result(of: side)
                )
            }
        )
    }

    var panels: [Panel] {
        let board = Panel.Board(
            squares: rows,
            pieces: ReversiSide.allCases.map { side in
                Panel.Piece(mark: side.mark, name: side.name, player: name(of: side))
            },
            legal: turn == nil
                ? [] : ReversiSquare.all(of: game.position.moves).map(\.description),
            last: game.turns.last?.square.description
        )
        guard !seats.isEmpty else { return [] }
        return [.board(board)]
            + (game.turns.isEmpty ? [] : [.text(title: "Transcript", lines: transcriptLines)])
    }

    /// The board from the first rank, a character a square.
    private var rows: [String] {
        (0..<8).map { row in
            String(
                (0..<8).map { column -> Character in
                    let bit = ReversiSquare(index: row * 8 + column).bit
                    let side = ReversiSide.allCases.first { game.discs(of: $0) & bit != 0 }
                    return side?.mark ?? "."
                }
            )
        }
    }

    /// The transcript in lines that fit the narrowest terminal: thirty moves each.
    private var transcriptLines: [String] {
        let squares = game.turns.map(\.square.description)
        return stride(from: 0, to: squares.count, by: 30).map { start in
            squares[start..<min(start + 30, squares.count)].joined()
        }
    }

    /// The game as an outcome once it is over; one that was broken off is none.
    func outcomes(_ lines: [StandingLines.Line]) -> [Outcome] {
        guard isOver, !game.turns.isEmpty else { return [] }
        let isDraw = game.count(of: .black) == game.count(of: .white)
        let players = ReversiSide.allCases.compactMap { side -> PlayerOutcome? in
            guard let player = player(of: side),
                let line = lines.first(where: { $0.player.id == player.id })
            else { return nil }
            var tally: [Symbol: Int64] = [
                side.symbol: 1,
                Self.result: Int64(isOver ? game.result(of: side) : game.count(of: side)),
            ]
            if isDraw { tally[Self.drawn] = 1 }
            return PlayerOutcome(
                player: player.id,
                name: player.name,
                isWinner: line.rank == 1,
                rank: line.rank,
                total: line.total,
                tally: tally
            )
        }
        return [Outcome(number: 1, at: last, players: players)]
    }
}

extension ReversiSide {
    /// The mark of the colour in a tally.
    var symbol: Symbol {
        switch self {
        case .black: Symbol(known: "black")
        case .white: Symbol(known: "white")
        }
    }
}
