import SessionCRDT

/// What a game of Ghost comes to.
extension GhostRules {
    private static let ghost = "GHOST"

    package func standings(of book: Book) -> Standings {
        let settings = Settings(sheet, book)
        let terms = GhostTerms(settings)
        let replay = GhostReplay(book, terms, by: sheet)
        let seated = book.players.filter(\.isPresent) + book.players.filter { !$0.isPresent }
        let losses = Dictionary(grouping: replay.losses.indices) { replay.losses[$0].place }
        let merits = seated.map { merit(of: $0, replay, losses) }
        let ranks = CompetitionRanking.ranks(merits)
        var flags = settings.flags
        let players = seated.indices.map { index in
            let player = seated[index]
            let place = replay.circle.place(of: player.id)
            return PlayerStanding(
                player: player,
                total: Int64(place.map { replay.lives[$0] } ?? 0),
                rank: ranks[index],
                cells: cells(of: player, in: book, replay, &flags)
            )
        }
        let count = book.players.count(where: \.isPresent)
        if let crowd = sheet.violation(ofCrowd: count, in: book) {
            flags.insert(Flag(.game, crowd), at: 0)
        }
        flags += book.strays.filter { !$0.isEmpty }
            .map { Flag(.cell($0.cell), .unknownPlayer($0.cell.player)) }
        let isFinished = replay.isOver || book.isFinished
        return Standings(
            players: players,
            isFinished: isFinished,
            turn: isFinished ? nil : replay.mover?.id,
            flags: flags,
            notes: notes(replay, isFinished: isFinished),
            totalLabel: "Lives",
            panels: panels(replay, terms),
            outcomes: isFinished && !replay.losses.isEmpty
                ? [outcome(of: players, replay, losses)] : []
        )
    }

    /// The cells of a player; what does not count is flagged.
    private func cells(
        of player: Player,
        in book: Book,
        _ replay: GhostReplay,
        _ flags: inout [Flag]
    ) -> [ScoredCell] {
        book.cells(of: player.id).filter { !$0.isEmpty }.map { entry in
            let value = entry.value
            let violation =
                sheet.violation(of: value, in: entry.cell)
                ?? (value == .null ? nil : GhostTerms.violation(of: entry.cell))
                ?? replay.reasons[entry.cell]?.violation
            if let violation { flags.append(Flag(.cell(entry.cell), violation)) }
            return ScoredCell(entry, points: violation == nil && value != .null ? 0 : nil)
        }
    }

    /// Who is in goes before who is out, more lives before fewer, and of those who are out the one
    /// who held out longer; nil before the first round was lost, and of those who do not play.
    private func merit(
        of player: Player,
        _ replay: GhostReplay,
        _ losses: [Int: [Int]]
    ) -> [Int64]? {
        guard player.isPresent, !replay.losses.isEmpty,
            let place = replay.circle.place(of: player.id)
        else { return nil }
        let lives = Int64(replay.lives[place])
        let last = losses[place]?.last { replay.losses[$0].livesLeft == 0 }
        return [lives, Int64(last ?? 0)]
    }

    // MARK: What is told

    private func notes(_ replay: GhostReplay, isFinished: Bool) -> [String] {
        var notes = lastNotes(replay)
        if replay.turn > 1, replay.mover == nil, !isFinished {
            notes.append(
                "fewer than two players are left: restore one to go on, or finish the session"
            )
        }
        return notes
    }

    /// How the last round was lost.
    func lastNotes(_ replay: GhostReplay) -> [String] {
        guard let loss = replay.losses.last else { return [] }
        let reason = loss.words(replay.circle.players[loss.place].name)
        guard replay.isTable else { return [reason] }
        let letters = GhostRules.letters(left: loss.livesLeft)
        return [reason + (loss.livesLeft > 0 ? ": \(letters)" : ": \(letters), and out")]
    }

    /// What a player has of G-H-O-S-T with so many lives left.
    private static func letters(left: Int) -> String {
        String(ghost.prefix(max(0, ghost.utf8.count - left)))
    }

    private func panels(_ replay: GhostReplay, _ terms: GhostTerms) -> [Panel] {
        let beginning = replay.beginning.uppercased()
        let text = Panel.text(
            title: replay.isTable ? "Round \(replay.round)" : "Beginning",
            lines: [beginning.isEmpty ? "no letter yet" : beginning]
        )
        guard replay.isTable else { return [text] }
        let names = replay.circle.players.map(\.name)
        let letters = Panel.table(
            Panel.Grid(
                title: "Letters",
                columns: [],
                rows: names.indices.map { place in
                    Panel.GridRow(names[place], [GhostRules.letters(left: replay.lives[place])])
                }
            )
        )
        let rounds = Panel.table(
            Panel.Grid(
                title: "Rounds",
                columns: [],
                rows: replay.losses.enumerated().map { index, loss in
                    Panel.GridRow("\(index + 1)", [loss.words(names[loss.place])])
                }
            )
        )
        return replay.losses.isEmpty ? [text, letters] : [text, letters, rounds]
    }

    // MARK: What ended

    private func outcome(
        of players: [PlayerStanding],
        _ replay: GhostReplay,
        _ losses: [Int: [Int]]
    ) -> Outcome {
        Outcome(
            number: 1,
            at: replay.latest,
            players: players.filter(\.player.isPresent).compactMap { standing in
                guard let place = replay.circle.place(of: standing.player.id) else { return nil }
                let lost = (losses[place] ?? []).map { replay.losses[$0] }
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

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func sum(_ id: StaticString, _ label: String) -> Statistic {
            let name = Symbol(known: id)
            let sum = outcomes.reduce(Int128(0)) { $0 + Int128($1.tally[name] ?? 0) }
            return Statistic(name, label, "\(sum)")
        }
        return [
            Statistic(Symbol(known: "games"), "Games", "\(outcomes.count)"),
            Statistic(Symbol(known: "wins"), "Wins", "\(outcomes.count(where: \.isWin))"),
            sum("lost", "Rounds lost"),
            sum("completed", "Words completed"),
            sum("impossible", "Impossible beginnings"),
            sum("letters", "Letters entered"),
        ]
    }
}
