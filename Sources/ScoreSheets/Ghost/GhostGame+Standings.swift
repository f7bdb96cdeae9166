import SessionCRDT

/// What a game of Ghost comes to.
extension GhostGame {
    private static let ghost = "GHOST"

    func standings(of book: Book) -> Standings {
        Standings(
            players: lines.players(columns),
            isFinished: lines.isFinished,
            turn: lines.turn,
            flags: flags(of: book),
            notes: notes(replay, isFinished: lines.isFinished),
            totalLabel: "Lives",
            panels: panels,
            endings: .told(lines.isFinished && !replay.losses.isEmpty ? [outcome] : [])
        )
    }

    /// Everything that does not count, and why.
    private func flags(of book: Book) -> [Flag] {
        let sheet = rules.sheet
        let count = book.players.count(where: \.isPresent)
        let crowd = sheet.violation(ofCrowd: count, in: book).map { [Flag(.game, $0)] } ?? []
        let cells = lines.lines.flatMap { line in
            columns.flagged(of: line.player.id).map { bookCell in
                let violation =
                    sheet.violation(of: bookCell.value, in: bookCell.cell)
                    ?? GhostTerms.violation(of: bookCell.cell)
                    ?? letters.reason(against: bookCell, of: line.player).violation
                return Flag(.cell(bookCell.cell), violation)
            }
        }
        let late = terms.late(since: GhostTerms(settings)).map { option in
            Flag(.option(option), GhostRule.begun(option: option).violation)
        }
        return strays(of: book) + crowd + settings.flags + late + cells
    }

    // MARK: What is told

    func notes(_ replay: GhostReplay, isFinished: Bool) -> [Note] {
        let isStuck = replay.turn > 1 && replay.mover == nil && !isFinished
        return lastNotes(replay) + (isStuck ? [.ghost(.tooFewLeft)] : [])
    }

    /// How the last round was lost.
    func lastNotes(_ replay: GhostReplay) -> [Note] {
        guard let loss = replay.losses.last else { return [] }
        let name = replay.circle.players[loss.place].name
        let letters = GhostGame.letters(left: loss.livesLeft)
        let stakes: GhostNote.Stakes? =
            switch (replay.hasRounds, replay.terms.isTable) {
            case (false, _): nil
            case (true, false): .out
            case (true, true): .letters(letters, isOut: loss.livesLeft == 0)
            }
        return [.ghost(loss.note(name, minimum: replay.terms.minimum, leaving: stakes))]
    }

    /// What a player has of G-H-O-S-T with so many lives left.
    private static func letters(left: Int) -> String {
        String(ghost.prefix(max(0, ghost.utf8.count - left)))
    }

    private var panels: [Panel] {
        let beginning = replay.beginning.uppercased()
        let text = Panel.text(
            title: replay.hasRounds ? "Round \(replay.round)" : "Beginning",
            lines: [beginning.isEmpty ? "no letter yet" : beginning]
        )
        guard replay.hasRounds else { return [text] }
        let names = replay.circle.players.map(\.name)
        let letters = Panel.table(
            Panel.Grid(
                title: "Letters",
                columns: [],
                rows: names.indices.map { place in
                    Panel.GridRow(names[place], [GhostGame.letters(left: replay.lives[place])])
                }
            )
        )
        let rounds = Panel.table(
            Panel.Grid(
                title: "Rounds",
                columns: [],
                rows: replay.losses.enumerated().map { index, loss in
                    let words = loss.note(names[loss.place], minimum: replay.terms.minimum)
                        .description
                    return Panel.GridRow("\(index + 1)", [words])
                }
            )
        )
        return [text] + (replay.terms.isTable ? [letters] : [])
            + (replay.losses.isEmpty ? [] : [rounds])
    }

    // MARK: What ended

    private var outcome: Outcome {
        let losses = Dictionary(grouping: replay.losses, by: \.place)
        return Outcome(
            number: 1,
            at: replay.latest,
            players: lines.lines.filter { $0.rank != nil }.compactMap { standing in
                guard let place = replay.circle.place(of: standing.player.id) else { return nil }
                let lost = losses[place] ?? []
                let completed = lost.count { $0.letter.verdict == .complete }
                return PlayerOutcome(
                    player: standing.player.id,
                    name: standing.player.name,
                    isWinner: standing.rank == 1,
                    rank: standing.rank,
                    total: standing.total,
                    tally: [
                        Symbol(known: "letters"): Int64(replay.counts[place]),
                        Symbol(known: "lost"): Int64(lost.count),
                        Symbol(known: "completed"): Int64(completed),
                        Symbol(known: "impossible"): Int64(lost.count - completed),
                    ]
                )
            }
        )
    }
}

extension StandingLines {
    /// Who is in goes before who is out, more lives before fewer, and of those who are out the one
    /// who held out longer; no rank before the first round was lost, and of those who do not play.
    ///
    /// Who left before the end has none, who leaves after it keeps it.
    init(_ book: Book, _ replay: GhostReplay) {
        let seated = book.players.filter(\.isPresent) + book.players.filter { !$0.isPresent }
        var outs: [Int: Int] = [:]
        for (index, loss) in replay.losses.enumerated() where loss.livesLeft == 0 {
            outs[loss.place] = index
        }
        let places = seated.map { replay.circle.place(of: $0.id) }
        let merits = zip(seated, places).map { player, place -> [Int64]? in
            guard player.isPresent || replay.isOver, !replay.losses.isEmpty, let place
            else { return nil }
            return [Int64(replay.lives[place]), Int64(outs[place] ?? 0)]
        }
        let ranks = CompetitionRanking.ranks(merits)
        let isFinished = replay.isOver || book.isFinished
        self.init(
            lines: seated.indices.map { index in
                Line(
                    player: seated[index],
                    total: Int64(places[index].map { replay.lives[$0] } ?? 0),
                    rank: ranks[index]
                )
            },
            isFinished: isFinished,
            turn: isFinished ? nil : replay.mover?.id
        )
    }
}
