package import SessionCRDT

/// The input of a game's rules: players, entries and options.
///
/// Derived from a session, updated in place and never stored; its entries are not validated. A copy
/// costs one word for each player, and changing a copy duplicates only a small chunk of a column.
package struct Book: Hashable, Sendable {
    /// The players in seat order, including removed ones.
    package private(set) var players: [Player]
    package private(set) var options: [Symbol: Value]
    package private(set) var isFinished: Bool
    /// The number of cells with a value, including those of players not in this session.
    package private(set) var valueCount: Int

    /// The columns of the players, by seat.
    private var columns: [BookColumn]
    /// The cells of players who are not in this session.
    private var unseatedColumns: SortedChunks<BookColumn>
    private var places: [PlayerID: Int]
    /// The sides of which the players are the scorers; nil if every player is one.
    var partners: Sides?
    /// The member of a side whose entry a cell holds, by index; the first if it is missing.
    private var members: [Cell: Int] = [:]

    package init(
        players: [Player],
        cells: [Cell: LiveSet],
        options: [Symbol: Value] = [:],
        isFinished: Bool = false
    ) {
        let cells = BookCells(cells.lazy.map { ($0.key, $0.value) })
        self.init(players, cells, options, isFinished: isFinished)
    }

    init(
        _ players: [Player],
        _ cells: BookCells,
        _ options: [Symbol: Value],
        isFinished: Bool
    ) {
        self.players = []
        self.options = options
        self.isFinished = isFinished
        columns = []
        places = [:]
        unseatedColumns = SortedChunks(cells.columns)
        valueCount = Int(unseatedColumns.weight)
        seat(players)
    }

    package func player(_ id: PlayerID) -> Player? { places[id].map { players[$0] } }

    /// Returns the player's cells by row and round, including cleared ones.
    package func cells(of player: PlayerID) -> some Sequence<BookCell> {
        column(of: player).rows.lazy.flatMap { $0.cells(of: player) }
    }

    /// The live set of a cell of any player; nil if it was never written.
    package subscript(cell: Cell) -> LiveSet? {
        let column = places[cell.player].map { columns[$0] } ?? unseatedColumns[cell.player]
        return column?.cells(of: cell.row)?[RoundCell.place(of: cell.round)]?.live
    }

    /// The cells of players who are not in this session.
    var unseatedCells: [(Cell, LiveSet)] {
        unseatedColumns.flatMap { column in
            column.rows.flatMap { row in
                row.cells.map { cell in
                    (Cell(player: column.player, row: row.row, round: cell.round), cell.live)
                }
            }
        }
    }

    /// Returns the member of a side who wrote a cell, by index; 0 for a player without partners.
    func member(of cell: Cell) -> Int { members[cell] ?? 0 }

    mutating func set(member: Int, of cell: Cell) { members[cell] = member == 0 ? nil : member }

    var hasEntries: Bool { valueCount > strayCount }

    /// The number of cells with a value of players who are not in this session.
    var strayCount: Int { Int(unseatedColumns.weight) }

    func column(of player: PlayerID) -> BookColumn {
        places[player].map { columns[$0] } ?? BookColumn(player)
    }

    /// Returns the player's first round without a value in the book or in `taken`, from the round in
    /// which the player joined.
    ///
    /// A cleared round is empty; one with any live value is not, so that nothing that was typed is
    /// overwritten by accident.
    package func nextRound(
        of row: Symbol,
        for player: PlayerID,
        after taken: Set<Cell> = []
    ) throws(RuleViolation) -> UInt32 {
        let cells = column(of: player).cells(of: row) ?? SortedChunks()
        var next = Int64(self.player(player)?.since ?? 1)
        while true {
            let round = UInt32(clamping: cells.firstFree(from: next))
            guard round <= Cell.lastRound else { throw .noRoundLeft(row: row) }
            guard taken.contains(Cell(player: player, row: row, round: round)) else { return round }
            next = Int64(round) + 1
        }
    }

    package func isWritten(_ cell: Cell) -> Bool { self[cell].map { !$0.isBlank } ?? false }

    func lastRound(of row: Symbol, for player: PlayerID, upTo maxRound: UInt32) -> UInt32? {
        let cells = column(of: player).cells(of: row) ?? SortedChunks()
        return cells.last { $0.place <= Int64(maxRound) && !$0.live.isBlank }?.round
    }

    mutating func write(_ live: LiveSet, in cell: Cell) -> LiveSet? {
        let before: LiveSet?
        if let place = places[cell.player] {
            before = columns[place].write(live, in: cell)
        } else if let change = unseatedColumns.change(cell.player, { $0.write(live, in: cell) }) {
            before = change
        } else {
            var column = BookColumn(cell.player)
            before = column.write(live, in: cell)
            unseatedColumns.set(column)
        }
        valueCount += (live.isBlank ? 0 : 1) - (before.map { $0.isBlank ? 0 : 1 } ?? 0)
        return before
    }

    /// Replaces the players and keeps the entries.
    mutating func seat(_ players: [Player]) {
        for column in columns where !column.rows.isEmpty { unseatedColumns.set(column) }
        self.players = players
        places = [:]
        columns = players.enumerated().map { place, player in
            guard places[player.id] == nil else { return BookColumn(player.id) }
            places[player.id] = place
            return unseatedColumns.remove(player.id) ?? BookColumn(player.id)
        }
    }

    mutating func set(_ options: [Symbol: Value], isFinished: Bool) {
        self.options = options
        self.isFinished = isFinished
    }
}

/// The cells from which a book is made, in any order, each once.
struct BookCells {
    private struct Line: Hashable {
        let player: PlayerID
        let row: Symbol
    }

    private var lines: [Line: [RoundCell]] = [:]

    init(_ cells: some Sequence<(Cell, LiveSet)> = []) {
        for (cell, live) in cells { add(live, in: cell) }
    }

    mutating func add(_ live: LiveSet, in cell: Cell) {
        lines[Line(player: cell.player, row: cell.row), default: []]
            .append(RoundCell(round: cell.round, live: live))
    }

    fileprivate var columns: [BookColumn] {
        Dictionary(grouping: lines, by: \.key.player).map { player, lines in
            BookColumn(
                player,
                lines.map { BookRow(row: $0.key.row, cells: SortedChunks($0.value)) }
            )
        }
    }
}

package struct BookCell: Hashable, Sendable {
    package let cell: Cell
    /// The live values; the winner counts, and losers are shown if they differ.
    package let live: LiveSet

    package var value: Value { live.winner.value }

    package var isEmpty: Bool { live.isBlank }
}

struct BookColumn: SortedElement, Hashable, Sendable {
    let player: PlayerID
    /// The rows that were ever written.
    private(set) var rows = SortedChunks<BookRow>()
    private(set) var valueCount = 0

    var place: PlayerID { player }
    var weight: Int64 { Int64(valueCount) }

    init(_ player: PlayerID) { self.player = player }

    init(_ player: PlayerID, _ rows: [BookRow]) {
        self.player = player
        self.rows = SortedChunks(rows)
        valueCount = rows.reduce(0) { $0 + $1.valueCount }
    }

    func cells(of row: Symbol) -> SortedChunks<RoundCell>? { rows[row]?.cells }

    mutating func write(_ live: LiveSet, in cell: Cell) -> LiveSet? {
        let roundCell = RoundCell(round: cell.round, live: live)
        let change = rows.change(cell.row) { row -> RoundCell? in row.cells.set(roundCell) }
        if change == nil { rows.set(BookRow(row: cell.row, cells: SortedChunks([roundCell]))) }
        let before = change ?? nil
        valueCount += Int(roundCell.weight - (before?.weight ?? 0))
        return before?.live
    }
}

/// The cells of one player in one row, by round.
struct BookRow: SortedElement, Hashable, Sendable {
    let row: Symbol
    /// The cells of the row, including cleared ones.
    var cells: SortedChunks<RoundCell>

    var place: Symbol { row }
    var valueCount: Int { Int(cells.weight) }

    /// Returns the cells as those of a player, including cleared ones.
    func cells(of player: PlayerID) -> some Sequence<BookCell> {
        cells.lazy.map { cell in
            let place = Cell(player: player, row: row, round: cell.round)
            return BookCell(cell: place, live: cell.live)
        }
    }
}

struct RoundCell: SortedElement, Hashable, Sendable {
    /// The round; nil in a row without rounds.
    let round: UInt32?
    let live: LiveSet

    /// The sort key: a cell without a round comes before round 0, which only an invalid entry has.
    ///
    /// The order must be total, or devices could sort differently.
    var place: Int64 { RoundCell.place(of: round) }
    /// 1 for a cell with a value, so that the sum is the number of values.
    var weight: Int64 { live.isBlank ? 0 : 1 }

    static func place(of round: UInt32?) -> Int64 { round.map(Int64.init) ?? -1 }
}
