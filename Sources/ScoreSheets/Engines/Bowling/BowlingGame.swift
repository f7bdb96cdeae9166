import SessionCRDT

/// A game of bowling: a column of at most ten frames for each player, which is read again if it
/// changes.
struct BowlingGame: CodedGame {
    let rules: BowlingRules
    var kept = KeptStandings()
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// The state of each player's game, by seat.
    private(set) var states: [BowlingState] = []

    /// The time at which the latest frame of each player that counts was written, by seat.
    private var latest: [Stamp?] = []
    private let seats: [PlayerID: Int]
    private let settings: Settings

    private var words: TurnWords { BowlingRules.words }

    init(reading book: Book, by rules: BowlingRules) {
        self.rules = rules
        players = book.players
        seats = book.players.seats
        settings = Settings(rules.sheet, book)
        for player in book.players {
            let (state, stamp) = read(player.id, in: book)
            states.append(state)
            latest.append(stamp)
        }
    }

    mutating func apply(
        _ cells: [Cell],
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        let before = states
        var touched = cells
        for seat in Set(cells.compactMap { seats[$0.player] }) {
            let id = players[seat].id
            (states[seat], latest[seat]) = read(id, in: book)
            // Whether a frame counts depends on those before it.
            touched += (1...BowlingFrame.count).map { BowlingGame.cell(id, $0) }
        }
        differing.arePanelsDifferent = states != before
        return touched
    }

    private static func cell(_ player: PlayerID, _ number: Int) -> Cell {
        Cell(player: player, row: BowlingRules.row, round: UInt32(clamping: number))
    }

    /// Reads the frames of a player up to the first that is missing or wrong.
    private func read(_ player: PlayerID, in book: Book) -> (BowlingState, Stamp?) {
        var state = BowlingState()
        var stamp: Stamp?
        while !state.isOver {
            let cell = BowlingGame.cell(player, state.frames.count + 1)
            guard let winner = book[cell]?.winner,
                let frame = try? rules.frame(of: winner.value, in: cell)?.frame
            else { break }
            state.add(frame)
            stamp.advance(to: winner.stamp)
        }
        return (state, stamp)
    }

    /// The pins that a frame took, if it counts.
    ///
    /// The total adds the bonuses of strikes and spares. If they were in the points of their frames,
    /// each frame would change those before it.
    func score(of bookCell: BookCell) -> CellScore {
        let cell = bookCell.cell
        if cell.row == BowlingRules.row, let round = cell.round, round > 0,
            let state = seats[cell.player].map({ states[$0] }), round <= state.frames.count
        {
            let pins = state.frames[Int(round) - 1].pins
            return CellScore(points: Int64(pins), isFlagged: false)
        }
        return CellScore(uncounted: bookCell, by: rules.sheet)
    }

    func flagsOfGame(in book: Book) -> [Flag] { settings.flags }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            _ = try rules.frame(of: bookCell.value, in: bookCell.cell)
            return gap(of: player)
        } catch { return error }
    }

    /// The reason why nothing after the open frame of a player counts.
    private func gap(of player: Player) -> RuleViolation {
        let count = seats[player.id].map { states[$0].frames.count } ?? 0
        return RuleViolation(
            "frame \(count + 1) comes first, and nothing of \(player.name) counts there"
        )
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard let number = try rules.frame(of: score.value, in: score.cell)?.number,
            let seat = seats[score.cell.player]
        else { return }
        let count = states[seat].frames.count
        guard count > 0 || !isOver else { throw words.over(winners: []) }
        guard number <= count + 1 else { throw gap(of: players[seat]) }
    }

    // MARK: Moves

    func play(
        _ move: Move,
        in book: Book,
        with context: inout MoveContext
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        let seat = try seat(for: move)
        let number = states[seat].frames.count + 1
        try move.checkDetails(words)
        let frame = try BowlingFrame(typed: move.words, number: number)
        var after = self
        after.states[seat].add(frame)
        return Played(
            by: players[seat].id,
            writes: [Score(BowlingGame.cell(players[seat].id, number), .text(frame.spelling))],
            notes: [after.note(on: frame, by: seat)] + after.notes(isFinished: false)
        )
    }

    /// The seat whose frame a move is.
    private func seat(for move: Move) throws(RuleViolation) -> Int {
        guard !isOver else { throw words.over(winners: []) }
        guard let bowler else { throw words.nobody }
        guard let player = move.player, player != players[bowler].id else { return bowler }
        guard let other = players.firstIndex(where: { $0.id == player }) else {
            throw .unknownPlayer(player)
        }
        let name = players[other].name
        guard players[other].isPresent else { throw .removedPlayer(name: name) }
        guard !states[other].isOver else {
            throw RuleViolation("\(name) has bowled all \(BowlingFrame.count) frames")
        }
        throw RuleViolation(
            "\(players[bowler].name) bowls next, frame \(states[bowler].frames.count + 1)",
            hint: "enter what \(name) bowled out of turn with: "
                + "scorectl score \(name) frame.\(states[other].frames.count + 1)=…"
        )
    }

    // MARK: Standings

    /// Whether all present players who take part have bowled all frames, and at least one player has.
    var isOver: Bool { hasEnded && participants.allSatisfy { states[$0].isOver } }

    /// Whether any player has bowled all frames.
    private var hasEnded: Bool { states.contains(where: \.isOver) }

    /// The seats that are present and take part: nobody starts after a player has finished.
    private var participants: [Int] {
        let hasEnded = hasEnded
        return players.indices.filter {
            players[$0].isPresent && !(hasEnded && states[$0].frames.isEmpty)
        }
    }

    /// The seat that bowls next; nil after the end.
    var bowler: Int? {
        let open = participants.filter { !states[$0].isOver }
        // The first of equals: `min` gives it.
        return open.min { states[$0].frames.count < states[$1].frames.count }
    }

    /// The seats that are ranked: those present that have bowled, and after the end all that have
    /// bowled all frames, so that nobody wins because the winner has left.
    private var ranked: [Int] {
        isOver
            ? players.indices.filter { states[$0].isOver }
            : players.indices.filter { players[$0].isPresent && !states[$0].frames.isEmpty }
    }

    func lines(of book: Book) -> StandingLines {
        let ranked = Set(ranked)
        return StandingLines(
            ranking: players,
            isFinished: book.isFinished || isOver,
            isDecided: isOver,
            turn: book.isFinished ? nil : bowler.map { players[$0].id },
            showsAbsent: false
        ) { seat in
            let total = Int64(states[seat].total)
            return StandingLines.Score(total: total, merit: ranked.contains(seat) ? [total] : nil)
        }
    }

    /// The game once it has ended, with all who have bowled all frames.
    var endings: Standings.Endings {
        guard isOver else { return .outcomes([]) }
        let seats = ranked
        let ranks = CompetitionRanking.ranks(seats.map { [Int64(states[$0].total)] })
        let outcome = Outcome(
            number: 1,
            at: seats.compactMap { latest[$0] }.max(),
            players: zip(seats, ranks).map { seat, rank in
                PlayerOutcome(
                    player: players[seat].id,
                    name: players[seat].name,
                    isWinner: rank == 1,
                    rank: rank,
                    total: Int64(states[seat].total),
                    tally: BowlingStatistics.tally(states[seat]),
                    hasOpponents: seats.count > 1
                )
            }
        )
        return .outcomes([outcome])
    }

    // MARK: Notes and panels

    func notes(isFinished: Bool) -> [Note] {
        if isOver {
            let scores = ranked.map { (name: players[$0].name, score: states[$0].total) }
            let best = scores.enumerated().sorted {
                ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
            }
            let list = best.map { "\($0.element.name) \($0.element.score)" }
            return [Note("final scores: " + list.joined(separator: ", "))]
        }
        guard !isFinished, let bowler else { return [] }
        let frame = states[bowler].frames.count + 1
        return [Note("\(players[bowler].name) to bowl, frame \(frame)")]
    }

    /// The note for a player who has just entered this frame, which the game has.
    private func note(on frame: BowlingFrame, by seat: Int) -> Note {
        let running = states[seat].runningScores
        let known = running.lastIndex { $0 != nil }.flatMap { index in
            running[index].map { ", \($0) after frame \(index + 1)" }
        }
        return Note(
            "\(players[seat].name): \(frame.spelling) in frame \(running.count)" + (known ?? "")
        )
    }

    var moveInput: MoveInput { MoveInput(.pins, title: "Frame", help: "As X, 7/, 72 or 9-") }

    /// The frames of all players, with the running score below if it is known.
    var panels: [Panel] {
        let shown = players.indices.filter { players[$0].isPresent || !states[$0].frames.isEmpty }
        guard !shown.isEmpty else { return [] }
        let frames = 0..<BowlingFrame.count
        let rows = shown.flatMap { seat -> [Panel.GridRow] in
            let state = states[seat]
            let running = state.runningScores
            let marks = frames.map { index in
                index < state.frames.count ? state.frames[index].spelling : ""
            }
            let scores = frames.map { index in
                index < running.count ? running[index].map { "\($0)" } ?? "" : ""
            }
            let name = (seat == bowler ? "> " : "  ") + players[seat].name
            return [
                Panel.GridRow(name, marks + ["\(state.highest)"]),
                Panel.GridRow("", scores + [""]),
            ]
        }
        let columns = frames.map { "\($0 + 1)" } + ["Highest"]
        return [.table(Panel.Grid(title: "Frames", columns: columns, rows: rows))]
    }
}
