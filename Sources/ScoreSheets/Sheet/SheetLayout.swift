package import SessionCRDT

/// The lines of a sheet's table: one for each row, or for each of its rounds.
package struct SheetLayout: Hashable, Sendable {
    package let lines: [Line]

    package struct Line: Hashable, Sendable {
        package let row: Row
        /// The round; nil for rows without rounds.
        package let round: UInt32?
        /// The label: `Birds`, `Round 3`.
        package let label: String
        /// Whether points differ from entries, so that tables show both.
        package let showsPoints: Bool
    }

    /// Creates the table of the standings, with the rows that are on with the book's options.
    ///
    /// Cells that are not in the sheet get no line; the standings flag them.
    package init(_ sheet: Sheet, _ standings: Standings, in book: Book) {
        var differing: Set<Symbol> = []
        var rounds: [Symbol: Set<UInt32>] = [:]
        for scored in standings.players.flatMap(\.cells) {
            let cell = scored.bookCell.cell
            guard let row = sheet.row(cell.row), row.violation(ofRound: cell.round) == nil else {
                continue
            }
            if scored.count != scored.points { differing.insert(row.id) }
            if let round = cell.round {
                for id in row.lineRows { rounds[id, default: []].insert(round) }
            }
        }
        lines = sheet.rows(of: book).flatMap { row in
            let lines: [UInt32?] =
                row.lastRound == nil ? [nil] : RoundLines(rounds[row.id] ?? [], of: row).rounds
            return lines.map { round in
                Line(
                    row: row,
                    round: round,
                    label: row.label(ofRound: round),
                    showsPoints: differing.contains(row.id)
                )
            }
        }
    }
}

extension Row {
    /// The rows that get a line for each of its rounds: the row itself, and for a field the row of
    /// the rounds.
    package var lineRows: [Symbol] { [id] + (group.map { [$0.row] } ?? []) }

    /// Returns the label of its line in a table: `Birds`, `Round 3`.
    package func label(ofRound round: UInt32?) -> String {
        round.map { "\(label) \($0)" } ?? label
    }
}

/// The rounds of a row that have lines in a table: those in use, and short gaps between them.
package struct RoundLines: Hashable, Sendable {
    /// The maximum length of a run of empty rounds that still have lines.
    ///
    /// Round 900000, typed by mistake, must not make every table that long.
    package static let maxGap: UInt32 = 10
    /// The maximum number of used rounds with which gaps are filled: no real game has more, and an
    /// untrusted player could make ten lines of each.
    package static let maxFilledRounds = 1000

    /// The rounds in use, sorted.
    private var used: [UInt32]
    private let fillsGaps: Bool

    /// Creates lines for rounds in use; fields of a round get no lines for empty rounds.
    package init(_ used: Set<UInt32> = [], of row: Row? = nil) {
        self.used = used.sorted()
        fillsGaps = row?.group == nil
    }

    package var rounds: [UInt32] { lines(of: used[...], after: 0) }

    /// Sets whether a round is in use.
    ///
    /// Takes time proportional to the gap, unless the number of used rounds crosses
    /// `maxFilledRounds`.
    ///
    /// - Returns: The rounds that got a line, and those that lost theirs.
    package mutating func mark(_ round: UInt32, isUsed: Bool) -> (new: [UInt32], gone: [UInt32]) {
        let place = index(of: round)
        let wasUsed = place < used.count && used[place] == round
        guard wasUsed != isUsed else { return ([], []) }
        let changesAll = used.count == RoundLines.maxFilledRounds + (isUsed ? 0 : 1)
        let before = changesAll ? rounds : lines(near: place, isUsed: wasUsed)
        if isUsed { used.insert(round, at: place) } else { used.remove(at: place) }
        let after = changesAll ? rounds : lines(near: place, isUsed: isUsed)
        let (had, has) = (Set(before), Set(after))
        return (after.filter { !had.contains($0) }, before.filter { !has.contains($0) })
    }

    private func index(of round: UInt32) -> Int { used.partitioningIndex { $0 >= round } }

    /// Returns the lines between the rounds in use next to an index.
    private func lines(near place: Int, isUsed: Bool) -> [UInt32] {
        let end = min(used.count, place + (isUsed ? 2 : 1))
        return lines(of: used[place..<end], after: place > 0 ? used[place - 1] : 0)
    }

    private func lines(of rounds: ArraySlice<UInt32>, after start: UInt32) -> [UInt32] {
        guard fillsGaps, used.count <= RoundLines.maxFilledRounds else { return Array(rounds) }
        var last = start
        return rounds.flatMap { round in
            let isNear = round - last <= RoundLines.maxGap + 1
            let lines = isNear ? (last..<round).map { $0 + 1 } : [round]
            last = round
            return lines
        }
    }
}

/// A round of a player that lacks required fields.
package struct OpenRound: Hashable, Sendable, CustomStringConvertible {
    /// The label: `Round 3`.
    package let label: String
    package let missing: [Symbol]

    package var description: String {
        let names = missing.map(\.description).together
        return "\(label) counts once \(names) \(missing.count == 1 ? "is" : "are") entered"
    }
}

extension Sheet {
    /// Returns the rounds of these cells that lack required fields; a team that is one scorer has
    /// one round, whoever of its members filled it.
    package func openRounds(
        of cells: [Cell],
        in everything: Book,
        sides: SideBook? = nil
    ) -> [OpenRound] {
        let book = sides?.book ?? everything
        let cells = sides.map { sides in cells.map(sides.sides.shared) } ?? cells
        var found: [OpenRound] = []
        for cell in cells {
            guard let (whole, fields, round) = roundOfFields(cell) else { continue }
            let missing = fields.filter { field in
                field.isAwaited && !isWritten(field, round, of: cell.player, in: book)
            }
            let open = OpenRound(label: whole.label(ofRound: round), missing: missing.map(\.id))
            let isBegun = fields.contains { isWritten($0, round, of: cell.player, in: book) }
            if isBegun, !missing.isEmpty, !found.contains(open) { found.append(open) }
        }
        return found
    }

    /// Returns the label of the first cell's round if it was complete already, and the cell to type
    /// for the next round.
    package func wholeRound(of cells: [Cell], in book: Book) -> (label: String, next: String)? {
        guard let cell = cells.first, let (whole, fields, round) = roundOfFields(cell),
            openRounds(of: [cell], in: book).isEmpty,
            fields.contains(where: { isWritten($0, round, of: cell.player, in: book) })
        else { return nil }
        return (whole.label(ofRound: round), "\(cell.row).\(UInt64(round) + 1)")
    }

    /// Returns the round of a cell; nil for a cell outside rounds with fields.
    private func roundOfFields(_ cell: Cell) -> (row: Row, fields: [Row], round: UInt32)? {
        guard let round = cell.round, let group = row(cell.row)?.group, let whole = row(group.row)
        else { return nil }
        return (whole, fields(of: whole), round)
    }

    private func isWritten(
        _ row: Row,
        _ round: UInt32,
        of player: PlayerID,
        in book: Book
    ) -> Bool {
        book.isWritten(Cell(player: player, row: row.id, round: round))
    }
}
