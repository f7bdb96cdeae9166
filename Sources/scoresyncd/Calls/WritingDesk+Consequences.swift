import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

extension WritingDesk {
    /// How many entries are told one by one.
    private static let mostTold = 3

    /// What these mutations change besides what they write: entries that do not count any more, or
    /// count now, and visits that come to something else.
    ///
    /// What a number is worth beside others is no such thing: it is what it says.
    func consequences(of mutations: [Mutation]) -> Consequences {
        var after = board
        let written = mutations.compactMap { mutation in
            if case .cell(let cell) = mutation.key { cell } else { nil }
        }
        let touched = session.suppose(mutations, on: &after).cells.subtracting(written)
        guard !touched.isEmpty else { return .none }
        let (old, new) = (scored(touched, on: board), scored(touched, on: after))
        let changes = touched.sorted().compactMap { cell in
            words(from: old[cell], to: new[cell]).map { (cell: cell, words: $0) }
        }
        let told = changes.map { "\(name(of: $0.cell)) \($0.words)" }
        guard !told.isEmpty else { return .none }
        let others = told.count == 1 ? "another entry" : "\(told.count) other entries"
        let more = told.count - WritingDesk.mostTold
        return Consequences(
            cells: Set(changes.map(\.cell)),
            notes: [
                "this changes \(others): "
                    + (told.prefix(WritingDesk.mostTold) + (more > 0 ? ["and \(more) more"] : []))
                    .joined(separator: "; ")
            ]
        )
    }

    private func scored(_ cells: Set<Cell>, on board: Scoreboard) -> [Cell: ScoredCell] {
        guard let standings = board.standings else { return [:] }
        let players = Set(cells.map(\.player))
        let columns = standings.players.filter { players.contains($0.player.id) }.map(\.cells)
        let found = columns.joined().filter { cells.contains($0.entry.cell) }
        return Dictionary(found.map { ($0.entry.cell, $0) }) { first, _ in first }
    }

    private func words(from old: ScoredCell?, to new: ScoredCell?) -> String? {
        guard let old, let new else { return nil }
        switch (old.points, new.points) {
        case (.some, nil): return "does not count any more"
        case (nil, .some): return "counts now"
        case (.some(let before), .some(let now)) where before != now && new.count == nil:
            return "comes to \(now) and not \(before)"
        case (.some, .some), (nil, nil): return nil
        }
    }

    private func name(of cell: Cell) -> String {
        let player = book.player(cell.player)?.name ?? "somebody"
        return "\(player), \(label(of: cell))"
    }
}
