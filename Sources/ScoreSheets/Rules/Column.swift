import SessionCRDT

/// What one player's cells say, and what they come to.
struct Column {
    /// Who.
    let player: Player
    /// The cells in the order of the sheet, then by round; what the sheet does not know follows.
    private(set) var slots: [Slot] = []
    /// What was entered in each row of the sheet together, or worked out; nil of nothing.
    private(set) var counts: [Int64?]
    /// What each row adds to the total that nobody entered.
    private(set) var computed: [RowPoints] = []
    /// The rows for which something was entered and something else is missing.
    private(set) var gaps: [Gap] = []
    /// The rows that win the game at once.
    private(set) var victories: [Symbol] = []
    /// Whether anything counts from which points come.
    private(set) var isScored = false
    /// What does not count.
    private(set) var flags: [Flag] = []

    private var places: [[Int]]
    private var exact: Int128 = 0

    /// A row that is worth nothing until other rows are entered.
    struct Gap {
        /// The row that is worked out.
        let row: Symbol
        /// The rows to enter.
        let missing: [Symbol]
    }

    /// A cell with what it counts as and what it is worth.
    struct Slot {
        /// The cell.
        let entry: BookCell
        /// What it counts as; nil where it does not count.
        let count: Int64?
        /// What it adds; nil where it does not count.
        var points: Int64?
    }

    /// The column of a player before anything is worth anything.
    init(_ player: Player, in book: Book, by form: SheetForm) {
        self.player = player
        counts = Array(repeating: nil, count: form.rows.count)
        places = Array(repeating: [], count: form.rows.count)
        var sums = [Int128?](repeating: nil, count: form.rows.count)
        for (entry, index) in form.inOrder(book.cells(of: player.id)) where !entry.isEmpty {
            var count: Int64?
            if let violation = form.violation(of: entry, at: index) {
                flags.append(Flag(.cell(entry.cell), violation))
            } else if let index, entry.value != .null {
                count = form.rows[index].count(of: entry.value)
                sums[index] = (sums[index] ?? 0) + Int128(count ?? 0)
                places[index].append(slots.count)
                isScored = isScored || form.matters[index]
                if case .flag(_, true) = form.rows[index].content, count == 1 {
                    victories.append(form.rows[index].id)
                }
            }
            slots.append(Slot(entry: entry, count: count, points: nil))
        }
        for (index, sum) in sums.enumerated() {
            guard let empty = form.rows[index].empty, sum == nil, isScored, form.isOn[index] else {
                counts[index] = sum.map(Bounds.cut)
                continue
            }
            counts[index] = empty
        }
    }

    /// The points together.
    var total: Int64 { Bounds.cut(exact) }

    /// The cells of a row that count.
    func entries(ofRow index: Int) -> [Slot] { places[index].map { slots[$0] } }

    /// What stands in a row without rounds; nil of nothing that counts.
    func value(ofRow index: Int) -> Value? {
        places[index].first.map { slots[$0].entry.value }
    }

    /// Notes what the cells of a row are worth, in their order.
    mutating func award(_ points: [Int64], to index: Int, scoring: Bool) {
        for (place, points) in zip(places[index], points) {
            slots[place].points = scoring ? points : 0
            if scoring { exact += Int128(points) }
        }
    }

    /// Notes what a row is worth that nobody entered.
    mutating func award(computed points: Int64, to row: Row, at index: Int) {
        if row.isComputed { counts[index] = points }
        computed.append(RowPoints(row: row.id, points: points))
        if row.scores { exact += Int128(points) }
    }

    /// Notes that a row is worth nothing until others are entered.
    mutating func note(_ gap: Gap) { gaps.append(gap) }

    /// Takes a cell of a row out again, for a reason.
    mutating func refuse(row index: Int, _ reason: RuleViolation) {
        guard let place = places[index].first else { return }
        slots[place].points = nil
        flags.append(Flag(.cell(slots[place].entry.cell), reason))
        places[index] = []
    }

    /// Flags a total that no cell can hold.
    mutating func close() {
        if Int128(total) != exact { flags.append(Flag(.player(player.id), .totalOutOfRange)) }
    }
}
