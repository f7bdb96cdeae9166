import SessionCRDT

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
