import SessionCRDT

/// A table of Smash Up that goes on from the last turn before a change.
struct SmashUpTable: GameState {
    let rules: SmashUpRules
    private(set) var replay: SmashUpReplay
    private(set) var columns: TurnColumns
    /// How everybody stands.
    private(set) var lines: StandingLines

    private let crowd: [Flag]
    private let flags: [Flag]

    /// The table of a book, from the first turn.
    init(_ rules: SmashUpRules, _ book: Book) {
        self.rules = rules
        replay = SmashUpReplay(rules.sheet, book)
        columns = TurnColumns(rows: rules.sheet.rows.map(\.id))
        columns.read(book) { [replay] in replay.verdict(of: $0, in: book) }
        lines = replay.lines
        crowd = SmashUpTable.crowd(replay.terms, book)
        flags = SmashUpTable.flags(replay.terms)
    }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        let (before, linesBefore) = (replay, lines)
        var differing = ScoreboardChange()
        for cell in Set(replay.update(to: book, change.cells)) {
            columns.judge(cell, in: book, &differing) { [replay] in
                replay.verdict(of: $0, in: book)
            }
        }
        lines = replay.lines
        lines.note(&differing, since: linesBefore)
        if !columns.isClean || replay.flawsOfGames != before.flawsOfGames {
            differing.areFlagsDifferent = true
        }
        differing.areNotesDifferent = replay.notes(lines) != before.notes(linesBefore)
        differing.arePanelsDifferent = replay.board != before.board
        // Deals are hidden or read, and gains named by the turns of their games.
        differing.isWhole =
            replay.beginnings != before.beginnings || replay.shownDeal != before.shownDeal
        return differing
    }

    func standings(of book: Book) -> Standings {
        Standings(
            players: lines.players(columns),
            isFinished: lines.isFinished,
            turn: lines.turn,
            flags: flags(of: book),
            notes: replay.notes(lines),
            totalLabel: "Points",
            panels: replay.panels,
            endings: .told(replay.outcomes)
        )
    }

    private func flags(of book: Book) -> [Flag] {
        let cells = lines.lines.flatMap { line in
            columns.flagged(of: line.player.id).map { bookCell in
                Flag(.cell(bookCell.cell), replay.reason(against: bookCell, in: book))
            }
        }
        return strays(of: book) + crowd + replay.flawsOfGames + flags + cells
    }

    /// What is wrong with who plays.
    private static func crowd(_ terms: SmashUpTerms, _ book: Book) -> [Flag] {
        terms.sheet.violation(ofCrowd: terms.present.count, in: book)
            .map { [Flag(.game, $0)] } ?? []
    }

    /// What is wrong with names and options.
    private static func flags(_ terms: SmashUpTerms) -> [Flag] {
        let twins = SmashUpReplay.twins(among: terms.present.map { terms.players[$0] })
        let names = twins.map { twin in
            Flag(.player(twin.id), SmashUpWording.sameName(twin.name).violation)
        }
        let factions = Set(terms.sheet.factions.map { Flag.Subject.option($0.option) })
        let settings = terms.form.settings.flags.filter { !factions.contains($0.subject) }
        return names + settings + terms.choice.flags
    }

    /// The turns of gains, counted from 1 in each game, and deals with the names of the factions.
    func words(in book: Book) -> GameWords {
        let names = SmashUpNames(replay, in: book)
        return GameWords(
            cell: { names.name(of: $0) },
            value: { names.words(of: $0) },
            isOfTable: { SmashUpNames.isOfTable($0) }
        )
    }

    /// The deal, revealed where it was: the same players with the same factions, without those who
    /// left.
    func carriedOver(from book: Book) -> Played {
        let present = book.players.filter(\.isPresent).map(\.id)
        guard let deal = replay.deal?.deal.dealt(to: present),
            let cell = try? commonCell(.deal, in: book)
        else {
            return Played(by: nil, writes: [])
        }
        var writes = [Score(cell, deal.value)]
        if replay.isRevealed, let shown = try? commonCell(.reveal, in: book) {
            writes.append(Score(shown, deal.value))
        }
        return Played(by: nil, writes: writes)
    }
}
