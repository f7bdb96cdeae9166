package import SessionCRDT

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
