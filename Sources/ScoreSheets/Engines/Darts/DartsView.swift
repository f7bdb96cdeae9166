import SessionCRDT

extension DartsGame {
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
        guard !terms.players.isEmpty else { return [] }
        return [scoreboard] + visitTables + legTable
    }

    /// How everybody did in a finished leg, by seat; without one in that in progress.
    private func parts(of leg: DartsLeg?) -> [DartsLeg.Part] {
        var parts = stand.seats.enumerated().map { player, seat in
            leg == nil
                ? DartsLeg.Part(player: player, tally: seat.tally, recent: seat.recent)
                : DartsLeg.Part(player: player, tally: DartsTally(), recent: [])
        }
        for part in leg?.players ?? [] { parts[part.player] = part }
        return parts
    }

    /// Each player's place in the leg in progress, or in the last one once the match is over.
    private var scoreboard: Panel {
        let isOver = stand.winner != nil
        let counted = counted
        let parts = parts(of: isOver ? legs.last : nil).filter { part in
            counted.contains(part.player) && terms.players[part.player].isPresent
                || part.tally.visits > 0
        }
        let rows = parts.map { part in
            let player = part.player
            var cells = [
                "\(mode.start - part.tally.points)",
                part.recent.suffix(3).map { words(of: turns[$0]) }.joined(separator: " "),
                average(part.tally),
                "\(part.tally.darts)",
                "\(stand.seats[player].legs)",
            ]
            if mode.hasSets { cells.append("\(stand.seats[player].sets)") }
            cells.append(isOver ? "" : hint(for: player))
            return Panel.GridRow((stand.mover == player ? "> " : "  ") + name(player), cells)
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
        let leg = stand.place.words(mode)
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
        count % 2 == 1 && stand.rotation.seats.count <= 2 ? "best of \(count)" : "first to \(first)"
    }

    private func hint(for seat: Int) -> String {
        guard stand.seats[seat].isIn else { return "needs a double" }
        return route(of: seat)?.map(\.words).joined(separator: " ") ?? ""
    }

    private func average(_ tally: DartsTally) -> String {
        guard tally.darts > 0 else { return "" }
        return Statistic.quotient(Int128(tally.points) * 3, Int128(tally.darts))
    }

    /// The visits of the leg in progress; those of the last leg until this one has some.
    private var visitTables: [Panel] {
        guard !turns.isEmpty else { return [] }
        let leg = stand.legStart == turns.count ? legs.last : nil
        let parts = parts(of: leg).filter { $0.tally.visits > 0 }
        let count = parts.map(\.tally.visits).max() ?? 0
        let lines = max(count - DartsStand.shownVisits, 0)..<count
        let cells = cells(
            parts.map { part in
                let first = part.tally.visits - part.recent.count
                return lines.map { line in
                    part.recent.indices.contains(line - first) ? part.recent[line - first] : nil
                }
            }
        )
        let names = parts.map { shortened(name($0.player)) }
        let widest = (cells.joined().map(\.count) + names.map(\.count)).max() ?? 0
        let most = min(max(DartsGame.shownColumns / (widest + 2), 1), DartsGame.shownPlayers)
        let title = titleOfVisits(parts, of: leg)
        return stride(from: 0, to: parts.count, by: most).map { start in
            let group = start..<min(start + most, parts.count)
            let rows = lines.indices.map { line in
                // A line has no name: its visits are those of several turns.
                Panel.GridRow("", group.map { cells[$0][line - lines.lowerBound] })
            }
            return .table(Panel.Grid(title: title, columns: Array(names[group]), rows: rows))
        }
    }

    /// What stands above the visits, and what their numbers are: `Visits: turn (as in visit.7),
    /// points, left`.
    private func titleOfVisits(_ parts: [DartsLeg.Part], of leg: DartsLeg?) -> String {
        let name = leg.map { "Visits of \($0.place.words(mode))" } ?? "Visits"
        let isShort = parts.contains { $0.tally.darts != DartsVisit.most * $0.tally.visits }
        return "\(name): turn (as in \(DartsMode.row).\(turns.count)), "
            + "\(isShort ? "points/darts" : "points"), left"
    }

    /// Turns as `7:  60*  441`, all of the same form: which one, what was scored, `*` where devices
    /// wrote different things, and what was left then.
    private func cells(_ shown: [[Int?]]) -> [[String]] {
        let all = shown.joined().compactMap(\.self)
        func width(_ text: (Int) -> String) -> Int { all.map { text($0).count }.max() ?? 0 }
        let number = width { "\($0 + 1)" }
        let scored = width { words(of: turns[$0]) }
        let left = width { "\(turns[$0].result.left)" }
        let mark = all.contains { turns[$0].isDisputed } ? " " : ""
        return shown.map { turnsOfPlayer in
            turnsOfPlayer.map { place in
                guard let place else { return "" }
                return DartsGame.padded("\(place + 1)", number) + ":  "
                    + DartsGame.padded(words(of: turns[place]), scored)
                    + (turns[place].isDisputed ? "*" : mark) + "  "
                    + DartsGame.padded("\(turns[place].result.left)", left)
            }
        }
    }

    /// What was scored, with the darts where they were not three.
    private func words(of turn: DartsStand.Turn) -> String {
        let scored = turn.result.end == .bust ? "bust" : "\(turn.result.scored)"
        return turn.result.darts == DartsVisit.most ? scored : "\(scored)/\(turn.result.darts)"
    }

    private func shortened(_ name: String) -> String {
        name.count > DartsGame.longestName
            ? name.prefix(DartsGame.longestName - 1) + "…" : name
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// How the latest legs were won; nothing where the match is a single leg.
    private var legTable: [Panel] {
        guard !legs.isEmpty, mode.hasSets || mode.legs > 1 else { return [] }
        let rows = legs.suffix(DartsGame.shownLegs).map { leg in
            let tally = leg.winning ?? DartsTally()
            let words = leg.place.words(mode)
            return Panel.GridRow(
                words.prefix(1).uppercased() + words.dropFirst(),
                [name(leg.winner), "\(tally.darts)", "\(tally.checkout)", average(tally)]
            )
        }
        let isCut = legs.count > DartsGame.shownLegs
        let title = isCut ? "The last \(DartsGame.shownLegs) of \(legs.count) legs" : "Legs"
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
