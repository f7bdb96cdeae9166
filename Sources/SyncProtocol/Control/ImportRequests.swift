/// Begins an import on this connection, in place of one that was begun on it before.
package struct ImportBeginRequest: ControlRequest, Hashable {
    package typealias Reply = Done
    package static let method = "import.begin"

    /// Whether it is only checked and told what would change.
    package var dryRun: Bool

    package init(dryRun: Bool) { self.dryRun = dryRun }
}

/// Hands over the next lines of the file; the answer comes when they are checked, and what was
/// whole with them is on disk.
package struct ImportAddRequest: ControlRequest, Hashable {
    package typealias Reply = ImportReply
    package static let method = "import.add"

    /// Whole lines, each with its end.
    package var text: String

    package init(text: String) { self.text = text }
}

/// Says that there are no more lines: fails where the file is not whole.
package struct ImportFinishRequest: ControlRequest, Hashable {
    package typealias Reply = ImportReply
    package static let method = "import.finish"

    package init() {}
}

/// The sessions that became whole.
package struct ImportReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1
    /// What became of each session, or would.
    package var sessions: [ImportedSummary]

    package init(sessions: [ImportedSummary]) { self.sessions = sessions }
}

/// What an import did to a session, or would do.
package struct ImportedSummary: Codable, Hashable, Sendable {
    /// What became of a session.
    package enum Outcome: String, Codable, Sendable {
        /// It was not here.
        case new
        /// It was here, and something came that was not.
        case changed
        /// It was here, with all that the file has.
        case same
    }

    /// Its id.
    package var id: String
    /// Its title.
    package var title: String
    /// What became of it.
    package var outcome: Outcome
    /// How many live entries came.
    package var entries: Int
    /// How many lines of the journal came.
    package var journal: Int
    /// Whether the session has its key now.
    package var hasKey: Bool

    package init(
        id: String,
        title: String,
        outcome: Outcome,
        entries: Int,
        journal: Int,
        hasKey: Bool
    ) {
        self.id = id
        self.title = title
        self.outcome = outcome
        self.entries = entries
        self.journal = journal
        self.hasKey = hasKey
    }
}
