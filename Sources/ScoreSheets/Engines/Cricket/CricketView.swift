import SessionCRDT

extension CricketGame {
    /// The number of latest visits that are shown.
    private static let shownVisits = 10
    /// The signs of no, one, two and three marks.
    private static let signs = ["", "/", "X", "O"]

    /// The marks of all players, and the latest visits.
    var panels: [Panel] {
        setup.players.isEmpty ? [] : turns.isEmpty ? [board] : [board, visits]
    }

    var moveInput: MoveInput {
        MoveInput(
            .darts,
            title: "Your visit",
            help: "Any other number is a miss.",
            numbers: [20, 19, 18, 17, 16, 15]
        )
    }

    private var board: Panel {
        let numbers = CricketMarks.numbers.indices
        let points = variant == .noScore ? [] : ["Points"]
        let rows = state.rotation.seats.map { seat in
            let player = state.seats[seat]
            let marks = numbers.map { CricketGame.signs[player.marks[$0]] }
            return Panel.GridRow(
                (state.mover == seat ? "> " : "  ") + name(seat),
                marks + points.map { _ in "\(player.points)" }
                    + [
                        CricketStatistics.marksPerRound(Int128(player.made), Int128(player.visits))
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

    /// The round and the variant: `Round 3, cut-throat`.
    private var title: String {
        let round = state.mover.map { state.seats[$0].visits + 1 }
        return (round.map { "Round \($0)" } ?? "Over") + ", \(variant.rawValue)"
    }

    /// The latest visits, each with the name of the cell in which it can be corrected.
    private var visits: Panel {
        let first = max(turns.count - CricketGame.shownVisits, 0)
        let rows = (first..<turns.count).map { index in
            let turn = turns[index]
            return Panel.GridRow(
                "\(CricketOptions.row).\(index + 1)",
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
