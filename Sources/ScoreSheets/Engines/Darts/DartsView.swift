import SessionCRDT

extension DartsGame {
    /// The maximum number of players in one table of visits.
    private static let shownPlayers = 5
    /// The maximum width of a table of visits, which fits in a terminal of 80 columns.
    private static let shownColumns = 76
    private static let shownLegs = 12
    private static let maxNameLength = 11

    var hasPanels: Bool { !setup.players.isEmpty }
    var panels: [Panel] { hasPanels ? [scoreboard] + visitTables + legTable : [] }

    var moveInput: MoveInput {
        MoveInput(
            kind: .darts,
            title: "Your visit",
            numbers: Array(1...20),
            acceptsTotals: true,
            routes: DartsCheckout.routes(options.out)
        )
    }

    var headlines: [PlayerID: Headline] {
        let headlines = scoreboardParts.map { part in
            let seat = state.seats[part.player]
            let headline = Headline(
                value: left(part),
                label: "left",
                advice: advice(to: part.player),
                left: seat.isIn && !state.isOver ? seat.left : nil
            )
            return (setup.players[part.player].id, headline)
        }
        return Dictionary(headlines) { first, _ in first }
    }

    private func advice(to player: Int) -> String? {
        guard !state.isOver else { return nil }
        guard state.seats[player].isIn else { return "Start with a double" }
        return checkout(for: player).map { "To finish: \($0)" }
    }

    var lastDarts: [String] {
        guard case .darts(let darts)? = turns.last?.move else { return [] }
        return darts.map(\.description)
    }

    /// Returns the parts of the players in a leg, by seat; nil is the leg in progress.
    private func parts(of leg: DartsLeg?) -> [DartsLeg.Part] {
        guard let leg else { return state.seats.enumerated().map { DartsLeg.Part($0, $1) } }
        var parts = state.seats.enumerated().map { DartsLeg.Part($0, $1, isBlank: true) }
        for part in leg.players { parts[part.player] = part }
        return parts
    }

    /// The players in the leg in progress, or in the last one once the match is over.
    private var scoreboardParts: [DartsLeg.Part] {
        let ranked = ranked
        return parts(of: state.isOver ? legs.last : nil).filter { part in
            ranked.contains(part.player) && setup.players[part.player].isPresent
                || part.tally[.visits] > 0
        }
    }

    private func left(_ part: DartsLeg.Part) -> String { "\(part.start - part.tally[.points])" }

    private var scoreboard: Panel {
        let sets = options.hasSets ? ["Sets"] : []
        let rows = scoreboardParts.map { part in
            let seat = state.seats[part.player]
            let checkout = seat.isIn ? checkout(for: part.player) ?? "" : "needs a double"
            return Panel.GridRow(
                label(part.player),
                [
                    left(part),
                    part.recent.suffix(3).map { words(of: turns[$0]) }.joined(separator: " "),
                    average(part.tally),
                    "\(part.tally[.darts])",
                    "\(seat.legs)",
                ] + sets.map { _ in "\(seat.sets)" } + [state.isOver ? "" : checkout]
            )
        }
        let columns = ["Left", "Last", "Average", "Darts", "Legs"] + sets + ["Checkout"]
        return .table(title, columns: columns, rows)
    }

    /// The leg and the options of the match: `Leg 2, best of 5 legs, 501 double out`.
    private var title: String {
        var best: [String] = []
        if options.hasSets { best.append(length(options.sets, first: options.setsToWin) + " sets") }
        if options.legs > 1 {
            let first = length(options.legs, first: options.legsToWin)
            best.append((options.endsAfterLegs ? lengthOfAll : first) + " legs")
        }
        let double = options.needsDoubleIn ? "double in, " : ""
        return
            ([state.place.words(options).capitalizedFirst] + best
            + ["\(options.start) \(double)\(options.out.rawValue) out"])
            .joined(separator: ", ")
    }

    /// The words for a match that ends after its last leg: `all 4`, or `best of 4`.
    private var lengthOfAll: String {
        options.playsAll ? "all \(options.legs)" : "best of \(options.legs)"
    }

    /// Returns `best of 5`, or `first to 3` if more could be played.
    private func length(_ count: Int, first: Int) -> String {
        count % 2 == 1 && state.rotation.seats.count <= 2 ? "best of \(count)" : "first to \(first)"
    }

    private func average(_ tally: DartsTally) -> String {
        Statistic.average(Int128(tally[.points]) * 3, Int128(tally[.darts])) ?? ""
    }

    /// The visits of the leg in progress, or of the last leg until there are any.
    private var visitTables: [Panel] {
        guard !turns.isEmpty else { return [] }
        let leg = state.legStart == turns.count ? legs.last : nil
        let parts = parts(of: leg).filter { $0.tally[.visits] > 0 }
        let count = parts.map { $0.tally[.visits] }.max() ?? 0
        let lines = max(count - DartsState.shownVisits, 0)..<count
        let cells = cells(
            parts.map { part in
                let first = part.tally[.visits] - part.recent.count
                return lines.map { line in
                    part.recent.indices.contains(line - first) ? part.recent[line - first] : nil
                }
            }
        )
        let names = parts.map { shortened(name($0.player)) }
        let widest = (cells.joined().map(\.utf8.count) + names.map(\.count)).max() ?? 0
        let columns = min(max(DartsGame.shownColumns / (widest + 2), 1), DartsGame.shownPlayers)
        let title = titleOfVisits(parts, of: leg)
        return stride(from: 0, to: parts.count, by: columns).map { start in
            let group = start..<min(start + columns, parts.count)
            // A line has no heading, because it shows a different turn for each player.
            let rows = lines.indices.map { line in
                Panel.GridRow("", group.map { cells[$0][line - lines.lowerBound] })
            }
            return .table(title, columns: Array(names[group]), rows)
        }
    }

    /// Returns the title, which explains the numbers: `Visits: turn (as in visit.7), points, left`.
    private func titleOfVisits(_ parts: [DartsLeg.Part], of leg: DartsLeg?) -> String {
        let name = leg.map { "Visits of \($0.place.words(options))" } ?? "Visits"
        let isShort = parts.contains { $0.tally[.darts] != DartsVisit.maxDarts * $0.tally[.visits] }
        return "\(name): turn (as in \(DartsOptions.row).\(turns.count)), "
            + "\(isShort ? "points/darts" : "points"), left"
    }

    /// Returns the turns as `7:  60*  441`, in columns: turn, score, `*` if devices wrote different
    /// values, and points left.
    private func cells(_ shown: [[Int?]]) -> [[String]] {
        let isAnyDisputed = shown.joined().contains { $0.map { turns[$0].isDisputed } ?? false }
        let texts = shown.map { turnsOfPlayer in
            turnsOfPlayer.map { index in
                index.map { ["\($0 + 1)", words(of: turns[$0]), "\(turns[$0].result.left)"] } ?? []
            }
        }
        let written = texts.joined().filter { !$0.isEmpty }
        let widths = (0..<3).map { column in written.map { $0[column].utf8.count }.max() ?? 0 }
        return zip(shown, texts).map { turnsOfPlayer, texts in
            zip(turnsOfPlayer, texts).map { index, texts in
                guard let index else { return "" }
                let columns = zip(texts, widths).map { text, width in
                    String(repeating: " ", count: width - text.utf8.count) + text
                }
                let mark = turns[index].isDisputed ? "*" : isAnyDisputed ? " " : ""
                return "\(columns[0]):  \(columns[1])\(mark)  \(columns[2])"
            }
        }
    }

    /// Returns the score of a turn, with the number of darts if it was not three.
    private func words(of turn: DartsState.Turn) -> String {
        let scored = turn.result.end == .bust ? "bust" : "\(turn.result.scored)"
        return turn.result.darts == DartsVisit.maxDarts ? scored : "\(scored)/\(turn.result.darts)"
    }

    private func shortened(_ name: String) -> String {
        name.count > DartsGame.maxNameLength
            ? name.prefix(DartsGame.maxNameLength - 1) + "…" : name
    }

    /// The winners of the latest legs; none for a single leg.
    private var legTable: [Panel] {
        guard !legs.isEmpty, options.hasParts else { return [] }
        let rows = legs.suffix(DartsGame.shownLegs).map { leg in
            let tally = leg.winning
            return Panel.GridRow(
                leg.place.words(options).capitalizedFirst,
                [name(leg.winner), "\(tally[.darts])", "\(tally[.checkout])", average(tally)]
            )
        }
        let isCut = legs.count > DartsGame.shownLegs
        let title = isCut ? "The last \(DartsGame.shownLegs) of \(legs.count) legs" : "Legs"
        return [.table(title, columns: ["Won by", "Darts", "Out", "Average"], rows)]
    }
}
