extension CricketGame {
    /// How many of the latest visits are shown.
    private static let shownVisits = 10
    /// What one, two and three marks are written as.
    private static let signs = ["", "/", "X", "O"]

    /// The marks of everybody, and the latest visits.
    var panels: [Panel] {
        terms.players.isEmpty ? [] : turns.isEmpty ? [board] : [board, visits]
    }

    private var board: Panel {
        let numbers = CricketMarks.numbers.indices
        let points = variant == .noScore ? [] : ["Points"]
        let rows = stand.rotation.seats.map { seat in
            let stood = stand.seats[seat]
            let marks = numbers.map { CricketGame.signs[stood.marks[$0]] }
            return Panel.GridRow(
                (stand.mover == seat ? "> " : "  ") + name(seat),
                marks + points.map { _ in "\(stood.points)" }
                    + [
                        CricketStatistics.marksPerRound(Int128(stood.made), Int128(stood.visits))
                            ?? ""
                    ]
            )
        }
        let names = numbers.map(CricketMarks.name)
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return .table(
            Panel.Grid(title: title, columns: names + points + ["Marks a round"], rows: rows)
        )
    }

    /// The round and how the game is set: `Round 3, cut-throat`.
    private var title: String {
        let round = stand.mover.map { stand.seats[$0].visits + 1 }
        return (round.map { "Round \($0)" } ?? "Over") + ", \(variant.rawValue)"
    }

    /// The latest visits, each by the name under which it can be corrected.
    private var visits: Panel {
        let first = max(turns.count - CricketGame.shownVisits, 0)
        let rows = (first..<turns.count).map { index in
            let turn = turns[index]
            return Panel.GridRow(
                "\(CricketMode.row).\(index + 1)",
                [
                    name(turn.seat),
                    turn.move.description + (turn.isDisputed ? "*" : ""),
                    "\(turn.result.made)",
                ] + (variant == .noScore ? [] : ["\(turn.result.points)"])
            )
        }
        return .table(
            Panel.Grid(
                title: "Visits",
                columns: ["Player", "Darts", "Marks"] + (variant == .noScore ? [] : ["Points"]),
                rows: rows
            )
        )
    }
}
