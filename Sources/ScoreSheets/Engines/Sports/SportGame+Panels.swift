import SessionCRDT

extension SportGame {
    /// How many of the latest parts stand side by side.
    private static let shownParts = 9
    /// How many of the latest points are listed.
    private static let shownPoints = 8

    /// The table of the match, and the latest points.
    var panels: [Panel] {
        guard terms.missing == nil else { return [] }
        return [.table(table)] + (turns.isEmpty ? [] : [.table(latestPoints)])
    }

    /// Parts won, each part, and the points in progress: a column each.
    private var table: Panel.Grid {
        var columns: [(title: String, cell: (SportSide) -> String)] = []
        if terms.mode.best > 1 {
            columns.append((terms.part.title, { "\(board.won[$0])" }))
        }
        for (index, part) in board.parts.enumerated().suffix(SportGame.shownParts) {
            columns.append(("\(index + 1)", { SportGame.cell(of: part, for: $0) }))
        }
        if !stand.isOver {
            if terms.mode.hasGames {
                columns.append(("\(board.parts.count + 1)", { "\(board.games[$0])" }))
            }
            let title = board.phase == .tieBreak ? "Tie-break" : "Points"
            columns.append((title, { board.cell(of: $0) }))
        }
        return Panel.Grid(
            title: title,
            columns: columns.map(\.title),
            rows: SportSide.allCases.map { side in
                let mark = board.server == side ? "> " : "  "
                return Panel.GridRow(mark + terms.name(of: side), columns.map { $0.cell(side) })
            }
        )
    }

    /// The score of a side in a part, as on a board: `7`, or `6(5)` of who lost a tie-break.
    private static func cell(of part: SportPart, for side: SportSide) -> String {
        let tieBreak = side == part.winner ? nil : part.tieBreak.map { "(\($0[side]))" }
        return "\(part.score[side])" + (tieBreak ?? "")
    }

    /// How the match is set: `Best of 5 games to 11`.
    private var title: String {
        let mode = terms.mode
        let points = "to \(mode.hasGames ? mode.games : mode.points)"
        guard mode.best > 1 else {
            let isShort = mode.hasGames && mode.final == .short
            return isShort
                ? "One tie-break to \(board.target.points)" : "One \(terms.part.rawValue) \(points)"
        }
        return "Best of \(mode.best) \(terms.part.rawValue)s \(points)"
    }

    /// The latest points with their numbers, by which they can be corrected.
    private var latestPoints: Panel.Grid {
        let first = max(turns.count - SportGame.shownPoints, 0)
        var before = record.stand(before: UInt32(clamping: first + 1))
        let rows = (first..<turns.count).map { index -> Panel.GridRow in
            let turn = turns[index]
            _ = before.take(turn, at: index, terms)
            let mark = turn.isDisputed ? "*" : ""
            let won = terms.mode.most > 1 ? "\(turn.result.points)" : nil
            let cells = [terms.name(turn.seat) + mark, won, words(of: before.match)]
            return Panel.GridRow("\(index + 1)", cells.compactMap(\.self))
        }
        return Panel.Grid(
            title: "Latest points: number (as in \(SportTerms.row).\(turns.count)), winner, score",
            columns: [],
            rows: rows
        )
    }

    /// The score after a point, of what was in progress then.
    private func words(of match: SportStand) -> String {
        guard match.points.sum > 0, match.winner == nil else {
            if match.games.sum > 0 {
                return "game, \(match.games[.first])–\(match.games[.second])"
            }
            let part = match.parts.last.map { SportGame.words(of: $0, for: .first) } ?? ""
            return "\(match.mode.best > 1 ? terms.part.rawValue : "match"), \(part)"
        }
        switch match.score {
        case .points(let first, let second): return "\(first)–\(second)"
        case .deuce, .decidingPoint: return "deuce"
        case .advantage(let side): return "advantage \(terms.name(of: side))"
        }
    }
}
