import SessionCRDT

/// What a game of rows keeps: of each player what every row comes to, and how all stand.
///
/// A cell costs the rows of its player that depend on it, in a ranked round its players, and then
/// the order of the players. From scratch every cell is taken in in the same way.
struct RowState: Game {
    let rules: RowRules

    let form: SheetForm
    /// That there are more players than the game is for.
    private let crowd: [Flag]
    /// The columns of the players: those present in seat order, then the removed ones.
    var columns: [RowColumn]
    /// Whose team each player is in, by place: that of the first of its players.
    let teams: [Int]
    private var places: [PlayerID: Int] = [:]
    private var verdict: Verdict
    /// Whose number counts in a round of a row that is ranked, by place.
    private var entrants: [Rework.Round: Set<Int>] = [:]
    /// What has to hold of rounds and does not.
    var failedChecks: [CheckPlace: RuleViolation] = [:]

    /// What the rules of a sheet keep of a book.
    init(_ rules: RowRules, _ book: Book) {
        self.rules = rules
        let sheet = rules.sheet
        let present = book.players.filter(\.isPresent)
        form = SheetForm(sheet, Settings(sheet, book), players: present.count)
        columns = (present + book.players.filter { !$0.isPresent }).map { RowColumn($0) }
        var first: [ExactText: Int] = [:]
        teams = columns.enumerated().map { index, column in
            guard let team = Side.key(ofTeam: column.player.team) else { return index }
            first[team] = first[team] ?? index
            return first[team] ?? index
        }
        crowd = sheet.violation(ofCrowd: present.count, in: book).map { [Flag(.game, $0)] } ?? []
        let shortage = sheet.violation(ofShortage: present.count, in: book)
        verdict = Verdict(isFinished: book.isFinished, shortage: shortage)
        for (index, column) in columns.enumerated() { places[column.player.id] = index }
        var rework = Rework(rows: form.rows.count, isFromScratch: true)
        for index in columns.indices {
            for bookCell in book.cells(of: columns[index].player.id) {
                take(bookCell.live, in: bookCell.cell, of: index, &rework)
            }
        }
        settle(&rework, in: book)
    }

    mutating func update(to book: Book, _ change: BookChange) -> ScoreboardChange {
        var rework = Rework(rows: form.rows.count)
        for cell in change.cells {
            rework.change.cells.insert(cell)
            if let index = places[cell.player] {
                take(book[cell], in: cell, of: index, &rework)
            } else {
                rework.change.areFlagsDifferent = true
            }
        }
        settle(&rework, in: book)
        return rework.change
    }

    func standings(of book: Book) -> Standings {
        let players = columns.indices.map { index in
            let (column, line) = (columns[index], verdict.lines[index])
            let written = book.column(of: column.player.id)
            let cells = RowCells(column: written, order: form.ids, tallies: column.tallies)
            return PlayerStanding(
                player: column.player,
                total: column.total,
                rank: line.rank,
                tieBreak: line.tieBreak,
                cells: ScoredCells(cells),
                computed: column.computed
            )
        }
        return Standings(
            players: players,
            teams: verdict.teams,
            isFinished: verdict.isFinished,
            flags: strays(of: book) + crowd + form.settings.flags
                + columns.flatMap { $0.flags(of: form.ids) } + checkFlags + verdict.shares,
            notes: verdict.notes
        )
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null, let place = form.place(of: score.cell.row) else { return }
        let own = form.rows[place]
        if let condition = own.condition, !form.isOn[place] {
            throw .rowOff(row: own.id, needs: condition)
        }
        guard own.isSole, own.count(of: score.value) != 0 else { return }
        for row in form.sole.first(where: { $0.contains(place) }) ?? [] {
            let holder = columns.first { column in
                column.player.isPresent && column.player.id != score.cell.player
                    && column.hasAny(ofRow: row)
            }
            if let holder { throw .notSole(row: form.ids[row], holder: holder.player.name) }
        }
    }
}

extension RowState {
    /// Takes in one cell, and notes what has to be worked out again.
    private mutating func take(
        _ live: LiveSet?,
        in cell: Cell,
        of index: Int,
        _ rework: inout Rework
    ) {
        let row = form.place(of: cell.row)
        let place = RoundCell.place(of: cell.round)
        let mates = row.map { form.mates[$0] } ?? []
        let (wasScored, wasBegun) = (
            columns[index].isScored, isEntered(anyOf: mates, place, columns[index])
        )
        let taken = columns[index].take(live, in: cell, at: row, by: form)
        if taken.areFlagsDifferent { rework.change.areFlagsDifferent = true }
        if columns[index].isScored != wasScored { rework.areSidesOthers = true }
        // Whether the game was over when somebody came is a matter of when its rounds were entered.
        if !rework.areSidesOthers, form.sheet.target != nil, !columns.allSatisfy(\.isScored) {
            rework.areSidesOthers = true
        }
        guard let row, taken.isOtherCount else { return }
        rework.touch(row, of: index, in: form.worksOutRounds ? place : nil)
        if wasBegun != isEntered(anyOf: mates, place, columns[index]) {
            for mate in mates where form.emptyCounts[mate] != nil {
                rework.touch(mate, of: index, in: place)
            }
        }
        if form.readers[row].isRanked {
            let round = Rework.Round(row: row, place: place)
            if columns[index].tallies[row].marks[round.place] == nil {
                entrants[round]?.remove(index)
            } else {
                entrants[round, default: []].insert(index)
            }
            rework.rounds.insert(round)
        }
    }

    /// Works out what follows from the cells that were taken in.
    private mutating func settle(_ rework: inout Rework, in book: Book) {
        for index in rework.touched { imply(index, &rework) }
        for round in rework.rounds { rank(round, &rework) }
        for derived in form.derived {
            switch derived {
            case .row(let evaluation): compute(evaluation, in: book, &rework)
            case .rounds(let evaluation): work(evaluation, in: book, &rework)
            }
        }
        for index in rework.listed { columns[index].listComputed(by: form) }
        verdict.update(columns, form, book, &rework)
    }

    /// Sets what empty rows count as once anything counts from which points come, and notes those
    /// that cannot be empty.
    private mutating func imply(_ index: Int, _ rework: inout Rework) {
        let column = columns[index]
        for row in form.required {
            let isMissing = column.isScored && column.tallies[row].marks.isEmpty
            let missing = isMissing ? [form.ids[row]] : []
            if columns[index].set(missing: missing, forRow: row) { rework.areGapsOthers = true }
        }
        for row in form.implied {
            let isImplied = column.isScored && column.tallies[row].marks.isEmpty
            guard isImplied != (column.tallies[row].unentered != nil) else { continue }
            let unentered = isImplied ? implied(row, share: nil) : nil
            set(unentered, inRow: row, of: index, &rework)
            if form.readers[row].isRanked {
                rework.rounds.insert(Rework.Round(row: row, place: RoundCell.place(of: nil)))
            }
        }
    }

    /// What an empty cell of a row counts as; the share is that of a ranking.
    private func implied(_ row: Int, share: Int64?) -> RowTally.Unentered? {
        guard let count = form.rows[row].empty, let worth = form.rows[row].worth else { return nil }
        let points =
            form.readers[row].isRanked ? worth.points(share ?? 0) : worth.points(of: count)
        return form.unentered(count: count, points: points, inRow: row)
    }

    private mutating func set(
        _ unentered: RowTally.Unentered?,
        inRow row: Int,
        of index: Int,
        _ rework: inout Rework
    ) {
        let count = columns[index].count(ofRow: row)
        guard columns[index].set(unentered, inRow: row) else { return }
        rework.list(index)
        if columns[index].count(ofRow: row) != count { rework.touch(row, of: index) }
    }

    /// Shares the points of the places in one round of a row that is entered.
    private mutating func rank(_ round: Rework.Round, _ rework: inout Rework) {
        let row = form.rows[round.row]
        guard let worth = row.worth else { return }
        let isOnly = round.place == RoundCell.place(of: nil)
        let places = isOnly ? Array(columns.indices) : (entrants[round] ?? []).sorted()
        let rivals = places.compactMap { index -> Rival? in
            guard !columns[index].tallies.isEmpty else { return nil }
            let tally = columns[index].tallies[round.row]
            let mark = tally.marks[round.place]
            let isImplied = isOnly && tally.marks.isEmpty
            guard mark != nil || isImplied && tally.unentered != nil else { return nil }
            let count = (mark == nil ? tally.unentered?.count : mark?.count) ?? 0
            return Rival(index: index, mark: mark, number: worth.reduced(count))
        }
        for (rival, share) in shares(rivals, worth) {
            guard let mark = rival.mark else {
                set(implied(round.row, share: share), inRow: round.row, of: rival.index, &rework)
                continue
            }
            let points = row.scores ? worth.points(share) : 0
            guard columns[rival.index].award(points, to: mark, inRow: round.row) else { continue }
            rework.note(total: rival.index)
            note(mark, of: rival.index, inRow: round.row, &rework)
        }
    }

    /// Notes that a cell is worth something else, which nobody asks of a book from scratch.
    func note(_ mark: Mark, of index: Int, inRow row: Int, _ rework: inout Rework) {
        guard !rework.isFromScratch else { return }
        let round = mark.place < 0 ? nil : UInt32(mark.place)
        let player = columns[index].player.id
        rework.change.cells.insert(Cell(player: player, row: form.ids[row], round: round))
    }

    /// A number that is ranked: whose, and in which cell, or in none where it is not entered.
    private struct Rival {
        let index: Int
        var mark: Mark?
        let number: Int64
    }

    /// Shares the points of the places among those who are present.
    private func shares(_ rivals: [Rival], _ worth: Worth) -> [(Rival, Int64)] {
        let present = rivals.filter { columns[$0.index].player.isPresent }
        let numbers = present.map(\.number)
        let shares = PlacePoints.shares(numbers, of: form.pools(of: worth), worth.ties)
        return Array(zip(present, shares))
            + rivals.filter { !columns[$0.index].player.isPresent }.map { ($0, 0) }
    }

    /// Works a row out for everybody of whom a row that it reads has changed.
    private mutating func compute(
        _ evaluation: Evaluation,
        in book: Book,
        _ rework: inout Rework
    ) {
        let (place, worth) = (evaluation.place, evaluation.worth)
        var areNumbersOthers = false
        var numbers: [SharedPlace: SharedNumbers] = [:]
        let readers = readers(of: evaluation, rework)
        // What all have is gone through only where somebody reads it now.
        if !readers.isEmpty, let formula = evaluation.formula {
            prepare(formula, RoundCell.place(of: nil), &numbers)
        }
        for index in readers {
            let number = number(evaluation, of: index, numbers, in: book, &rework)
            if form.readers[place].isRanked {
                let isOther = columns[index].set(number: number, inRow: place)
                areNumbersOthers = areNumbersOthers || isOther
            } else {
                set(
                    computed(number.map { worth.points($0) }, place),
                    inRow: place,
                    of: index,
                    &rework
                )
            }
        }
        guard areNumbersOthers else { return }
        for index in columns.indices where !columns[index].tallies.isEmpty {
            guard columns[index].tallies[place].number == nil else { continue }
            set(nil, inRow: place, of: index, &rework)
        }
        let rivals = columns.indices.compactMap { index -> Rival? in
            guard !columns[index].tallies.isEmpty else { return nil }
            return columns[index].tallies[place].number.map { Rival(index: index, number: $0) }
        }
        for (rival, share) in shares(rivals, worth) {
            set(computed(worth.points(share), place), inRow: place, of: rival.index, &rework)
        }
    }

    /// Of whom anything has changed that a row is worked out from: everybody where it is what all
    /// have.
    private func readers(of evaluation: Evaluation, _ rework: Rework) -> [Int] {
        let isShared = rework.touched.contains { rework.isTouched(evaluation.shared, of: $0) }
        if isShared { return columns.indices.filter { !columns[$0].tallies.isEmpty } }
        // What names no row of the player's begins with whatever the player enters.
        return rework.touched.filter {
            evaluation.sources.isEmpty || rework.isTouched(evaluation.sources, of: $0)
        }
    }

    private func computed(_ points: Int64?, _ place: Int) -> RowTally.Unentered? {
        points.map { form.unentered(count: $0, points: $0, inRow: place) }
    }

    /// What is made of a column, before it is ranked; what it misses and refuses is noted.
    private mutating func number(
        _ evaluation: Evaluation,
        of index: Int,
        _ numbers: [SharedPlace: SharedNumbers],
        in book: Book,
        _ rework: inout Rework
    ) -> Int64? {
        let player = columns[index].player.id
        let place = evaluation.place
        if let formula = evaluation.formula {
            let number = number(formula, evaluation, of: index, numbers, in: book, &rework)
            return number.map(evaluation.worth.reduced)
        }
        let result = evaluation.result(
            of: columns[index],
            book.column(of: player),
            by: form
        )
        if columns[index].set(missing: result.missing, forRow: place) {
            rework.areGapsOthers = true
        }
        let refusal = result.refusal.map { found in
            RowColumn.Refusal(
                by: place,
                row: found.row,
                cell: Cell(player: player, row: form.ids[found.row]),
                reason: found.reason
            )
        }
        for other in columns[index].set(refusal, by: place, form) {
            rework.change.cells.insert(other.cell)
            rework.change.areFlagsDifferent = true
            rework.touch(other.row, of: index)
        }
        return result.number.map(evaluation.worth.reduced)
    }

    /// What a formula says of a column, once any row that it names is entered; of one that names
    /// only what all have, once the player has entered anything.
    private mutating func number(
        _ formula: BoundFormula,
        _ evaluation: Evaluation,
        of index: Int,
        _ numbers: [SharedPlace: SharedNumbers],
        in book: Book,
        _ rework: inout Rework
    ) -> Int64? {
        let entry = Entry(column: index, round: RoundCell.place(of: nil))
        let place = evaluation.place
        let isBegun =
            evaluation.sources.isEmpty
            ? columns[index].isScored
            : evaluation.sources.contains { columns[index].isBegun(row: $0) }
        var (number, fault) = (Int64?.none, FormulaFault?.none)
        do throws(FormulaFault) {
            number =
                isBegun
                ? try formula.value { meaning(of: $0, in: entry, at: place, numbers, book) } : nil
        } catch { fault = error }
        set(fault, of: entry, place, &rework)
        return number
    }
}

/// The rules of every game whose total is the sum of its rows.
///
/// A player is ranked from the first score that counts: a zero that nobody entered would lead where
/// the lowest wins, or where others are below zero. A player with fewer rounds than the others is
/// ranked by what there is. Players of one team are ranked together by what they have together. The
/// target ends the game as soon as a side that takes part has reached it and the round is complete,
/// or at once where the sheet says so; corrections count, so an end can be taken back. The same
/// holds for a row that wins at once, which goes before every total and waits for nobody; a row
/// that only goes before the total ends nothing.
package struct RowRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { nil }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package func game(of book: Book) -> any Game { RowState(self, book) }

    package func goesByRounds(_ book: Book) -> Bool {
        sheet.rows(of: book).filter { $0.scores && !$0.isComputed }
            .allSatisfy { $0.lastRound != nil }
    }
}

/// What has to hold of rounds.
extension RowState {
    /// A check of a round of a row.
    struct CheckPlace: Hashable, Comparable {
        /// The place of the row.
        let row: Int
        /// The place of the round.
        let round: Int64
        /// Which one of the row.
        let index: Int
        /// Whose round it is, by column; nil of the whole table.
        let column: Int?

        static func < (left: CheckPlace, right: CheckPlace) -> Bool {
            (left.row, left.round, left.index, left.column ?? -1)
                < (right.row, right.round, right.index, right.column ?? -1)
        }
    }

    /// The rounds of which something does not hold.
    var checkFlags: [Flag] {
        failedChecks.sorted { $0.key < $1.key }.map { Flag(.game, $0.value) }
    }

    /// Looks whether what has to hold of these entries does: of the table once everybody has
    /// entered the round, of each player once that one has.
    ///
    /// - Returns: whether something else does not.
    mutating func check(
        _ evaluation: RoundEvaluation,
        _ entries: Set<Entry>,
        _ numbers: inout [SharedPlace: SharedNumbers],
        _ book: Book
    ) -> Bool {
        let common = evaluation.checks.filter { !$0.check.isOfEach }
        let sizes = common.isEmpty ? [] : teamSizes
        var isOther = false
        for round in common.isEmpty ? [] : Set(entries.map(\.round)) {
            let isComplete = hasEverybody(in: round, of: evaluation.place, sizes)
            for check in common {
                // Names of one player stand for nothing here.
                let entry = Entry(column: .max, round: round)
                let reason =
                    isComplete ? reason(check, entry, evaluation.place, &numbers, book) : nil
                if note(reason, check, of: nil, round, evaluation.place) { isOther = true }
            }
        }
        for check in evaluation.checks where check.check.isOfEach {
            for entry in entries {
                let column = columns[entry.column]
                let isThere =
                    column.player.isPresent
                    && column.entered(evaluation.place, by: form)[entry.round] != nil
                let reason = isThere ? reason(check, entry, evaluation.place, &numbers, book) : nil
                if note(reason, check, of: entry.column, entry.round, evaluation.place) {
                    isOther = true
                }
            }
        }
        return isOther
    }

    /// Notes why a check does not hold; nil where it does.
    ///
    /// - Returns: whether that is something else.
    private mutating func note(
        _ reason: RuleViolation?,
        _ check: RoundEvaluation.Check,
        of column: Int?,
        _ round: Int64,
        _ row: Int
    ) -> Bool {
        let place = CheckPlace(row: row, round: round, index: check.index, column: column)
        guard failedChecks[place] != reason else { return false }
        failedChecks[place] = reason
        return true
    }

    /// Why a check does not hold of a round; nil where it does.
    private mutating func reason(
        _ check: RoundEvaluation.Check,
        _ entry: Entry,
        _ place: Int,
        _ numbers: inout [SharedPlace: SharedNumbers],
        _ book: Book
    ) -> RuleViolation? {
        prepare(check.formula, entry.round, &numbers)
        let known = numbers
        let entered = entered(entry, place)
        func meaning(_ name: FormulaReference) -> Int64 {
            self.meaning(of: name, in: entry, at: place, entered: entered, known, book)
        }
        let round = UInt32(clamping: entry.round)
        do throws(FormulaFault) {
            guard try check.formula.value(meaning) == 0 else { return nil }
        } catch { return .formulaFault(error, row: form.ids[place], round: round) }
        var told: Set<FormulaReference> = []
        let found = check.formula.names.compactMap { name -> String? in
            guard case .ofAll(let aggregate, let row) = name, told.insert(name).inserted else {
                return nil
            }
            return "\(FormulaName.ofAll(aggregate, form.ids[row]).words): \(meaning(name))"
        }
        let label = form.rows[place].label(ofRound: round)
        let whose = check.check.isOfEach ? columns[entry.column].player.name + ", " : ""
        return .roundCheck(check.check, of: whose + label, found: found.joined(separator: ", "))
    }

    /// How many of each team are here, by the column of its first player.
    private var teamSizes: [Int] {
        columns.indices.reduce(into: Array(repeating: 0, count: columns.count)) { sizes, index in
            if columns[index].player.isPresent { sizes[teams[index]] += 1 }
        }
    }

    /// Whether everybody who is here has entered a round, of a team one of its members.
    private func hasEverybody(in round: Int64, of place: Int, _ sizes: [Int]) -> Bool {
        var late: Set<Int> = []
        var there: Set<Int> = []
        for (index, column) in columns.enumerated() where column.player.isPresent {
            let hasEntered = column.entered(place, by: form)[round] != nil
            let isAlone = sizes[teams[index]] == 1
            if isAlone, !hasEntered { return false }
            guard !isAlone else { continue }
            if hasEntered { there.insert(teams[index]) } else { late.insert(teams[index]) }
        }
        return late.isSubset(of: there)
    }
}
