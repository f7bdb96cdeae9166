import SessionCRDT

/// What a game of Ghost comes to.
extension GhostGame {
    private static let ghost = "GHOST"

    /// Who is in goes before who is out, more lives before fewer, and of those who are out the one
    /// who held out longer; no rank before the first round was lost, and of those who do not play.
    ///
    /// Who left before the end has none, who leaves after it keeps it.
    func lines(of book: Book) -> StandingLines {
        var outs: [Int: Int] = [:]
        for (index, loss) in losses.enumerated() where loss.livesLeft == 0 {
            outs[loss.seat] = index
        }
        let isFinished = stand.isOver || book.isFinished
        return StandingLines(
            ranking: book.players,
            isFinished: isFinished,
            turn: isFinished ? nil : stand.mover.map { terms.players[$0].id },
            showsAbsent: true
        ) { place in
            let player = book.players[place]
            guard let seat = terms.seats[player.id] else {
                return StandingLines.Score(total: 0, merit: nil)
            }
            let lives = Int64(stand.lives[seat])
            let isRanked = !losses.isEmpty && (player.isPresent || stand.isOver)
            let merit = isRanked ? [lives, Int64(outs[seat] ?? 0)] : nil
            return StandingLines.Score(total: lives, merit: merit)
        }
    }

    // MARK: What is told

    func notes(isFinished: Bool) -> [Note] {
        let isStuck = !turns.isEmpty && stand.mover == nil && !isFinished
        return lastNotes + (isStuck ? [.ghost(.tooFewLeft)] : [])
    }

    /// How the last round was lost.
    var lastNotes: [Note] {
        guard let loss = losses.last else { return [] }
        let letters = GhostGame.letters(left: loss.livesLeft)
        let stakes: GhostNote.Stakes? =
            switch (terms.hasRounds, terms.stakes.isTable) {
            case (false, _): nil
            case (true, false): .out
            case (true, true): .letters(letters, isOut: loss.livesLeft == 0)
            }
        let minimum = terms.stakes.minimum
        return [.ghost(loss.note(name(loss.seat), minimum: minimum, leaving: stakes))]
    }

    /// What a player has of G-H-O-S-T with so many lives left.
    private static func letters(left: Int) -> String {
        String(ghost.prefix(max(0, ghost.utf8.count - left)))
    }

    var panels: [Panel] {
        let beginning = stand.beginning.uppercased()
        let text = Panel.text(
            title: terms.hasRounds ? "Round \(losses.count + (stand.isOver ? 0 : 1))" : "Beginning",
            lines: [beginning.isEmpty ? "no letter yet" : beginning]
        )
        guard terms.hasRounds else { return [text] }
        let names = terms.players.map(\.name)
        let letters = Panel.table(
            Panel.Grid(
                title: "Letters",
                columns: [],
                rows: names.indices.map { seat in
                    Panel.GridRow(names[seat], [GhostGame.letters(left: stand.lives[seat])])
                }
            )
        )
        let rounds = Panel.table(
            Panel.Grid(
                title: "Rounds",
                columns: [],
                rows: losses.enumerated().map { index, loss in
                    let words = loss.note(names[loss.seat], minimum: terms.stakes.minimum)
                        .description
                    return Panel.GridRow("\(index + 1)", [words])
                }
            )
        )
        return [text] + (terms.stakes.isTable ? [letters] : [])
            + (losses.isEmpty ? [] : [rounds])
    }

    // MARK: What ended

    var endings: Standings.Endings {
        .told(kept.lines.isFinished && !losses.isEmpty ? [outcome] : [])
    }

    private var outcome: Outcome {
        let lost = Dictionary(grouping: losses, by: \.seat)
        return Outcome(
            number: 1,
            at: stand.latest,
            players: kept.lines.lines.filter { $0.rank != nil }.compactMap { standing in
                guard let seat = terms.seats[standing.player.id] else { return nil }
                let own = lost[seat] ?? []
                let completed = own.count { $0.letter.verdict == .complete }
                return PlayerOutcome(
                    player: standing.player.id,
                    name: standing.player.name,
                    isWinner: standing.rank == 1,
                    rank: standing.rank,
                    total: standing.total,
                    tally: [
                        Symbol(known: "letters"): Int64(stand.counts[seat]),
                        Symbol(known: "lost"): Int64(own.count),
                        Symbol(known: "completed"): Int64(completed),
                        Symbol(known: "impossible"): Int64(own.count - completed),
                    ]
                )
            }
        )
    }
}
