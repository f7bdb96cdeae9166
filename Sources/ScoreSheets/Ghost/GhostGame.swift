import SessionCRDT

/// A game of Ghost that goes on from the last turn before a change.
struct GhostGame: GameState {
    let rules: GhostRules
    private(set) var letters: GhostLetters
    private(set) var columns = TurnColumns()

    let settings: Settings
    /// How everybody stands.
    private(set) var lines: StandingLines

    /// The game of a book, from the first turn.
    init(_ rules: GhostRules, _ book: Book) {
        self.rules = rules
        settings = Settings(rules.sheet, book)
        letters = GhostLetters(book, GhostTerms(settings), by: rules.sheet)
        columns.read(book) { [letters] in GhostGame.verdict(of: $0, letters, rules.sheet) }
        lines = StandingLines(book, letters.replay)
    }

    /// What it is played for and with.
    var terms: GhostTerms { replay.terms }

    /// Where it stands.
    var replay: GhostReplay { letters.replay }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        let circle = GhostCircle(book, recorded: terms.circle)
        guard circle.isRecorded == replay.circle.isRecorded,
            circle.players.map(\.id) == replay.circle.players.map(\.id)
        else {
            self = GhostGame(rules, book)
            return .whole
        }
        let before = letters
        let kept = letters.update(to: book, change.cells)
        var differing = ScoreboardChange()
        for cell in change.cells + letters.turns(differingFrom: before, after: kept) {
            columns.judge(cell, in: book, &differing) { [letters, rules] in
                GhostGame.verdict(of: $0, letters, rules.sheet)
            }
        }
        let linesBefore = lines
        lines = StandingLines(book, replay)
        lines.note(&differing, since: linesBefore)
        if !columns.isClean { differing.areFlagsDifferent = true }
        let isFinished = lines.isFinished
        if notes(replay, isFinished: isFinished)
            != notes(before.replay, isFinished: linesBefore.isFinished)
        {
            differing.areNotesDifferent = true
        }
        if replay.beginning != before.replay.beginning || replay.losses != before.replay.losses
            || replay.isOver != before.replay.isOver
        {
            differing.arePanelsDifferent = true
        }
        return differing
    }

    private static func verdict(
        of bookCell: BookCell,
        _ letters: GhostLetters,
        _ sheet: Sheet
    ) -> TurnColumns.Verdict {
        if letters.counts(bookCell.cell) { return TurnColumns.Verdict(points: 0, isFlagged: false) }
        let isFlagged =
            bookCell.value != .null || sheet.violation(of: .null, in: bookCell.cell) != nil
        return TurnColumns.Verdict(points: nil, isFlagged: isFlagged)
    }

    /// A letter can be picked out of a conflict with the verdict that it had, also when who is
    /// there has changed since; any other is refused, since nothing here can judge it: a verdict
    /// that somebody typed would stand for good.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let cell = score.cell
        if let violation = GhostTerms.violation(of: cell) { throw violation }
        guard let turn = cell.round,
            book[cell]?.entries.contains(where: { $0.value == score.value }) == true
        else { throw GhostRule.unjudged.violation }
        guard let place = replay.circle.place(of: cell.player) else {
            throw GhostRule.notPlaying(book.player(cell.player)?.name ?? "").violation
        }
        let before = letters.replay(before: turn)
        if let reason = before.reason(against: GhostLetter(score.value), at: turn, by: place) {
            throw reason.violation
        }
        guard turn < replay.turn else { return }
        // Somebody else may have moved then.
        let mover = letters.movers[Int(turn) - 1]
        if mover != place { throw GhostRule.turn(of: replay.circle.players[mover].name).violation }
    }

    /// The letter and what it made, of a beginning with its verdict.
    func words(in book: Book) -> GameWords {
        GameWords(value: { score in
            score.cell.row == GhostTerms.letter ? GhostLetter(score.value)?.words : nil
        })
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard !GhostTerms.recorded.contains(option) else {
            throw GhostRule.recorded(option: option).violation
        }
        guard replay.turn == 1 else { throw GhostRule.begun(option: option).violation }
    }
}
