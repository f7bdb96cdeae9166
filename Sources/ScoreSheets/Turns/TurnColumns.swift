import SessionCRDT

/// The cells of everybody as a kept game scores them, and those with which something is wrong.
///
/// Both are kept cell by cell, so that a change of one costs one. Why something is wrong is not
/// kept: of all that waits behind a gap it may change with every turn.
struct TurnColumns: Sendable {
    /// What a cell comes to.
    struct Verdict {
        /// What it adds; nil where it does not count.
        let points: Int64?
        /// The number that it counts as; nil of the one that its value is.
        var count: Int64?
        /// Whether something is wrong with it.
        let isFlagged: Bool

        /// The cell with what it adds.
        fileprivate func scoring(_ bookCell: BookCell) -> ScoredCell {
            ScoredCell(bookCell, points: points, count: count)
        }
    }

    /// Where a cell stands among those of its player: by the place of its row, then as in a book.
    struct Order: Comparable, Sendable {
        private let place: Int
        private let row: Symbol
        /// No round comes before round 0, which only a broken entry has.
        private let round: Int64

        fileprivate init(_ cell: Cell, _ places: [Symbol: Int]) {
            place = places[cell.row] ?? .max
            row = cell.row
            round = cell.round.map(Int64.init) ?? -1
        }

        static func < (left: Order, right: Order) -> Bool {
            if left.place != right.place { return left.place < right.place }
            return left.row == right.row ? left.round < right.round : left.row < right.row
        }
    }

    /// A cell at its place.
    struct Scored: Placed, Sendable {
        let place: Order
        let cell: ScoredCell

        /// One each, so that the list counts them.
        var weight: Int64 { 1 }
    }

    private struct Column: Sendable {
        var scored = OrderedPieces<Scored>()
        var flagged = SortedPieces<Order, BookCell>()
    }

    private var columns: [PlayerID: Column] = [:]
    private let places: [Symbol: Int]

    /// Nothing yet; cells will stand in the order of these rows, those of other rows behind them.
    init(rows: [Symbol] = []) {
        places = Dictionary(zip(rows, 0...)) { first, _ in first }
    }

    /// The cells of a player, in order.
    func cells(of player: PlayerID) -> ScoredCells {
        ScoredCells(columns[player]?.scored ?? OrderedPieces())
    }

    /// The cells of a player with which something is wrong, in order.
    func flagged(of player: PlayerID) -> SortedPieces<Order, BookCell> {
        columns[player]?.flagged ?? SortedPieces()
    }

    /// Whether nothing is wrong with any cell.
    var isClean: Bool { columns.values.allSatisfy(\.flagged.isEmpty) }

    /// Reads all cells of the players of a book, before any of them was looked at.
    mutating func read(_ book: Book, by judge: (BookCell) -> Verdict) {
        for player in book.players {
            var scored: [Scored] = []
            var flagged: [(key: Order, value: BookCell)] = []
            for bookCell in book.cells(of: player.id) where !bookCell.isEmpty {
                let (order, verdict) = (Order(bookCell.cell, places), judge(bookCell))
                scored.append(Scored(place: order, cell: verdict.scoring(bookCell)))
                if verdict.isFlagged { flagged.append((order, bookCell)) }
            }
            guard !scored.isEmpty else { continue }
            columns[player.id] = Column(
                scored: OrderedPieces(scored),
                flagged: SortedPieces(flagged)
            )
        }
    }

    /// Keeps what a cell of a player says and comes to, nil where it says nothing, and notes what
    /// differs.
    mutating func keep(
        _ judged: (bookCell: BookCell, verdict: Verdict)?,
        in cell: Cell,
        _ change: inout ScoreboardChange
    ) {
        let order = Order(cell, places)
        let scored = judged.map { $0.verdict.scoring($0.bookCell) }
        let flagged = judged.flatMap { $0.verdict.isFlagged ? $0.bookCell : nil }
        // No copy of the column is held, else each change would copy a piece.
        if columns[cell.player]?.scored[order]?.cell != scored {
            if let scored {
                let kept = Scored(place: order, cell: scored)
                columns[cell.player, default: Column()].scored.set(kept)
            } else {
                columns[cell.player]?.scored.remove(order)
            }
            change.cells.insert(cell)
        }
        if columns[cell.player]?.flagged[order] != flagged {
            columns[cell.player, default: Column()].flagged[order] = flagged
            change.areFlagsDifferent = true
        }
    }
}

/// A list in pieces, of which a change copies one: copies of a long list share all others.
///
/// Appending, changing and cutting off at the end cost a piece at most, whoever else holds the
/// list.
struct Chunks<Element> {
    /// How many elements a piece has; the last one has fewer.
    static var size: Int { 64 }

    private var pieces: [[Element]] = []
    /// How many elements there are.
    private(set) var count = 0

    /// The empty list.
    init() {}

    /// The list of these elements.
    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    /// Adds an element at the end.
    mutating func append(_ element: Element) {
        if count % Chunks.size == 0 { pieces.append([]) }
        pieces[pieces.count - 1].append(element)
        count += 1
    }

    /// Adds what another list has from a place on, whole pieces of it as they are.
    mutating func append(_ other: Chunks, from place: Int) {
        guard place % Chunks.size == 0, count % Chunks.size == 0, place < other.count else {
            for index in place..<Swift.max(other.count, place) { append(other[index]) }
            return
        }
        pieces.append(contentsOf: other.pieces[(place / Chunks.size)...])
        count += other.count - place
    }

    /// Cuts off everything from a place on.
    mutating func removeAll(from place: Int) {
        guard place < count else { return }
        let whole = place / Chunks.size
        let rest = place % Chunks.size
        pieces.removeLast(pieces.count - (rest == 0 ? whole : whole + 1))
        if rest > 0 { pieces[whole].removeLast(pieces[whole].count - rest) }
        count = place
    }
}

extension Chunks: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(place: Int) -> Element {
        get { pieces[place / Chunks.size][place % Chunks.size] }
        set { pieces[place / Chunks.size][place % Chunks.size] = newValue }
    }
}

extension Chunks: Sendable where Element: Sendable {}
extension Chunks: Equatable where Element: Equatable {}
extension Chunks: Hashable where Element: Hashable {}
