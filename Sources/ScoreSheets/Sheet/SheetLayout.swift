package import SessionCRDT

/// The lines of a table of a sheet: one for each row, and for rows that repeat one for each round.
package struct SheetLayout: Hashable, Sendable {
    /// The lines from top to bottom.
    package let lines: [Line]

    /// One line.
    package struct Line: Hashable, Sendable {
        /// The row.
        package let row: Row
        /// The round; nil for rows without rounds.
        package let round: UInt32?
        /// What stands before it: `Birds`, `Round 3`.
        package let label: String
        /// Whether points differ from what was entered, so that tables show both.
        package let showsPoints: Bool
    }

    /// What a cell of anybody tells the table.
    package struct Mark: Hashable, Sendable {
        /// The row of the cell.
        package let row: Symbol
        /// The round of the cell.
        package let round: UInt32?
        /// Whether its points differ from what was entered.
        package let differs: Bool

        /// A cell of a row and a round, with what was entered and what it is worth.
        package init(row: Symbol, round: UInt32?, value: Value, points: Int64?) {
            self.row = row
            self.round = round
            differs = value.integer != points
        }

        /// A cell of a row and a round, and whether its points differ from what was entered.
        package init(row: Symbol, round: UInt32?, differs: Bool) {
            self.row = row
            self.round = round
            self.differs = differs
        }
    }

    /// The table of a sheet in which these cells are filled.
    ///
    /// Cells that the sheet has no place for get no line; the standings flag them.
    package init(_ sheet: Sheet, _ marks: [Mark]) { self.init(sheet, sheet.rows, marks) }

    /// The table of these rows of a sheet.
    private init(_ sheet: Sheet, _ rows: [Row], _ marks: [Mark]) {
        var differing: [Symbol: Bool] = [:]
        var rounds: [Symbol: Set<UInt32>] = [:]
        for mark in marks {
            guard let row = sheet.row(mark.row), row.violation(ofRound: mark.round) == nil else {
                continue
            }
            differing[row.id] = mark.differs || differing[row.id] ?? false
            if let round = mark.round {
                for id in row.lineRows { rounds[id, default: []].insert(round) }
            }
        }
        lines = rows.flatMap { row in
            let showsPoints = differing[row.id] ?? false
            let lines: [UInt32?] =
                row.lastRound == nil ? [nil] : RoundLines(rounds[row.id] ?? [], of: row).rounds
            return lines.map { round in
                let label = row.label(ofRound: round)
                return Line(row: row, round: round, label: label, showsPoints: showsPoints)
            }
        }
    }

    /// The table of the standings of a game, with the rows that are there by the book's options.
    package init(_ sheet: Sheet, _ standings: Standings, in book: Book) {
        self.init(
            sheet,
            sheet.rows(of: book),
            standings.players.flatMap(\.cells).map { scored in
                let bookCell = scored.bookCell
                return Mark(
                    row: bookCell.cell.row,
                    round: bookCell.cell.round,
                    differs: scored.count != scored.points
                )
            }
        )
    }
}

extension Row {
    /// The rows that have a line in each round of it that is in use: itself, and of a field the row
    /// that says what the round is worth.
    package var lineRows: [Symbol] { [id] + (group.map { [$0.row] } ?? []) }

    /// What stands before its line in a table: `Birds`, `Round 3`.
    package func label(ofRound round: UInt32?) -> String {
        round.map { "\(label) \($0)" } ?? label
    }
}

/// The rounds of one row that have lines in a table: those in use, and the short gaps between them.
package struct RoundLines: Hashable, Sendable {
    /// How many rounds in a row may be empty and still have lines.
    ///
    /// Somebody who typed round 900000 by mistake must not make every table that long.
    package static let longestGap: UInt32 = 10
    /// With more rounds than this no gap is filled: nobody plays so many, and ten lines for each
    /// that a stranger wrote would be a million.
    package static let mostFilled = 1000

    /// The rounds in use, sorted.
    private var used: [UInt32]
    /// Whether rounds that nobody has used have lines in short gaps.
    private let fillsGaps: Bool

    /// The lines where these rounds are in use; fields of a round have none where they are empty.
    package init(_ used: Set<UInt32> = [], of row: Row? = nil) {
        self.used = used.sorted()
        fillsGaps = row?.group == nil
    }

    /// The rounds that have lines, in order.
    package var rounds: [UInt32] { lines(of: used[...], after: 0) }

    /// Notes whether a round is in use.
    ///
    /// It costs a gap, but where so many rounds are in use that gaps begin or cease to be filled.
    ///
    /// - Returns: the rounds that have a line now and had none, and the reverse.
    package mutating func note(
        _ round: UInt32,
        isUsed: Bool
    ) -> (new: [UInt32], gone: [UInt32]) {
        let place = place(of: round)
        let wasUsed = place < used.count && used[place] == round
        guard wasUsed != isUsed else { return ([], []) }
        let changesAll = used.count == RoundLines.mostFilled + (isUsed ? 0 : 1)
        let before = changesAll ? rounds : lines(near: place, isUsed: wasUsed)
        if isUsed { used.insert(round, at: place) } else { used.remove(at: place) }
        let after = changesAll ? rounds : lines(near: place, isUsed: isUsed)
        let (had, has) = (Set(before), Set(after))
        return (after.filter { !had.contains($0) }, before.filter { !has.contains($0) })
    }

    /// The first place whose round does not come before this one.
    private func place(of round: UInt32) -> Int {
        used.partitioningIndex { $0 >= round }
    }

    /// The lines from the round in use before a place to the next one after a round there.
    private func lines(near place: Int, isUsed: Bool) -> [UInt32] {
        let end = min(used.count, place + (isUsed ? 2 : 1))
        return lines(of: used[place..<end], after: place > 0 ? used[place - 1] : 0)
    }

    /// The lines of these rounds in use, without the long gaps between them.
    private func lines(of rounds: ArraySlice<UInt32>, after start: UInt32) -> [UInt32] {
        guard fillsGaps, used.count <= RoundLines.mostFilled else { return Array(rounds) }
        var last = start
        return rounds.flatMap { round in
            let isNear = round - last <= RoundLines.longestGap + 1
            let lines = isNear ? (last..<round).map { $0 + 1 } : [round]
            last = round
            return lines
        }
    }
}

/// A round of several fields of somebody of which fields are still to come.
package struct OpenRound: Hashable, Sendable {
    /// What the round is called: `Round 3`.
    package let label: String
    /// The fields without which it does not count.
    package let missing: [Symbol]
}

extension OpenRound: CustomStringConvertible {
    package var description: String {
        let names = missing.map(\.description).together
        return "\(label) counts once \(names) \(missing.count == 1 ? "is" : "are") entered"
    }
}

extension Sheet {
    /// The rounds of these cells that are begun and not whole, each once.
    package func openRounds(of cells: [Cell], in book: Book) -> [OpenRound] {
        var found: [OpenRound] = []
        for cell in cells {
            guard let (whole, fields, round) = roundOfFields(cell) else { continue }
            let missing = fields.filter { field in
                field.isAwaited && !isWritten(field, round, of: cell.player, in: book)
            }
            let open = OpenRound(
                label: whole.label(ofRound: round),
                missing: missing.map(\.id)
            )
            let isBegun = fields.contains { isWritten($0, round, of: cell.player, in: book) }
            if isBegun, !missing.isEmpty, !found.contains(open) { found.append(open) }
        }
        return found
    }

    /// What the round of the first of these cells is called, if it was whole before that was
    /// written, and how the same is entered in the next round.
    package func wholeRound(of cells: [Cell], in book: Book) -> (label: String, next: String)? {
        guard let cell = cells.first, let (whole, fields, round) = roundOfFields(cell),
            openRounds(of: [cell], in: book).isEmpty,
            fields.contains(where: { isWritten($0, round, of: cell.player, in: book) })
        else { return nil }
        return (whole.label(ofRound: round), "\(cell.row).\(UInt64(round) + 1)")
    }

    /// The row and the fields of the round that a cell is of; nil where it is of no such round.
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
