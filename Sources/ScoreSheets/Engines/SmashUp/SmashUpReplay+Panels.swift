import SessionCRDT

/// What a table of Smash Up shows.
extension SmashUpReplay {
    /// The lines below the table.
    func notes(_ lines: StandingLines) -> [Note] {
        guard !isSettled else { return ending(lines.lines).map(Note.smashUp) }
        if deal != nil, !isRevealed { return [.smashUp(.hidden)] }
        guard !game.tied.isEmpty else { return [] }
        return [.smashUp(.stillTied(game.tied.map { terms.players[$0].name }))]
    }

    /// Who won, and what can follow.
    private func ending(_ players: [StandingLines.Line]) -> [SmashUpNote] {
        let next: [SmashUpNote] = game.isOver ? [.next] : []
        let winners = players.filter { $0.rank == 1 }
        guard let total = winners.first?.total else { return next }
        return [.won(winners.map(\.player.name), total: total)] + next
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
