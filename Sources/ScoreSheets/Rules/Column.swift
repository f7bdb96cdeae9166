import SessionCRDT

/// What one player's cells come to, before anybody is compared.
struct Column: Hashable, Sendable {
    /// Who.
    let player: Player
    /// The cells as `PlayerStanding` shows them.
    let cells: [ScoredCell]
    /// The sum of each row of which something counts, scoring or not.
    let sums: [Symbol: Int64]
    /// The sum of the rows that score.
    let total: Int64
    /// Whether anything that scores is entered.
    let isScored: Bool
    /// What does not count.
    let flags: [Flag]

    /// The column of a player.
    init(_ player: Player, in book: Book, by sheet: Sheet) {
        let entries = Column.inSheetOrder(book.cells(of: player.id), by: sheet)
        var cells: [ScoredCell] = []
        var sums: [Symbol: Int128] = [:]
        var flags: [Flag] = []
        for entry in entries where !entry.isEmpty {
            var points: Int64?
            if let violation = sheet.violation(of: entry.value, in: entry.cell) {
                flags.append(Flag(.cell(entry.cell), violation))
            } else if let row = sheet.row(entry.cell.row), let sum = row.points(of: entry.value) {
                sums[row.id, default: 0] += Int128(sum)
                points = row.scores ? sum : 0
            }
            cells.append(ScoredCell(entry, points: points))
        }
        let scoring = sheet.rows.filter(\.scores).compactMap { sums[$0.id] }
        let exact = scoring.reduce(0, +)
        total = Column.cut(exact)
        if Int128(total) != exact { flags.append(Flag(.player(player.id), .totalOutOfRange)) }
        isScored = !scoring.isEmpty
        self.player = player
        self.cells = cells
        self.sums = sums.mapValues(Column.cut)
        self.flags = flags
    }

    private static func cut(_ exact: Int128) -> Int64 {
        let bounds = Bounds.all
        return Int64(min(max(exact, Int128(bounds.from)), Int128(bounds.to)))
    }

    /// The cells by the place of their row on the sheet, then by round; unknown rows last.
    static func inSheetOrder(_ cells: [BookCell], by sheet: Sheet) -> [BookCell] {
        var place: [Symbol: Int] = [:]
        for (index, row) in sheet.rows.enumerated() { place[row.id] = index }
        return cells.sorted { left, right in
            let (mine, theirs) = (place[left.cell.row] ?? .max, place[right.cell.row] ?? .max)
            return mine != theirs ? mine < theirs : BookCell.precedes(left, right)
        }
    }
}
