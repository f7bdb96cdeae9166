package import SessionCRDT

/// How a game came to stand as it does: what everybody had after each step.
///
/// It is told by what is live and by nothing else, so it is the same on every device with the same
/// state, and a corrected score counts as corrected from its place on. Law: the last step is what
/// the standings say; where totals count legs, what the visits that count come to. However long a
/// game is, it has a limited number of steps, evenly spread.
package struct Course: Hashable, Sendable {
    /// What a step stands behind.
    package enum Step: Hashable, Comparable, Sendable {
        /// This round, or move, of everybody; 0 is the beginning.
        case round(UInt32)
        /// All that was written up to this moment, in milliseconds since 1970.
        case moment(UInt64)
    }

    /// What somebody had after each step.
    package struct Line: Hashable, Sendable {
        /// The player.
        package let player: Player
        /// A number for each step.
        package let totals: [Int64]
    }

    /// What a team had after each step.
    package struct TeamLine: Hashable, Sendable {
        /// What it is called.
        package let name: String
        /// A number for each step.
        package let totals: [Int64]
    }

    /// The most steps that a course has: as many as a screen has room for.
    package static let mostSteps = 200

    /// What the totals count: `Total`, or `Points`, `Discs`.
    package let label: String
    /// The steps, the first first; none where nothing is entered.
    package let steps: [Step]
    /// Who takes part, in seat order.
    package let players: [Line]
    /// The teams, from the best.
    package let teams: [TeamLine]

    /// How a book came to say what it says; it costs what all cells do.
    package init(of book: Book, by sheet: Sheet, mostSteps: Int = Course.mostSteps) {
        let replay = CourseReplay(of: book, by: sheet, mostSteps: mostSteps)
        let standings = sheet.rules.standings(of: book)
        if let label = sheet.rules.courseLabel {
            self = replay.sums(to: standings, label: label)
        } else {
            self = replay.totals(to: standings)
        }
    }

    /// The course of these parts.
    init(label: String, steps: [Step], players: [Line], teams: [TeamLine]) {
        self.label = label
        self.steps = steps
        self.players = players
        self.teams = teams
    }
}
