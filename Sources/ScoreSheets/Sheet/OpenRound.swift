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
            guard let round = cell.round, let group = row(cell.row)?.group,
                let whole = row(group.row)
            else { continue }
            func isWritten(_ row: Row) -> Bool {
                let place = Cell(player: cell.player, row: row.id, round: round)
                return book[place].map { !$0.saysNothing } ?? false
            }
            let fields = fields(of: whole)
            let missing = fields.filter { $0.isAwaited && !isWritten($0) }.map(\.id)
            let open = OpenRound(label: whole.label(ofRound: round), missing: missing)
            let isBegun = fields.contains(where: isWritten)
            if isBegun, !missing.isEmpty, !found.contains(open) { found.append(open) }
        }
        return found
    }
}
