import SessionCRDT

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
