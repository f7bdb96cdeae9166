import SessionCRDT

extension DartsMatch {
    /// How many of the latest visits of each player are shown.
    private static let shownVisits = 20
    /// How many players share a table of visits, so that it fits in 80 columns.
    private static let shownPlayers = 5
    /// How many of the latest legs are shown.
    private static let shownLegs = 12
    /// How long a name above a column may be.
    private static let longestName = 11

    /// The leg in progress, its visits, and the legs before.
    var panels: [Panel] {
        guard !columns.isEmpty else { return [] }
        return [scoreboard] + visitTables + legTable
    }

    /// Who is here or has thrown in these turns, in seat order.
    private func shown(in visits: [[Int]]) -> [Int] {
        columns.indices.filter { columns[$0].player.isPresent || !visits[$0].isEmpty }
    }

    /// Each player's place in the leg in progress, or in the last one once the match is over.
    private var scoreboard: Panel {
        let last = winner == nil ? nil : legs.last
        let range = last?.turns ?? legStart..<turns.count
        let tallies = last.map { leg in
            Dictionary(leg.players.map { ($0.player, $0.tally) }) { first, _ in first }
        }
        let visits = visits(in: range)
        let rows = shown(in: visits).map { seat in
            let tally = tallies.map { $0[seat] ?? DartsTally() } ?? seats[seat].tally
            var cells = [
                "\(mode.start - tally.points)",
                visits[seat].suffix(3).map { words(of: turns[$0]) }.joined(separator: " "),
                average(tally),
                "\(tally.darts)",
                "\(seats[seat].legs)",
            ]
            if mode.hasSets { cells.append("\(seats[seat].sets)") }
            cells.append(winner == nil ? hint(for: seat) : "")
            return Panel.GridRow((thrower == seat ? "> " : "  ") + name(seat), cells)
        }
        let sets = mode.hasSets ? ["Sets"] : []
        return .table(
            Panel.Grid(
                title: title,
                columns: ["Left", "Last", "Average", "Darts", "Legs"] + sets + ["Checkout"],
                rows: rows
            )
        )
    }

    /// The leg and how the match is set: `Leg 2 of best of 5, 501 double out`.
    private var title: String {
        let leg = place.words(mode)
        let name = leg.prefix(1).uppercased() + leg.dropFirst()
        var best: [String] = []
        if mode.hasSets { best.append(length(mode.sets, first: mode.setsToWin) + " sets") }
        if mode.legs > 1 { best.append(length(mode.legs, first: mode.legsToWin) + " legs") }
        let double = mode.needsDoubleIn ? "double in, " : ""
        return ([name] + best + ["\(mode.start) \(double)\(mode.out.rawValue) out"])
            .joined(separator: ", ")
    }

    /// How long it goes: the best of so many, where it cannot take more.
    private func length(_ count: Int, first: Int) -> String {
        count % 2 == 1 && rotation.count <= 2 ? "best of \(count)" : "first to \(first)"
    }

    private func hint(for seat: Int) -> String {
        guard seats[seat].isIn else { return "needs a double" }
        return route(of: seat) ?? ""
    }

    private func average(_ tally: DartsTally) -> String {
        guard tally.darts > 0 else { return "" }
        return Statistic.quotient(Int128(tally.points) * 3, Int128(tally.darts))
    }

    /// The visits of the leg in progress; those of the last leg until this one has some.
    private var visitTables: [Panel] {
        let isNew = legStart == turns.count
        guard !turns.isEmpty, let range = isNew ? legs.last?.turns : legStart..<turns.count else {
            return []
        }
        let title =
            if isNew, let leg = legs.last { "Visits of \(leg.place.words(mode))" } else {
                "Visits"
            }
        let visits = visits(in: range)
        let players = columns.indices.filter { !visits[$0].isEmpty }
        let count = players.map { visits[$0].count }.max() ?? 0
        let lines = max(count - DartsMatch.shownVisits, 0)..<count
        return stride(from: 0, to: players.count, by: DartsMatch.shownPlayers).map { start in
            let group = players[start...].prefix(DartsMatch.shownPlayers)
            let rows = lines.map { line in
                let cells = group.map { seat in
                    visits[seat].indices.contains(line) ? cell(of: turns[visits[seat][line]]) : ""
                }
                return Panel.GridRow("\(line + 1)", cells)
            }
            let names = group.map { shortened(name($0)) }
            return .table(Panel.Grid(title: title, columns: names, rows: rows))
        }
    }

    /// The turns of each player among these.
    private func visits(in range: Range<Int>) -> [[Int]] {
        var visits = [[Int]](repeating: [], count: columns.count)
        for turn in range { visits[turns[turn].player].append(turn) }
        return visits
    }

    /// What was scored and what was left then, at a fixed width: `60  441`.
    private func cell(of turn: Turn) -> String {
        DartsMatch.padded(words(of: turn), 6) + DartsMatch.padded("\(turn.result.left)", 5)
    }

    /// What was scored, with the darts where they were not three.
    private func words(of turn: Turn) -> String {
        let scored = turn.result.end == .bust ? "bust" : "\(turn.result.scored)"
        return turn.result.darts == DartsVisit.most ? scored : "\(scored)/\(turn.result.darts)"
    }

    private func shortened(_ name: String) -> String {
        name.count > DartsMatch.longestName
            ? name.prefix(DartsMatch.longestName - 1) + "…" : name
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// How the latest legs were won; nothing where the match is a single leg.
    private var legTable: [Panel] {
        guard !legs.isEmpty, mode.hasSets || mode.legs > 1 else { return [] }
        let rows = legs.suffix(DartsMatch.shownLegs).map { leg in
            let tally = leg.winning ?? DartsTally()
            let words = leg.place.words(mode)
            return Panel.GridRow(
                words.prefix(1).uppercased() + words.dropFirst(),
                [name(leg.winner), "\(tally.darts)", "\(tally.checkout)", average(tally)]
            )
        }
        let isCut = legs.count > DartsMatch.shownLegs
        let title = isCut ? "The last \(DartsMatch.shownLegs) of \(legs.count) legs" : "Legs"
        return [
            .table(
                Panel.Grid(
                    title: title,
                    columns: ["Won by", "Darts", "Out", "Average"],
                    rows: rows
                )
            )
        ]
    }
}
