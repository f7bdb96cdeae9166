import SessionCRDT

/// A sheet as it is with the options of one book, made ready for reading many cells.
struct SheetForm {
    /// The sheet.
    let sheet: Sheet
    /// The options as they hold.
    let settings: Settings
    /// Which rows are there, by place.
    let isOn: [Bool]
    /// Which rows points come from, by place: those that score or win, and those that such a row is
    /// worked out from.
    let matters: [Bool]
    /// The rows that count as something once anything else of a player's counts, by place.
    let implied: [Int]
    /// The rows that nobody can have none of, by place.
    let required: [Int]
    /// What is worked out, from the top.
    private(set) var derived: [Derived] = []
    /// Whether of any row rounds are worked out one by one.
    private(set) var worksOutRounds = false
    /// How many play.
    let playerCount: Int
    /// The rows that only one player can have any of: each group is one in this.
    let sole: [[Int]]
    /// Which rows have rounds, by place.
    let hasRounds: [Bool]
    /// The rows in which rounds are entered, by place.
    let rounds: [Int]
    /// The rows that say by themselves which rounds were entered, by place: those without fields,
    /// and of fields the row that they belong to.
    let wholeRounds: [Int]
    /// The rows of which a yes wins at once, by place.
    let winning: [Int]
    /// The rows that go before the total, from the top.
    let leading: [TieBreaker]
    /// The ids of the rows.
    let ids: [Symbol]
    /// How the numbers of each row are read, by place.
    let readers: [NumberReader]
    /// What a field counts as that nobody entered in a round which is begun, by place; nil of one
    /// that the round waits for, and of rows that are no fields.
    let emptyCounts: [Int64?]
    /// The fields of the same rounds where any of them may stay empty, by place; else none.
    let mates: [[Int]]

    private let places: [Symbol: Int]

    /// Something that is worked out.
    enum Derived {
        /// A row of which nothing is entered.
        case row(Evaluation)
        /// What the entries of a row are worth.
        case rounds(RoundEvaluation)
    }

    /// The form of a sheet with these settings, for so many players.
    init(_ sheet: Sheet, _ settings: Settings, players: Int) {
        playerCount = players
        self.sheet = sheet
        self.settings = settings
        let isOn = sheet.rows.map { settings.isOn($0.condition) }
        self.isOn = isOn
        implied = sheet.rows.indices.filter {
            isOn[$0] && sheet.rows[$0].empty != nil && sheet.rows[$0].group == nil
        }
        required = sheet.rows.indices.filter { isOn[$0] && sheet.rows[$0].isRequired }
        var places: [Symbol: Int] = [:]
        for (index, row) in sheet.rows.enumerated() { places[row.id] = index }
        self.places = places
        ids = sheet.rows.map(\.id)
        readers = zip(sheet.rows, isOn).map { NumberReader($0, isOn: $1) }
        let emptyCounts = sheet.rows.map { $0.group == nil ? nil : $0.emptyCount }
        self.emptyCounts = emptyCounts
        let fields = Dictionary(grouping: sheet.rows.indices) { sheet.rows[$0].group }
            .mapValues { $0.contains { emptyCounts[$0] != nil } ? $0 : [] }
        mates = sheet.rows.map { row in row.group.flatMap { fields[$0] } ?? [] }
        matters = SheetForm.matters(sheet.rows, places, isOn)
        let there = sheet.rows.indices.filter { isOn[$0] }
        hasRounds = sheet.rows.map { $0.lastRound != nil }
        wholeRounds = there.filter { sheet.rows[$0].kind == .rounds }
        rounds = there.filter { sheet.rows[$0].lastRound != nil && !sheet.rows[$0].isComputed }
        winning = there.filter { sheet.rows[$0].wins == .atOnce }
        leading = there.compactMap { place in
            guard case .ahead(let rule) = sheet.rows[place].wins else { return nil }
            return TieBreaker(row: sheet.rows[place].id, wins: rule)
        }
        let sole = there.filter { sheet.rows[$0].isSole }
        // Only one can win, by whichever row.
        self.sole =
            sole.filter { sheet.rows[$0].wins != .atOnce }.map { [$0] }
            + [sole.filter { sheet.rows[$0].wins == .atOnce }].filter { !$0.isEmpty }
        derived = there.compactMap { place in
            if let evaluation = Evaluation(self, at: place) { return .row(evaluation) }
            return RoundEvaluation(self, at: place).map(Derived.rounds)
        }
        worksOutRounds = derived.contains { if case .rounds = $0 { true } else { false } }
    }

    /// The rows.
    var rows: [Row] { sheet.rows }

    /// What is compared beside the total: what goes before it, then what breaks ties.
    var deciders: [TieBreaker] { leading + sheet.tieBreakers }

    /// The place of a row; nil of a row that the sheet does not know.
    func place(of row: Symbol) -> Int? { places[row] }

    /// The row of an id.
    func row(_ id: Symbol) -> Row? { places[id].map { rows[$0] } }

    /// Whether a row is there by the options.
    func isThere(_ id: Symbol) -> Bool { places[id].map { isOn[$0] } ?? false }

    /// What a cell counts as, nil of nothing and of a text, or why it does not count.
    func reading(of bookCell: BookCell, at place: Int?) -> Result<Int64?, RuleViolation> {
        guard let place else {
            return .failure(.unknownRow(bookCell.cell.row.description, candidates: ids))
        }
        if let number = readers[place].number(in: bookCell) { return .success(number) }
        let row = rows[place]
        if let violation = row.violation(ofRound: bookCell.cell.round) {
            return .failure(violation)
        }
        let reading = row.reading(of: bookCell.value)
        guard case .success = reading, let condition = row.condition, !isOn[place],
            bookCell.value != .null
        else { return reading }
        return .failure(.rowOff(row: row.id, needs: condition))
    }

    /// What a cell adds that counts as this; in a ranked row nothing before it is ranked.
    func points(of count: Int64?, inRow place: Int) -> Int64 {
        switch readers[place].addition {
        case .nothing: return 0
        case .count: return count ?? 0
        case .rule: break
        }
        switch rows[place].content {
        case .number(let worth), .rounds(let worth, _): return worth.points(of: count ?? 0)
        case .flag(let points): return count == 1 ? points : 0
        case .tokens, .choice, .order, .text, .moves, .computed: return count ?? 0
        }
    }

    /// Whether a cell that counts as this is a score: a no is none.
    func isScore(_ mark: Mark, inRow place: Int) -> Bool {
        matters[place] && !(readers[place].isFlag && mark.count == 0)
    }

    /// What a row is worth in which nobody entered anything, by what it counts as.
    func unentered(count: Int64, points: Int64, inRow place: Int) -> RowTally.Unentered {
        let row = rows[place]
        return RowTally.Unentered(
            count: row.isComputed ? points : count,
            points: points,
            added: row.scores ? points : 0
        )
    }

    /// The points of the places in a ranking, as the options say.
    func pools(of worth: Worth) -> [Int64] { worth.places.map { settings($0) ?? 0 } }

    private static func matters(
        _ rows: [Row],
        _ places: [Symbol: Int],
        _ isOn: [Bool]
    ) -> [Bool] {
        var matters = rows.map { $0.wins != nil || $0.scores && $0.canScore }
        // From below, since rows refer upwards only.
        for (index, row) in rows.enumerated().reversed() where matters[index] && isOn[index] {
            for source in row.sources {
                if let place = places[source], place < index { matters[place] = true }
            }
            guard row.isComputed else { continue }
            for (place, other) in rows.enumerated() where other.group?.row == row.id {
                matters[place] = true
            }
        }
        return matters
    }
}

/// What has to be worked out again after cells were taken in, and what differs because of them.
struct Rework {
    /// What differs in what is shown.
    var change = ScoreboardChange()
    /// The rounds to rank again.
    var rounds: Set<Round> = []
    /// Whether somebody counts of whom nothing counted, or the reverse.
    var areSidesOthers = false
    /// Whether other rows are waited for.
    var areGapsOthers = false
    /// The columns whose rows count as something else, by place.
    private(set) var touched: [Int] = []
    /// The columns that add something else that nobody entered.
    private(set) var listed: Set<Int> = []
    /// The columns with another total.
    private(set) var summed: Set<Int> = []

    /// The rounds that count as something else, of each row of a column.
    private var touchedRounds: [Int: [Int: Set<Int64>]] = [:]
    /// Which rows of each column count as something else.
    private var rows: [Int: [Bool]] = [:]
    private let count: Int
    /// Whether everything is new, so that nobody asks what differs.
    let isFromScratch: Bool

    /// A round of a row.
    struct Round: Hashable {
        /// The place of the row.
        let row: Int
        /// The place of the round.
        let place: Int64
    }

    /// Nothing to do yet, in a sheet of so many rows.
    init(rows count: Int, isFromScratch: Bool = false) {
        self.count = count
        self.isFromScratch = isFromScratch
    }

    /// Notes that a row of a column counts as something else, in one round of it or altogether.
    mutating func touch(_ row: Int, of column: Int, in round: Int64? = nil) {
        if let round { touchedRounds[column, default: [:]][row, default: []].insert(round) }
        if rows[column] == nil {
            rows[column] = Array(repeating: false, count: count)
            touched.append(column)
            summed.insert(column)
        }
        rows[column]?[row] = true
    }

    /// Notes that a column adds something else that nobody entered.
    mutating func list(_ column: Int) {
        listed.insert(column)
        summed.insert(column)
    }

    /// Notes that a column may have another total.
    mutating func note(total column: Int) { summed.insert(column) }

    /// Whether any of these rows counts as something else in a column.
    func isTouched(_ sources: [Int], of column: Int) -> Bool {
        guard let rows = rows[column] else { return false }
        return sources.contains { rows[$0] }
    }

    /// The rounds of a row that count as something else in a column.
    func touchedRounds(ofRow row: Int, of column: Int) -> Set<Int64> {
        touchedRounds[column]?[row] ?? []
    }

    /// Whether a row counts as something else in any column.
    func isTouched(anywhere row: Int) -> Bool { rows.values.contains { $0[row] } }
}
