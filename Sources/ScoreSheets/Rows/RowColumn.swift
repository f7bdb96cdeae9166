import SessionCRDT

/// What one player's cells say and come to: kept, and changed cell by cell.
struct RowColumn: Sendable {
    /// Who.
    let player: Player
    /// What is in each row of the sheet, by place; empty of somebody of whom nothing has counted,
    /// since there may be very many of these.
    private(set) var tallies: [RowTally] = []
    /// What each row adds to the total that nobody entered.
    private(set) var computed: [RowPoints] = []
    /// The rows for which something was entered and something else is missing, from the top.
    private(set) var gaps: [Gap] = []

    /// What rows come to that have a formula, and what their entries are worth, by the place of the
    /// row.
    private(set) var worked: [Int: WorkedRounds] = [:]

    private var flagged = OrderedPieces<FlaggedCell>()
    /// What rows that are worked out take out again, from the top.
    private var refusals: [Refusal] = []
    /// How many cells count from which points come.
    private var scored = 0
    private var exact: Int128 = 0

    /// A row, or a round of it, that is worth nothing until others are entered.
    struct Gap: Hashable, Sendable {
        /// The row that is worked out, by place.
        let row: Int
        /// The rows to enter.
        let missing: [Symbol]
        /// The round; nil of the whole row.
        var round: UInt32?
    }

    /// The cell of a row without rounds that does not count because of a row below.
    struct Refusal: Hashable, Sendable {
        /// The place of the row that refuses.
        let by: Int
        /// The place of the row that is refused.
        let row: Int
        /// Which cell that is.
        let cell: Cell
        /// Why.
        let reason: RuleViolation
    }

    /// The column of a player before anything is written.
    init(_ player: Player) { self.player = player }

    /// Whether anything counts from which points come.
    var isScored: Bool { scored > 0 }

    /// The points together.
    var total: Int64 { Bounds.cut(exact) }

    /// Whether the points together are more than a total can say.
    var isCut: Bool { Int128(total) != exact }

    /// What was entered in a row together, or what it comes to where that is worked out; nil of
    /// nothing.
    func count(ofRow place: Int) -> Int64? {
        guard !tallies.isEmpty else { return nil }
        if let worked = worked[place], !worked.results.isEmpty,
            worked.isRunning || tallies[place].marks.isEmpty
        {
            return worked.sum
        }
        return tallies[place].count
    }

    /// The most or the least of the rounds of a row, of a field of those that are whole; 0 of
    /// nothing.
    func extreme(_ extreme: FormulaName.Extreme, ofRow place: Int, whole: Int?) -> Int64 {
        guard !tallies.isEmpty else { return 0 }
        let marks = tallies[place].marks
        let rounds = marks.isEmpty ? worked[place]?.results ?? marks : marks
        let results = whole.map { worked[$0]?.results ?? OrderedPieces() }
        let numbers = rounds.lazy
            .filter { mark in results.map { $0[mark.place] != nil } ?? true }
            .compactMap(\.count)
        return (extreme == .highest ? numbers.max() : numbers.min()) ?? 0
    }

    /// How many entries a row has that count; of rounds of several fields those that are whole.
    func entries(ofRow place: Int) -> Int64 {
        guard !tallies.isEmpty else { return 0 }
        let marks = tallies[place].marks.count
        return Int64(marks == 0 ? worked[place]?.results.count ?? 0 : marks)
    }

    /// Whether anything is entered in a row, or worked out from something.
    func isBegun(row place: Int) -> Bool {
        guard !tallies.isEmpty else { return false }
        return !tallies[place].marks.isEmpty || tallies[place].unentered != nil
            || worked[place]?.results.isEmpty == false
    }

    /// The rounds of a row that are entered, those with fields in all of them that it takes.
    func entered(_ place: Int, by form: SheetForm) -> OrderedPieces<Mark> {
        guard !tallies.isEmpty else { return OrderedPieces() }
        guard form.rows[place].isComputed else { return tallies[place].marks }
        return worked[place]?.results ?? OrderedPieces()
    }

    /// Whether a round of a row with fields is whole, or any after it is begun.
    func isPast(_ round: Int64, ofRow place: Int) -> Bool {
        guard let worked = worked[place] else { return false }
        return worked.results[round] != nil || worked.results.last.map { $0.place > round } ?? false
            || worked.gaps.last.map { $0.place > round } ?? false
    }

    /// Whether anything but nothing was entered in a row.
    func hasAny(ofRow place: Int) -> Bool {
        !tallies.isEmpty && !tallies[place].marks.isEmpty && tallies[place].count != 0
    }

    /// Whether a cell counts in a round of a row, as a row at another place sees it.
    func isEntered(_ place: Int, _ round: Int64, seenFrom row: Int) -> Bool {
        !tallies.isEmpty && tallies[place].marks[round] != nil
            && !refusals.contains { $0.row == place && $0.by < row }
    }

    /// What does not count.
    ///
    /// A formula without a value is one of the row, or of the round that it is about.
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
            + (isCut ? [Flag(.player(player.id), .totalOutOfRange)] : [])
    }
}

extension RowColumn {
    /// Takes in what is live in a cell now.
    ///
    /// What a ranking makes of it comes later, as does what follows for other rows.
    ///
    /// - Returns: whether it counts as something else, and whether the flags are others.
    mutating func take(
        _ live: LiveSet?,
        in cell: Cell,
        at row: Int?,
        by form: SheetForm
    ) -> (isOtherCount: Bool, areFlagsDifferent: Bool) {
        let reading = live.flatMap { live in
            live.saysNothing ? nil : form.reading(of: BookCell(cell: cell, live: live), at: row)
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
            mark = Mark(place: place, count: count, points: form.points(of: count, inRow: row))
        }
        guard mark != nil || !tallies.isEmpty else { return (false, isFlagged) }
        if tallies.isEmpty { tallies = Array(repeating: RowTally(), count: form.rows.count) }
        let before = change(row) { $0.set(mark, at: place) }
        if let mark, form.isScore(mark, inRow: row) { scored += 1 }
        if let before, form.isScore(before, inRow: row) { scored -= 1 }
        let isReleased = release(row)
        return (mark != nil || before != nil, isFlagged || isReleased)
    }

    /// Changes what is in a row, and the total with it.
    private mutating func change<Result>(_ row: Int, _ body: (inout RowTally) -> Result) -> Result {
        exact -= tallies[row].total
        defer { exact += tallies[row].total }
        return body(&tallies[row])
    }

    /// Notes what a cell of a ranked row is worth.
    ///
    /// - Returns: whether that is something else.
    mutating func award(_ points: Int64, to mark: Mark, inRow row: Int) -> Bool {
        guard mark.points != points else { return false }
        var mark = mark
        mark.points = points
        _ = change(row) { $0.set(mark, at: mark.place) }
        return true
    }

    /// Notes what a row is worth that nobody entered; nil of nothing.
    ///
    /// - Returns: whether that is something else.
    mutating func set(_ unentered: RowTally.Unentered?, inRow row: Int) -> Bool {
        guard tallies[row].unentered != unentered else { return false }
        change(row) { $0.unentered = unentered }
        return true
    }

    /// Notes what a formula makes of other rows.
    ///
    /// - Returns: whether that is something else.
    mutating func set(number: Int64?, inRow row: Int) -> Bool {
        guard tallies[row].number != number else { return false }
        tallies[row].number = number
        return true
    }

    /// Lists anew what rows add that nobody entered.
    mutating func listComputed(by form: SheetForm) {
        computed = tallies.indices.compactMap { row in
            tallies[row].unentered.map { RowPoints(row: form.rows[row].id, points: $0.points) }
        }
    }

    /// Changes what the rounds of a row are worth.
    mutating func work<Result>(_ row: Int, _ body: (inout WorkedRounds) -> Result) -> Result {
        body(&worked[row, default: WorkedRounds()])
    }

    /// Notes what a row waits for, in the order of rounds; nothing where it waits for nothing.
    ///
    /// - Returns: whether that is something else.
    mutating func set(gaps new: [Gap], forRow row: Int) -> Bool {
        let start = gaps.firstIndex { $0.row >= row } ?? gaps.endIndex
        let end = gaps[start...].firstIndex { $0.row > row } ?? gaps.endIndex
        guard gaps[start..<end] != new[...] else { return false }
        gaps.replaceSubrange(start..<end, with: new)
        return true
    }

    /// Notes which rows a row waits for.
    ///
    /// - Returns: whether these are others.
    mutating func set(missing: [Symbol], forRow row: Int) -> Bool {
        set(gaps: missing.isEmpty ? [] : [Gap(row: row, missing: missing)], forRow: row)
    }

    /// Notes what a row that is worked out takes out again; nil of nothing.
    ///
    /// - Returns: the refusals that came or went.
    mutating func set(_ refusal: Refusal?, by row: Int, _ form: SheetForm) -> [Refusal] {
        let before = refusals.filter { $0.by == row || $0.row == refusal?.row }
        guard before != [refusal].compactMap(\.self) else { return [] }
        for old in before { _ = release(old.row, by: form) }
        guard let refusal else { return before }
        let place = refusals.firstIndex { $0.by > row } ?? refusals.endIndex
        refusals.insert(refusal, at: place)
        set(points: nil, ofOnlyCellIn: refusal.row)
        return before + [refusal]
    }

    /// Forgets that a row is refused.
    private mutating func release(_ row: Int, by form: SheetForm? = nil) -> Bool {
        guard let index = refusals.firstIndex(where: { $0.row == row }) else { return false }
        refusals.remove(at: index)
        if let form {
            let count = tallies[row].count
            set(points: form.points(of: count, inRow: row), ofOnlyCellIn: row)
        }
        return true
    }

    private mutating func set(points: Int64?, ofOnlyCellIn row: Int) {
        guard var mark = tallies[row].marks.last else { return }
        mark.points = points
        _ = change(row) { $0.set(mark, at: mark.place) }
    }
}
