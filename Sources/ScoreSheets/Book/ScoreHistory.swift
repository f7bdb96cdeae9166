package import SessionCRDT

/// The totals of all players after each step of a game; of the sides, in place of their members, if a
/// team is one scorer.
///
/// Derived from live entries only, so it is the same on every device with the same state, and a
/// corrected score counts from its own step on. Invariant: the last step equals the standings, or,
/// in a game scored in legs, the sum of the counting visits. The number of steps is limited; they
/// are spread evenly.
package struct ScoreHistory: Hashable, Sendable {
    package enum Step: Hashable, Comparable, Sendable {
        /// The end of a round or move of all players; 0 is the start of the game.
        case round(UInt32)
        /// All entries up to this time, in milliseconds since 1970.
        case moment(UInt64)
    }

    package struct Line: Hashable, Sendable {
        package let player: Player
        package let totals: [Points]
    }

    package struct TeamLine: Hashable, Sendable {
        package let name: String
        package let totals: [Points]
    }

    /// The default maximum number of steps, which fits on a screen.
    package static let maxSteps = 200

    /// The unit of the totals: `Total`, `Points`, `Discs`.
    package let label: String
    /// The steps; empty if nothing has been entered.
    package let steps: [Step]
    package let players: [Line]
    package let teams: [TeamLine]

    /// A step with its cells that have a value, in order.
    private typealias Stage = (step: Step, cells: [BookCell])

    private typealias Totals = (players: [PlayerID: Points], teams: [TeamStanding])

    /// Replays a book, in time proportional to the number of its cells.
    package init(of everything: Book, by sheet: Sheet, maxSteps: Int = ScoreHistory.maxSteps) {
        let sides = sheet.teams == .together ? SideBook(everything, sheet) : nil
        let book = sides?.book ?? everything
        let rules = sheet.rules
        let standings = rules.standings(of: book)
        let present = standings.players.filter(\.player.isPresent)
        let stages = ScoreHistory.stages(of: book, by: rules, maxCount: max(maxSteps, 1))
        let steps = stages.map(\.step)
        self.steps = steps
        if let label = rules.historyLabel {
            self.label = label
            players = present.map {
                Line(player: $0.player, totals: ScoreHistory.sums(of: $0.cells, at: steps))
            }
            teams = []
            return
        }
        let history = ScoreHistory.totals(after: stages, of: book, by: rules, standings)
        label = standings.totalLabel
        players = present.map { line in
            Line(player: line.player, totals: history.map { $0.players[line.player.id] ?? 0 })
        }
        teams = standings.teams.map { team in
            // The team's spelling may differ from the final one while it has fewer members.
            let members = Set(team.members.map(\.id))
            let totals = history.map { totals in
                totals.teams.first { $0.members.contains { members.contains($0.id) } }?.total ?? 0
            }
            return TeamLine(name: team.name, totals: totals)
        }
    }

    private static func stages(of book: Book, by rules: any GameRules, maxCount: Int) -> [Stage] {
        let cells = book.players.flatMap { book.cells(of: $0.id).filter { !$0.isEmpty } }
        let isByRound = rules.isPlayedInRounds(book)
        let byStep = Dictionary(grouping: cells) { bookCell in
            isByRound
                ? Step.round(bookCell.cell.round ?? 0)
                : .moment(bookCell.live.winner.stamp.milliseconds)
        }
        var stages = byStep.sorted { $0.key < $1.key }.map { Stage($0.key, $0.value) }
        if isByRound, let first = stages.first, first.step > .round(0) {
            stages.insert((.round(0), []), at: 0)
        }
        guard stages.count > maxCount else { return stages }
        // Adjacent stages are merged into `maxCount`; each keeps the step of its last stage.
        return (0..<maxCount).map { number in
            let start = number * stages.count / maxCount
            let part = stages[start..<(number + 1) * stages.count / maxCount]
            return (part[part.endIndex - 1].step, part.flatMap(\.cells))
        }
    }

    private static func totals(
        after stages: [Stage],
        of book: Book,
        by rules: any GameRules,
        _ last: Standings
    ) -> [Totals] {
        func totals(_ standings: Standings) -> Totals {
            let players = standings.players.map { ($0.player.id, $0.total) }
            return (Dictionary(players) { $1 }, standings.teams)
        }
        var past = Book(players: book.players, cells: [:], options: book.options)
        past.partners = book.partners
        var game = rules.game(of: past)
        let history = stages.dropLast().map { stage in
            for bookCell in stage.cells { _ = past.write(bookCell.live, in: bookCell.cell) }
            _ = game.update(to: past, changed: stage.cells.map(\.cell).sorted())
            return totals(game.standings(of: past))
        }
        // The end is the current standings: a finished game may count differently.
        return stages.isEmpty ? [] : history + [totals(last)]
    }

    /// Returns the sum of the points after each step, for games whose totals count something else.
    private static func sums(of cells: ScoredCells, at steps: [Step]) -> [Points] {
        var points: [Step: Points] = [:]
        for scored in cells {
            points[.round(scored.bookCell.cell.round ?? 0), default: 0] += scored.points ?? 0
        }
        var rest = points.sorted { $0.key < $1.key }[...]
        var sum: Points = 0
        return steps.map { step in
            while let next = rest.first, next.key <= step {
                sum += next.value
                rest.removeFirst()
            }
            return sum
        }
    }
}
