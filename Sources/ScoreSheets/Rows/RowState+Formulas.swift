import SessionCRDT

/// What entries are worth by formulas.
extension RowState {
    /// A round of a player.
    struct Entry: Hashable {
        /// The column.
        let column: Int
        /// The place of the round.
        let round: Int64
    }

    /// Works out what the entries of a row are worth of which anything has changed that they are
    /// worked out from.
    mutating func work(_ evaluation: RoundEvaluation, in book: Book, _ rework: inout Rework) {
        var numbers: [SharedPlace: SharedNumbers] = [:]
        var runs: [Int: Set<Int64>] = [:]
        let entries = entries(touchedOf: evaluation, rework)
        for entry in entries {
            let before = columns[entry.column].worked[evaluation.place]?.results[entry.round]?.count
            let points = worth(of: entry, evaluation, book, &numbers, &rework)
            columns[entry.column].work(evaluation.place) { $0.set(points, inRound: entry.round) }
            if evaluation.running != nil {
                runs[entry.column, default: []].insert(entry.round)
            } else if evaluation.worth != nil {
                award(points ?? 0, in: entry, evaluation, &rework)
            }
            guard points != before else { continue }
            rework.touch(evaluation.place, of: entry.column, in: entry.round)
        }
        for (column, rounds) in runs.sorted(by: { $0.key < $1.key }) {
            run(evaluation, of: column, rounds, book, &rework)
        }
        guard !evaluation.checks.isEmpty else { return }
        let before = failedChecks
        check(evaluation, Set(entries.map(\.round)), &numbers)
        if failedChecks != before { rework.change.areFlagsDifferent = true }
    }

    /// The rounds that have to be worked out again.
    private func entries(touchedOf evaluation: RoundEvaluation, _ rework: Rework) -> Set<Entry> {
        var entries: Set<Entry> = []
        for column in rework.touched {
            for row in evaluation.entered {
                for round in rework.touchedRounds(ofRow: row, of: column) {
                    entries.insert(Entry(column: column, round: round))
                }
            }
            let own = reading(evaluation.sources, of: column, [column], evaluation, rework)
            let all = columns.indices
            let shared = reading(evaluation.shared, of: column, all, evaluation, rework)
            entries.formUnion(own)
            entries.formUnion(shared)
        }
        return entries
    }

    /// The rounds of readers that read rows of a column which have changed: the rounds that have,
    /// or all of them where a row without rounds has.
    private func reading(
        _ rows: [Int],
        of column: Int,
        _ readers: some Sequence<Int>,
        _ evaluation: RoundEvaluation,
        _ rework: Rework
    ) -> [Entry] {
        let changed = rows.filter { rework.isTouched([$0], of: column) }
        guard !changed.isEmpty else { return [] }
        guard changed.allSatisfy({ form.hasRounds[$0] }) else {
            return readers.flatMap { rounds(of: evaluation, in: $0) }
        }
        let touched = changed.reduce(into: Set<Int64>()) { touched, row in
            touched.formUnion(rework.touchedRounds(ofRow: row, of: column))
        }
        return readers.flatMap { reader in
            touched.filter { isEntered(evaluation, $0, of: reader) }
                .map { Entry(column: reader, round: $0) }
        }
    }

    private func isEntered(_ evaluation: RoundEvaluation, _ round: Int64, of column: Int) -> Bool {
        guard !columns[column].tallies.isEmpty else { return false }
        return evaluation.entered.contains { columns[column].tallies[$0].marks[round] != nil }
    }

    private func rounds(of evaluation: RoundEvaluation, in column: Int) -> [Entry] {
        guard !columns[column].tallies.isEmpty else { return [] }
        return evaluation.entered.flatMap { row in
            columns[column].tallies[row].marks.map { Entry(column: column, round: $0.place) }
        }
    }

    // MARK: One round

    /// What a round is worth; nil while fields are missing, and where the formula has no value.
    private mutating func worth(
        of entry: Entry,
        _ evaluation: RoundEvaluation,
        _ book: Book,
        _ numbers: inout [SharedPlace: SharedNumbers],
        _ rework: inout Rework
    ) -> Int64? {
        let isAny = isEntered(evaluation, entry.round, of: entry.column)
        let missing = isAny ? missing(evaluation, entry) : []
        let place = evaluation.place
        let isOther = columns[entry.column].work(place) {
            $0.set(missing: missing, inRound: entry.round)
        }
        if isOther { noteGap(place, of: entry.column, &rework) }
        guard isAny, missing.isEmpty else {
            set(nil, of: entry, place, &rework)
            return nil
        }
        let entered = columns[entry.column].tallies[evaluation.entered[0]].marks[entry.round]
        guard let formula = evaluation.worth else {
            set(nil, of: entry, place, &rework)
            return form.rows[place].worth?.points(of: entered?.count ?? 0)
        }
        prepare(formula, entry.round, &numbers)
        do throws(FormulaFault) {
            let value = try formula.value { name in
                if case .ofAll(let aggregate, let row) = name {
                    let shared = numbers[sharedPlace(row, entry.round)]
                    return shared?.number(aggregate, of: entry.column) ?? 0
                }
                return meaning(of: name, in: entry, entered: entered?.count ?? 0, book)
            }
            set(nil, of: entry, place, &rework)
            return value
        } catch {
            set(error, of: entry, place, &rework)
            return nil
        }
    }

    private mutating func set(
        _ fault: FormulaFault?,
        of entry: Entry,
        _ place: Int,
        _ rework: inout Rework
    ) {
        let isOther = columns[entry.column].work(place) { $0.set(fault, inRound: entry.round) }
        if isOther { rework.change.areFlagsDifferent = true }
    }

    /// The fields without which a round is worth nothing.
    private func missing(_ evaluation: RoundEvaluation, _ entry: Entry) -> [Symbol] {
        guard evaluation.hasFields else { return [] }
        return evaluation.entered.filter { row in
            columns[entry.column].tallies[row].marks[entry.round] == nil
                && form.rows[row].empty == nil && form.rows[row].kind != .flag
        }
        .map { form.ids[$0] }
    }

    private mutating func noteGap(_ place: Int, of column: Int, _ rework: inout Rework) {
        var gaps = columns[column].worked[place]?.gaps.makeIterator()
        let first = gaps?.next()
        let round = first.map { UInt32(clamping: $0.place) }
        let missing = (first?.missing ?? []).compactMap { Symbol("\($0).\(round ?? 0)") }
        if columns[column].set(missing: missing, forRow: place) { rework.areGapsOthers = true }
    }

    /// What a name stands for that is of the player alone.
    private func meaning(
        of name: FormulaReference,
        in entry: Entry,
        entered: Int64,
        _ book: Book
    ) -> Int64 {
        switch name {
        case .entered: entered
        case .round: max(0, entry.round)
        case .row(let row): number(ofRow: row, entry)
        case .count(let row): columns[entry.column].entries(ofRow: row)
        case .word(let row, let word): isChosen(word, inRow: row, entry, book) ? 1 : 0
        case .before, .ofAll: 0
        }
    }

    /// What a player has in a row: in the round of an entry, where the row has rounds.
    private func number(ofRow row: Int, _ entry: Entry) -> Int64 {
        let column = columns[entry.column]
        guard !column.tallies.isEmpty else { return 0 }
        guard form.hasRounds[row], entry.round >= 0 else { return column.count(ofRow: row) ?? 0 }
        if form.rows[row].isComputed { return column.worked[row]?.results[entry.round]?.count ?? 0 }
        return column.tallies[row].marks[entry.round]?.count ?? form.rows[row].empty ?? 0
    }

    private func isChosen(_ word: Symbol, inRow row: Int, _ entry: Entry, _ book: Book) -> Bool {
        let column = columns[entry.column]
        let place = form.rows[row].group == nil ? RoundCell.place(of: nil) : entry.round
        guard !column.tallies.isEmpty else { return false }
        if column.tallies[row].marks[place] == nil { return form.rows[row].emptyWord == word }
        let cells = book.column(of: column.player.id).cells(of: form.ids[row])
        return cells?[place]?.live.winner.value.string == word.description
    }

    // MARK: All players

    /// Collects what all players have in the rows that a formula reads of all.
    mutating func prepare(
        _ formula: BoundFormula,
        _ round: Int64,
        _ numbers: inout [SharedPlace: SharedNumbers]
    ) {
        for row in formula.sharedRows {
            let place = sharedPlace(row, round)
            if numbers[place] == nil { numbers[place] = sharedNumbers(place) }
        }
    }

    /// Where the numbers of all players come from.
    struct SharedPlace: Hashable {
        /// The place of the row.
        let row: Int
        /// The place of the round; nil of all rounds together.
        let round: Int64?
    }

    func sharedPlace(_ row: Int, _ round: Int64?) -> SharedPlace {
        SharedPlace(row: row, round: form.hasRounds[row] ? round : nil)
    }

    /// What all who are here have at a place; nil of who has entered nothing there.
    func sharedNumbers(_ place: SharedPlace) -> SharedNumbers {
        SharedNumbers(
            columns.map { column in
                guard column.player.isPresent, !column.tallies.isEmpty else { return nil }
                guard let round = place.round else { return column.count(ofRow: place.row) }
                if form.rows[place.row].isComputed {
                    return column.worked[place.row]?.results[round]?.count
                }
                return column.tallies[place.row].marks[round]?.count
            },
            teams: teams
        )
    }

    // MARK: Points

    /// Gives the points of a round to the last of its cells that counts, and to the others nothing.
    private mutating func award(
        _ points: Int64,
        in entry: Entry,
        _ evaluation: RoundEvaluation,
        _ rework: inout Rework
    ) {
        guard !columns[entry.column].tallies.isEmpty else { return }
        var rest = form.rows[evaluation.place].scores ? points : 0
        for row in evaluation.entered.reversed() {
            guard let mark = columns[entry.column].tallies[row].marks[entry.round] else { continue }
            if columns[entry.column].award(rest, to: mark, inRow: row) {
                rework.note(total: entry.column)
                note(mark, of: entry.column, inRow: row, &rework)
            }
            rest = 0
        }
    }

    /// Works out what the rounds come to from the first on that has changed.
    private mutating func run(
        _ evaluation: RoundEvaluation,
        of column: Int,
        _ changed: Set<Int64>,
        _ book: Book,
        _ rework: inout Rework
    ) {
        let place = evaluation.place
        guard let running = evaluation.running, let worked = columns[column].worked[place],
            let first = changed.min()
        else { return }
        var before = worked.sum(before: first)
        for round in changed where worked.results[round] == nil {
            award(0, in: Entry(column: column, round: round), evaluation, &rework)
        }
        var rounds = worked.results.makeIterator(from: first)
        while let result = rounds.next() {
            let entry = Entry(column: column, round: result.place)
            var after = before
            do throws(FormulaFault) {
                after = try running.value { name in
                    name == .before
                        ? before
                        : meaning(of: name, in: entry, entered: result.count ?? 0, book)
                }
                set(nil, of: entry, place, &rework)
            } catch { set(error, of: entry, place, &rework) }
            columns[column].work(place) { $0.set(added: after - before, inRound: result.place) }
            award(after - before, in: entry, evaluation, &rework)
            before = after
        }
        rework.touch(place, of: column)
    }

    // MARK: Checks

    /// Looks whether what has to hold of rounds does, once everybody has entered them.
    private mutating func check(
        _ evaluation: RoundEvaluation,
        _ rounds: Set<Int64>,
        _ numbers: inout [SharedPlace: SharedNumbers]
    ) {
        for (index, (check, formula)) in evaluation.checks.enumerated() {
            for round in rounds {
                let place = CheckPlace(row: evaluation.place, round: round, index: index)
                failedChecks[place] = nil
                let isComplete = hasEverybody(in: round, of: evaluation.place)
                guard isComplete else { continue }
                prepare(formula, round, &numbers)
                let names = formula.names
                func meaning(_ name: FormulaReference) -> Int64 {
                    switch name {
                    case .round: round
                    case .ofAll(let aggregate, let row):
                        numbers[sharedPlace(row, round)]?.number(aggregate, of: .max) ?? 0
                    case .entered, .before, .row, .word, .count: 0
                    }
                }
                guard (try? formula.value(meaning)) == 0 else { continue }
                let found = names.compactMap { name -> String? in
                    guard case .ofAll(let aggregate, let row) = name else { return nil }
                    return "\(aggregate.rawValue)(\(form.ids[row])) is \(meaning(name))"
                }
                failedChecks[place] = .roundCheck(
                    check,
                    row: form.ids[evaluation.place],
                    round: UInt32(clamping: round),
                    found: found.joined(separator: ", ")
                )
            }
        }
    }

    /// Whether everybody who is here has entered a round, of a team one of its members.
    private func hasEverybody(in round: Int64, of place: Int) -> Bool {
        var late: Set<ExactText> = []
        var there: Set<ExactText> = []
        for column in columns where column.player.isPresent {
            let hasEntered =
                !column.tallies.isEmpty && column.entered(place, by: form)[round] != nil
            if let team = Side.key(ofTeam: column.player.team) {
                if hasEntered { there.insert(team) } else { late.insert(team) }
            } else if !hasEntered {
                return false
            }
        }
        return late.isSubset(of: there)
    }
}
