import SessionCRDT

/// A sheet with the options of one book, prepared for reading many cells; rows are given by index.
struct SheetPlan {
    let sheet: Sheet
    let settings: Settings
    let unit: CountingUnit
    /// The rows of the sheet as they count in this unit.
    let rows: [Row]
    let isOn: [Bool]
    /// Whether each row can count for the total: rows that score or win, and the sources of such
    /// rows.
    let canScore: [Bool]
    /// The rows whose empty cell has a value once an entry of the player counts.
    let implied: [Int]
    /// The rows that must not be empty.
    let required: [Int]
    /// The rows with formulas or derivations, from the top.
    private(set) var derived: [Derived] = []
    private(set) var hasRoundFormulas = false
    /// The checks of the whole sheet.
    private(set) var checks: [RoundFormulas.Check] = []
    /// The people who play.
    let players: Attendance
    /// The scorers: people, and teams that are one scorer.
    let sides: Attendance
    /// Groups of rows in which only one player can have a value.
    let sole: [[Int]]
    let hasRounds: [Bool]
    let rounds: [Int]
    /// The rows that determine which rounds are complete: rows without fields, and the rows that
    /// fields belong to.
    let wholeRounds: [Int]
    /// The rows in which a yes wins at once.
    let winning: [Int]
    /// The rows in which a yes puts the player out.
    let out: [Int]
    /// The first row with a running formula, which begins with the points to start with.
    let startRow: Int?
    let ends: TargetEnd
    /// The rows that are compared before the total, from the top.
    let leading: [TieBreaker]
    let ids: [Symbol]
    let readers: [NumberReader]
    /// The value of an empty field in a round that has begun; nil for required fields and for rows
    /// that are not fields.
    let emptyCounts: [Int64?]
    /// For each row, the fields of the same round if any of them may stay empty; else none.
    let siblings: [[Int]]

    private let places: [Symbol: Int]

    enum Derived {
        case row(DerivedRow)
        case rounds(RoundFormulas)
    }

    /// Creates the plan of a sheet for the people who play; teams are among the scorers.
    init(_ sheet: Sheet, _ settings: Settings, people: [Player], scorers: [Player]) {
        players = Attendance(people)
        sides = Attendance(scorers)
        ends = settings(sheet.ends)
        self.sheet = sheet
        self.settings = settings
        let isOn = sheet.rows.map { settings.isOn($0.condition) }
        self.isOn = isOn
        let effective = sheet.rows.map { $0.inEffect(settings) }
        let unit = CountingUnit(of: zip(effective, isOn).lazy.filter(\.1).map(\.0))
        self.unit = unit
        let rows = unit == .half ? effective.map(\.countedInHalves) : effective
        self.rows = rows
        implied = rows.indices.filter {
            isOn[$0] && rows[$0].empty != nil && rows[$0].group == nil
        }
        required = rows.indices.filter { isOn[$0] && rows[$0].isRequired }
        var places: [Symbol: Int] = [:]
        for (index, row) in rows.enumerated() { places[row.id] = index }
        self.places = places
        ids = rows.map(\.id)
        // A reader returns numbers as they are stored, in points.
        readers = zip(rows, isOn).map { NumberReader($0, isOn: $1 && unit == .point) }
        let emptyCounts = rows.map { $0.group == nil ? nil : $0.emptyCount }
        self.emptyCounts = emptyCounts
        let fields = Dictionary(grouping: rows.indices) { rows[$0].group }
            .mapValues { $0.contains { emptyCounts[$0] != nil } ? $0 : [] }
        siblings = rows.map { row in row.group.flatMap { fields[$0] } ?? [] }
        canScore = SheetPlan.canScore(rows, places, isOn)
        let there = rows.indices.filter { isOn[$0] }
        hasRounds = rows.map { $0.lastRound != nil }
        wholeRounds = there.filter { rows[$0].kind == .rounds }
        rounds = there.filter { rows[$0].lastRound != nil && !rows[$0].isComputed }
        winning = there.filter { rows[$0].wins == .atOnce }
        out = there.filter { rows[$0].wins == .out }
        startRow = there.first { row in
            rows[row].scores && rows[row].formulas.contains { $0.role == .running }
        }
        leading = there.compactMap { place in
            guard case .ahead(let rule) = rows[place].wins else { return nil }
            return TieBreaker(row: rows[place].id, wins: rule)
        }
        let sole = there.filter { rows[$0].isSole }
        // All rows that win at once form one group, because only one player can win.
        self.sole =
            sole.filter { rows[$0].wins != .atOnce }.map { [$0] }
            + [sole.filter { rows[$0].wins == .atOnce }].filter { !$0.isEmpty }
        derived = there.compactMap { place in
            if let formulas = DerivedRow(self, at: place) { return .row(formulas) }
            return RoundFormulas(self, at: place).map(Derived.rounds)
        }
        checks = zip(sheet.checks, sheet.checkFormulas).enumerated().map {
            RoundFormulas.Check(
                index: $0,
                check: $1.0,
                formula: bound($1.1, ofRow: rows.count)
            )
        }
        hasRoundFormulas = derived.contains { if case .rounds = $0 { true } else { false } }
    }

    /// The total that ends the game, in units; nil for none.
    var target: Int64? {
        sheet.target.flatMap { settings($0) }.map { unit.count(of: Points($0)) }
    }

    /// The rows that are compared in addition to the total: before it, then as tie-breakers.
    var deciders: [TieBreaker] { leading + sheet.tieBreakers }

    func index(of row: Symbol) -> Int? { places[row] }

    func row(_ id: Symbol) -> Row? { places[id].map { rows[$0] } }

    func isActive(_ id: Symbol) -> Bool { places[id].map { isOn[$0] } ?? false }

    /// Returns the number of a cell, nil for a text, or the reason why it does not count.
    func reading(of bookCell: BookCell, at place: Int?) -> Result<Int64?, RuleViolation> {
        guard let place else {
            return .failure(.unknownRow(bookCell.cell.row.description, candidates: ids))
        }
        if let number = readers[place].number(in: bookCell) { return .success(number) }
        let row = rows[place]
        if let violation = row.violation(ofRound: bookCell.cell.round) {
            return .failure(violation)
        }
        let reading = row.reading(of: bookCell.value).map { $0.map(unit.count) }
        guard case .success = reading, let condition = row.condition, !isOn[place],
            bookCell.value != .null
        else { return reading }
        return .failure(.rowOff(row: row.id, needs: condition))
    }

    /// Returns the points of a cell with this number; 0 in a row that is ranked later.
    func points(of count: Int64?, inRow place: Int) -> Int64 {
        switch readers[place].addition {
        case .nothing: return 0
        case .count: return count ?? 0
        case .rule: break
        }
        switch rows[place].content {
        case .number(let rule), .rounds(let rule, _): return rule.points(of: count ?? 0)
        case .flag(let points): return (count ?? 0) != 0 ? points : 0
        case .tokens, .choice, .order, .text, .moves, .computed: return count ?? 0
        }
    }

    /// Whether a cell counts as a score; “no” does not.
    func isScore(_ mark: Mark, inRow place: Int) -> Bool {
        canScore[place] && !(readers[place].isFlag && mark.count == 0)
    }

    func unentered(count: Int64, points: Int64, inRow place: Int) -> RowTally.Unentered {
        let row = rows[place]
        return RowTally.Unentered(
            count: row.isComputed ? points : count,
            points: points,
            added: row.scores ? points : 0
        )
    }

    private static func canScore(_ rows: [Row], _ places: [Symbol: Int], _ isOn: [Bool]) -> [Bool] {
        var canScore = rows.map { $0.wins != nil || $0.scores && $0.canScore }
        // From the last row up, because rows refer upwards only.
        for (index, row) in rows.enumerated().reversed() where canScore[index] && isOn[index] {
            for source in row.sources {
                if let place = places[source], place < index { canScore[place] = true }
            }
            guard row.isComputed else { continue }
            for (place, other) in rows.enumerated() where other.group?.row == row.id {
                canScore[place] = true
            }
        }
        return canScore
    }
}

/// The number of players in each round.
struct Attendance {
    private let all: Int
    /// The first rounds of those who joined late, sorted.
    private let lateRounds: [Int64]

    init(_ players: [Player]) {
        all = players.count
        lateRounds = players.map { Int64($0.since) }.filter { $0 > 1 }.sorted()
    }

    /// Returns the number of those who play a round; all of them without one.
    func count(in round: Int64) -> Int64 {
        guard round > 0, !lateRounds.isEmpty else { return Int64(all) }
        return Int64(all - lateRounds.count + lateRounds.partitioningIndex { $0 > round })
    }
}

/// The rows to recalculate after cells were applied, and the differences that result.
struct Recalculation {
    var change = ScoreboardChange()
    var rounds: Set<Round> = []
    /// Whether a player got a first entry or lost the last one.
    var areSidesChanged = false
    var areGapsChanged = false
    /// The columns in which a row's number changed.
    private(set) var touched: [Int] = []
    /// The columns in which points without an entry changed.
    private(set) var listed: Set<Int> = []
    private(set) var summed: Set<Int> = []

    /// The changed rounds, by column and row.
    private var touchedRounds: [Int: [Int: Set<Int64>]] = [:]
    private var rows: [Int: [Bool]] = [:]
    private let count: Int
    /// Whether the game is computed from scratch, so that no differences are needed.
    let isFromScratch: Bool

    struct Round: Hashable {
        let row: Int
        let place: Int64
    }

    init(rows count: Int, isFromScratch: Bool = false) {
        self.count = count
        self.isFromScratch = isFromScratch
    }

    /// Records that a row of a column changed, in one round or as a whole.
    mutating func touch(_ row: Int, of column: Int, in round: Int64? = nil) {
        if let round { touchedRounds[column, default: [:]][row, default: []].insert(round) }
        if rows[column] == nil {
            rows[column] = Array(repeating: false, count: count)
            touched.append(column)
            summed.insert(column)
        }
        rows[column]?[row] = true
    }

    mutating func list(_ column: Int) {
        listed.insert(column)
        summed.insert(column)
    }

    mutating func markTotal(of column: Int) { summed.insert(column) }

    func isTouched(_ sources: [Int], of column: Int) -> Bool {
        guard let rows = rows[column] else { return false }
        return sources.contains { rows[$0] }
    }

    func touchedRounds(ofRow row: Int, of column: Int) -> Set<Int64> {
        touchedRounds[column]?[row] ?? []
    }

    func isTouched(anywhere row: Int) -> Bool { rows.values.contains { $0[row] } }
}
