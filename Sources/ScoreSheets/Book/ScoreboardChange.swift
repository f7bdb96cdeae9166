package import SessionCRDT

/// What differs on a scoreboard after changes were taken in, so that only that is shown again.
package struct ScoreboardChange: Hashable, Sendable {
    /// Whether so much may differ that everything is to be shown anew: the game, its options, who
    /// plays and where they sit, what devices are called.
    package var isWhole = false
    /// The cells that say something else, or count for something else, by player, row and round.
    package var cells: Set<Cell> = []
    /// The players whose line differs: total, rank, tie-break, win, what rows are worth that nobody
    /// entered.
    package var lines: Set<PlayerID> = []
    /// Whether it is somebody else's turn.
    package var isOtherTurn = false
    /// Whether the game is over and was not, or the reverse.
    package var isEndDifferent = false
    /// Whether other entries do not count, or for another reason.
    package var areFlagsDifferent = false
    /// Whether something else is told below the table.
    package var areNotesDifferent = false
    /// Whether the panels differ.
    package var arePanelsDifferent = false

    /// No difference.
    package init() {}

    /// A difference of everything.
    package static var whole: ScoreboardChange {
        var change = ScoreboardChange()
        change.isWhole = true
        return change
    }

    /// Whether nothing differs.
    package var isEmpty: Bool { self == ScoreboardChange() }

    /// Adds what differs after further changes.
    package mutating func merge(_ later: ScoreboardChange) {
        isWhole = isWhole || later.isWhole
        cells.formUnion(later.cells)
        lines.formUnion(later.lines)
        isOtherTurn = isOtherTurn || later.isOtherTurn
        isEndDifferent = isEndDifferent || later.isEndDifferent
        areFlagsDifferent = areFlagsDifferent || later.areFlagsDifferent
        areNotesDifferent = areNotesDifferent || later.areNotesDifferent
        arePanelsDifferent = arePanelsDifferent || later.arePanelsDifferent
    }
}
