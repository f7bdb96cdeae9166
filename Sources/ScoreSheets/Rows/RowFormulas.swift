import SessionCRDT

extension RowGame {
    /// The maximum number of reported incomplete rounds of a player in a row.
    private static let maxGaps = 8

    /// A round of a player, or a cell without a round.
    struct PlayerRound: Hashable {
        let column: Int
        let round: Int64
    }

    /// Re-evaluates the entries of a row whose formulas read something that changed.
    mutating func evaluate(_ formulas: RoundFormulas, in book: Book, _ dirty: inout Recalculation) {
        var numbers: [SharedKey: SharedNumbers] = [:]
        var runs: [Int: Set<Int64>] = [:]
        let entries = entries(touchedOf: formulas, dirty)
        for entry in entries {
            let before = columns[entry.column].worked[formulas.place]?.results[entry.round]?.count
            let points = self.points(of: entry, formulas, book, &numbers, &dirty)
            columns[entry.column].work(formulas.place) { $0.set(points, inRound: entry.round) }
            if formulas.running != nil {
                runs[entry.column, default: []].insert(entry.round)
            } else if formulas.points != nil {
                award(points ?? 0, in: entry, formulas, &dirty)
            }
            guard points != before else { continue }
            dirty.touch(formulas.place, of: entry.column, in: entry.round)
        }
        for (column, rounds) in runs.sorted(by: { $0.key < $1.key }) {
            evaluateRunning(formulas, of: column, rounds, book, &dirty)
        }
        if check(formulas, entries, &numbers, book) {
            dirty.change.areFlagsDifferent = true
        }
        // Gaps are reported only once a player has the whole round.
        if formulas.hasFields, !entries.isEmpty, columns.contains(where: { !$0.gaps.isEmpty }) {
            dirty.areGapsChanged = true
        }
    }

    // MARK: Changed entries

    private func entries(
        touchedOf formulas: RoundFormulas,
        _ dirty: Recalculation
    ) -> Set<PlayerRound> {
        var found: Set<PlayerRound> = []
        var shared: Set<Int64>? = []
        for column in dirty.touched {
            for row in formulas.entered {
                for round in dirty.touchedRounds(ofRow: row, of: column) {
                    found.insert(PlayerRound(column: column, round: round))
                }
            }
            let own = rounds(touchedOf: formulas.sources, of: column, formulas, dirty)
            found.formUnion(entries(of: formulas, in: column, own))
            if let read = rounds(touchedOf: formulas.shared, of: column, formulas, dirty) {
                shared?.formUnion(read)
            } else {
                shared = nil
            }
        }
        guard shared != [] else { return found }
        for reader in columns.indices {
            found.formUnion(entries(of: formulas, in: reader, shared))
        }
        return found
    }

    /// Returns the rounds in which these rows of a column changed; nil for all rounds.
    private func rounds(
        touchedOf rows: [Int],
        of column: Int,
        _ formulas: RoundFormulas,
        _ dirty: Recalculation
    ) -> Set<Int64>? {
        var rounds: Set<Int64> = []
        for row in rows where dirty.isTouched([row], of: column) {
            guard plan.hasRounds[row], plan.hasRounds[formulas.place] else { return nil }
            rounds.formUnion(dirty.touchedRounds(ofRow: row, of: column))
        }
        return rounds
    }

    private func entries(
        of formulas: RoundFormulas,
        in column: Int,
        _ rounds: Set<Int64>?
    ) -> [PlayerRound] {
        guard !columns[column].tallies.isEmpty, rounds != [] else { return [] }
        let entered = formulas.entered.map { columns[column].tallies[$0].marks }
        // Iterates over the shorter list; either may be very long.
        if let rounds, rounds.count < entered.reduce(0, { $0 + $1.count }) {
            return rounds.filter { round in entered.contains { $0[round] != nil } }
                .map { PlayerRound(column: column, round: $0) }
        }
        return entered.flatMap { marks in
            marks.filter { rounds?.contains($0.place) ?? true }
                .map { PlayerRound(column: column, round: $0.place) }
        }
    }

    // MARK: One round

    /// Returns the points of a round; nil while fields are missing.
    private mutating func points(
        of entry: PlayerRound,
        _ formulas: RoundFormulas,
        _ book: Book,
        _ numbers: inout [SharedKey: SharedNumbers],
        _ dirty: inout Recalculation
    ) -> Int64? {
        let place = formulas.place
        let isBegun = isEntered(anyOf: formulas.entered, entry.round, columns[entry.column])
        let missing = isBegun ? missing(formulas, entry) : []
        let isChanged = columns[entry.column].work(place) {
            $0.set(missing: missing, inRound: entry.round)
        }
        if isChanged { updateGaps(place, of: entry.column, &dirty) }
        var fault: FormulaFault?
        defer { set(fault, of: entry, place, &dirty) }
        guard isBegun, missing.isEmpty else { return nil }
        let own = RoundNumbers(entry: entry, entered: entered(entry, place))
        guard let formula = formulas.points else {
            return plan.rows[place].pointsRule?.points(of: own.entered)
        }
        prepare(formula, entry.round, &numbers)
        do throws(FormulaFault) {
            return try formula.value { name in
                own.value(of: name) ?? meaning(of: name, at: place, own, numbers, book)
            }
        } catch {
            fault = error
            return 0
        }
    }

    /// Records why a formula of an entry has no value; nil if it has one.
    mutating func set(
        _ fault: FormulaFault?,
        of entry: PlayerRound,
        _ place: Int,
        isRunning: Bool = false,
        _ dirty: inout Recalculation
    ) {
        let isChanged = columns[entry.column].work(place) {
            $0.set(fault, inRound: entry.round, isRunning: isRunning)
        }
        if isChanged { dirty.change.areFlagsDifferent = true }
    }

    func entered(_ entry: PlayerRound, _ place: Int) -> Int64 {
        columns.indices.contains(entry.column)
            ? columns[entry.column].mark(place, in: entry.round)?.count ?? 0 : 0
    }

    /// Returns the fields that must still be entered in a round.
    private func missing(_ formulas: RoundFormulas, _ entry: PlayerRound) -> [Symbol] {
        guard formulas.hasFields else { return [] }
        return formulas.entered.filter { row in
            columns[entry.column].mark(row, in: entry.round) == nil && plan.emptyCounts[row] == nil
        }
        .map { plan.ids[$0] }
    }

    private mutating func updateGaps(_ place: Int, of column: Int, _ dirty: inout Recalculation) {
        let gaps = columns[column].worked[place]?.gaps ?? SortedChunks()
        let reported = gaps.prefix(RowGame.maxGaps).map { gap in
            RowColumn.Gap(row: place, missing: gap.missing, round: UInt32(clamping: gap.place))
        }
        if columns[column].set(gaps: reported, forRow: place) { dirty.areGapsChanged = true }
    }

    // MARK: Values of names

    /// Returns the value of a name in a formula of a row; `prepare` must have collected the numbers
    /// of all players.
    func meaning(
        of name: FormulaReference,
        at place: Int,
        _ own: RoundNumbers,
        _ numbers: [SharedKey: SharedNumbers],
        _ book: Book
    ) -> Int64 {
        let entry = own.entry
        // A check of the table belongs to no column.
        let column = columns.indices.contains(entry.column) ? columns[entry.column] : nil
        switch name {
        case .entered, .before, .round, .highestSoFar, .lowestSoFar:
            return own.value(of: name) ?? 0
        case .row(let row): return column.map { number(ofRow: row, entry, of: $0) } ?? 0
        case .count(let row): return column?.entries(ofRow: row) ?? 0
        case .ofRounds(let function, let row, let whole):
            return column?.number(function, ofRow: row, whole: whole) ?? 0
        case .players: return plan.players.count(in: entry.round)
        case .sides: return plan.sides.count(in: entry.round)
        case .since: return column?.since ?? 1
        case .word(let row, let word):
            let isChosen = column.map {
                self.isChosen(word, inRow: row, entry, of: $0, seenFrom: place, book)
            }
            return isChosen == true ? 1 : 0
        case .ofAll(let aggregate, let row):
            return numbers[sharedKey(row, entry.round)]?.number(aggregate, of: entry.column) ?? 0
        }
    }

    /// Returns the number in a row, in the entry's round if both have rounds.
    private func number(ofRow row: Int, _ entry: PlayerRound, of column: RowColumn) -> Int64 {
        guard plan.hasRounds[row], entry.round >= 0 else { return column.count(ofRow: row) ?? 0 }
        return number(ofRow: row, inRound: entry.round, of: column) ?? 0
    }

    /// Returns the number in a round of a row, or the default of an empty field in a round that has
    /// begun; nil if there is none.
    private func number(ofRow row: Int, inRound round: Int64, of column: RowColumn) -> Int64? {
        guard !column.tallies.isEmpty, plan.isOn[row] else { return nil }
        if plan.rows[row].isComputed { return column.worked[row]?.results[round]?.count }
        if let mark = column.tallies[row].marks[round] { return mark.count }
        guard let empty = plan.emptyCounts[row], isEntered(anyOf: plan.siblings[row], round, column)
        else { return nil }
        return empty
    }

    func isEntered(anyOf rows: [Int], _ round: Int64, _ column: RowColumn) -> Bool {
        rows.contains { column.mark($0, in: round) != nil }
    }

    private func isChosen(
        _ word: Symbol,
        inRow row: Int,
        _ entry: PlayerRound,
        of column: RowColumn,
        seenFrom place: Int,
        _ book: Book
    ) -> Bool {
        let isField = plan.rows[row].group != nil
        let round = isField ? entry.round : RoundCell.place(of: nil)
        guard column.isEntered(row, round, seenFrom: place) else {
            return isField && plan.rows[row].emptyWord == word && plan.isOn[row]
                && isEntered(anyOf: plan.siblings[row], round, column)
        }
        let cells = book.column(of: column.player.id).cells(of: plan.ids[row])
        return cells?[round]?.live.winner.value.string == word.description
    }

    // MARK: Numbers of all players

    mutating func prepare(
        _ formula: BoundFormula,
        _ round: Int64,
        _ numbers: inout [SharedKey: SharedNumbers]
    ) {
        for row in formula.sharedRows {
            let place = sharedKey(row, round)
            if numbers[place] == nil { numbers[place] = sharedNumbers(place) }
        }
    }

    /// A row, and a round of it; nil for the sum of all rounds.
    struct SharedKey: Hashable {
        let row: Int
        let round: Int64?
    }

    func sharedKey(_ row: Int, _ round: Int64) -> SharedKey {
        SharedKey(row: row, round: plan.hasRounds[row] && round >= 0 ? round : nil)
    }

    /// Returns the numbers of all present players; nil for players without an entry.
    private func sharedNumbers(_ place: SharedKey) -> SharedNumbers {
        SharedNumbers(
            columns.map { column in
                guard column.player.isPresent, !column.tallies.isEmpty else { return nil }
                guard let round = place.round else { return column.count(ofRow: place.row) }
                return number(ofRow: place.row, inRound: round, of: column)
            },
            teams: teams
        )
    }

    /// Gives the points of a round to its last cell that counts, and 0 to its other cells.
    private mutating func award(
        _ points: Int64,
        in entry: PlayerRound,
        _ formulas: RoundFormulas,
        _ dirty: inout Recalculation
    ) {
        var rest = plan.rows[formulas.place].scores ? points : 0
        for row in formulas.entered.reversed() {
            guard let mark = columns[entry.column].mark(row, in: entry.round) else { continue }
            if columns[entry.column].award(rest, to: mark, inRow: row) {
                dirty.markTotal(of: entry.column)
                recordPoints(of: mark, in: entry.column, inRow: row, &dirty)
            }
            rest = 0
        }
    }

    private mutating func evaluateRunning(
        _ formulas: RoundFormulas,
        of column: Int,
        _ changed: Set<Int64>,
        _ book: Book,
        _ dirty: inout Recalculation
    ) {
        let place = formulas.place
        guard let running = formulas.running, let worked = columns[column].worked[place],
            let first = changed.min()
        else { return }
        // The points to start with belong to the first row that is worked out like this.
        let start = plan.startRow == place ? columns[column].start : 0
        var own = RoundNumbers(
            entry: PlayerRound(column: column, round: first),
            before: Bounds.cut(Int128(start) + Int128(worked.sum(before: first)))
        )
        let readsExtremes = running.readsExtremes
        if readsExtremes {
            for mark in worked.results.prefix(while: { $0.place < first }) {
                own.extremes.add(mark.count)
            }
        }
        for round in changed where worked.results[round] == nil {
            let entry = PlayerRound(column: column, round: round)
            set(nil, of: entry, place, isRunning: true, &dirty)
            award(0, in: entry, formulas, &dirty)
        }
        var rounds = worked.results.from(first)
        while let result = rounds.next() {
            let entry = PlayerRound(column: column, round: result.place)
            own.entry = entry
            own.entered = result.count ?? 0
            if readsExtremes { own.extremes.add(result.count) }
            var (after, fault) = (own.before, FormulaFault?.none)
            do throws(FormulaFault) {
                after = try running.value { name in
                    own.value(of: name) ?? meaning(of: name, at: place, own, [:], book)
                }
            } catch { fault = error }
            let added = after - own.before
            own.before = after
            // A score seldom changes what later rounds add.
            if result.points == added, worked.runningFault(inRound: result.place) == fault,
                !changed.contains(result.place)
            {
                continue
            }
            set(fault, of: entry, place, isRunning: true, &dirty)
            columns[column].work(place) { $0.set(added: added, inRound: result.place) }
            award(added, in: entry, formulas, &dirty)
        }
        dirty.touch(place, of: column)
    }
}

/// A name in a formula, resolved for a sheet with its options; rows are given by index.
enum FormulaReference: Hashable {
    /// The player's value in the row.
    case row(Int)
    /// Whether the player chose the word.
    case word(Int, Symbol)
    /// The number of the player's entries in the row.
    case count(Int)
    /// A number over the player's rounds in the row; of a field, only over rounds that are complete
    /// in the row `whole`.
    case ofRounds(FormulaName.OfRounds, Int, whole: Int?)
    /// The highest and the lowest entry of the rounds up to this one, in a running formula.
    case highestSoFar, lowestSoFar
    /// The number of players, in a formula of rounds of those who play the round.
    case players
    /// The number of scorers, likewise: a team that is one scorer counts once.
    case sides
    /// The first round that the player plays.
    case since
    /// An aggregate of all players' values in the row.
    case ofAll(FormulaName.Aggregate, Int)
    case entered
    /// The value of the row before the round.
    case before
    case round
}

/// The highest and the lowest entry of some rounds; 0 before the first.
struct Extremes {
    private(set) var highest: Int64 = 0
    private(set) var lowest: Int64 = 0
    private var isEmpty = true

    mutating func add(_ number: Int64?) {
        guard let number else { return }
        (highest, lowest) = isEmpty ? (number, number) : (max(highest, number), min(lowest, number))
        isEmpty = false
    }
}

/// The numbers of a round itself that a formula reads.
struct RoundNumbers {
    var entry: RowGame.PlayerRound
    var entered: Int64 = 0
    /// The value of the row before the round, for a running formula.
    var before: Int64 = 0
    var extremes = Extremes()

    /// Returns the value of a name; nil for a name of other rows, rounds or players.
    ///
    /// Most names are these, and looking the others up copies the game.
    func value(of name: FormulaReference) -> Int64? {
        switch name {
        case .entered: entered
        case .before: before
        case .round: max(0, entry.round)
        case .highestSoFar: extremes.highest
        case .lowestSoFar: extremes.lowest
        case .row, .word, .count, .ofRounds, .players, .sides, .since, .ofAll: nil
        }
    }
}

typealias BoundFormula = Expression<FormulaReference>

extension BoundFormula {
    /// The rows of the player that it reads.
    var ownRows: Set<Int> {
        names.reduce(into: []) { rows, name in
            switch name {
            case .row(let place), .count(let place), .word(let place, _): rows.insert(place)
            case .ofRounds(_, let place, let whole): rows.formUnion([place, whole ?? place])
            case .ofAll, .entered, .before, .round, .highestSoFar, .lowestSoFar, .players, .sides,
                .since:
                break
            }
        }
    }

    var readsExtremes: Bool { names.contains { $0 == .highestSoFar || $0 == .lowestSoFar } }

    /// The rows of all players that it reads.
    var sharedRows: Set<Int> {
        Set(names.compactMap { if case .ofAll(_, let place) = $0 { place } else { nil } })
    }
}

extension SheetPlan {
    /// Returns a formula of a row with its names resolved; names of rows and options that are off
    /// are 0.
    ///
    /// A name refers to a row above or to an option.
    func bound(_ formula: RowFormula, ofRow own: Int) -> BoundFormula {
        func row(_ name: Symbol) -> Int? { index(of: name).flatMap { $0 < own ? $0 : nil } }
        let bound = formula.formula.expression.mapNames { name -> BoundFormula in
            switch name {
            case .value(let subject):
                if formula.role.names.contains(subject.description) {
                    return named(subject.description)
                }
                if let place = row(subject) { return .name(.row(place)) }
                return .number(settings.number(of: subject))
            case .ofAll(.count, let row) where !formula.role.isByRounds:
                return index(of: row).map { .name(.count($0)) } ?? .number(0)
            case .ofAll(let aggregate, let row):
                return index(of: row).map { .name(.ofAll(aggregate, $0)) } ?? .number(0)
            case .ofRounds(let function, let subject):
                if formula.role == .running, index(of: subject) == own {
                    return .name(function == .lowest ? .lowestSoFar : .highestSoFar)
                }
                guard let place = row(subject) else { return .number(0) }
                let whole = rows[place].group.flatMap { self.index(of: $0.row) }
                return .name(.ofRounds(function, place, whole: whole))
            case .word(let subject, let word):
                if let place = row(subject), formula.role != .check {
                    return .name(.word(place, word))
                }
                return .number(settings.values[subject]?.string == word.description ? 1 : 0)
            }
        }
        return unit == .half ? bound.countedInHalves : bound
    }

    private func named(_ name: String) -> BoundFormula {
        switch name {
        case "entered": .name(.entered)
        case "before": .name(.before)
        case "round": .name(.round)
        case "since": .name(.since)
        case "sides": .name(.sides)
        default: .name(.players)
        }
    }
}

extension Settings {
    /// Returns the number of an option: 1 for yes, 0 for an option that is off.
    fileprivate func number(of option: Symbol) -> Int64 {
        switch values[option] {
        case .integer(let number): number
        case .boolean(let isSet): isSet ? 1 : 0
        case .text, .null, .foreign, nil: 0
        }
    }
}

/// The numbers of all players in a row, or in one round of it, for formulas that compare them.
///
/// They are collected once for all players, so that evaluating a player's formula costs only its
/// own names.
struct SharedNumbers {
    /// The value of each column; nil for players without an entry and for removed players.
    private let numbers: [Int64?]
    private let sorted: [Int64]
    private let sum: Int128
    /// The team of each column, as the index of its first member.
    private let teams: [Int]
    /// The sum of each team, at the index of its first member.
    private let teamSums: [Int128]

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

    /// Returns an aggregate from the view of the player of a column.
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
