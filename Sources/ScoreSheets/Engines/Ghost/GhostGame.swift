import SessionCRDT

/// A game of Ghost.
struct GhostGame: TurnGame {
    let rules: GhostRules
    var record: TurnRecord<GhostStand>
    var kept: KeptStandings

    /// The rounds that were lost, the first first.
    var losses: Chunks<GhostLoss> { record.parts }

    var totalLabel: String { "Lives" }

    /// A letter can be picked out of a conflict with the verdict that it had, also when who is
    /// there has changed since; any other is refused, since nothing here can judge it: a verdict
    /// that somebody typed would stand for good.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let cell = score.cell
        guard cell.row == GhostTerms.row else {
            throw .unknownRow(cell.row.description, candidates: [GhostTerms.row])
        }
        guard book[cell]?.entries.contains(where: { $0.value == score.value }) == true else {
            throw GhostRule.unjudged.violation
        }
        try checkTurn(score, in: book)
    }

    /// The letter and what it made, of a beginning with its verdict.
    func words(in book: Book) -> GameWords {
        GameWords(value: { score in
            score.cell.row == GhostTerms.row ? GhostLetter(score.value)?.words : nil
        })
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !GhostTerms.recorded.contains(option) else {
            throw GhostRule.recorded(option: option).violation
        }
        guard turns.isEmpty else { throw GhostRule.begun(option: option).violation }
    }
}

extension GhostGame {
    func play(
        _ move: Move,
        in book: Book,
        with aids: inout Aids
    ) throws(RuleViolation) -> Played {
        try checkIsOn(in: book)
        try move.checkDetails(GhostTerms.words)
        let mover = try mover(in: book, asked: move.player)
        guard record.openTurn <= Cell.lastRound else {
            throw .noRoundLeft(row: GhostTerms.row)
        }
        let beginning = stand.beginning + (try letter(of: move.words))
        let lexicon = try lexicon(aids)
        let verdict = GhostVerdict(beginning, by: lexicon, minimum: terms.stakes.minimum)
        let letter = GhostLetter(beginning, verdict)
        let after = try playing(letter, by: mover).game
        let cell = terms.cell(mover, turns.count + 1)
        let isRecorded = !turns.isEmpty && terms.recordedList != nil
        return Played(
            by: cell.player,
            writes: [Score(cell, letter.value)],
            options: isRecorded ? [:] : terms.record(lexicon),
            notes: verdict == .open ? [] : after.lastNotes
        )
    }

    /// Who is to move, if that is who was asked for.
    private func mover(in book: Book, asked: PlayerID?) throws(RuleViolation) -> Int {
        let count = book.players.count(where: \.isPresent)
        if let violation = rules.sheet.violation(ofPlayerCount: count) { throw violation }
        guard let mover = stand.mover else {
            throw .playerCount(1, allowed: Bounds(within: 2...Int64.max))
        }
        guard let asked, asked != terms.players[mover].id else { return mover }
        guard let other = book.player(asked) else { throw .unknownPlayer(asked) }
        throw terms.seats[asked] == nil
            ? terms.violation(byStranger: other, at: record.openTurn)
            : terms.violation(at: record.openTurn, of: mover)
    }

    /// The letter that was typed, without case and accent.
    private func letter(of words: [String]) throws(RuleViolation) -> String {
        let typed = words.joined(separator: " ")
        let lower = typed.lowercased()
        guard let character = lower.first, lower.count == 1,
            let letter = Alphabet.letter(character)
        else { throw GhostRule.notALetter(typed).violation }
        return String(UnicodeScalar(letter))
    }

    /// The list of this device, if it is the one that the game is played with.
    private func lexicon(_ aids: Aids) throws(RuleViolation) -> any Lexicon {
        // What an earlier game recorded, or one whose first letter was taken back, binds nobody.
        guard !turns.isEmpty, let recorded = terms.recordedList else {
            return try aids.lexicon(terms.chosenList)
        }
        let lexicon = try aids.lexicon(recorded.name)
        guard lexicon.fingerprint == recorded.fingerprint else {
            throw GhostRule.otherList(
                recorded.name,
                fingerprint: lexicon.fingerprint,
                wanted: recorded.fingerprint
            ).violation
        }
        return lexicon
    }

    /// The round in progress, or the last one once the game is over.
    func reset(of book: Book) throws(RuleViolation) -> Reset {
        let letters = stand.beginning.uppercased()
        let what = letters.isEmpty ? "" : " (\(letters))"
        return try reset(of: book, from: stand.roundStart + 1) { _ in
            "Begin this round\(what) again?"
        }
    }
}

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
