import SessionCRDT

extension Sheet {
    /// How many players one recorded deal can serve: it is one value of at most 4 KiB.
    static let mostDealtPlayers: Int64 = 24

    /// Every faction of every set, in the order of the sheet.
    var factions: [Faction] { sets.flatMap(\.factions) }

    /// Why the sheet cannot deal these sets; nil when it can, or has none and needs none.
    var flawOfSets: String? {
        guard engine == .smashup else {
            return sets.isEmpty ? nil : "only the engine smashup has sets"
        }
        guard (1...FactionSet.mostSets).contains(sets.count) else {
            return "the engine smashup takes 1 to \(FactionSet.mostSets) sets, not \(sets.count)"
        }
        guard players.to <= Sheet.mostDealtPlayers else {
            return "the engine smashup is for at most \(Sheet.mostDealtPlayers) players"
        }
        var seen: Set<Symbol> = []
        // Sets and factions are named by the same commands.
        let ids = sets.map(\.id) + factions.map(\.id)
        if let twice = ids.first(where: { !seen.insert($0).inserted }) {
            return "the id \(twice) is there twice"
        }
        // Sums of facts within these bounds overflow nowhere.
        let bounds: [(row: SmashUpRow, most: ClosedRange<Int64>)] = [
            (.points, -9999...9999), (.madness, 0...9999),
        ]
        for (row, most) in bounds where rows.contains(where: { $0.id == row.id }) {
            guard let range = self.row(row.id)?.range, most.contains(range.from),
                most.contains(range.to)
            else {
                return "the engine smashup needs \(row.rawValue) within "
                    + "\(most.lowerBound) and \(most.upperBound)"
            }
        }
        let missing = SmashUpRow.allCases.first { row($0.id)?.kind != $0.kind }
        return missing.map {
            "the engine smashup needs a row \($0.rawValue) of kind \($0.kind.rawValue)"
        }
    }
}
