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

/// What one player has in one row, and what it is worth.
struct RowTally: Sendable {
    /// The cells that count, by round.
    private(set) var marks = OrderedPieces<Mark>()
    /// What a row is worth that nobody entered; nil of a row with cells that count.
    var unentered: Unentered?
    /// What a formula makes of other rows, before others are compared with it; nil of nothing.
    var number: Int64?

    private var sum: Int128 = 0

    /// What nobody entered: an empty cell that counts as something, or a row that is worked out.
    struct Unentered: Hashable, Sendable {
        /// What other rows read.
        let count: Int64
        /// What it is worth.
        let points: Int64
        /// What it adds to the total.
        let added: Int64
    }

    /// What was entered together, or worked out; nil of nothing.
    var count: Int64? { marks.isEmpty ? unentered?.count : Bounds.cut(sum) }

    /// What it adds to the total.
    var total: Int128 { marks.weight + Int128(unentered?.added ?? 0) }

    /// Takes in what a cell counts as now; nil where it does not count.
    ///
    /// - Returns: what it counted as.
    mutating func set(_ mark: Mark?, at place: Int64) -> Mark? {
        let before = mark.map { marks.set($0) } ?? marks.remove(place)
        sum += Int128(mark?.count ?? 0) - Int128(before?.count ?? 0)
        return before
    }
}

/// What a cell that counts comes to.
struct Mark: Placed, Hashable, Sendable {
    /// The number that it counts as; nil of a text.
    let count: Int64?
    /// The place of its round, which is one that people can enter, or of none.
    private let round: Int32
    /// What it adds to the total; nil where a rule took it out again.
    var points: Int64?

    /// A cell that counts.
    init(place: Int64, count: Int64?, points: Int64) {
        round = Int32(clamping: place)
        self.count = count
        self.points = points
    }

    var place: Int64 { Int64(round) }
    var weight: Int64 { points ?? 0 }
}

/// A cell that does not count, in the order of the sheet, then by round.
struct FlaggedCell: Placed, Hashable, Sendable {
    /// Where.
    let place: SheetPlace
    /// Why.
    let reason: RuleViolation

    var weight: Int64 { 0 }
}

/// A place among the cells of a player in the order of the sheet; unknown rows follow by name.
struct SheetPlace: Comparable, Hashable, Sendable {
    private let line: Int
    private let row: Symbol
    private let round: UInt32?

    /// The place of a cell in the row of this place.
    init(_ cell: Cell, at place: Int?) {
        line = place ?? .max
        row = cell.row
        round = cell.round
    }

    /// The cell of a player that stands here.
    func cell(of player: PlayerID) -> Cell { Cell(player: player, row: row, round: round) }

    static func < (left: SheetPlace, right: SheetPlace) -> Bool {
        (left.line, left.row, RoundCell.place(of: left.round))
            < (right.line, right.row, RoundCell.place(of: right.round))
    }
}

/// The cells of one player by the rows of a sheet, then by round.
///
/// Rows that the sheet does not know follow; what says nothing is left out.
struct RowCells: Sendable {
    /// What is written.
    let column: BookColumn
    /// The rows of the sheet in their order.
    let order: [Symbol]
    /// What the cells of each of these rows come to; empty of somebody of whom nothing counts.
    let tallies: [RowTally]

    /// How many there are.
    var count: Int { column.written }

    /// The cell at a place.
    subscript(place: Int) -> ScoredCell {
        var rest = place
        for (row, marks) in parts {
            guard rest >= row.written else {
                guard let cell = row.cells.weighty(rest) else { break }
                return ScoredCell(cell, of: column.player, in: row.row, marks[cell.place])
            }
            rest -= row.written
        }
        preconditionFailure("there are \(count) cells, and none at \(place)")
    }

    /// The cell of a row and a round, found without walking; nil where nobody's value stands.
    func cell(of row: Symbol, in round: UInt32?) -> ScoredCell? {
        let cells = column.rows[row]?.cells
        guard let cell = cells?[RoundCell.place(of: round)], !cell.live.saysNothing else {
            return nil
        }
        let place = tallies.isEmpty ? nil : order.firstIndex(of: row)
        let mark = place.flatMap { tallies[$0].marks[cell.place] }
        return ScoredCell(cell, of: column.player, in: row, mark)
    }

    fileprivate typealias Part = (row: BookRow, marks: OrderedPieces<Mark>)

    /// The rows in which anybody has written, each with what its cells count as.
    private var parts: [Part] {
        let known = order.indices.compactMap { place -> Part? in
            column.rows[order[place]].map { row in
                (row, tallies.isEmpty ? OrderedPieces() : tallies[place].marks)
            }
        }
        guard known.count < column.rows.count else { return known }
        let rows = Set(order)
        let unknown = column.rows.filter { !rows.contains($0.row) }
        return known + unknown.map { ($0, OrderedPieces()) }
    }

    func makeIterator() -> Iterator { Iterator(column.player, parts) }

    /// Goes through the rows, and through the cells of each beside what they count as.
    struct Iterator: IteratorProtocol {
        private let player: PlayerID
        private let parts: [Part]
        private var place = -1
        private var cells = OrderedPieces<RoundCell>().makeIterator()
        private var marks = OrderedPieces<Mark>().makeIterator()
        private var mark: Mark?

        fileprivate init(_ player: PlayerID, _ parts: [Part]) {
            self.player = player
            self.parts = parts
        }

        mutating func next() -> ScoredCell? {
            while true {
                while let cell = cells.next() {
                    guard !cell.live.saysNothing else { continue }
                    while let found = mark, found.place < cell.place { mark = marks.next() }
                    let own = mark?.place == cell.place ? mark : nil
                    return ScoredCell(cell, of: player, in: parts[place].row.row, own)
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
    /// A cell of a player and a row, with what it counts as where it counts.
    fileprivate init(_ cell: RoundCell, of player: PlayerID, in row: Symbol, _ mark: Mark?) {
        let place = Cell(player: player, row: row, round: cell.round)
        let bookCell = BookCell(cell: place, live: cell.live)
        self.init(bookCell, points: mark?.points, count: mark?.count)
    }
}

/// What is to be known of a row to read the numbers in it, of which there may be very many: a whole
/// row takes longer to copy than a number to read.
struct NumberReader {
    /// Which plain numbers are taken; nil of a row that takes none.
    private let range: Bounds?
    /// The last round; nil of a row without rounds.
    private let lastRound: UInt32?
    /// What a cell adds.
    let addition: Addition
    /// Whether what is entered is compared with that of others.
    let isRanked: Bool
    /// Whether it takes yes and no, of which a no is no score; in a round of fields it is one.
    let isFlag: Bool

    /// What a cell adds to the total.
    enum Addition {
        /// Nothing, or not before others are known.
        case nothing
        /// What it counts as.
        case count
        /// What the rule of its row says.
        case rule
    }

    /// The reader of a row; one that is off takes no numbers.
    init(_ row: Row, isOn: Bool) {
        range = row.isNumeric && !row.isComputed && isOn ? row.range : nil
        lastRound = row.lastRound
        isRanked = row.isRanked
        isFlag = row.kind == .flag && row.group == nil
        addition =
            if !row.scores || row.isRanked || row.isWorkedOut {
                .nothing
            } else if !isFlag, row.worth == nil || row.worth == .itself {
                .count
            } else {
                .rule
            }
    }

    /// The number of a cell that may be entered as it is; nil where the row itself has to judge.
    func number(in bookCell: BookCell) -> Int64? {
        Row.takes(round: bookCell.cell.round, upTo: lastRound)
            ? range?.plainNumber(in: bookCell.value) : nil
    }
}
