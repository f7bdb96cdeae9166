import SessionCRDT

extension DartsMatch {
    /// How many of the latest visits of each player are shown.
    private static let shownVisits = 20
    /// How many players share a table of visits at most.
    private static let shownPlayers = 5
    /// How wide the columns of such a table may be together, so that it fits in 80 columns.
    private static let shownColumns = 76
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
        let visits = visits(in: range)
        let players = columns.indices.filter { !visits[$0].isEmpty }
        let count = players.map { visits[$0].count }.max() ?? 0
        let lines = max(count - DartsMatch.shownVisits, 0)..<count
        let cells = cells(
            players.map { seat in
                lines.map { visits[seat].indices.contains($0) ? visits[seat][$0] : nil }
            }
        )
        let names = players.map { shortened(name($0)) }
        let widest = (cells.joined().map(\.count) + names.map(\.count)).max() ?? 0
        let most = min(max(DartsMatch.shownColumns / (widest + 2), 1), DartsMatch.shownPlayers)
        let title = titleOfVisits(range, of: isNew ? legs.last : nil)
        return stride(from: 0, to: players.count, by: most).map { start in
            let group = start..<min(start + most, players.count)
            let rows = lines.indices.map { line in
                // A line has no name: its visits are those of several turns.
                Panel.GridRow("", group.map { cells[$0][line - lines.lowerBound] })
            }
            return .table(Panel.Grid(title: title, columns: Array(names[group]), rows: rows))
        }
    }

    /// What stands above the visits, and what their numbers are: `Visits: turn (as in visit.7),
    /// points, left`.
    private func titleOfVisits(_ range: Range<Int>, of leg: DartsLeg?) -> String {
        let name = leg.map { "Visits of \($0.place.words(mode))" } ?? "Visits"
        let isShort = turns[range].contains { $0.result.darts != DartsVisit.most }
        return "\(name): turn (as in \(DartsColumn.row).\(range.upperBound)), "
            + "\(isShort ? "points/darts" : "points"), left"
    }

    /// The turns of each player among these.
    private func visits(in range: Range<Int>) -> [[Int]] {
        var visits = [[Int]](repeating: [], count: columns.count)
        for turn in range { visits[turns[turn].player].append(turn) }
        return visits
    }

    /// Turns as `7:  60*  441`, all of the same form: which one, what was scored, `*` where devices
    /// wrote different things, and what was left then.
    private func cells(_ shown: [[Int?]]) -> [[String]] {
        let all = shown.joined().compactMap(\.self)
        func width(_ text: (Int) -> String) -> Int { all.map { text($0).count }.max() ?? 0 }
        let number = width { "\($0 + 1)" }
        let scored = width { words(of: turns[$0]) }
        let left = width { "\(turns[$0].result.left)" }
        let disputed = conflicts
        let mark = all.contains { disputed.contains(UInt32($0 + 1)) } ? " " : ""
        return shown.map { turnsOfPlayer in
            turnsOfPlayer.map { place in
                guard let place else { return "" }
                return DartsMatch.padded("\(place + 1)", number) + ":  "
                    + DartsMatch.padded(words(of: turns[place]), scored)
                    + (disputed.contains(UInt32(place + 1)) ? "*" : mark) + "  "
                    + DartsMatch.padded("\(turns[place].result.left)", left)
            }
        }
    }

    /// The turns that count and in whose cell devices wrote different things while apart.
    private var conflicts: Set<UInt32> {
        var found: Set<UInt32> = []
        for column in columns {
            for visit in column.visits where visit.points != nil {
                guard let place = visit.place, column.cells[place].live.isConflicting else {
                    continue
                }
                found.insert(visit.turn)
            }
        }
        return found
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
