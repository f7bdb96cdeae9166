import SessionCRDT

/// The cells of one player and their points, updated cell by cell.
struct RowColumn: Sendable {
    let player: Player
    /// The state of each row; empty until an entry counts, because there may be very many players
    /// without entries.
    private(set) var tallies: [RowTally] = []
    /// The points that rows add without an entry.
    private(set) var computed: [RowPoints] = []
    /// The rows with incomplete entries, from the top.
    private(set) var gaps: [Gap] = []

    /// The results of formulas in rows, by row.
    private(set) var worked: [Int: RoundResults] = [:]

    private var flagged = SortedChunks<FlaggedCell>()
    /// Entries that a derived row does not accept, from the top.
    private(set) var refusals: [Refusal] = []
    private var scored = 0
    private var exact: Int128
    private let unit: CountingUnit
    /// The points to start with, in units.
    let start: Int64

    /// A row, or a round of it, that scores nothing until other rows are entered.
    struct Gap: Hashable, Sendable {
        let row: Int
        /// The rows to enter.
        let missing: [Symbol]
        /// The round; nil for the whole row.
        var round: UInt32?
    }

    /// The cell of a row without rounds that does not count because of a derived row.
    struct Refusal: Hashable, Sendable {
        let by: Int
        let row: Int
        let cell: Cell
        let reason: RuleViolation
    }

    init(_ player: Player, in unit: CountingUnit) {
        self.player = player
        self.unit = unit
        start = player.start.map(unit.count) ?? 0
        exact = Int128(start)
    }

    /// The first round that the player plays.
    var since: Int64 { Int64(player.since) }

    /// The note on the points to start with; nil without any.
    var noteOfStart: Note? {
        guard player.isPresent, start != 0 else { return nil }
        let joined = since > 1 ? "joined in round \(since) and " : ""
        return Note("\(player.name) \(joined)started with \(unit.points(start))")
    }

    /// The row that has put the player out; nil for a player who is in.
    func out(by plan: SheetPlan) -> Int? {
        plan.out.first { (count(ofRow: $0) ?? 0) != 0 }
    }

    var isScored: Bool { scored > 0 }

    var total: Int64 { Bounds.cut(exact) }

    /// Whether the total exceeds the range of a total.
    var isCut: Bool { Int128(total) != exact }

    /// Returns the sum of the entries of a row, or the value of a derived row; nil if there is
    /// none.
    func count(ofRow place: Int) -> Int64? {
        guard !tallies.isEmpty else { return nil }
        if let worked = worked[place], !worked.results.isEmpty,
            worked.isRunning || tallies[place].marks.isEmpty
        {
            return worked.sum
        }
        return tallies[place].count
    }

    /// Returns a number over the rounds of a row, for a field over complete rounds only; 0 if there
    /// is none.
    func number(_ function: FormulaName.OfRounds, ofRow place: Int, whole: Int?) -> Int64 {
        guard !tallies.isEmpty else { return 0 }
        let marks = tallies[place].marks
        let rounds = marks.isEmpty ? worked[place]?.results ?? marks : marks
        let results = whole.map { worked[$0]?.results ?? SortedChunks() }
        let numbers = rounds.lazy
            .filter { mark in results.map { $0[mark.place] != nil } ?? true }
            .compactMap(\.count)
        switch function {
        case .highest: return numbers.max() ?? 0
        case .lowest: return numbers.min() ?? 0
        case .zeros:
            var (most, run) = (Int64(0), Int64(0))
            for number in numbers {
                run = number == 0 ? run + 1 : 0
                most = max(most, run)
            }
            return most
        }
    }

    /// Returns the number of entries of a row that count; for rounds with fields, of complete
    /// rounds.
    func entries(ofRow place: Int) -> Int64 {
        guard !tallies.isEmpty else { return 0 }
        let marks = tallies[place].marks.count
        return Int64(marks == 0 ? worked[place]?.results.count ?? 0 : marks)
    }

    /// Whether a row has an entry or a derived value.
    func isBegun(row place: Int) -> Bool {
        guard !tallies.isEmpty else { return false }
        return !tallies[place].marks.isEmpty || tallies[place].unentered != nil
            || worked[place]?.results.isEmpty == false
    }

    /// Returns the entered rounds of a row; rounds with fields once they are complete.
    func entered(_ place: Int, by plan: SheetPlan) -> SortedChunks<Mark> {
        guard !tallies.isEmpty else { return SortedChunks() }
        guard plan.rows[place].isComputed else { return tallies[place].marks }
        return worked[place]?.results ?? SortedChunks()
    }

    /// Whether a round of a row with fields is complete, or a later one begun.
    func isPast(_ round: Int64, ofRow place: Int) -> Bool {
        guard let worked = worked[place] else { return false }
        return worked.results[round] != nil || worked.results.last.map { $0.place > round } ?? false
            || worked.gaps.last.map { $0.place > round } ?? false
    }

    /// Whether a row has an entry other than 0.
    func hasAny(ofRow place: Int) -> Bool {
        !tallies.isEmpty && !tallies[place].marks.isEmpty && tallies[place].count != 0
    }

    func mark(_ row: Int, in round: Int64) -> Mark? {
        tallies.isEmpty ? nil : tallies[row].marks[round]
    }

    /// Whether a cell counts for the derived row `row`.
    func isEntered(_ place: Int, _ round: Int64, seenFrom row: Int) -> Bool {
        mark(place, in: round) != nil && !refusals.contains { $0.row == place && $0.by < row }
    }

    func flags(of rows: [Symbol]) -> [Flag] {
        let broken = worked.sorted { $0.key < $1.key }.flatMap { row, rounds in
            rounds.faults.map { fault in
                let round = fault.place.round < 0 ? nil : UInt32(clamping: fault.place.round)
                return RuleViolation.formulaFault(fault.reason, row: rows[row], round: round)
            }
        }
        return flags + broken.map { Flag(.player(player.id), $0) }
    }

    private var flags: [Flag] {
        flagged.map { Flag(.cell($0.place.cell(of: player.id)), $0.reason) }
            + refusals.map { Flag(.cell($0.cell), $0.reason) }
            + (isCut ? [Flag(.player(player.id), unit.totalOutOfRange)] : [])
    }

    /// Applies the live set of a cell, without the effects on rankings and other rows; returns
    /// whether its count changed, and whether the flags did.
    mutating func apply(
        _ live: LiveSet?,
        in cell: Cell,
        at row: Int?,
        by plan: SheetPlan
    ) -> (isCountChanged: Bool, areFlagsDifferent: Bool) {
        let reading = live.flatMap { live in
            live.isBlank ? nil : plan.reading(of: BookCell(cell: cell, live: live), at: row)
        }
        var isFlagged = false
        if case .failure(let reason)? = reading {
            let flag = FlaggedCell(place: SheetPlace(cell, at: row), reason: reason)
            isFlagged = flagged.set(flag)?.reason != reason
        } else if !flagged.isEmpty {
            isFlagged = flagged.remove(SheetPlace(cell, at: row)) != nil
        }
        guard let row else { return (false, isFlagged) }
        var mark: Mark?
        let place = RoundCell.place(of: cell.round)
        if case .success(let count)? = reading, live?.winner.value != .null {
            mark = Mark(place: place, count: count, points: plan.points(of: count, inRow: row))
        }
        guard mark != nil || !tallies.isEmpty else { return (false, isFlagged) }
        if tallies.isEmpty { tallies = Array(repeating: RowTally(), count: plan.rows.count) }
        let before = change(row) { $0.set(mark, at: place) }
        if let mark, plan.isScore(mark, inRow: row) { scored += 1 }
        if let before, plan.isScore(before, inRow: row) { scored -= 1 }
        let isReleased = release(row)
        return (mark != nil || before != nil, isFlagged || isReleased)
    }

    private mutating func change<Result>(_ row: Int, _ body: (inout RowTally) -> Result) -> Result {
        exact -= tallies[row].total
        defer { exact += tallies[row].total }
        return body(&tallies[row])
    }

    /// Sets the points of a cell of a ranked row; returns whether they changed.
    mutating func award(_ points: Int64, to mark: Mark, inRow row: Int) -> Bool {
        guard mark.points != points else { return false }
        var mark = mark
        mark.points = points
        _ = change(row) { $0.set(mark, at: mark.place) }
        return true
    }

    /// Sets the value of a row without an entry; returns whether it changed.
    mutating func set(_ unentered: RowTally.Unentered?, inRow row: Int) -> Bool {
        guard tallies[row].unentered != unentered else { return false }
        change(row) { $0.unentered = unentered }
        return true
    }

    mutating func set(number: Int64?, inRow row: Int) -> Bool {
        guard tallies[row].number != number else { return false }
        tallies[row].number = number
        return true
    }

    mutating func updateComputed(by plan: SheetPlan) {
        computed = tallies.indices.compactMap { row in
            tallies[row].unentered.map {
                RowPoints(row: plan.ids[row], points: unit.points($0.points))
            }
        }
    }

    mutating func work<Result>(_ row: Int, _ body: (inout RoundResults) -> Result) -> Result {
        body(&worked[row, default: RoundResults()])
    }

    /// Sets the gaps of a row, in the order of its rounds; returns whether they changed.
    mutating func set(gaps new: [Gap], forRow row: Int) -> Bool {
        let start = gaps.firstIndex { $0.row >= row } ?? gaps.endIndex
        let end = gaps[start...].firstIndex { $0.row > row } ?? gaps.endIndex
        guard gaps[start..<end] != new[...] else { return false }
        gaps.replaceSubrange(start..<end, with: new)
        return true
    }

    /// Sets the rows that a row without rounds still needs; returns whether they changed.
    mutating func set(missing: [Symbol], forRow row: Int) -> Bool {
        set(gaps: missing.isEmpty ? [] : [Gap(row: row, missing: missing)], forRow: row)
    }

    /// Sets the entry that a derived row does not accept; returns the refusals that were added or
    /// removed.
    mutating func set(_ refusal: Refusal?, by row: Int, _ plan: SheetPlan) -> [Refusal] {
        let before = refusals.filter { $0.by == row || $0.row == refusal?.row }
        guard before != [refusal].compactMap(\.self) else { return [] }
        for old in before { _ = release(old.row, by: plan) }
        guard let refusal else { return before }
        let place = refusals.firstIndex { $0.by > row } ?? refusals.endIndex
        refusals.insert(refusal, at: place)
        set(points: nil, ofOnlyCellIn: refusal.row)
        return before + [refusal]
    }

    private mutating func release(_ row: Int, by plan: SheetPlan? = nil) -> Bool {
        guard let index = refusals.firstIndex(where: { $0.row == row }) else { return false }
        refusals.remove(at: index)
        if let plan {
            let count = tallies[row].count
            set(points: plan.points(of: count, inRow: row), ofOnlyCellIn: row)
        }
        return true
    }

    private mutating func set(points: Int64?, ofOnlyCellIn row: Int) {
        guard var mark = tallies[row].marks.last else { return }
        mark.points = points
        _ = change(row) { $0.set(mark, at: mark.place) }
    }
}

/// The entries of one player in one row, and their points.
struct RowTally: Sendable {
    /// The cells that count, by round.
    private(set) var marks = SortedChunks<Mark>()
    /// The value of a row without an entry.
    var unentered: Unentered?
    /// The number of a derived row before ranking.
    var number: Int64?

    private var sum: Int128 = 0

    /// The value of a row without an entry: of an empty cell, or of a derived row.
    struct Unentered: Hashable, Sendable {
        /// The number that other rows read.
        let count: Int64
        let points: Int64
        /// The contribution to the total.
        let added: Int64
    }

    /// The sum of the entries, or the derived value.
    var count: Int64? { marks.isEmpty ? unentered?.count : Bounds.cut(sum) }

    var total: Int128 { marks.weight + Int128(unentered?.added ?? 0) }

    /// Sets the cell of a round, nil if none counts; returns the previous cell.
    mutating func set(_ mark: Mark?, at place: Int64) -> Mark? {
        let before = mark.map { marks.set($0) } ?? marks.remove(place)
        sum += Int128(mark?.count ?? 0) - Int128(before?.count ?? 0)
        return before
    }
}

/// A cell that counts.
struct Mark: SortedElement, Hashable, Sendable {
    /// The number of the cell; nil for a text.
    let count: Int64?
    /// The round, or -1 for a row without rounds.
    private let round: Int32
    /// The contribution to the total; nil if a rule rejected it.
    var points: Int64?

    init(place: Int64, count: Int64?, points: Int64) {
        round = Int32(clamping: place)
        self.count = count
        self.points = points
    }

    var place: Int64 { Int64(round) }
    var weight: Int64 { points ?? 0 }
}

/// A cell that does not count, in the order of the sheet, then by round.
struct FlaggedCell: SortedElement, Hashable, Sendable {
    let place: SheetPlace
    let reason: RuleViolation
}

/// The cells of one player in the order of the sheet's rows, then by round.
///
/// Rows unknown to the sheet follow; blank cells are omitted.
struct RowCells: Sendable {
    let column: BookColumn
    let order: [Symbol]
    let unit: CountingUnit
    /// The tallies by row; empty if nothing counts.
    let tallies: [RowTally]

    var count: Int { column.valueCount }

    /// Returns the cell of a row and a round by binary search; nil if it is blank.
    func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        let cells = column.rows[row]?.cells
        guard let cell = cells?[RoundCell.place(of: round)], !cell.live.isBlank else {
            return nil
        }
        let place = tallies.isEmpty ? nil : order.firstIndex(of: row)
        let mark = place.flatMap { tallies[$0].marks[cell.place] }
        return ScoredCell(cell, of: column.player, in: row, mark, unit)
    }

    fileprivate typealias Part = (row: BookRow, marks: SortedChunks<Mark>)

    /// The written rows, each with its cells that count.
    private var parts: [Part] {
        let known = order.indices.compactMap { place -> Part? in
            column.rows[order[place]].map { row in
                (row, tallies.isEmpty ? SortedChunks() : tallies[place].marks)
            }
        }
        guard known.count < column.rows.count else { return known }
        let rows = Set(order)
        let unknown = column.rows.filter { !rows.contains($0.row) }
        return known + unknown.map { ($0, SortedChunks()) }
    }

    func makeIterator() -> Iterator { Iterator(column.player, unit, parts) }

    /// Iterates over the rows and their cells, advancing the marks alongside.
    struct Iterator: IteratorProtocol {
        private let player: PlayerID
        private let unit: CountingUnit
        private let parts: [Part]
        private var place = -1
        private var cells = SortedChunks<RoundCell>().makeIterator()
        private var marks = SortedChunks<Mark>().makeIterator()
        private var mark: Mark?

        fileprivate init(_ player: PlayerID, _ unit: CountingUnit, _ parts: [Part]) {
            (self.player, self.unit, self.parts) = (player, unit, parts)
        }

        mutating func next() -> ScoredCell? {
            while true {
                while let cell = cells.next() {
                    guard !cell.live.isBlank else { continue }
                    while let found = mark, found.place < cell.place { mark = marks.next() }
                    let own = mark?.place == cell.place ? mark : nil
                    return ScoredCell(cell, of: player, in: parts[place].row.row, own, unit)
                }
                guard place + 1 < parts.count else { return nil }
                place += 1
                cells = parts[place].row.cells.makeIterator()
                marks = parts[place].marks.makeIterator()
                mark = marks.next()
            }
        }
    }
}

extension ScoredCell {
    fileprivate init(
        _ cell: RoundCell,
        of player: PlayerID,
        in row: Symbol,
        _ mark: Mark?,
        _ unit: CountingUnit
    ) {
        let place = Cell(player: player, row: row, round: cell.round)
        let bookCell = BookCell(cell: place, live: cell.live)
        self.init(
            bookCell,
            points: mark?.points.map(unit.points),
            count: mark?.count.map(unit.points)
        )
    }
}

/// The properties of a row for reading its numbers, of which there may be very many: copying a
/// whole `Row` takes longer than reading a number.
struct NumberReader {
    /// The accepted plain numbers; nil if the row accepts none.
    private let accepted: AcceptedNumbers?
    /// The last round; nil for a row without rounds.
    private let lastRound: UInt32?
    let addition: Addition
    let isRanked: Bool
    /// Whether “no” does not count as a score, except in a round of fields.
    let isFlag: Bool

    /// The rule for the points that a cell adds.
    enum Addition {
        /// No points, or none before the ranking.
        case nothing
        case count
        case rule
    }

    init(_ row: Row, isOn: Bool) {
        accepted = row.isNumeric && !row.isComputed && isOn ? row.accepted : nil
        lastRound = row.lastRound
        isRanked = row.isRanked
        isFlag = row.kind == .flag && row.group == nil
        addition =
            if !row.scores || row.isRanked || row.hasPointsFormula {
                .nothing
            } else if !isFlag, row.pointsRule == nil || row.pointsRule == .itself {
                .count
            } else {
                .rule
            }
    }

    /// Returns the number of a cell that is a plain number in range; nil if `Row` must check it.
    func number(in bookCell: BookCell) -> Int64? {
        Row.hasRound(bookCell.cell.round, upTo: lastRound)
            ? accepted?.plainNumber(in: bookCell.value) : nil
    }
}
