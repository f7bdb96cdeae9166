import SessionCRDT

/// A game of bowling: a column of at most ten frames for each player, each read anew where it
/// changed.
struct BowlingGame: KeptGame {
    let rules: BowlingRules
    var kept = KeptStandings()
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// How the game of each player stands, by seat.
    private(set) var stands: [BowlingStand] = []

    /// When the latest frame of each player that counts was written.
    private(set) var latest: [Stamp?] = []
    private let seats: [PlayerID: Int]
    private let settings: Settings

    init(reading book: Book, by rules: BowlingRules) {
        self.rules = rules
        players = book.players
        seats = book.players.seats
        settings = Settings(rules.sheet, book)
        for player in book.players {
            let (stand, stamp) = bowled(player.id, in: book)
            stands.append(stand)
            latest.append(stamp)
        }
    }

    mutating func take(
        _ change: BookChange,
        of book: Book,
        _ differing: inout ScoreboardChange
    ) -> [Cell]? {
        let before = stands
        var touched = change.cells
        for seat in Set(change.cells.compactMap { seats[$0.player] }) {
            let id = players[seat].id
            (stands[seat], latest[seat]) = bowled(id, in: book)
            // A frame counts, or does not, by those before it.
            touched += (1...BowlingFrame.most).map { BowlingGame.cell(id, $0) }
        }
        differing.arePanelsDifferent = stands != before
        return touched
    }

    /// Takes in a frame that somebody wishes to write.
    mutating func take(_ frame: BowlingFrame, by seat: Int) { stands[seat].take(frame) }

    /// The cell of a frame of a player.
    static func cell(_ player: PlayerID, _ number: Int) -> Cell {
        Cell(player: player, row: BowlingRules.row, round: UInt32(clamping: number))
    }

    /// The frames of a player, up to the first that is missing or none.
    private func bowled(_ player: PlayerID, in book: Book) -> (BowlingStand, Stamp?) {
        var stand = BowlingStand()
        var stamp: Stamp?
        while !stand.isOver {
            let cell = BowlingGame.cell(player, stand.frames.count + 1)
            guard let winner = book[cell]?.winner,
                let frame = try? rules.frame(of: winner.value, in: cell)?.frame
            else { break }
            stand.take(frame)
            stamp = max(stamp ?? winner.stamp, winner.stamp)
        }
        return (stand, stamp)
    }

    /// What a cell comes to: the pins that its frame took, where it counts.
    ///
    /// The total has the bonuses of strikes and spares besides: were they added to their frames,
    /// each frame would be told to change those before it.
    func verdict(of bookCell: BookCell) -> TurnColumns.Verdict {
        let cell = bookCell.cell
        if cell.row == BowlingRules.row, let round = cell.round, round > 0,
            let stand = seats[cell.player].map({ stands[$0] }), round <= stand.frames.count
        {
            let pins = stand.frames[Int(round) - 1].pins
            return TurnColumns.Verdict(points: Int64(pins), isFlagged: false)
        }
        return TurnColumns.Verdict(uncounted: bookCell, by: rules.sheet)
    }

    func flagsOfGame(in book: Book) -> [Flag] { settings.flags }

    func reason(against bookCell: BookCell, of player: Player) -> RuleViolation {
        do throws(RuleViolation) {
            _ = try rules.frame(of: bookCell.value, in: bookCell.cell)
            return gap(of: player)
        } catch { return error }
    }

    /// Why nothing behind the open frame of a player counts.
    private func gap(of player: Player) -> RuleViolation {
        let count = seats[player.id].map { stands[$0].frames.count } ?? 0
        return BowlingRule.gap(count + 1, player: player.name).violation
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard let number = try rules.frame(of: score.value, in: score.cell)?.number,
            let seat = seats[score.cell.player]
        else { return }
        let count = stands[seat].frames.count
        guard count > 0 || !isOver else { throw over }
        guard number <= count + 1 else { throw gap(of: players[seat]) }
    }
}

extension BowlingGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        guard !book.isFinished else { throw .finished }
        let seat = try seat(for: move)
        let stand = stands[seat]
        try move.checkDetails(BowlingRules.words)
        let frame: BowlingFrame
        do throws(BowlingRule) {
            frame = try BowlingFrame(typed: move.words, number: stand.frames.count + 1)
        } catch { throw error.violation }
        var after = self
        after.take(frame, by: seat)
        let number = stand.frames.count + 1
        return Played(
            by: players[seat].id,
            writes: [Score(BowlingGame.cell(players[seat].id, number), .text(frame.spelling))],
            notes: [after.note(on: frame, by: seat)] + after.notes(isFinished: false)
        )
    }

    /// What nobody can enter once everybody has bowled all frames.
    var over: RuleViolation { .game(.turns(.over(winners: []), BowlingRules.words)) }

    /// Whose frame a move is.
    private func seat(for move: Move) throws(RuleViolation) -> Int {
        guard !isOver else { throw over }
        guard let bowler else { throw .game(.turns(.nobody, BowlingRules.words)) }
        guard let wanted = move.player, wanted != players[bowler].id else { return bowler }
        guard let place = players.firstIndex(where: { $0.id == wanted }) else {
            throw .unknownPlayer(wanted)
        }
        guard players[place].isPresent else { throw .removedPlayer(name: players[place].name) }
        guard !stands[place].isOver else {
            throw BowlingRule.done(player: players[place].name).violation
        }
        throw BowlingRule.otherTurn(
            bowler: players[bowler].name,
            frame: stands[bowler].frames.count + 1,
            instead: players[place].name,
            at: stands[place].frames.count + 1
        )
        .violation
    }

    /// What a player is told who has just entered this frame, which the game has.
    private func note(on frame: BowlingFrame, by seat: Int) -> Note {
        let running = stands[seat].runningScores
        let known = running.lastIndex { $0 != nil }.flatMap { place in
            running[place].map { BowlingNote.Known(score: $0, frame: place + 1) }
        }
        return .bowling(
            .bowled(
                player: players[seat].name,
                frame: frame.spelling,
                number: running.count,
                known: known
            )
        )
    }
}

extension BowlingGame {
    /// Whether somebody has bowled all frames, and everybody here who takes part.
    var isOver: Bool { hasEnded && bowlers.allSatisfy { stands[$0].isOver } }

    /// Whether somebody has bowled all frames.
    private var hasEnded: Bool { stands.contains(where: \.isOver) }

    /// Who is here and takes part, by seat: nobody begins where somebody is through.
    private var bowlers: [Int] {
        let hasEnded = hasEnded
        return players.indices.filter {
            players[$0].isPresent && !(hasEnded && stands[$0].frames.isEmpty)
        }
    }

    /// Who bowls next, by seat; nil of nobody, as after the end.
    var bowler: Int? {
        let open = bowlers.filter { !stands[$0].isOver }
        // The first of equals: `min` gives it.
        return open.min { stands[$0].frames.count < stands[$1].frames.count }
    }

    /// Who is ranked, by seat: who is here and has bowled, and after the end everybody who has
    /// bowled it all, so that nobody wins because the winner has left.
    private var counted: [Int] {
        isOver
            ? players.indices.filter { stands[$0].isOver }
            : players.indices.filter { players[$0].isPresent && !stands[$0].frames.isEmpty }
    }

    /// How everybody stands.
    func lines(of book: Book) -> StandingLines {
        let counted = Set(counted)
        return StandingLines(
            ranking: players,
            isFinished: book.isFinished || isOver,
            isDecided: isOver,
            turn: book.isFinished ? nil : bowler.map { players[$0].id },
            showsAbsent: false
        ) { seat in
            let total = Int64(stands[seat].total)
            return StandingLines.Score(
                total: total,
                merit: counted.contains(seat) ? [total] : nil
            )
        }
    }

    /// The game once it has ended, with everybody who has bowled it all.
    var endings: Standings.Endings {
        guard isOver else { return .told([]) }
        let counted = counted
        let ranks = CompetitionRanking.ranks(counted.map { [Int64(stands[$0].total)] })
        let outcome = Outcome(
            number: 1,
            at: counted.compactMap { latest[$0] }.max(),
            players: zip(counted, ranks).map { seat, rank in
                PlayerOutcome(
                    player: players[seat].id,
                    name: players[seat].name,
                    isWinner: rank == 1,
                    rank: rank,
                    total: Int64(stands[seat].total),
                    tally: BowlingTally.counts(of: stands[seat]),
                    hasOpponents: counted.count > 1
                )
            }
        )
        return .told([outcome])
    }

    /// What is told below the table.
    func notes(isFinished: Bool) -> [Note] {
        if isOver {
            let scores = counted.map {
                BowlingNote.Score(player: players[$0].name, score: stands[$0].total)
            }
            let best = scores.enumerated().sorted {
                ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
            }
            return [.bowling(.over(best.map(\.element)))]
        }
        return isFinished ? [] : [turnNote].compactMap(\.self)
    }

    /// Who bowls next.
    var turnNote: Note? {
        bowler.map { seat in
            .bowling(
                .turn(player: players[seat].name, frame: stands[seat].frames.count + 1)
            )
        }
    }

    /// The frames of everybody: what was bowled, below it the running score where it is known.
    var panels: [Panel] {
        let shown = players.indices.filter { players[$0].isPresent || !stands[$0].frames.isEmpty }
        guard !shown.isEmpty else { return [] }
        let frames = 0..<BowlingFrame.most
        let rows = shown.flatMap { seat -> [Panel.GridRow] in
            let stand = stands[seat]
            let running = stand.runningScores
            let marks = frames.map { place in
                place < stand.frames.count ? stand.frames[place].spelling : ""
            }
            let scores = frames.map { place in
                place < running.count ? running[place].map { "\($0)" } ?? "" : ""
            }
            let name = (seat == bowler ? "> " : "  ") + players[seat].name
            return [
                Panel.GridRow(name, marks + ["\(stand.highest)"]),
                Panel.GridRow("", scores + [""]),
            ]
        }
        return [
            .table(
                Panel.Grid(
                    title: "Frames",
                    columns: frames.map { "\($0 + 1)" } + ["Highest"],
                    rows: rows
                )
            )
        ]
    }
}
