package import SessionCRDT

/// Which lines of the journal are wanted.
package struct HistoryFilter: Hashable, Sendable {
    /// What lines are about.
    package enum Subject: Hashable, Sendable {
        /// Anything.
        case anything
        /// One key.
        case key(Key)
        /// One player: scores, fields and membership.
        case player(PlayerID)
        /// Scores, where given of one player and of one row in all its rounds.
        case cells(player: PlayerID? = nil, row: Symbol? = nil)
    }

    /// What the lines are about.
    package var subject: Subject
    /// Who wrote the entries; nil for everybody.
    package var author: DeviceID?
    /// Only lines before the one with this number, for the next page; nil for the newest.
    package var before: Int64?
    /// Only lines after the one with this number; nil for all.
    package var after: Int64?

    /// The lines about `subject`, by `author`, between two lines.
    package init(
        _ subject: Subject = .anything,
        author: DeviceID? = nil,
        before: Int64? = nil,
        after: Int64? = nil
    ) {
        self.subject = subject
        self.author = author
        self.before = before
        self.after = after
    }
}
