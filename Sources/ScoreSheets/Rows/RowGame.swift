package import SessionCRDT

/// The state of a game of rows: the points of every row of each player, and the leaderboard.
///
/// Applying a cell recalculates only the player's rows that depend on it and, in a ranked row, the
/// players with an entry in the round; then it sorts the players. A whole book is read in the same
/// way.
struct RowGame: Game {
    let rules: RowRules

    let plan: SheetPlan
    /// The flag if there are too many players.
    private let tooManyPlayers: [Flag]
    /// The columns of the present players in seat order, then of the removed ones.
    var columns: [RowColumn]
    /// The team of each column, as the index of its first member.
    let teams: [Int]
    private var places: [PlayerID: Int] = [:]
    private var leaderboard: Leaderboard
    /// The columns with a number in a round of a ranked row.
    private var entrants: [Recalculation.Round: Set<Int>] = [:]
    var failedChecks: [CheckKey: RuleViolation] = [:]

    init(_ rules: RowRules, _ book: Book) {
        self.rules = rules
        let sheet = rules.sheet
        let present = book.players.filter(\.isPresent)
        let people = book.partners?.everybody.filter(\.isPresent) ?? present
        let count = people.count
        plan = SheetPlan(sheet, Settings(sheet, book), people: people, scorers: present)
        columns = (present + book.players.filter { !$0.isPresent })
            .map { [unit = plan.unit] in RowColumn($0, in: unit) }
        var first: [ExactText: Int] = [:]
        teams = columns.enumerated().map { index, column in
            guard let team = Side.key(ofTeam: column.player.team) else { return index }
            first[team] = first[team] ?? index
            return first[team] ?? index
        }
        tooManyPlayers = sheet.flags(ofTooMany: count, in: book)
        let shortage = sheet.violation(ofTooFew: count, in: book)
        leaderboard = Leaderboard(isFinished: book.isFinished, shortage: shortage)
        for (index, column) in columns.enumerated() { places[column.player.id] = index }
        var dirty = Recalculation(rows: plan.rows.count, isFromScratch: true)
        for index in columns.indices {
            for bookCell in book.cells(of: columns[index].player.id) {
                apply(bookCell.live, in: bookCell.cell, of: index, &dirty)
            }
        }
        recalculate(&dirty, in: book)
    }

    mutating func update(to book: Book, changed cells: [Cell]) -> ScoreboardChange {
        var dirty = Recalculation(rows: plan.rows.count)
        for cell in cells {
            dirty.change.cells.insert(cell)
            if let index = places[cell.player] {
                apply(book[cell], in: cell, of: index, &dirty)
            } else {
                dirty.change.areFlagsDifferent = true
            }
        }
        recalculate(&dirty, in: book)
        return dirty.change
    }

    func standings(of book: Book) -> Standings {
        let players = columns.indices.map { index in
            let (column, line) = (columns[index], leaderboard.lines[index])
            let written = book.column(of: column.player.id)
            let cells = RowCells(
                column: written,
                order: plan.ids,
                unit: plan.unit,
                tallies: column.tallies
            )
            return PlayerStanding(
                player: column.player,
                total: plan.unit.points(column.total),
                rank: line.rank,
                tieBreak: line.tieBreak,
                cells: ScoredCells(cells),
                computed: column.computed
            )
        }
        return Standings(
            players: players,
            teams: leaderboard.teams,
            isFinished: leaderboard.isFinished,
            flags: strays(of: book) + tooManyPlayers + plan.settings.flags
                + columns.flatMap { $0.flags(of: plan.ids) }
                + failedChecks.sorted { $0.key < $1.key }.map { Flag(.game, $0.value) }
                + leaderboard.shares,
            notes: leaderboard.notes + columns.compactMap(\.noteOfStart)
        )
    }

    /// Throws if a derived row would not accept the scores once all of them are written, such as a
    /// choice of what is dropped.
    func check(_ scores: [Score], in book: Book) throws(RuleViolation) {
        for score in scores { try check(score, in: book) }
        guard scores.contains(where: { rules.sheet.decidesDrop($0.cell.row) }) else { return }
        var (game, supposed) = (self, book)
        let dot = Dot(actor: ActorID(high: 0, low: 0), sequence: 1)
        let author = DeviceID(high: 0, low: 0)
        for score in scores {
            let entry = Entry(dot: dot, stamp: Stamp(bits: 0), author: author, value: score.value)
            _ = supposed.write(LiveSet(entry), in: score.cell)
        }
        let cells = Set(scores.map(\.cell))
        _ = game.update(to: supposed, changed: cells.sorted())
        for refusal in game.columns.flatMap(\.refusals) where cells.contains(refusal.cell) {
            throw refusal.reason
        }
    }

    func check(_ score: Score, in book: Book) throws(RuleViolation) {
        try rules.checkForm(score, in: book)
        guard score.value != .null, let place = plan.index(of: score.cell.row) else { return }
        let own = plan.rows[place]
        if let column = places[score.cell.player].map({ columns[$0] }),
            let out = column.out(by: plan), !book.isWritten(score.cell)
        {
            throw RuleViolation("\(column.player.name) is out: \(plan.rows[out].label)")
        }
        if let condition = own.condition, !plan.isOn[place] {
            throw .rowOff(row: own.id, needs: condition)
        }
        guard own.isSole, own.count(of: score.value) != 0 else { return }
        for row in plan.sole.first(where: { $0.contains(place) }) ?? [] {
            let holder = columns.first { column in
                column.player.isPresent && column.player.id != score.cell.player
                    && column.hasAny(ofRow: row)
            }
            if let holder { throw .notSole(row: plan.ids[row], holder: holder.player.name) }
        }
    }

    /// The round that a new player joins in: the one that is being played, or the next one.
    func openRound(in book: Book) -> UInt32? {
        guard book.hasEntries, !plan.wholeRounds.isEmpty else { return nil }
        let sides = Side.sides(of: columns, by: plan)
        let progress = RoundProgress(sides, columns, in: book, by: plan)
        return UInt32(clamping: progress.open == nil ? progress.complete + 1 : progress.latest)
    }

    /// Applies one cell and records what must be recalculated.
    private mutating func apply(
        _ live: LiveSet?,
        in cell: Cell,
        of index: Int,
        _ dirty: inout Recalculation
    ) {
        let row = plan.index(of: cell.row)
        let place = RoundCell.place(of: cell.round)
        let siblings = row.map { plan.siblings[$0] } ?? []
        let (wasScored, wasBegun) = (
            columns[index].isScored, isEntered(anyOf: siblings, place, columns[index])
        )
        let applied = columns[index].apply(live, in: cell, at: row, by: plan)
        if applied.areFlagsDifferent { dirty.change.areFlagsDifferent = true }
        if columns[index].isScored != wasScored { dirty.areSidesChanged = true }
        // The time at which rounds were entered decides for which players the end waits.
        if !dirty.areSidesChanged, plan.sheet.target != nil, !columns.allSatisfy(\.isScored) {
            dirty.areSidesChanged = true
        }
        guard let row, applied.isCountChanged else { return }
        dirty.touch(row, of: index, in: plan.hasRoundFormulas ? place : nil)
        if wasBegun != isEntered(anyOf: siblings, place, columns[index]) {
            for sibling in siblings where plan.emptyCounts[sibling] != nil {
                dirty.touch(sibling, of: index, in: place)
            }
        }
        if plan.readers[row].isRanked {
            let round = Recalculation.Round(row: row, place: place)
            if columns[index].tallies[row].marks[round.place] == nil {
                entrants[round]?.remove(index)
            } else {
                entrants[round, default: []].insert(index)
            }
            dirty.rounds.insert(round)
        }
    }

    private mutating func recalculate(_ dirty: inout Recalculation, in book: Book) {
        for index in dirty.touched { fillEmptyRows(index, &dirty) }
        for round in dirty.rounds { rank(round, &dirty) }
        for derived in plan.derived {
            switch derived {
            case .row(let formulas): compute(formulas, in: book, &dirty)
            case .rounds(let formulas): evaluate(formulas, in: book, &dirty)
            }
        }
        if !plan.checks.isEmpty { checkSheet(&dirty, in: book) }
        for index in dirty.listed { columns[index].updateComputed(by: plan) }
        leaderboard.update(columns, plan, book, &dirty)
    }

    /// Sets the values of empty rows once an entry of the player counts, and records the rows that
    /// must not be empty.
    private mutating func fillEmptyRows(_ index: Int, _ dirty: inout Recalculation) {
        let column = columns[index]
        for row in plan.required {
            let isMissing = column.isScored && column.tallies[row].marks.isEmpty
            let missing = isMissing ? [plan.ids[row]] : []
            if columns[index].set(missing: missing, forRow: row) { dirty.areGapsChanged = true }
        }
        for row in plan.implied {
            let isImplied = column.isScored && column.tallies[row].marks.isEmpty
            guard isImplied != (column.tallies[row].unentered != nil) else { continue }
            let unentered = isImplied ? implied(row, share: nil) : nil
            set(unentered, inRow: row, of: index, &dirty)
            if plan.readers[row].isRanked {
                dirty.rounds.insert(Recalculation.Round(row: row, place: RoundCell.place(of: nil)))
            }
        }
    }

    /// Returns the value of an empty cell; `share` is its points if the row is ranked.
    private func implied(_ row: Int, share: Int64?) -> RowTally.Unentered? {
        guard let count = plan.rows[row].empty, let rule = plan.rows[row].pointsRule else {
            return nil
        }
        let points = plan.readers[row].isRanked ? rule.points(share ?? 0) : rule.points(of: count)
        return plan.unentered(count: count, points: points, inRow: row)
    }

    private mutating func set(
        _ unentered: RowTally.Unentered?,
        inRow row: Int,
        of index: Int,
        _ dirty: inout Recalculation
    ) {
        let count = columns[index].count(ofRow: row)
        guard columns[index].set(unentered, inRow: row) else { return }
        dirty.list(index)
        if columns[index].count(ofRow: row) != count { dirty.touch(row, of: index) }
    }

    /// Distributes the points of the places in one round of a ranked row.
    private mutating func rank(_ round: Recalculation.Round, _ dirty: inout Recalculation) {
        let row = plan.rows[round.row]
        guard let rule = row.pointsRule else { return }
        let isOnly = round.place == RoundCell.place(of: nil)
        let places = isOnly ? Array(columns.indices) : (entrants[round] ?? []).sorted()
        let contenders = places.compactMap { index -> Contender? in
            guard !columns[index].tallies.isEmpty else { return nil }
            let tally = columns[index].tallies[round.row]
            let mark = tally.marks[round.place]
            let isImplied = isOnly && tally.marks.isEmpty
            guard mark != nil || isImplied && tally.unentered != nil else { return nil }
            let count = (mark == nil ? tally.unentered?.count : mark?.count) ?? 0
            return Contender(index: index, mark: mark, number: rule.reduced(count))
        }
        for (contender, share) in shares(contenders, rule) {
            guard let mark = contender.mark else {
                set(implied(round.row, share: share), inRow: round.row, of: contender.index, &dirty)
                continue
            }
            let points = row.scores ? rule.points(share) : 0
            guard columns[contender.index].award(points, to: mark, inRow: round.row) else {
                continue
            }
            dirty.markTotal(of: contender.index)
            recordPoints(of: mark, in: contender.index, inRow: round.row, &dirty)
        }
    }

    func recordPoints(of mark: Mark, in index: Int, inRow row: Int, _ dirty: inout Recalculation) {
        guard !dirty.isFromScratch else { return }
        let round = mark.place < 0 ? nil : UInt32(mark.place)
        let player = columns[index].player.id
        dirty.change.cells.insert(Cell(player: player, row: plan.ids[row], round: round))
    }

    /// A number in a ranking, with its cell if it was entered.
    private struct Contender {
        let index: Int
        var mark: Mark?
        let number: Int64
    }

    /// Distributes the points of the places among the present players; the others get 0.
    private func shares(_ contenders: [Contender], _ rule: PointsRule) -> [(Contender, Int64)] {
        let present = contenders.filter { columns[$0.index].player.isPresent }
        let numbers = present.map(\.number)
        let pools = rule.places.map { plan.settings($0) ?? 0 }
        let shares = PlacePoints.shares(numbers, of: pools, rule.ties)
        return Array(zip(present, shares))
            + contenders.filter { !columns[$0.index].player.isPresent }.map { ($0, 0) }
    }

    /// Recalculates a derived row for all players for whom one of its sources changed.
    private mutating func compute(
        _ derived: DerivedRow,
        in book: Book,
        _ dirty: inout Recalculation
    ) {
        let (place, rule) = (derived.place, derived.pointsRule)
        var areNumbersChanged = false
        var numbers: [SharedKey: SharedNumbers] = [:]
        let readers = readers(of: derived, dirty)
        // Numbers of all players are collected only if a formula reads them now.
        if !readers.isEmpty, let formula = derived.formula {
            prepare(formula, RoundCell.place(of: nil), &numbers)
        }
        for index in readers {
            let number = number(derived, of: index, numbers, in: book, &dirty)
            if plan.readers[place].isRanked {
                let isChanged = columns[index].set(number: number, inRow: place)
                areNumbersChanged = areNumbersChanged || isChanged
            } else {
                set(
                    computed(number.map { rule.points($0) }, place),
                    inRow: place,
                    of: index,
                    &dirty
                )
            }
        }
        guard areNumbersChanged else { return }
        for index in columns.indices where !columns[index].tallies.isEmpty {
            guard columns[index].tallies[place].number == nil else { continue }
            set(nil, inRow: place, of: index, &dirty)
        }
        let contenders = columns.indices.compactMap { index -> Contender? in
            guard !columns[index].tallies.isEmpty else { return nil }
            return columns[index].tallies[place].number.map { Contender(index: index, number: $0) }
        }
        for (contender, share) in shares(contenders, rule) {
            set(computed(rule.points(share), place), inRow: place, of: contender.index, &dirty)
        }
    }

    /// Returns the columns in which a source changed; all columns if the row reads the numbers of
    /// all players.
    private func readers(of derived: DerivedRow, _ dirty: Recalculation) -> [Int] {
        let isShared = dirty.touched.contains { dirty.isTouched(derived.shared, of: $0) }
        if isShared { return columns.indices.filter { !columns[$0].tallies.isEmpty } }
        // A formula that reads no row of the player has a value from the player's first entry on.
        return dirty.touched.filter {
            derived.sources.isEmpty || dirty.isTouched(derived.sources, of: $0)
        }
    }

    private func computed(_ points: Int64?, _ place: Int) -> RowTally.Unentered? {
        points.map { plan.unentered(count: $0, points: $0, inRow: place) }
    }

    /// Returns the number of a derived row in a column before ranking; records missing rows and
    /// refused entries.
    private mutating func number(
        _ derived: DerivedRow,
        of index: Int,
        _ numbers: [SharedKey: SharedNumbers],
        in book: Book,
        _ dirty: inout Recalculation
    ) -> Int64? {
        let player = columns[index].player.id
        let place = derived.place
        if let formula = derived.formula {
            let number = number(formula, derived, of: index, numbers, in: book, &dirty)
            return number.map(derived.pointsRule.reduced)
        }
        let result = derived.result(of: columns[index], book.column(of: player), by: plan)
        if columns[index].set(missing: result.missing, forRow: place) {
            dirty.areGapsChanged = true
        }
        let refusal = result.refusal.map { found in
            RowColumn.Refusal(
                by: place,
                row: found.row,
                cell: Cell(player: player, row: plan.ids[found.row]),
                reason: found.reason
            )
        }
        for other in columns[index].set(refusal, by: place, plan) {
            dirty.change.cells.insert(other.cell)
            dirty.change.areFlagsDifferent = true
            dirty.touch(other.row, of: index)
        }
        return result.number.map(derived.pointsRule.reduced)
    }

    /// Returns the value of a formula; nil until a row that it names is entered or, if it names
    /// only numbers of all players, until the player has entered anything.
    private mutating func number(
        _ formula: BoundFormula,
        _ derived: DerivedRow,
        of index: Int,
        _ numbers: [SharedKey: SharedNumbers],
        in book: Book,
        _ dirty: inout Recalculation
    ) -> Int64? {
        let entry = PlayerRound(column: index, round: RoundCell.place(of: nil))
        let place = derived.place
        let isBegun =
            derived.sources.isEmpty
            ? columns[index].isScored
            : derived.sources.contains { columns[index].isBegun(row: $0) }
        var (number, fault) = (Int64?.none, FormulaFault?.none)
        let own = RoundNumbers(entry: entry)
        do throws(FormulaFault) {
            number =
                isBegun
                ? try formula.value { meaning(of: $0, at: place, own, numbers, book) }
                : nil
        } catch { fault = error }
        set(fault, of: entry, place, &dirty)
        return number
    }
}

/// The rules of every game whose total is the sum of its rows.
///
/// A player is ranked from the first score that counts: a 0 without an entry would lead where the
/// lowest wins, or where others are below 0. A player with fewer rounds than the others is ranked
/// by those. Players of one team are ranked together by their sums. The target ends the game once a
/// side has reached it and the round is complete, or at once if the sheet says so; a correction can
/// undo the end. A row that wins at once has priority over every total and waits for no round; a
/// row that is compared before the total ends nothing.
package struct RowRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { nil }
    package static var hasMoves: Bool { false }
    package static var teamRules: [TeamRule] { TeamRule.allCases }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package func game(ofScorers book: Book) -> any Game { RowGame(self, book) }

    package func check(start points: Points, in book: Book) throws(RuleViolation) {
        let unit = CountingUnit(of: sheet.rows(of: book))
        guard unit == .half || points.whole != nil else {
            throw RuleViolation("a start is a whole number here, not \(points)")
        }
        guard Bounds.all.contains(unit.count(of: points)) else { throw unit.totalOutOfRange }
    }

    package func isPlayedInRounds(_ book: Book) -> Bool {
        sheet.rows(of: book).filter { $0.scores && !$0.isComputed }
            .allSatisfy { $0.lastRound != nil }
    }
}

extension RowGame {
    struct CheckKey: Hashable, Comparable {
        let row: Int
        let round: Int64
        let index: Int
        /// The column; nil for a check of the whole table.
        let column: Int?

        static func < (left: CheckKey, right: CheckKey) -> Bool {
            (left.row, left.round, left.index, left.column ?? -1)
                < (right.row, right.round, right.index, right.column ?? -1)
        }
    }

    /// Evaluates the checks of these entries: checks of the table once all players have entered the
    /// round, checks of a player once that player has; returns whether the result changed.
    mutating func check(
        _ formulas: RoundFormulas,
        _ entries: Set<PlayerRound>,
        _ numbers: inout [SharedKey: SharedNumbers],
        _ book: Book
    ) -> Bool {
        let common = formulas.checks.filter { !$0.check.isOfEach }
        let sizes = common.isEmpty ? [] : teamSizes
        var isChanged = false
        for round in common.isEmpty ? [] : Set(entries.map(\.round)) {
            let isComplete = hasEverybody(in: round, of: formulas.place, sizes)
            for check in common {
                // A check of the whole table has no column: names of a single player evaluate to 0.
                let entry = PlayerRound(column: .max, round: round)
                let reason = isComplete ? reason(check, entry, formulas.place, &numbers, book) : nil
                if record(reason, check, of: nil, round, formulas.place) { isChanged = true }
            }
        }
        for check in formulas.checks where check.check.isOfEach {
            for entry in entries {
                let column = columns[entry.column]
                let isThere =
                    column.player.isPresent
                    && column.entered(formulas.place, by: plan)[entry.round] != nil
                let reason = isThere ? reason(check, entry, formulas.place, &numbers, book) : nil
                if record(reason, check, of: entry.column, entry.round, formulas.place) {
                    isChanged = true
                }
            }
        }
        return isChanged
    }

    /// Records the reason why a check fails, nil if it passes; returns whether that changed.
    private mutating func record(
        _ reason: RuleViolation?,
        _ check: RoundFormulas.Check,
        of column: Int?,
        _ round: Int64,
        _ row: Int
    ) -> Bool {
        let place = CheckKey(row: row, round: round, index: check.index, column: column)
        guard failedChecks[place] != reason else { return false }
        failedChecks[place] = reason
        return true
    }

    /// Evaluates the checks of the whole sheet after columns changed.
    private mutating func checkSheet(_ dirty: inout Recalculation, in book: Book) {
        guard !dirty.touched.isEmpty else { return }
        var numbers: [SharedKey: SharedNumbers] = [:]
        let round = RoundCell.place(of: nil)
        var isChanged = false
        for check in plan.checks {
            let isShared = !check.formula.sharedRows.isEmpty
            let touched = isShared ? Array(columns.indices) : dirty.touched
            for column in check.check.isOfEach ? touched.map(Optional.some) : [nil] {
                let isThere =
                    column.map { columns[$0].player.isPresent && columns[$0].isScored }
                    ?? columns.contains { $0.player.isPresent && $0.isScored }
                let entry = PlayerRound(column: column ?? .max, round: round)
                let reason = isThere ? reason(check, entry, nil, &numbers, book) : nil
                if record(reason, check, of: column, round, plan.rows.count) { isChanged = true }
            }
        }
        if isChanged { dirty.change.areFlagsDifferent = true }
    }

    /// Returns the reason why a check of a row fails, or one of the whole sheet without a row; nil if
    /// it passes.
    private mutating func reason(
        _ check: RoundFormulas.Check,
        _ entry: PlayerRound,
        _ place: Int?,
        _ numbers: inout [SharedKey: SharedNumbers],
        _ book: Book
    ) -> RuleViolation? {
        prepare(check.formula, entry.round, &numbers)
        let known = numbers
        let own = RoundNumbers(
            entry: entry,
            entered: place.map { entered(entry, $0) } ?? 0
        )
        func meaning(_ name: FormulaReference) -> Int64 {
            self.meaning(of: name, at: place ?? plan.rows.count, own, known, book)
        }
        let round = UInt32(clamping: entry.round)
        do throws(FormulaFault) {
            guard try check.formula.value(meaning) == 0 else { return nil }
        } catch {
            guard let place else {
                return RuleViolation("\(check.check.words): this cannot be worked out")
            }
            return .formulaFault(error, row: plan.ids[place], round: round)
        }
        var seen: Set<FormulaReference> = []
        let found = check.formula.names.compactMap { name -> String? in
            guard case .ofAll(let aggregate, let row) = name, seen.insert(name).inserted else {
                return nil
            }
            let number = name.isCount ? Points(meaning(name)) : plan.unit.points(meaning(name))
            return "\(FormulaName.ofAll(aggregate, plan.ids[row]).words): \(number)"
        }
        let label = place.map { plan.rows[$0].label(ofRound: round) }
        let whose = check.check.isOfEach ? columns[entry.column].player.name : nil
        let subject = [whose, label].compactMap(\.self).joined(separator: ", ")
        let values = found.isEmpty ? "" : "; " + found.joined(separator: ", ")
        let text = (subject.isEmpty ? "" : subject + ": ") + check.check.words + values
        return RuleViolation(text, code: .roundCheck)
    }

    /// The numbers of present members by team.
    private var teamSizes: [Int] {
        columns.indices.reduce(into: Array(repeating: 0, count: columns.count)) { sizes, index in
            if columns[index].player.isPresent { sizes[teams[index]] += 1 }
        }
    }

    /// Whether every present player, or one member of each team, has entered a round.
    private func hasEverybody(in round: Int64, of place: Int, _ sizes: [Int]) -> Bool {
        var late: Set<Int> = []
        var there: Set<Int> = []
        for (index, column) in columns.enumerated() where column.player.isPresent {
            guard column.since <= round else { continue }
            let hasEntered = column.entered(place, by: plan)[round] != nil
            let isAlone = sizes[teams[index]] == 1
            if isAlone, !hasEntered { return false }
            guard !isAlone else { continue }
            if hasEntered { there.insert(teams[index]) } else { late.insert(teams[index]) }
        }
        return late.isSubset(of: there)
    }
}
