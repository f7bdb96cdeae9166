import ScoreSheets
import SessionCRDT
import SyncTestKit
import Testing

/// The law of kept games: a state that took changes in, in whatever batches, says what one from
/// scratch says, and told exactly which cells and lines differ.
struct KeptGameLaw {
    let rules: any GameRules
    private(set) var table: Table
    /// The state that took all changes in.
    private(set) var state: any Game

    /// The law for a table as it is.
    init(_ table: Table, _ rules: any GameRules) {
        self.table = table
        self.rules = rules
        state = rules.game(of: table.book)
    }

    /// The standings of all players by the state.
    var standings: Standings { state.standings(of: table.book) }

    /// Writes these cells at once and expects the law.
    mutating func write(
        _ cells: [Cell: LiveSet],
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (before, panelsBefore) = (state.standings(of: table.book), state.panels)
        let kept = table.cells.filter { cells[$0.key] == nil }
        let readings = readings(of: kept)
        for (cell, live) in cells { table.cells[cell] = live }
        let book = table.book
        let isNextTurn = cells.count == 1 && cells.keys.allSatisfy(state.isNextTurn)
        let change = state.update(to: book, changed: cells.keys.sorted())
        let after = state.standings(of: book)
        let told = Told(from: before, to: after, arePanelsOther: state.panels != panelsBefore)
        if isNextTurn {
            #expect(
                told.pointed.isSubset(of: cells.keys) && told.keepsResults,
                comment,
                sourceLocation: sourceLocation
            )
        }
        #expect(after == rules.standings(of: book), comment, sourceLocation: sourceLocation)
        let panels = state.panels
        #expect(panels == rules.game(of: book).panels, comment, sourceLocation: sourceLocation)
        #expect(state.hasPanels == !panels.isEmpty, comment, sourceLocation: sourceLocation)
        guard !change.isWhole else { return }
        let others = kept.filter { !change.cells.contains($0.key) }
        #expect(
            self.readings(of: others) == readings.filter { others[$0.key] != nil },
            comment,
            sourceLocation: sourceLocation
        )
        #expect(change.cells == told.cells, comment, sourceLocation: sourceLocation)
        #expect(change.lines == told.lines, comment, sourceLocation: sourceLocation)
        #expect(change.isOtherTurn == told.isOtherTurn, comment, sourceLocation: sourceLocation)
        #expect(
            change.isEndDifferent == told.isEndDifferent,
            comment,
            sourceLocation: sourceLocation
        )
        #expect(
            change.areFlagsDifferent || !told.areFlagsDifferent,
            comment,
            sourceLocation: sourceLocation
        )
        #expect(
            change.areNotesDifferent || !told.areNotesDifferent,
            comment,
            sourceLocation: sourceLocation
        )
        #expect(
            change.arePanelsDifferent || !told.arePanelsDifferent,
            comment,
            sourceLocation: sourceLocation
        )
    }

    /// Expects that the state answers as one from scratch about a move, a score, an option and all
    /// that is asked of a book.
    func ask(
        _ move: Move,
        _ score: Score,
        _ option: Symbol,
        _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let book = table.book
        let answers = [state, rules.game(of: book)].map { state in
            Answers(state, of: book, move, score, option)
        }
        #expect(answers[0] == answers[1], comment, sourceLocation: sourceLocation)
        var aids = Answers.aids
        let played = Result { () throws(RuleViolation) in
            try rules.play(move, in: book, with: &aids)
        }
        #expect(answers[0].played == played, comment, sourceLocation: sourceLocation)
    }

    /// The names and texts of these cells for people.
    private func readings(of cells: [Cell: LiveSet]) -> [Cell: [String?]] {
        let words = state.words(in: table.book)
        return Dictionary(
            uniqueKeysWithValues: cells.map { cell, live in
                let shown = live.map { words.value(Score(cell, $0.value))?.shown }
                return (cell, [words.cell(cell)] + shown)
            }
        )
    }

    /// The differences of two standings.
    private struct Told {
        var cells: Set<Cell> = []
        /// The cells with other points.
        var pointed: Set<Cell> = []
        var lines: Set<PlayerID> = []
        /// Whether all results that there were have the same winners.
        let keepsResults: Bool
        let isOtherTurn: Bool
        let isEndDifferent: Bool
        let areFlagsDifferent: Bool
        let areNotesDifferent: Bool
        let arePanelsDifferent: Bool

        init(from old: Standings, to new: Standings, arePanelsOther: Bool) {
            let winners = [old, new].map { standings in
                standings.outcomes.map { $0.players.filter(\.isWinner).map(\.name) }
            }
            keepsResults = winners[1].starts(with: winners[0])
            isOtherTurn = old.turn != new.turn
            isEndDifferent = old.isFinished != new.isFinished
            areFlagsDifferent = old.flags != new.flags
            areNotesDifferent = old.notes != new.notes
            arePanelsDifferent = arePanelsOther || old.totalLabel != new.totalLabel
            for (old, new) in zip(Told.scored(old), Told.scored(new)) {
                for cell in Set(old.keys).union(new.keys) where old[cell] != new[cell] {
                    cells.insert(cell)
                    if old[cell]?.points != new[cell]?.points { pointed.insert(cell) }
                }
            }
            for (line, other) in zip(old.players, new.players) {
                let isOther =
                    line.total != other.total || line.rank != other.rank
                    || line.tieBreak != other.tieBreak || line.computed != other.computed
                    || old.winners.contains(line.player.id)
                        != new.winners.contains(line.player.id)
                if isOther { lines.insert(line.player.id) }
            }
        }

        private static func scored(_ standings: Standings) -> [[Cell: ScoredCell]] {
            standings.players.map { line in
                Dictionary(line.cells.map { ($0.bookCell.cell, $0) }) { first, _ in first }
            }
        }
    }

    /// The replies of a state.
    private struct Answers: Equatable {
        let played: Result<Played, RuleViolation>
        let check: RuleViolation?
        let option: RuleViolation?
        let computer: RuleViolation?
        let reset: Result<Reset, RuleViolation>
        let carriedOver: Played
        let cellWords: String?
        let valueWords: ValueWords?

        /// The same chance for everybody who asks.
        static var aids: MoveContext {
            MoveContext(random: SeededGenerator(seed: 7)) { (name) throws(RuleViolation) in
                WordList(
                    name: name,
                    fingerprint: "f1",
                    file: Array("abc\nabba\nbab\nbaba\ncab".utf8)
                )
            }
        }

        init(
            _ state: any Game,
            of book: Book,
            _ move: Move,
            _ score: Score,
            _ option: Symbol
        ) {
            var aids = Answers.aids
            played = Result { () throws(RuleViolation) in
                try state.play(move, in: book, with: &aids)
            }
            check = Answers.violation { () throws(RuleViolation) in
                try state.check(score, in: book)
            }
            self.option = Answers.violation { () throws(RuleViolation) in
                try state.check(option: option, in: book)
            }
            computer = Answers.violation { () throws(RuleViolation) in
                try state.checkComputer(in: book)
            }
            reset = Result { () throws(RuleViolation) in try state.reset(of: book) }
            carriedOver = state.carriedOver(from: book)
            let words = state.words(in: book)
            cellWords = words.cell(score.cell)
            valueWords = words.value(score)
        }

        private static func violation(
            _ body: () throws(RuleViolation) -> Void
        ) -> RuleViolation? {
            do throws(RuleViolation) { try body() } catch { return error }
            return nil
        }
    }
}
