import SessionCRDT

/// What entries are worth by formulas.
extension RowState {
    /// A round of a player, or what has no rounds.
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
        if check(evaluation, entries, &numbers, book) {
            rework.change.areFlagsDifferent = true
        }
        // What is missing of a round is told once somebody has all of it.
        if evaluation.hasFields, !entries.isEmpty, columns.contains(where: { !$0.gaps.isEmpty }) {
            rework.areGapsOthers = true
        }
    }

    // MARK: What has to be worked out again

    private func entries(touchedOf evaluation: RoundEvaluation, _ rework: Rework) -> Set<Entry> {
        var found: Set<Entry> = []
        var shared: Set<Int64>? = []
        for column in rework.touched {
            for row in evaluation.entered {
                for round in rework.touchedRounds(ofRow: row, of: column) {
                    found.insert(Entry(column: column, round: round))
                }
            }
            let own = rounds(touchedOf: evaluation.sources, of: column, evaluation, rework)
            found.formUnion(entries(of: evaluation, in: column, own))
            if let read = rounds(touchedOf: evaluation.shared, of: column, evaluation, rework) {
                shared?.formUnion(read)
            } else {
                shared = nil
            }
        }
        guard shared != [] else { return found }
        for reader in columns.indices {
            found.formUnion(entries(of: evaluation, in: reader, shared))
        }
        return found
    }

    /// The rounds of a column that read what has changed in these rows of it; nil of all rounds.
    private func rounds(
        touchedOf rows: [Int],
        of column: Int,
        _ evaluation: RoundEvaluation,
        _ rework: Rework
    ) -> Set<Int64>? {
        var rounds: Set<Int64> = []
        for row in rows where rework.isTouched([row], of: column) {
            guard form.hasRounds[row], form.hasRounds[evaluation.place] else { return nil }
            rounds.formUnion(rework.touchedRounds(ofRow: row, of: column))
        }
        return rounds
    }

    /// What a column has entered in these rounds, or in all.
    private func entries(
        of evaluation: RoundEvaluation,
        in column: Int,
        _ rounds: Set<Int64>?
    ) -> [Entry] {
        guard !columns[column].tallies.isEmpty, rounds != [] else { return [] }
        let entered = evaluation.entered.map { columns[column].tallies[$0].marks }
        // By the shorter list, since either may be very long.
        if let rounds, rounds.count < entered.reduce(0, { $0 + $1.count }) {
            return rounds.filter { round in entered.contains { $0[round] != nil } }
                .map { Entry(column: column, round: $0) }
        }
        return entered.flatMap { marks in
            marks.filter { rounds?.contains($0.place) ?? true }
                .map { Entry(column: column, round: $0.place) }
        }
    }

    // MARK: One round

    /// What a round is worth; nil while fields are missing.
    private mutating func worth(
        of entry: Entry,
        _ evaluation: RoundEvaluation,
        _ book: Book,
        _ numbers: inout [SharedPlace: SharedNumbers],
        _ rework: inout Rework
    ) -> Int64? {
        let place = evaluation.place
        let isAny = isEntered(anyOf: evaluation.entered, entry.round, columns[entry.column])
        let missing = isAny ? missing(evaluation, entry) : []
        let isOther = columns[entry.column].work(place) {
            $0.set(missing: missing, inRound: entry.round)
        }
        if isOther { noteGap(place, of: entry.column, &rework) }
        var fault: FormulaFault?
        defer { set(fault, of: entry, place, &rework) }
        guard isAny, missing.isEmpty else { return nil }
        let entered = entered(entry, place)
        guard let formula = evaluation.worth else {
            return form.rows[place].worth?.points(of: entered)
        }
        prepare(formula, entry.round, &numbers)
        do throws(FormulaFault) {
            return try formula.value { name in
                meaning(of: name, in: entry, at: place, entered: entered, numbers, book)
            }
        } catch {
            fault = error
            return 0
        }
    }

    /// Notes why a formula of an entry has no value; nil where it has one.
    mutating func set(
        _ fault: FormulaFault?,
        of entry: Entry,
        _ place: Int,
        isRunning: Bool = false,
        _ rework: inout Rework
    ) {
        let isOther = columns[entry.column].work(place) {
            $0.set(fault, inRound: entry.round, isRunning: isRunning)
        }
        if isOther { rework.change.areFlagsDifferent = true }
    }

    /// The number that was entered in a row that has no fields.
    func entered(_ entry: Entry, _ place: Int) -> Int64 {
        guard columns.indices.contains(entry.column), !columns[entry.column].tallies.isEmpty else {
            return 0
        }
        return columns[entry.column].tallies[place].marks[entry.round]?.count ?? 0
    }

    /// The fields without which a round is worth nothing.
    private func missing(_ evaluation: RoundEvaluation, _ entry: Entry) -> [Symbol] {
        guard evaluation.hasFields else { return [] }
        return evaluation.entered.filter { row in
            columns[entry.column].tallies[row].marks[entry.round] == nil
                && form.emptyCounts[row] == nil
        }
        .map { form.ids[$0] }
    }

    private mutating func noteGap(_ place: Int, of column: Int, _ rework: inout Rework) {
        let gaps = columns[column].worked[place]?.gaps ?? OrderedPieces()
        let told = gaps.prefix(RowsNote.mostRounds).map { gap in
            RowColumn.Gap(row: place, missing: gap.missing, round: UInt32(clamping: gap.place))
        }
        if columns[column].set(gaps: told, forRow: place) { rework.areGapsOthers = true }
    }

    // MARK: What names stand for

    /// What a name of a formula in the row at a place stands for; numbers of all players are
    /// prepared.
    func meaning(
        of name: FormulaReference,
        in entry: Entry,
        at place: Int,
        entered: Int64 = 0,
        before: Int64 = 0,
        _ numbers: [SharedPlace: SharedNumbers],
        _ book: Book
    ) -> Int64 {
        // A check of the whole table is of nobody in particular.
        let column = columns.indices.contains(entry.column) ? columns[entry.column] : nil
        switch name {
        case .entered: return entered
        case .before: return before
        case .round: return max(0, entry.round)
        case .row(let row): return column.map { number(ofRow: row, entry, of: $0) } ?? 0
        case .count(let row): return column?.entries(ofRow: row) ?? 0
        case .extreme(let extreme, let row, let whole):
            return column?.extreme(extreme, ofRow: row, whole: whole) ?? 0
        case .word(let row, let word):
            let isChosen = column.map {
                self.isChosen(word, inRow: row, entry, of: $0, seenFrom: place, book)
            }
            return isChosen == true ? 1 : 0
        case .ofAll(let aggregate, let row):
            return numbers[sharedPlace(row, entry.round)]?.number(aggregate, of: entry.column) ?? 0
        }
    }

    /// What a player has in a row: in the round of an entry, where both have rounds.
    private func number(ofRow row: Int, _ entry: Entry, of column: RowColumn) -> Int64 {
        guard form.hasRounds[row], entry.round >= 0 else { return column.count(ofRow: row) ?? 0 }
        return number(ofRow: row, inRound: entry.round, of: column) ?? 0
    }

    /// What a player has in a round of a row, of a field that may stay empty what it counts as once
    /// the round is begun; nil of nothing.
    private func number(ofRow row: Int, inRound round: Int64, of column: RowColumn) -> Int64? {
        guard !column.tallies.isEmpty, form.isOn[row] else { return nil }
        if form.rows[row].isComputed { return column.worked[row]?.results[round]?.count }
        if let mark = column.tallies[row].marks[round] { return mark.count }
        guard let empty = form.emptyCounts[row], isEntered(anyOf: form.mates[row], round, column)
        else { return nil }
        return empty
    }

    /// Whether anything counts in a round of any of these rows.
    func isEntered(anyOf rows: [Int], _ round: Int64, _ column: RowColumn) -> Bool {
        !column.tallies.isEmpty && rows.contains { column.tallies[$0].marks[round] != nil }
    }

    private func isChosen(
        _ word: Symbol,
        inRow row: Int,
        _ entry: Entry,
        of column: RowColumn,
        seenFrom place: Int,
        _ book: Book
    ) -> Bool {
        let isField = form.rows[row].group != nil
        let round = isField ? entry.round : RoundCell.place(of: nil)
        guard column.isEntered(row, round, seenFrom: place) else {
            return isField && form.rows[row].emptyWord == word && form.isOn[row]
                && isEntered(anyOf: form.mates[row], round, column)
        }
        let cells = book.column(of: column.player.id).cells(of: form.ids[row])
        return cells?[round]?.live.winner.value.string == word.description
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

    /// Where the numbers of a row come from as an entry reads them.
    func sharedPlace(_ row: Int, _ round: Int64) -> SharedPlace {
        SharedPlace(row: row, round: form.hasRounds[row] && round >= 0 ? round : nil)
    }

    /// What all who are here have at a place; nil of who has entered nothing there.
    private func sharedNumbers(_ place: SharedPlace) -> SharedNumbers {
        SharedNumbers(
            columns.map { column in
                guard column.player.isPresent, !column.tallies.isEmpty else { return nil }
                guard let round = place.round else { return column.count(ofRow: place.row) }
                return number(ofRow: place.row, inRound: round, of: column)
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
            let entry = Entry(column: column, round: round)
            set(nil, of: entry, place, isRunning: true, &rework)
            award(0, in: entry, evaluation, &rework)
        }
        var rounds = worked.results.makeIterator(from: first)
        while let result = rounds.next() {
            let entry = Entry(column: column, round: result.place)
            var (after, fault) = (before, FormulaFault?.none)
            do throws(FormulaFault) {
                let entered = result.count ?? 0
                after = try running.value { name in
                    meaning(
                        of: name,
                        in: entry,
                        at: place,
                        entered: entered,
                        before: before,
                        [:],
                        book
                    )
                }
            } catch { fault = error }
            set(fault, of: entry, place, isRunning: true, &rework)
            columns[column].work(place) { $0.set(added: after - before, inRound: result.place) }
            award(after - before, in: entry, evaluation, &rework)
            before = after
        }
        rework.touch(place, of: column)
    }
}

/// What a name of a formula stands for, once the sheet and the options are known.
enum FormulaReference: Hashable {
    /// What the player has in the row of a place.
    case row(Int)
    /// Whether the player chose a word in the row of a place.
    case word(Int, Symbol)
    /// How many entries the player has in the row of a place.
    case count(Int)
    /// The most or the least that the player has in any round of the row of a place; of a field in
    /// any whole round of the row at another.
    case extreme(FormulaName.Extreme, Int, whole: Int?)
    /// A number of all players in the row of a place.
    case ofAll(FormulaName.Aggregate, Int)
    /// What was entered.
    case entered
    /// What the row had come to before the round.
    case before
    /// The number of the round.
    case round
}

typealias BoundFormula = Expression<FormulaReference>

extension BoundFormula {
    /// The rows whose numbers of this player it reads, by place.
    var ownRows: Set<Int> {
        names.reduce(into: []) { rows, name in
            switch name {
            case .row(let place), .count(let place), .word(let place, _): rows.insert(place)
            case .extreme(_, let place, let whole): rows.formUnion([place, whole ?? place])
            case .ofAll, .entered, .before, .round: break
            }
        }
    }

    /// The rows of which it reads what all players have, by place.
    var sharedRows: Set<Int> {
        Set(names.compactMap { if case .ofAll(_, let place) = $0 { place } else { nil } })
    }
}

extension SheetForm {
    /// A formula of a row with what its names stand for here; what is not there counts as nothing.
    ///
    /// An option may have the name of a row below, which is not meant.
    func bound(_ formula: RowFormula, ofRow own: Int) -> BoundFormula {
        func row(_ name: Symbol) -> Int? { place(of: name).flatMap { $0 < own ? $0 : nil } }
        return formula.formula.expression.mapNames { name in
            switch name {
            case .value(let subject):
                if formula.role.names.contains(subject.description) {
                    return named(subject.description)
                }
                if let place = row(subject) { return .name(.row(place)) }
                return .number(settings.number(of: subject))
            case .ofAll(.count, let row) where !formula.role.isByRounds:
                return place(of: row).map { .name(.count($0)) } ?? .number(0)
            case .ofAll(let aggregate, let row):
                return place(of: row).map { .name(.ofAll(aggregate, $0)) } ?? .number(0)
            case .extreme(let extreme, let subject):
                guard let place = row(subject) else { return .number(0) }
                let whole = rows[place].group.flatMap { self.place(of: $0.row) }
                return .name(.extreme(extreme, place, whole: whole))
            case .word(let subject, let word):
                if let place = row(subject), formula.role != .check {
                    return .name(.word(place, word))
                }
                return .number(settings.values[subject]?.string == word.description ? 1 : 0)
            }
        }
    }

    private func named(_ name: String) -> BoundFormula {
        switch name {
        case "entered": .name(.entered)
        case "before": .name(.before)
        case "round": .name(.round)
        default: .number(Int64(playerCount))
        }
    }
}

extension Settings {
    /// An option as a number: yes is 1, and what is off is 0.
    fileprivate func number(of option: Symbol) -> Int64 {
        switch values[option] {
        case .integer(let number): number
        case .boolean(let isSet): isSet ? 1 : 0
        case .text, .null, .foreign, nil: 0
        }
    }
}

/// What all players have in a row, or in one round of it, for formulas that compare them.
///
/// It is made once for all of them, so that a formula of each player costs its own names only.
struct SharedNumbers {
    /// What each player has, by column; nil of nothing and of who was removed.
    private let numbers: [Int64?]
    private let sorted: [Int64]
    private let sum: Int128
    /// Whose team each player is in, by column: that of the first of its players.
    private let teams: [Int]
    /// What each team has, by the column of its first player.
    private let teamSums: [Int128]

    /// The numbers of these columns, which are in these teams.
    init(_ numbers: [Int64?], teams: [Int]) {
        self.numbers = numbers
        self.teams = teams
        teamSums = zip(teams, numbers).reduce(into: Array(repeating: 0, count: teams.count)) {
            $0[$1.0] += Int128($1.1 ?? 0)
        }
        let found = numbers.compactMap(\.self)
        sorted = found.sorted()
        sum = found.reduce(Int128(0)) { $0 + Int128($1) }
    }

    /// A number of all players as the player of a column sees it.
    func number(_ aggregate: FormulaName.Aggregate, of column: Int) -> Int64 {
        let own = column < numbers.count ? numbers[column] : nil
        return switch aggregate {
        case .total: Bounds.cut(sum)
        case .others: Bounds.cut(sum - Int128(own ?? 0))
        case .team: column < teams.count ? Bounds.cut(teamSums[teams[column]]) : 0
        case .most: sorted.last ?? 0
        case .least: sorted.first ?? 0
        case .count: Int64(sorted.count)
        case .tied:
            own.map { number in
                let first = sorted.partitioningIndex { $0 >= number }
                return Int64(sorted.partitioningIndex { $0 > number } - first)
            } ?? 0
        case .rank:
            own.map { number in
                Int64(sorted.count - sorted.partitioningIndex { $0 > number } + 1)
            } ?? 0
        }
    }
}
