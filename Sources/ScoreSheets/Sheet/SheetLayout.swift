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
