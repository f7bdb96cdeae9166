import SessionCRDT

/// What a table of Smash Up shows.
extension SmashUpReplay {
    /// The lines below the table.
    func notes(_ lines: StandingLines) -> [String] {
        guard !isSettled else { return ending(lines.lines) }
        if deal != nil, !isRevealed { return ["the factions are dealt; show them: play reveal"] }
        guard !game.tied.isEmpty else { return [] }
        let names = game.tied.map { terms.players[$0].name }
        return ["\(SmashUpReplay.list(names)) were tied when the last turn ended: play on"]
    }

    /// Who won, and what can follow.
    private func ending(_ players: [StandingLines.Line]) -> [String] {
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
    var panels: [Panel] { [.table(board), deal == nil ? terms.sets : terms.setsOfDeal] }

    /// The points of everybody at the table, and what they play.
    var board: Panel.Grid {
        let seats = terms.present
        let showsMadness = seats.contains { game.madness[$0] > 0 }
        let rows = seats.map { seat in
            var cells = ["\(game.points[seat])"]
            if showsMadness {
                let penalty = game.penalty(of: seat)
                cells.append("\(game.madness[seat])" + (penalty > 0 ? " (-\(penalty))" : ""))
            }
            if let deal = deal?.deal {
                let dealt = deal.factions(of: terms.players[seat].id)
                    .map { terms.factions[$0] ?? $0.description }
                let shown = isRevealed ? dealt.joined(separator: " + ") : "hidden"
                cells.append(dealt.isEmpty ? "none: came after the deal" : shown)
            }
            return Panel.GridRow(terms.players[seat].name, cells)
        }
        return Panel.Grid(
            title: title,
            columns: ["Points"] + (showsMadness ? ["Madness"] : [])
                + (deal == nil ? [] : ["Factions"]),
            rows: rows
        )
    }

    private var title: String {
        let which = gameCount > 1 ? "Game \(game.number), " : ""
        if isSettled { return which.isEmpty ? "Over" : which + "over" }
        let turn = (which.isEmpty ? "Turn" : which + "turn") + " \(game.count(of: turn))"
        return turn + (mover.map { ": \(terms.players[$0].name)" } ?? "")
    }
}
