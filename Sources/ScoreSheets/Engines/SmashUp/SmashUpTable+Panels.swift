import SessionCRDT

/// What a table of Smash Up shows.
extension SmashUpTable {
    /// The lines below the table.
    func notes(isFinished: Bool) -> [Note] {
        guard !isSettled else { return ending(kept.lines.lines).map(Note.smashUp) }
        if terms.deal != nil, !terms.isRevealed { return [.smashUp(.hidden)] }
        guard !game.leaders.isEmpty else { return [] }
        return [.smashUp(.stillTied(game.leaders.map(name)))]
    }

    /// Who won, and what can follow.
    private func ending(_ players: [StandingLines.Line]) -> [SmashUpNote] {
        let next: [SmashUpNote] = game.isOver ? [.next] : []
        let winners = players.filter { $0.rank == 1 }
        guard let total = winners.first?.total else { return next }
        return [.won(winners.map(\.player.name), total: total)] + next
    }

    /// The score board, and the sets that are dealt from.
    var panels: [Panel] { [.table(board), terms.deal == nil ? terms.sets : terms.setsOfDeal] }

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
            if let deal = terms.deal {
                let dealt = deal.factions(of: terms.players[seat].id)
                    .map { terms.factions[$0] ?? $0.description }
                let shown = terms.isRevealed ? dealt.joined(separator: " + ") : "hidden"
                cells.append(dealt.isEmpty ? "none: came after the deal" : shown)
            }
            return Panel.GridRow(terms.players[seat].name, cells)
        }
        return Panel.Grid(
            title: title,
            columns: ["Points"] + (showsMadness ? ["Madness"] : [])
                + (terms.deal == nil ? [] : ["Factions"]),
            rows: rows
        )
    }

    private var title: String {
        let which = gameCount > 1 ? "Game \(game.number), " : ""
        if isSettled { return which.isEmpty ? "Over" : which + "over" }
        let turn = (which.isEmpty ? "Turn" : which + "turn") + " \(game.count(of: record.openTurn))"
        return turn + (stand.mover.map { ": \(name($0))" } ?? "")
    }
}
