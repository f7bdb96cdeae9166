import SessionCRDT

/// What a table of Smash Up shows.
extension SmashUpReplay {
    /// The lines below the table.
    func notes(_ players: [PlayerStanding], isSettled: Bool) -> [String] {
        guard !isSettled else { return ending(players) }
        if deal != nil, !isRevealed { return ["the factions are dealt; show them: play reveal"] }
        guard !game.tied.isEmpty else { return [] }
        let names = game.tied.map { facts.players[$0].name }
        return ["\(SmashUpReplay.list(names)) were tied when the last turn ended: play on"]
    }

    /// Who won, and what can follow.
    private func ending(_ players: [PlayerStanding]) -> [String] {
        let next = "again: play replay (same factions), reset (choose again), session new --again"
        let what = game.isOver ? [next] : []
        let winners = players.filter { $0.rank == 1 }
        guard let total = winners.first?.total else { return what }
        let names = SmashUpReplay.list(winners.map(\.player.name))
        let won = winners.count == 1 ? "\(names) has won" : "\(names) share the win"
        return ["\(won) with \(total)"] + what
    }

    static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The score board, and the sets that are dealt from.
    func panels(_ choice: FactionChoice, _ sheet: Sheet, isSettled: Bool) -> [Panel] {
        [.table(board(sheet, isSettled: isSettled)), setsPanel(choice)]
    }

    private func board(_ sheet: Sheet, isSettled: Bool) -> Panel.Grid {
        let seats = facts.players.indices.filter { facts.players[$0].isPresent }
        let showsMadness = seats.contains { game.madness[$0] > 0 }
        let names = Dictionary(uniqueKeysWithValues: sheet.factions.map { ($0.id, $0.name) })
        let rows = seats.map { seat in
            var cells = ["\(game.points[seat])"]
            if showsMadness {
                let penalty = game.penalty(of: seat)
                cells.append("\(game.madness[seat])" + (penalty > 0 ? " (-\(penalty))" : ""))
            }
            if let deal {
                let dealt = deal.factions(of: facts.players[seat].id)
                    .map { names[$0] ?? $0.description }
                let shown = isRevealed ? dealt.joined(separator: " + ") : "hidden"
                cells.append(dealt.isEmpty ? "none: came after the deal" : shown)
            }
            return Panel.GridRow(facts.players[seat].name, cells)
        }
        return Panel.Grid(
            title: title(isSettled: isSettled),
            columns: ["Points"] + (showsMadness ? ["Madness"] : [])
                + (deal == nil ? [] : ["Factions"]),
            rows: rows
        )
    }

    private func title(isSettled: Bool) -> String {
        let which = games.count > 1 ? "Game \(game.number), " : ""
        if isSettled { return which.isEmpty ? "Over" : which + "over" }
        let turn = (which.isEmpty ? "Turn" : which + "turn") + " \(game.count(of: turn))"
        return turn + (mover.map { ": \(facts.players[$0].name)" } ?? "")
    }

    private func setsPanel(_ choice: FactionChoice) -> Panel {
        let more = deal == nil && !choice.unused.isEmpty ? ["not used: \(choice.unused.list)"] : []
        return .text(title: "Sets: \(choice.poolInWords)", lines: choice.lines + more)
    }
}
