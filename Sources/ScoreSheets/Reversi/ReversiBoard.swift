import SessionCRDT

/// A game of Reversi, of which the cells are kept and the sixty turns replayed.
struct ReversiBoard: GameState {
    let rules: ReversiRules
    private(set) var record: ReversiRecord
    private var columns = TurnColumns()
    /// How everybody stands.
    private var lines: StandingLines

    /// The game of a book.
    init(_ rules: ReversiRules, _ book: Book) {
        self.rules = rules
        let record = ReversiRecord(book, by: rules.sheet)
        self.record = record
        columns.read(book) { record.verdict(of: $0, in: book) }
        lines = record.lines(of: book)
    }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        let (before, linesBefore) = (record, lines)
        let record = ReversiRecord(book, by: rules.sheet)
        guard record.isRecorded == before.isRecorded, record.seats == before.seats else {
            self = ReversiBoard(rules, book)
            return .whole
        }
        self.record = record
        var differing = ScoreboardChange()
        for cell in change.cells + record.turns(differingFrom: before) {
            columns.judge(cell, in: book, &differing) { record.verdict(of: $0, in: book) }
        }
        lines = record.lines(of: book)
        lines.note(&differing, since: linesBefore)
        let isOtherGame = record.game != before.game
        if isOtherGame, !columns.isClean { differing.areFlagsDifferent = true }
        differing.areNotesDifferent = isOtherGame && record.notes != before.notes
        differing.arePanelsDifferent = isOtherGame
        return differing
    }

    func standings(of book: Book) -> Standings {
        Standings(
            players: lines.players(columns),
            isFinished: lines.isFinished,
            isDecided: lines.isDecided,
            turn: lines.turn,
            flags: strays(of: book) + record.flags(of: book, columns),
            notes: record.notes,
            totalLabel: "Discs",
            panels: record.panels,
            endings: .told(record.outcomes(lines.lines))
        )
    }

    /// Refuses one that would only watch, because a move has settled who plays.
    func checkComputer(in book: Book) throws(RuleViolation) {
        guard !record.isRecorded else {
            throw ReversiRule.sidesFixed(players: record.whoPlays).violation
        }
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != ReversiRecord.sides else { throw ReversiRule.recorded.violation }
    }

    func suggestion(in book: Book, depth: Int) -> Move? {
        guard let player = record.turn, record.crowd == nil else { return nil }
        var search = ReversiSearch(depth: depth)
        return search.move(in: record.game.position)
            .map { Move([$0.description], by: player.id) }
    }

    /// Refuses what does not count at its turn, judged by the moves before it.
    ///
    /// An earlier move can be corrected: those that follow are judged again when they are read.
    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null else { return }
        let record = record.before(turn: Int(score.cell.round ?? 0))
        if let crowd = record.crowd { throw crowd }
        if let reason = record.violation(of: score.value, in: score.cell, book) { throw reason }
    }
}
