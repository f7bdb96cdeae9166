package import SessionCRDT

/// The totals of all players after each step of a game.
///
/// Derived from live entries only, so it is the same on every device with the same state, and a
/// corrected score counts from its own step on. Law: the last step equals the standings; where totals
/// count legs, the sum of the visits that count. The number of steps is limited; they are spread
/// evenly.
package struct ScoreHistory: Hashable, Sendable {
    /// The end of a step.
    package enum Step: Hashable, Comparable, Sendable {
        /// This round or move of every player; 0 is the beginning.
        case round(UInt32)
        /// All entries up to this time, in milliseconds since 1970.
        case moment(UInt64)
    }

    package struct Line: Hashable, Sendable {
        package let player: Player
        /// One for each step.
        package let totals: [Int64]
    }

    package struct TeamLine: Hashable, Sendable {
        package let name: String
        /// One for each step.
        package let totals: [Int64]
    }

    /// As many steps as fit on a screen.
    package static let maxSteps = 200

    /// The unit of the totals: `Total`, `Points`, `Discs`.
    package let label: String
    /// Empty if nothing is entered.
    package let steps: [Step]
    /// In seat order.
    package let players: [Line]
    /// From the best.
    package let teams: [TeamLine]
}

extension ScoreHistory {
    /// Replays a book at the cost of all its cells.
    package init(of book: Book, by sheet: Sheet, maxSteps: Int = ScoreHistory.maxSteps) {
        let replay = ScoreReplay(of: book, by: sheet, maxSteps: maxSteps)
        let standings = sheet.rules.standings(of: book)
        if let label = sheet.rules.historyLabel {
            self = replay.sums(to: standings, label: label)
        } else {
            self = replay.totals(to: standings)
        }
    }
}

/// Replays a game step by step with its own rules.
struct ScoreReplay {
    private let book: Book
    private let rules: any GameRules
    /// The cells with a value by step, in order.
    private let stages: [(step: ScoreHistory.Step, cells: [BookCell])]

    /// The totals after a step.
    private struct Totals {
        let players: [PlayerID: Int64]
        private let teams: [TeamStanding]

        init(_ standings: Standings) {
            players = Dictionary(standings.players.map { ($0.player.id, $0.total) }) { $1 }
            teams = standings.teams
        }

        /// The total of a team, whose name may have been spelled differently with fewer members.
        func total(of team: TeamStanding) -> Int64 {
            let members = Set(team.members.map(\.id))
            return teams.first { $0.members.contains { members.contains($0.id) } }?.total ?? 0
        }
    }

    init(of book: Book, by sheet: Sheet, maxSteps: Int) {
        self.book = book
        rules = sheet.rules
        let cells = book.players.flatMap { book.cells(of: $0.id).filter { !$0.isEmpty } }
        let isByRound = rules.goesByRounds(book)
        let byStep = Dictionary(grouping: cells) { bookCell in
            isByRound
                ? ScoreHistory.Step.round(bookCell.cell.round ?? 0)
                : .moment(bookCell.live.winner.stamp.milliseconds)
        }
        var stages = byStep.sorted { $0.key < $1.key }.map { (step: $0.key, cells: $0.value) }
        if isByRound, stages.first.map({ $0.step > .round(0) }) ?? false {
            stages.insert((.round(0), []), at: 0)
        }
        self.stages = ScoreReplay.thinned(stages, to: max(maxSteps, 1))
    }

    /// Joins stages if there are too many; each ends with the last of its own.
    private static func thinned(
        _ stages: [(step: ScoreHistory.Step, cells: [BookCell])],
        to most: Int
    ) -> [(step: ScoreHistory.Step, cells: [BookCell])] {
        guard stages.count > most else { return stages }
        return (0..<most).map { number in
            let part = stages[number * stages.count / most..<(number + 1) * stages.count / most]
            return (part[part.endIndex - 1].step, part.flatMap(\.cells))
        }
    }

    /// The totals after each step by the rules.
    func totals(to last: Standings) -> ScoreHistory {
        var past = Book(players: book.players, cells: [:], options: book.options)
        var state = rules.game(of: past)
        var history: [Totals] = []
        for stage in stages.dropLast() {
            var places: [Cell] = []
            for bookCell in stage.cells {
                _ = past.write(bookCell.live, in: bookCell.cell)
                places.append(bookCell.cell)
            }
            _ = state.update(to: past, changed: places.sorted())
            history.append(Totals(state.standings(of: past)))
        }
        // The end is the current standings: a finished game may count differently.
        if !stages.isEmpty { history.append(Totals(last)) }
        return ScoreHistory(
            label: last.totalLabel,
            steps: stages.map(\.step),
            players: ScoreReplay.present(last).map { line in
                ScoreHistory.Line(
                    player: line.player,
                    totals: history.map { $0.players[line.player.id] ?? 0 }
                )
            },
            teams: last.teams.map { team in
                ScoreHistory.TeamLine(
                    name: team.name,
                    totals: history.map { $0.total(of: team) }
                )
            }
        )
    }

    /// The sum of the points so far after each step, where totals count something else.
    func sums(to last: Standings, label: String) -> ScoreHistory {
        let players = ScoreReplay.present(last).map { line in
            var points: [ScoreHistory.Step: Int64] = [:]
            for scored in line.cells {
                points[.round(scored.bookCell.cell.round ?? 0), default: 0] += scored.points ?? 0
            }
            var (sum, totals): (Int64, [Int64]) = (0, [])
            let rising = points.sorted { $0.key < $1.key }
            var next = rising.startIndex
            for stage in stages {
                while next < rising.endIndex, rising[next].key <= stage.step {
                    sum = Bounds.cut(Int128(sum) + Int128(rising[next].value))
                    next += 1
                }
                totals.append(sum)
            }
            return ScoreHistory.Line(player: line.player, totals: totals)
        }
        return ScoreHistory(label: label, steps: stages.map(\.step), players: players, teams: [])
    }

    private static func present(_ standings: Standings) -> [PlayerStanding] {
        standings.players.filter(\.player.isPresent)
    }
}
