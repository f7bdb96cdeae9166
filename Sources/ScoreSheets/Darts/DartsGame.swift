import SessionCRDT

/// A match that goes on from the last turn before a change.
struct DartsGame: GameState {
    let rules: DartsRules
    private(set) var match: DartsMatch
    private(set) var columns = TurnColumns()
    /// Whether visits wait behind the open turn, which then is one of the past.
    private(set) var isPast: Bool
    /// How everybody stands.
    private var lines: StandingLines

    /// The match of a book, from the first turn.
    init(_ rules: DartsRules, _ book: Book) {
        self.rules = rules
        match = DartsMatch(book, by: rules.sheet)
        columns.read(book, by: match.verdict)
        isPast = DartsGame.isPast(match, columns)
        match.seatWhoIsHere(isPast: isPast)
        lines = match.lines(isFinished: book.isFinished)
    }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        let terms = match.terms
        // Who throws where nobody recorded it depends on which of those who left have thrown.
        let isOtherOrder =
            terms.recorded == nil
            && change.cells.contains { book.player($0.player)?.isPresent == false }
        guard !isOtherOrder, terms.isBlank != book.hasEntries else {
            self = DartsGame(rules, book)
            return .whole
        }
        let before = match
        let touched = change.cells.lazy.filter { $0.row == DartsColumn.row }.compactMap(\.round)
        let kept = match.replay(book, from: max(touched.min() ?? .max, 1))
        var differing = ScoreboardChange()
        let turned = match.turns(differingFrom: before, after: kept)
        for cell in change.cells + turned {
            columns.judge(cell, in: book, &differing, by: match.verdict)
        }
        isPast = DartsGame.isPast(match, columns)
        match.seatWhoIsHere(isPast: isPast)
        let linesBefore = lines
        lines = match.lines(isFinished: book.isFinished)
        lines.note(&differing, since: linesBefore)
        let isOtherwise =
            !turned.isEmpty || match.refusal != before.refusal
            || match.stand.thrower != before.stand.thrower
            || match.stand.rotation != before.stand.rotation
        if isOtherwise {
            differing.arePanelsDifferent = true
            if !columns.isClean { differing.areFlagsDifferent = true }
            if match.notes(isOver: book.isFinished) != before.notes(isOver: book.isFinished) {
                differing.areNotesDifferent = true
            }
        }
        return differing
    }

    private static func isPast(_ match: DartsMatch, _ columns: TurnColumns) -> Bool {
        match.terms.players.contains { player in
            let latest = columns.flagged(of: player.id).last {
                DartsColumn.holdsVisit($0, by: match.terms.sheet)
            }
            return latest.flatMap(\.cell.round).map { $0 > match.openTurn } ?? false
        }
    }

    func standings(of book: Book) -> Standings {
        Standings(
            players: lines.players(columns),
            isFinished: lines.isFinished,
            isDecided: lines.isDecided,
            turn: lines.turn,
            flags: flags(of: book),
            notes: match.notes(isOver: book.isFinished),
            totalLabel: match.mode.hasSets ? "Sets" : "Legs",
            panels: match.panels,
            endings: .legs(
                DartsLegs(
                    legs: match.legs,
                    players: match.terms.players,
                    start: match.mode.start
                )
            ),
            match: match.outcome
        )
    }

    /// Everything that does not count, and why.
    private func flags(of book: Book) -> [Flag] {
        let settings = match.terms.settings
        var flags = strays(of: book) + settings.flags
        let order = settings.values[DartsTerms.orderOption] ?? .null
        if order != .null, match.terms.recorded == nil {
            flags.append(Flag(.option(DartsTerms.orderOption), DartsRule.wrongOrder.violation))
        }
        flags += match.terms.late.map { Flag(.option($0.option), $0.rule.violation) }
        if !columns.isClean {
            // Everything behind a gap has one reason, of which there may be thousands.
            let behind = match.reasonBehind.violation
            for line in lines.lines {
                flags += columns.flagged(of: line.player.id).map { bookCell in
                    Flag(.cell(bookCell.cell), match.reason(against: bookCell, behind: behind))
                }
            }
        }
        return flags
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        let reading = DartsColumn.reading(score.value, in: score.cell, by: rules.sheet)
        guard let (turn, visit) = try reading.get() else { return }
        let wish = DartsWish(player: score.cell.player, turn: turn, visit: visit)
        if let reason = match.reason(against: wish) { throw reason.violation }
    }

    func check(option: Symbol, in book: Book) throws(RuleViolation) {
        guard !book.isFinished else { throw .finished }
        guard option != DartsTerms.orderOption else { throw DartsRule.recordedOrder.violation }
        guard DartsMode.options.contains(option.description) else { return }
        guard match.turns.isEmpty, match.terms.isBlank || match.terms.recorded?.mode == nil else {
            throw DartsRule.modeFixed(option.description).violation
        }
    }
}
