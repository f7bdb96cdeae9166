import SessionCRDT

extension Sheet.Limits {
    /// Sets of factions.
    package static let sets = 64
    /// Factions of one set.
    package static let factions = 64
    /// Players of a game that deals factions: a deal is one value of at most 4 KiB.
    package static let dealtPlayers: Int64 = 24
}

extension Sheet {
    /// Every faction of every set, in the order of the sheet.
    var factions: [Faction] { sets.flatMap(\.factions) }

    /// What is wrong with the sets, and with the numbers that the game engine that deals from them
    /// can reckon with.
    var factionFlaws: [SheetFlaw] {
        guard gameEngine == .smashup else {
            return sets.isEmpty ? [] : [SheetFlaw(["sets"], "only the engine smashup has sets")]
        }
        var flaws: [SheetFlaw] = []
        if !(1...Limits.sets).contains(sets.count) {
            let reason = "the engine smashup takes 1 to \(Limits.sets) sets, not \(sets.count)"
            flaws.append(SheetFlaw(["sets"], reason))
        }
        if players.to > Limits.dealtPlayers {
            let reason = "the engine smashup is for at most \(Limits.dealtPlayers) players"
            flaws.append(SheetFlaw(["players"], reason))
        }
        var seen: Set<Symbol> = []
        // Sets and factions are named by the same commands.
        let ids = sets.map(\.id) + factions.map(\.id)
        for id in ids where !seen.insert(id).inserted {
            flaws.append(SheetFlaw(["sets"], "the id \(id) is there twice"))
        }
        return flaws + SmashUpRow.allCases.compactMap(flaw(of:))
    }

    private func flaw(of fact: SmashUpRow) -> SheetFlaw? {
        guard let index = rows.firstIndex(where: { $0.id == fact.id }),
            rows[index].kind == fact.kind
        else { return nil }
        let row = rows[index]
        if fact.kind.repeats, row.lastRound != Cell.lastRound {
            return SheetFlaw(["rows", AnyField(index), "last"], "the engine needs every round")
        }
        // Sums of facts within these bounds overflow nowhere.
        let most: ClosedRange<Int64>? =
            switch fact {
            case .points: -9999...9999
            case .madness: 0...9999
            case .turn, .deal, .reveal: nil
            }
        guard let most, !most.contains(row.range.from) || !most.contains(row.range.to) else {
            return nil
        }
        let reason = "the engine smashup needs it within \(most.lowerBound) and \(most.upperBound)"
        return SheetFlaw(["rows", AnyField(index), "range"], reason)
    }
}
