import SessionCRDT

/// A game of Reversi.
struct ReversiGame: TurnGame {
    let rules: ReversiRules
    var record: TurnRecord<ReversiState>
    var kept: KeptStandings

    var totalLabel: String { "Discs" }

    /// A cell in which only the loser of a conflict is left is never flagged, in any row.
    func score(of bookCell: BookCell) -> CellScore {
        bookCell.value == .null
            ? CellScore(points: nil, isFlagged: false) : record.score(of: bookCell)
    }

    /// Refuses a computer that would only watch because a move has recorded the players.
    func checkComputer(in book: Book) throws(RuleViolation) {
        guard !setup.isRecorded else {
            throw RuleViolation(
                "the sides are fixed once moves are made: \(setup.whoPlays) play, and a computer "
                    + "that comes now would only watch",
                hint: "take the moves back first with: scorectl reset"
            )
        }
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != ReversiSetup.sides else {
            throw RuleViolation(
                "sides is recorded by the first move; choose who is black before it, with player "
                    + "order"
            )
        }
    }

    /// Refuses a move that does not count after the moves before it, and all moves while too many
    /// could play.
    ///
    /// An earlier move can be corrected: those that follow are judged again when they are read.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        if score.value != .null, let crowd = setup.crowd { throw crowd }
        try checkTurn(score, in: book)
    }

    func suggestion(in book: Book, depth: Int) -> Move? {
        guard let player = kept.lines.turn, setup.crowd == nil else { return nil }
        var search = ReversiSearch(depth: depth)
        return search.move(in: state.position).map { Move([$0.description], by: player) }
    }

    // MARK: Moves

    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let count = setup.missing ?? setup.crowd { throw count }
        if let absent = setup.absent { throw .removedPlayer(name: absent.name) }
        try move.checkDetails(ReversiSetup.words)
        let squares = try ReversiSquare.typed(move.words)
        guard let first = state.mover else { throw record.reasonAfterOpenTurn }
        if let player = move.player, player != setup.players[first].id {
            guard setup.seats[player] != nil else {
                throw setup.onlyWatches(book.player(player)?.name ?? "player \(player)")
            }
            throw setup.otherTurn(record.openTurn, of: first)
        }
        var (after, writes) = (self, [Score]())
        for square in squares {
            writes.append(try after.place(square, isOneOfSeveral: squares.count > 1))
        }
        return Played(
            by: setup.players[first].id,
            writes: writes,
            options: setup.toRecord,
            notes: after.notes(from: turns.count)
        )
    }

    /// Places the next disc, which may be one of several moves, and returns what it writes.
    private mutating func place(
        _ square: ReversiSquare,
        isOneOfSeveral: Bool
    ) throws(RuleViolation) -> Score {
        let number = turns.count + 1
        if let violation = state.violation(at: square) {
            throw isOneOfSeveral
                ? RuleViolation("move \(number): \(violation.message)") : violation
        }
        let score = Score(setup.cell(state.side.seat, number), .text(square.description))
        self = try playing(score.value, by: state.side.seat).game
        return score
    }

    /// The notes on the moves from an index on: who was passed over, and how it ended.
    private func notes(from start: Int) -> [Note] {
        let passes = (start..<turns.count).filter { turns[$0].result.isPassed }.map { index in
            let name = name(1 - turns[index].seat)
            return Note(
                index + 1 == turns.count
                    ? "\(name) must pass" : "\(name) had to pass after move \(index + 1)"
            )
        }
        return passes + (state.isOver ? [ending] : [])
    }

    // MARK: Standings

    /// The lines: more discs rank first from the first move on; equals share the rank.
    ///
    /// Removed players have no rank, but keep that of a game that is over.
    func lines(of book: Book) -> StandingLines {
        StandingLines(
            ranking: book.players,
            isFinished: book.isFinished || state.isOver,
            isDecided: state.isOver,
            turn: book.isFinished ? nil : next?.id,
            showsAbsent: true
        ) { place in
            let player = book.players[place]
            guard let seat = setup.seats[player.id] else {
                return StandingLines.Score(total: 0, merit: nil)
            }
            let discs = Int64(state.count(of: ReversiSide.allCases[seat]))
            let isRanked = !turns.isEmpty && (player.isPresent || state.isOver)
            return StandingLines.Score(total: discs, merit: isRanked ? [discs] : nil)
        }
    }

    /// The player to move; nil if there is none, or a player of the game is absent.
    private var next: Player? {
        setup.absent == nil ? state.mover.map { setup.players[$0] } : nil
    }

    /// The game once it is over; one that was broken off is none.
    var endings: Standings.Endings {
        guard state.isOver, !turns.isEmpty else { return .outcomes([]) }
        let players = ReversiSide.allCases.compactMap { side -> PlayerOutcome? in
            let player = setup.players[side.seat]
            guard let line = kept.lines.lines.first(where: { $0.player.id == player.id })
            else { return nil }
            return PlayerOutcome(
                player: player.id,
                name: player.name,
                isWinner: line.rank == 1,
                rank: line.rank,
                total: line.total,
                tally: ReversiStatistics.tally(state, side)
            )
        }
        return .outcomes([Outcome(number: 1, at: state.latest, players: players)])
    }

    // MARK: View

    func notes(isFinished: Bool) -> [Note] {
        if state.isOver { return [ending] }
        guard !isFinished else { return [] }
        if let absent = setup.absent {
            return [
                Note(
                    "\(absent.name) was removed: restore the player to go on, or finish the session"
                )
            ]
        }
        guard let next, let last = turns.last, last.result.isPassed else { return [] }
        return [Note("\(name(1 - last.seat)) must pass: \(next.name) moves again")]
    }

    /// The discs of both sides at the end, and the result as tournaments count it.
    private var ending: Note {
        func list(_ number: (ReversiSide) -> Int) -> String {
            ReversiSide.allCases.map { "\(setup.name(of: $0)) \(number($0))" }
                .joined(separator: ", ")
        }
        return Note(
            "the game is over: \(list(state.count)); tournament result: \(list(state.result))"
        )
    }

    var moveInput: MoveInput { MoveInput(.squares, title: "Tap a square") }

    var panels: [Panel] {
        guard !setup.players.isEmpty else { return [] }
        let board = Panel.Board(
            squares: rows,
            pieces: ReversiSide.allCases.map { side in
                Panel.Piece(mark: side.mark, name: side.name, player: setup.name(of: side))
            },
            legal: kept.lines.turn == nil
                ? [] : ReversiSquare.all(of: state.position.moves).map(\.description),
            last: turns.last?.result.square.description
        )
        return [.board(board)]
            + (turns.isEmpty ? [] : [.text(title: "Transcript", lines: transcriptLines)])
    }

    /// The board from the first rank, a character for each square.
    private var rows: [String] {
        (0..<8).map { row in
            String(
                (0..<8).map { column -> Character in
                    let bit = ReversiSquare(index: row * 8 + column).bit
                    let side = ReversiSide.allCases.first { state.discs(of: $0) & bit != 0 }
                    return side?.mark ?? "."
                }
            )
        }
    }

    /// The transcript in lines that fit the narrowest terminal: thirty moves each.
    private var transcriptLines: [String] {
        let squares = turns.map(\.result.square.description)
        return stride(from: 0, to: squares.count, by: 30).map { start in
            squares[start..<min(start + 30, squares.count)].joined()
        }
    }
}

/// The counts of a player in one game, and statistics over finished games.
enum ReversiStatistics {
    private static let drawn = Symbol(known: "drawn")
    private static let colors = [Symbol(known: "black"), Symbol(known: "white")]
    /// The discs with the empty squares for the winner.
    private static let result = Symbol(known: "tournament")

    /// The counts of a side in a game that is over, by name.
    static func tally(_ state: ReversiState, _ side: ReversiSide) -> [Symbol: Int64] {
        var tally: [Symbol: Int64] = [
            colors[side.seat]: 1,
            result: Int64(state.result(of: side)),
        ]
        if state.count(of: .black) == state.count(of: .white) { tally[drawn] = 1 }
        return tally
    }

    /// The general statistics, and the wins with either colour.
    static func all(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func wins(as side: ReversiSide) -> Statistic {
            let color = colors[side.seat]
            let games = outcomes.filter { $0.tally[color] == 1 }
            let wins = games.count { $0.isWinner && $0.tally[drawn] != 1 }
            return Statistic(color, "Wins as \(side.name)", "\(wins) of \(games.count)")
        }
        let draws = outcomes.count { $0.tally[drawn] == 1 }
        return Statistic.general(of: outcomes) + [
            Statistic(Symbol(known: "draws"), "Draws", "\(draws)"),
            wins(as: .black),
            wins(as: .white),
        ]
    }
}
