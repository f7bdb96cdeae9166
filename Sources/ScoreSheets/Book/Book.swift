package import SessionCRDT

/// What the rules of a game read: who plays, what is written, and how the game is set.
///
/// It follows from a session, step by step, and is never stored. Nothing in it has been checked. A
/// copy costs what the players are, and a change of a copy a small piece of one column.
package struct Book: Hashable, Sendable {
    /// The players in seat order, removed ones too.
    package private(set) var players: [Player]
    /// The options as somebody set them.
    package private(set) var options: [Symbol: Value]
    /// Whether somebody called the session finished.
    package private(set) var isFinished: Bool
    /// How many cells say something, those of strangers too.
    package private(set) var written: Int

    /// What is written of each player, by seat.
    private var columns: [BookColumn]
    /// What is written of those who are not players of this session.
    private var strangers: OrderedPieces<BookColumn>
    private var places: [PlayerID: Int]

    /// The book of these parts.
    package init(
        players: [Player],
        cells: [Cell: LiveSet],
        options: [Symbol: Value] = [:],
        isFinished: Bool = false
    ) {
        self.init(players, cells.lazy.map { ($0.key, $0.value) }, options, isFinished: isFinished)
    }

    /// The book of these parts; each cell once.
    init(
        _ players: [Player],
        _ cells: some Sequence<(Cell, LiveSet)>,
        _ options: [Symbol: Value],
        isFinished: Bool
    ) {
        var found: [PlayerID: [Symbol: [RoundCell]]] = [:]
        for (cell, live) in cells {
            found[cell.player, default: [:]][cell.row, default: []]
                .append(RoundCell(round: cell.round, live: live))
        }
        self.players = []
        self.options = options
        self.isFinished = isFinished
        columns = []
        places = [:]
        strangers = OrderedPieces(found.map { BookColumn($0.key, $0.value) })
        written = Int(strangers.weight)
        seat(players)
    }

    /// The book of a session.
    package init(_ document: SessionDocument) {
        self.init(
            players: document.players,
            cells: document.cells,
            options: document.options,
            isFinished: document.isFinished
        )
    }

    /// The player with this id.
    package func player(_ id: PlayerID) -> Player? { places[id].map { players[$0] } }

    /// The cells of a player, by row and round; those that were cleared are among them.
    package func cells(of player: PlayerID) -> BookCells { BookCells(column(of: player)) }

    /// What is live in a cell, whoever's it is; nil where nobody has written.
    package subscript(cell: Cell) -> LiveSet? {
        let column = places[cell.player].map { columns[$0] } ?? strangers[cell.player]
        return column?.cells(of: cell.row)?[RoundCell.place(of: cell.round)]?.live
    }

    /// Whether anything is written of the players of this session.
    var hasEntries: Bool { written > strayCount }

    /// How many cells of those who are not players of this session say something.
    var strayCount: Int { Int(strangers.weight) }

    /// What is written of a player.
    func column(of player: PlayerID) -> BookColumn {
        places[player].map { columns[$0] } ?? BookColumn(player)
    }

    /// The player's first round in which nothing is written, neither in the book nor in `taken`.
    ///
    /// A cleared round is empty again; one in which anybody's value is still live is not, so that
    /// nothing that was typed is written over by accident.
    package func nextRound(
        of row: Symbol,
        for player: PlayerID,
        after taken: Set<Cell> = []
    ) throws(RuleViolation) -> UInt32 {
        let cells = column(of: player).cells(of: row) ?? OrderedPieces()
        var next: Int64 = 1
        while true {
            let round = UInt32(clamping: cells.firstFree(from: next))
            guard round <= Cell.lastRound else { throw .noRoundLeft(row: row) }
            guard taken.contains(Cell(player: player, row: row, round: round)) else { return round }
            next = Int64(round) + 1
        }
    }
}

extension Book {
    /// Whether anybody's value is live in a cell, whoever's it is.
    package func isWritten(_ cell: Cell) -> Bool {
        self[cell].map { !$0.isBlank } ?? false
    }

    /// The last round of a row, up to the last one that it has, in which anything is written of a
    /// player; nil of none.
    func lastRound(of row: Symbol, for player: PlayerID, upTo most: UInt32) -> UInt32? {
        let cells = column(of: player).cells(of: row) ?? OrderedPieces()
        return cells.last { $0.place <= Int64(most) && !$0.live.isBlank }?.round
    }

    /// Writes in a cell.
    ///
    /// - Returns: what was live in it; nil where nobody had written.
    mutating func write(_ live: LiveSet, in cell: Cell) -> LiveSet? {
        let before: LiveSet?
        if let place = places[cell.player] {
            before = columns[place].write(live, in: cell)
        } else if let change = strangers.change(cell.player, { $0.write(live, in: cell) }) {
            before = change
        } else {
            var column = BookColumn(cell.player)
            before = column.write(live, in: cell)
            strangers.set(column)
        }
        written += (live.isBlank ? 0 : 1) - (before.map { $0.isBlank ? 0 : 1 } ?? 0)
        return before
    }

    /// Takes in who plays and where they sit now; what is written stays.
    mutating func seat(_ players: [Player]) {
        for column in columns where !column.rows.isEmpty { strangers.set(column) }
        self.players = players
        places = [:]
        columns = players.enumerated().map { place, player in
            guard places[player.id] == nil else { return BookColumn(player.id) }
            places[player.id] = place
            return strangers.remove(player.id) ?? BookColumn(player.id)
        }
    }

    /// Takes in how the game is set now.
    mutating func set(_ options: [Symbol: Value], isFinished: Bool) {
        self.options = options
        self.isFinished = isFinished
    }
}

/// A cell and what is live in it.
package struct BookCell: Hashable, Sendable {
    /// Which cell.
    package let cell: Cell
    /// What is live in it: the winner is what counts, the losers are shown where they differ.
    package let live: LiveSet

    /// A cell with its live set.
    package init(cell: Cell, live: LiveSet) {
        self.cell = cell
        self.live = live
    }

    /// The value that is shown.
    package var value: Value { live.winner.value }

    /// Whether nobody's value is live in it.
    package var isEmpty: Bool { live.isBlank }
}

/// The cells of one player, by row and round, cleared ones too: a view that copies none of them.
///
/// It is gone through from the first to the last; `row` gives those of one row.
package struct BookCells: Sequence, Sendable {
    private let player: PlayerID
    private let rows: OrderedPieces<BookRow>

    /// The cells of a column.
    init(_ column: BookColumn) {
        player = column.player
        rows = column.rows
    }

    /// Goes through the rows, and through the rounds of each.
    package struct Iterator: IteratorProtocol {
        private let player: PlayerID
        private var rows: OrderedPieces<BookRow>.Iterator
        private var row: Symbol?
        private var cells: OrderedPieces<RoundCell>.Iterator?

        fileprivate init(_ player: PlayerID, _ rows: OrderedPieces<BookRow>.Iterator) {
            self.player = player
            self.rows = rows
        }

        /// The next cell.
        package mutating func next() -> BookCell? {
            while true {
                if let row, let found = cells?.next() {
                    let cell = Cell(player: player, row: row, round: found.round)
                    return BookCell(cell: cell, live: found.live)
                }
                guard let next = rows.next() else { return nil }
                row = next.row
                cells = next.cells.makeIterator()
            }
        }
    }

    /// An iterator over the cells.
    package func makeIterator() -> Iterator { Iterator(player, rows.makeIterator()) }
}

/// What is written of one player, row by row.
struct BookColumn: Placed, Hashable, Sendable {
    /// Whose.
    let player: PlayerID
    /// The rows in which anybody has ever written, by their ids.
    private(set) var rows = OrderedPieces<BookRow>()
    /// How many cells say something.
    private(set) var written = 0

    var place: PlayerID { player }
    var weight: Int64 { Int64(written) }

    /// The column of a player of whom nothing is written.
    init(_ player: PlayerID) { self.player = player }

    /// The column of a player with these cells of each row, in any order.
    init(_ player: PlayerID, _ cells: [Symbol: [RoundCell]]) {
        self.player = player
        rows = OrderedPieces(cells.map { BookRow($0.key, OrderedPieces($0.value)) })
        written = rows.reduce(0) { $0 + $1.written }
    }

    /// The cells of a row; nil where nobody has written in it.
    func cells(of row: Symbol) -> OrderedPieces<RoundCell>? { rows[row]?.cells }

    /// Writes in a cell.
    ///
    /// - Returns: what was live in it.
    mutating func write(_ live: LiveSet, in cell: Cell) -> LiveSet? {
        let roundCell = RoundCell(round: cell.round, live: live)
        let change = rows.change(cell.row) { row -> RoundCell? in row.cells.set(roundCell) }
        if change == nil { rows.set(BookRow(cell.row, OrderedPieces([roundCell]))) }
        let before = change ?? nil
        written += Int(roundCell.weight - (before?.weight ?? 0))
        return before?.live
    }
}

/// What is written of one player in one row, round by round.
struct BookRow: Placed, Hashable, Sendable {
    /// Which row.
    let row: Symbol
    /// The cells by round, cleared ones too.
    var cells: OrderedPieces<RoundCell>

    var place: Symbol { row }
    var weight: Int64 { 0 }
    /// How many cells say something.
    var written: Int { Int(cells.weight) }

    /// A row of these cells.
    init(_ row: Symbol, _ cells: OrderedPieces<RoundCell>) {
        self.row = row
        self.cells = cells
    }
}

/// What is live in one round of a row.
struct RoundCell: Placed, Hashable, Sendable {
    /// The round; nil where the row has none.
    let round: UInt32?
    /// What is live in it.
    let live: LiveSet

    /// Without a round before round 0, which only a broken entry has: where an order has ties, two
    /// devices can sort differently.
    var place: Int64 { RoundCell.place(of: round) }
    /// 1 where it says something, so that sums count what is written.
    var weight: Int64 { live.isBlank ? 0 : 1 }

    /// The place of a round in its row.
    static func place(of round: UInt32?) -> Int64 { round.map(Int64.init) ?? -1 }
}

extension LiveSet {
    /// Whether nobody's value is live, so that the cell is as good as never written.
    var isBlank: Bool {
        winner.value == .null && (count == 1 || entries.allSatisfy { $0.value == .null })
    }
}

/// What differs between a book and the one before.
package struct BookChange: Hashable, Sendable {
    /// The cells that say something else now, by player, row and round, each once.
    package let cells: [Cell]

    /// A change of these cells.
    package init(cells: [Cell]) {
        self.cells = cells
    }
}
