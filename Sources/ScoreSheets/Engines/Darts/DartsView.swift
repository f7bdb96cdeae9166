import SessionCRDT

extension DartsGame {
    /// The most players in one table of visits.
    private static let shownPlayers = 5
    /// The width of such a table, so that it fits in a terminal of 80 columns.
    private static let shownColumns = 76
    /// The number of latest legs that are shown.
    private static let shownLegs = 12
    /// The longest name above a column.
    private static let maxNameLength = 11

    /// The leg in progress, its visits, and the legs before.
    var panels: [Panel] {
        guard !setup.players.isEmpty else { return [] }
        return [scoreboard] + visitTables + legTable
    }

    var moveInput: MoveInput {
        MoveInput(.darts, title: "Your visit", numbers: Array(1...20), acceptsTotals: true)
    }

    var headlines: [PlayerID: Headline] {
        let headlines = scoreboardParts.map { part in
            let id = setup.players[part.player].id
            return (id, Headline(value: left(part), label: "left", advice: advice(to: part.player)))
        }
        return Dictionary(headlines) { first, _ in first }
    }

    private func advice(to player: Int) -> String? {
        guard state.winner == nil else { return nil }
        guard state.seats[player].isIn else { return "Start with a double" }
        return checkout(for: player).map { "To finish: \($0)" }
    }

    var lastDarts: [String] {
        guard case .darts(let darts)? = turns.last?.move else { return [] }
        return darts.map(\.description)
    }

    /// The parts of the players in a finished leg, by seat; nil for the leg in progress.
    private func parts(of leg: DartsLeg?) -> [DartsLeg.Part] {
        var parts = state.seats.enumerated().map { player, seat in
            leg == nil
                ? DartsLeg.Part(player: player, tally: seat.tally, recent: seat.recent)
                : DartsLeg.Part(player: player, tally: DartsTally(), recent: [])
        }
        for part in leg?.players ?? [] { parts[part.player] = part }
        return parts
    }

    /// The players in the leg in progress, or in the last one once the match is over.
    private var scoreboardParts: [DartsLeg.Part] {
        let ranked = ranked
        return parts(of: state.winner != nil ? legs.last : nil).filter { part in
            ranked.contains(part.player) && setup.players[part.player].isPresent
                || part.tally.visits > 0
        }
    }

    private func left(_ part: DartsLeg.Part) -> String { "\(options.start - part.tally.points)" }

    private var scoreboard: Panel {
        let isOver = state.winner != nil
        let rows = scoreboardParts.map { part in
            let player = part.player
            var cells = [
                left(part),
                part.recent.suffix(3).map { words(of: turns[$0]) }.joined(separator: " "),
                average(part.tally),
                "\(part.tally.darts)",
                "\(state.seats[player].legs)",
            ]
            if options.hasSets { cells.append("\(state.seats[player].sets)") }
            cells.append(isOver ? "" : checkoutText(for: player))
            return Panel.GridRow((state.mover == player ? "> " : "  ") + name(player), cells)
        }
        let sets = options.hasSets ? ["Sets"] : []
        return .table(
            Panel.Grid(
                title: title,
                columns: ["Left", "Last", "Average", "Darts", "Legs"] + sets + ["Checkout"],
                rows: rows
            )
        )
    }

    /// The leg and the options of the match: `Leg 2 of best of 5, 501 double out`.
    private var title: String {
        let leg = state.place.words(options)
        let name = leg.prefix(1).uppercased() + leg.dropFirst()
        var best: [String] = []
        if options.hasSets { best.append(length(options.sets, first: options.setsToWin) + " sets") }
        if options.legs > 1 {
            best.append(length(options.legs, first: options.legsToWin) + " legs")
        }
        let double = options.needsDoubleIn ? "double in, " : ""
        return ([name] + best + ["\(options.start) \(double)\(options.out.rawValue) out"])
            .joined(separator: ", ")
    }

    /// `best of 5`, or `first to 3` if more could be played.
    private func length(_ count: Int, first: Int) -> String {
        count % 2 == 1 && state.rotation.seats.count <= 2 ? "best of \(count)" : "first to \(first)"
    }

    private func checkoutText(for seat: Int) -> String {
        guard state.seats[seat].isIn else { return "needs a double" }
        return checkout(for: seat) ?? ""
    }

    private func average(_ tally: DartsTally) -> String {
        guard tally.darts > 0 else { return "" }
        return Statistic.quotient(Int128(tally.points) * 3, Int128(tally.darts))
    }

    /// The visits of the leg in progress; those of the last leg until this one has any.
    private var visitTables: [Panel] {
        guard !turns.isEmpty else { return [] }
        let leg = state.legStart == turns.count ? legs.last : nil
        let parts = parts(of: leg).filter { $0.tally.visits > 0 }
        let count = parts.map(\.tally.visits).max() ?? 0
        let lines = max(count - DartsState.shownVisits, 0)..<count
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
        let columns = min(max(DartsGame.shownColumns / (widest + 2), 1), DartsGame.shownPlayers)
        let title = titleOfVisits(parts, of: leg)
        return stride(from: 0, to: parts.count, by: columns).map { start in
            let group = start..<min(start + columns, parts.count)
            let rows = lines.indices.map { line in
                // A line has no name: its visits are of several turns.
                Panel.GridRow("", group.map { cells[$0][line - lines.lowerBound] })
            }
            return .table(Panel.Grid(title: title, columns: Array(names[group]), rows: rows))
        }
    }

    /// The title, which explains the numbers: `Visits: turn (as in visit.7), points, left`.
    private func titleOfVisits(_ parts: [DartsLeg.Part], of leg: DartsLeg?) -> String {
        let name = leg.map { "Visits of \($0.place.words(options))" } ?? "Visits"
        let isShort = parts.contains { $0.tally.darts != DartsVisit.maxDarts * $0.tally.visits }
        return "\(name): turn (as in \(DartsOptions.row).\(turns.count)), "
            + "\(isShort ? "points/darts" : "points"), left"
    }

    /// Turns as `7:  60*  441`, in columns: the turn, the score, `*` if devices wrote different
    /// values, and what was left after it.
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

    /// The score of a turn, with the number of darts if they were not three.
    private func words(of turn: DartsState.Turn) -> String {
        let scored = turn.result.end == .bust ? "bust" : "\(turn.result.scored)"
        return turn.result.darts == DartsVisit.maxDarts ? scored : "\(scored)/\(turn.result.darts)"
    }

    private func shortened(_ name: String) -> String {
        name.count > DartsGame.maxNameLength
            ? name.prefix(DartsGame.maxNameLength - 1) + "…" : name
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// The winners of the latest legs; none for a single leg.
    private var legTable: [Panel] {
        guard !legs.isEmpty, options.hasSets || options.legs > 1 else { return [] }
        let rows = legs.suffix(DartsGame.shownLegs).map { leg in
            let tally = leg.winning ?? DartsTally()
            let words = leg.place.words(options)
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
