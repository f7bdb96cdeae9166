import SessionCRDT

struct ReversiGame: TurnGame {
    let rules: ReversiRules
    var record: TurnRecord<ReversiState>
    var cached: CachedStandings

    var totalLabel: String { "Discs" }

    /// Returns the score; a cell with only the losing value of a conflict is never flagged.
    func score(of bookCell: BookCell) -> CellScore {
        bookCell.value == .null
            ? CellScore(points: nil, isFlagged: false) : record.score(of: bookCell)
    }

    /// Throws if a move has recorded the players, because a computer player could not join them.
    func checkComputer(in book: Book) throws(RuleViolation) {
        guard !setup.isRecorded else {
            throw RuleViolation(
                "the sides are fixed once moves are made: \(setup.playerNames) play, and a "
                    + "computer that comes now would only watch",
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

    /// Throws if a move would not count after the previous moves, or if there are too many players.
    ///
    /// An earlier move can be corrected: the moves after it are checked again when they are read.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        if score.value != .null, let violation = setup.tooManyPlayers { throw violation }
        try checkTurn(score, in: book)
    }

    func suggestion(in book: Book, depth: Int) -> Move? {
        guard let player = cached.lines.turn, setup.tooManyPlayers == nil else { return nil }
        var search = ReversiSearch(depth: depth)
        return search.move(in: state.position).map { Move([$0.description], by: player) }
    }

    func played(_ move: Move, in book: Book) throws(RuleViolation) -> Played {
        if let violation = setup.tooFewPlayers ?? setup.tooManyPlayers { throw violation }
        if let player = setup.removedPlayer { throw .removedPlayer(name: player.name) }
        let words = try ReversiWord.typed(move.words)
        guard let first = state.mover else { throw record.reasonAfterOpenTurn }
        if let player = move.player, player != setup.players[first].id {
            guard setup.seats[player] != nil else {
                throw setup.onlyWatches(book.player(player)?.name ?? "player \(player)")
            }
            throw setup.otherTurn(record.openTurn, of: first)
        }
        var (after, writes) = (self, [Score]())
        var passed: Int?
        for word in words {
            switch word {
            case .square(let square):
                writes.append(try after.place(square, isOneOfSeveral: words.count > 1))
            case .pass:
                // A side without a move was passed over already; its pass can be typed once.
                guard after.turns.last?.result.isPassed == true, passed != after.turns.count else {
                    let mover = after.state.mover.map { setup.name($0) } ?? "nobody"
                    throw RuleViolation("\(mover) has a move, so a pass is not due")
                }
                passed = after.turns.count
            }
        }
        return Played(
            by: setup.players[first].id,
            writes: writes,
            options: setup.toRecord,
            notes: after.notes(from: turns.count)
        )
    }

    /// Places the next disc of a move, which may contain several, and returns its write.
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

    /// Returns the notes on the moves from an index on: passes and the result.
    private func notes(from start: Int) -> [Note] {
        let passes = (start..<turns.count).filter { turns[$0].result.isPassed }.map { index in
            let name = name(1 - turns[index].seat)
            return Note(
                index + 1 == turns.count
                    ? "\(name) must pass" : "\(name) had to pass after move \(index + 1)"
            )
        }
        return passes + (state.isOver ? [endNote] : [])
    }

    /// Returns the lines: more discs rank first from the first move on; equal numbers share the
    /// rank.
    ///
    /// Removed players have no rank, but keep that of a game that is over.
    func lines(of book: Book) -> StandingLines {
        StandingLines(book, isOver: state.isOver, mover: next?.id, showsAbsent: true) { index in
            let player = book.players[index]
            guard let seat = setup.seats[player.id] else { return (0, nil) }
            let discs = Int64(state.count(of: ReversiSide.allCases[seat]))
            let isRanked = !turns.isEmpty && (player.isPresent || state.isOver)
            return (discs, isRanked ? [discs] : nil)
        }
    }

    /// The player to move; nil if there is none, or a player of the game is absent.
    private var next: Player? {
        setup.removedPlayer == nil ? state.mover.map { setup.players[$0] } : nil
    }

    /// The game once it is over; an abandoned game has no endings.
    var endings: Standings.Endings {
        guard state.isOver, !turns.isEmpty else { return .outcomes([]) }
        let players = ReversiSide.allCases.map { side in
            let discs = Int64(state.count(of: side))
            return (setup.players[side.seat], (discs, [discs]), ReversiRules.tally(state, side))
        }
        return .outcomes([Outcome(at: state.latest, of: players)])
    }

    func notes(isFinished: Bool) -> [Note] {
        if state.isOver { return [endNote] }
        guard !isFinished else { return [] }
        if let removed = setup.removedPlayer {
            let wait = "restore the player to go on, or finish the session"
            return [Note("\(removed.name) was removed: \(wait)")]
        }
        guard let next, let last = turns.last, last.result.isPassed else { return [] }
        return [Note("\(name(1 - last.seat)) must pass: \(next.name) moves again")]
    }

    /// The discs of both sides at the end, and the result as tournaments count it.
    private var endNote: Note {
        func list(_ number: (ReversiSide) -> Int) -> String {
            ReversiSide.allCases.map { "\(setup.name(of: $0)) \(number($0))" }
                .joined(separator: ", ")
        }
        let result = list(state.result)
        return Note("the game is over: \(list(state.count)); tournament result: \(result)")
    }

    var moveInput: MoveInput { MoveInput(kind: .squares, title: "Tap a square") }

    var hasPanels: Bool { !setup.players.isEmpty }

    var panels: [Panel] {
        guard let board else { return [] }
        return [.board(board)]
            + (turns.isEmpty ? [] : [.text(title: "Transcript", lines: transcriptLines)])
    }

    var board: Panel.Board? {
        guard hasPanels else { return nil }
        return Panel.Board(
            squares: rows,
            pieces: ReversiSide.allCases.map { side in
                Panel.Piece(mark: side.mark, name: side.name, player: setup.name(of: side))
            },
            legal: cached.lines.turn == nil
                ? [] : ReversiSquare.all(of: state.position.moves).map(\.description),
            last: turns.last?.result.square.description
        )
    }

    /// The board from the first rank, a character for each square.
    private var rows: [String] {
        stride(from: 0, to: 64, by: 8).map { first in
            String(
                (first..<first + 8).map { index in
                    let bit = ReversiSquare(index: index).bit
                    return ReversiSide.allCases.first { state.discs(of: $0) & bit != 0 }?.mark
                        ?? "."
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

extension ReversiRules {
    private static let drawn = Symbol(known: "drawn")
    private static let colors = [Symbol(known: "black"), Symbol(known: "white")]
    /// The number of discs, including the empty squares for the winner.
    private static let result = Symbol(known: "tournament")

    static func tally(_ state: ReversiState, _ side: ReversiSide) -> [Symbol: Int64] {
        let isDrawn = state.count(of: .black) == state.count(of: .white)
        return [colors[side.seat]: 1, result: Int64(state.result(of: side))]
            .merging(isDrawn ? [drawn: 1] : [:]) { $1 }
    }

    package func statistics(of games: [PlayerOutcome]) -> [Statistic] {
        Statistic.general(of: games)
            + [Statistic("draws", "Draws", "\(games.count { $0.tally[Self.drawn] == 1 })")]
            + ReversiSide.allCases.map { side in
                let color = Self.colors[side.seat]
                let games = games.filter { $0.tally[color] == 1 }
                let wins = games.count { $0.isWinner && $0.tally[Self.drawn] != 1 }
                return Statistic(color, "Wins as \(side.name)", "\(wins) of \(games.count)")
            }
    }
}
