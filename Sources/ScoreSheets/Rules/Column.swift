import SessionCRDT

/// What one player's cells say, and what they come to.
struct Column {
    /// Who.
    let player: Player
    /// The cells in the order of the sheet, then by round; what the sheet does not know follows.
    private(set) var slots: [Slot] = []
    /// What was entered in each row of the sheet together, or worked out; empty of somebody of whom
    /// nothing counts, since there may be very many of these.
    private var counts: [Int64?] = []
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

    /// The cells of each row that count; empty of somebody of whom nothing counts.
    private var places: [[Int]] = []
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
        var sums: [Int128?] = []
        for (entry, index) in form.inOrder(book.cells(of: player.id)) where !entry.isEmpty {
            var count: Int64?
            switch form.reading(of: entry, at: index) {
            case .failure(let violation): flags.append(Flag(.cell(entry.cell), violation))
            case .success(let found):
                guard let index, entry.value != .null else { break }
                if places.isEmpty {
                    places = Array(repeating: [], count: form.rows.count)
                    sums = Array(repeating: nil, count: form.rows.count)
                }
                count = found
                sums[index] = (sums[index] ?? 0) + Int128(found ?? 0)
                places[index].append(slots.count)
                isScored = isScored || form.matters[index]
                if case .flag(_, true) = form.rows[index].content, count == 1 {
                    victories.append(form.rows[index].id)
                }
            }
            slots.append(Slot(entry: entry, count: count, points: nil))
        }
        counts = sums.map { $0.map(Bounds.cut) }
        guard isScored else { return }
        for index in form.implied where counts[index] == nil {
            counts[index] = form.rows[index].empty
        }
    }

    /// The points together.
    var total: Int64 { Bounds.cut(exact) }

    /// The rows in which anything stands or is implied, by place.
    var held: [Int] {
        places.indices.filter { !places[$0].isEmpty || counts[$0] != nil }
    }

    /// What was entered in a row together, or worked out; nil of nothing.
    func count(ofRow index: Int) -> Int64? { counts.isEmpty ? nil : counts[index] }

    /// The places among the slots of the cells of a row that count.
    func places(ofRow index: Int) -> [Int] { places.isEmpty ? [] : places[index] }

    /// What stands in a row without rounds; nil of nothing that counts.
    func value(ofRow index: Int) -> Value? {
        places.isEmpty ? nil : places[index].first.map { slots[$0].entry.value }
    }

    /// Notes what the cells of a row are worth, each by what it counts as.
    mutating func award(row index: Int, scoring: Bool, _ worth: (Int64?) -> Int64) {
        for place in places(ofRow: index) {
            award(slot: place, worth(slots[place].count), scoring: scoring)
        }
    }

    /// Notes what one cell is worth.
    mutating func award(slot place: Int, _ points: Int64, scoring: Bool) {
        slots[place].points = scoring ? points : 0
        if scoring { exact += Int128(points) }
    }

    /// Notes what a row is worth that nobody entered.
    mutating func award(computed points: Int64, to row: Row, at index: Int) {
        if row.isComputed, !counts.isEmpty { counts[index] = points }
        computed.append(RowPoints(row: row.id, points: points))
        if row.scores { exact += Int128(points) }
    }

    /// Notes that a row is worth nothing until others are entered.
    mutating func note(_ gap: Gap) { gaps.append(gap) }

    /// Takes a cell of a row out again, for a reason.
    mutating func refuse(row index: Int, _ reason: RuleViolation) {
        guard !places.isEmpty, let place = places[index].first else { return }
        slots[place].points = nil
        flags.append(Flag(.cell(slots[place].entry.cell), reason))
        places[index] = []
    }

    /// Flags a total that no cell can hold.
    mutating func close() {
        if Int128(total) != exact { flags.append(Flag(.player(player.id), .totalOutOfRange)) }
    }
}
