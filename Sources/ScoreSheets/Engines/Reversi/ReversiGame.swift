import SessionCRDT

/// A game of Reversi.
struct ReversiGame: TurnGame {
    let rules: ReversiRules
    var record: TurnRecord<ReversiStand>
    var kept: KeptStandings

    var totalLabel: String { "Discs" }

    /// Where nothing but the loser of a conflict is left nothing is wrong, whatever row it is in.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        bookCell.value == .null
            ? TurnColumns.Verdict(points: nil, isFlagged: false) : record.verdict(of: bookCell)
    }

    /// Refuses one that would only watch, because a move has settled who plays.
    func checkComputer(in book: Book) throws(RuleViolation) {
        guard !terms.isRecorded else {
            throw ReversiRule.sidesFixed(players: terms.whoPlays).violation
        }
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != ReversiTerms.sides else { throw ReversiRule.recorded.violation }
    }

    /// Refuses what does not count at its turn, judged by the moves before it, and all while too
    /// many could play.
    ///
    /// An earlier move can be corrected: those that follow are judged again when they are read.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        if score.value != .null, let crowd = terms.crowd { throw crowd }
        try checkTurn(score, in: book)
    }

    func suggestion(in book: Book, depth: Int) -> Move? {
        guard let player = kept.lines.turn, terms.crowd == nil else { return nil }
        var search = ReversiSearch(depth: depth)
        return search.move(in: stand.position).map { Move([$0.description], by: player) }
    }
}

extension ReversiGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        if let count = terms.missing ?? terms.crowd { throw count }
        if let absent = terms.absent { throw .removedPlayer(name: absent.name) }
        let squares = try squares(of: move)
        guard let first = stand.mover else { throw record.reasonBehind }
        if let player = move.player, player != terms.players[first].id {
            throw terms.seats[player] == nil
                ? noSeat(player, in: book) : terms.violation(at: record.openTurn, of: first)
        }
        var (after, writes) = (self, [Score]())
        for square in squares {
            writes.append(try after.put(square, amongOthers: squares.count > 1))
        }
        return Played(
            by: terms.players[first].id,
            writes: writes,
            options: terms.toRecord,
            notes: after.notes(from: turns.count)
        )
    }

    private func squares(of move: Move) throws(RuleViolation) -> [ReversiSquare] {
        try move.checkDetails(ReversiTerms.words)
        do throws(ReversiRule) {
            return try ReversiTranscript(move.words).squares
        } catch { throw error.violation }
    }

    private func noSeat(_ player: PlayerID, in book: Book) -> RuleViolation {
        let name = book.player(player)?.name ?? "player \(player)"
        return ReversiRule.noSeat(name, players: terms.whoPlays).violation
    }

    /// Puts the next disc, which perhaps is one of several moves; gives back what it writes.
    private mutating func put(
        _ square: ReversiSquare,
        amongOthers isOneOfSeveral: Bool
    ) throws(RuleViolation) -> Score {
        let number = turns.count + 1
        if let rule = stand.rule(against: square) {
            throw (isOneOfSeveral ? .inTranscript(number, rule) : rule).violation
        }
        let score = Score(terms.cell(stand.side.seat, number), .text(square.description))
        self = try playing(score.value, by: stand.side.seat).game
        return score
    }

    /// What is told about the moves from one on: who was passed over, and how it ended.
    private func notes(from start: Int) -> [Note] {
        let passes = (start..<turns.count).filter { turns[$0].result.isPassed }.map { index in
            let name = name(1 - turns[index].seat)
            return index + 1 == turns.count
                ? ReversiNote.passes(name, next: nil) : .passed(name, afterMove: index + 1)
        }
        return (passes + (stand.isOver ? [ending] : [])).map(Note.reversi)
    }
}

extension ReversiGame {
    /// The mark of a draw in a tally.
    static let drawn = Symbol(known: "drawn")
    /// The result with the empty squares in a tally.
    private static let result = Symbol(known: "tournament")

    /// How everybody stands.
    ///
    /// More discs rank first from the first move on; equals share the place, in a draw too. Who is
    /// removed has none, but keeps the one of a game that is over.
    func lines(of book: Book) -> StandingLines {
        StandingLines(
            ranking: book.players,
            isFinished: book.isFinished || stand.isOver,
            isDecided: stand.isOver,
            turn: book.isFinished ? nil : next?.id,
            showsAbsent: true
        ) { place in
            let player = book.players[place]
            guard let seat = terms.seats[player.id] else {
                return StandingLines.Score(total: 0, merit: nil)
            }
            let discs = Int64(stand.count(of: ReversiSide.allCases[seat]))
            let isRanked = !turns.isEmpty && (player.isPresent || stand.isOver)
            return StandingLines.Score(total: discs, merit: isRanked ? [discs] : nil)
        }
    }

    /// Who is to move; nil where nobody is, or who plays is away.
    private var next: Player? {
        terms.absent == nil ? stand.mover.map { terms.players[$0] } : nil
    }

    func notes(isFinished: Bool) -> [Note] {
        if stand.isOver { return [.reversi(ending)] }
        guard !isFinished else { return [] }
        if let absent = terms.absent { return [.reversi(.absent(absent.name))] }
        guard let next, let last = turns.last, last.result.isPassed else { return [] }
        return [.reversi(.passes(name(1 - last.seat), next: next.name))]
    }

    /// How the game ended, with the result as tournaments count it.
    var ending: ReversiNote {
        .over(
            ReversiSide.allCases.map { side in
                ReversiNote.Result(
                    player: terms.name(of: side),
                    discs: stand.count(of: side),
                    result: stand.result(of: side)
                )
            }
        )
    }

    var panels: [Panel] {
        let board = Panel.Board(
            squares: rows,
            pieces: ReversiSide.allCases.map { side in
                Panel.Piece(mark: side.mark, name: side.name, player: terms.name(of: side))
            },
            legal: kept.lines.turn == nil
                ? [] : ReversiSquare.all(of: stand.position.moves).map(\.description),
            last: turns.last?.result.square.description
        )
        guard !terms.players.isEmpty else { return [] }
        return [.board(board)]
            + (turns.isEmpty ? [] : [.text(title: "Transcript", lines: transcriptLines)])
    }

    /// The board from the first rank, a character a square.
    private var rows: [String] {
        (0..<8).map { row in
            String(
                (0..<8).map { column -> Character in
                    let bit = ReversiSquare(index: row * 8 + column).bit
                    let side = ReversiSide.allCases.first { stand.discs(of: $0) & bit != 0 }
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

    /// The game once it is over; one that was broken off is none.
    var endings: Standings.Endings {
        guard stand.isOver, !turns.isEmpty else { return .told([]) }
        let isDraw = stand.count(of: .black) == stand.count(of: .white)
        let players = ReversiSide.allCases.compactMap { side -> PlayerOutcome? in
            let player = terms.players[side.seat]
            guard let line = kept.lines.lines.first(where: { $0.player.id == player.id })
            else { return nil }
            var tally: [Symbol: Int64] = [
                side.symbol: 1,
                Self.result: Int64(stand.result(of: side)),
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
        return .told([Outcome(number: 1, at: stand.latest, players: players)])
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
