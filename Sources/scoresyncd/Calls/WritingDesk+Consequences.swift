import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

extension WritingDesk {
    /// How many entries are told one by one.
    private static let mostTold = 3

    /// What these mutations change besides what they write: entries that do not count any more, or
    /// count now, visits that come to something else, and legs that are won no more.
    ///
    /// What a number is worth beside others is no such thing: it is what it says.
    func consequences(of mutations: [Mutation]) -> Consequences {
        var after = board
        let written = mutations.compactMap { mutation in
            if case .cell(let cell) = mutation.key { cell } else { nil }
        }
        let change = session.suppose(mutations, on: &after)
        let touched = change.cells.subtracting(written)
        // What somebody won or not stands in the line of a player.
        guard !touched.isEmpty || !change.lines.isEmpty, let before = board.standings,
            !touched.isEmpty || !before.outcomes.isEmpty, let now = after.standings
        else { return .none }
        let (old, new) = (scored(touched, in: before), scored(touched, in: now))
        let changes = touched.sorted().compactMap { cell in
            words(from: old[cell], to: new[cell]).map { (cell: cell, words: $0) }
        }
        let texts = changes.map { "\(name(of: $0.cell)) \($0.words)" }
        let results = takenBack(from: before.outcomes, to: now.outcomes)
        return Consequences(
            cells: Set(changes.map(\.cell)),
            notes: [
                sentence("changes", texts, "another entry", "other entries"),
                sentence("takes back", results, "a result", "results"),
            ]
            .compactMap(\.self)
        )
    }

    private func sentence(
        _ verb: String,
        _ told: [String],
        _ one: String,
        _ several: String
    ) -> String? {
        guard !told.isEmpty else { return nil }
        let more = told.count - WritingDesk.mostTold
        return "this \(verb) \(told.count == 1 ? one : "\(told.count) \(several)"): "
            + (told.prefix(WritingDesk.mostTold) + (more > 0 ? ["and \(more) more"] : []))
            .joined(separator: "; ")
    }

    /// What was won and is not by the same any more, a leg or game each.
    private func takenBack(from old: [Outcome], to new: [Outcome]) -> [String] {
        let word = sheet.rules.partWord ?? sheet.rules.outcomeWord
        return old.enumerated().compactMap { place, outcome in
            let winners = outcome.players.filter(\.isWinner).map(\.name)
            let now = new.dropFirst(place).first?.players.filter(\.isWinner).map(\.name) ?? []
            guard !winners.isEmpty, winners != now else { return nil }
            return "\(word) \(outcome.number), which \(winners.joined(separator: ", ")) won"
                + (now.isEmpty ? "" : " and now \(now.joined(separator: ", "))")
        }
    }

    private func scored(_ cells: Set<Cell>, in standings: Standings) -> [Cell: ScoredCell] {
        let players = Set(cells.map(\.player))
        let columns = standings.players.filter { players.contains($0.player.id) }.map(\.cells)
        let found = columns.joined().filter { cells.contains($0.bookCell.cell) }
        return Dictionary(found.map { ($0.bookCell.cell, $0) }) { first, _ in first }
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
