/// The copy that was written.
package struct BackupMakeReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The copy.
    package var copy: CopySummary

    package init(copy: CopySummary) { self.copy = copy }
}

/// A copy of a store, as it was found when it was read.
package struct CopySummary: Codable, Hashable, Sendable {
    /// Its file.
    package var file: String
    /// Its length.
    package var bytes: Int
    /// The id of the device whose store it is.
    package var device: String
    /// How many sessions are in it.
    package var sessions: Int
    /// How many entries are live in them.
    package var entries: Int
    /// When the last change in it was made; absent where there is none.
    package var latest: Timestamp?

    package init(
        file: String,
        bytes: Int,
        device: String,
        sessions: Int,
        entries: Int,
        latest: Timestamp?
    ) {
        self.file = file
        self.bytes = bytes
        self.device = device
        self.sessions = sessions
        self.entries = entries
        self.latest = latest
    }
}

/// The copies that a daemon keeps by itself.
package struct BackupListReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// Where they are.
    package var directory: String
    /// The copies, the latest first.
    package var copies: [KeptCopySummary]

    package init(directory: String, copies: [KeptCopySummary]) {
        self.directory = directory
        self.copies = copies
    }
}

/// A copy that a daemon keeps by itself.
package struct KeptCopySummary: Codable, Hashable, Sendable {
    /// What `restore` calls it.
    package var name: String
    /// Its file.
    package var file: String
    /// When it was written.
    package var madeAt: Timestamp
    /// Its length.
    package var bytes: Int
    /// Why it was kept: `weekly`, or `schema` before the store was changed for a later version.
    package var reason: String

    package init(name: String, file: String, madeAt: Timestamp, bytes: Int, reason: String) {
        self.name = name
        self.file = file
        self.madeAt = madeAt
        self.bytes = bytes
        self.reason = reason
    }
}

/// What `scoresyncd --restore` found, and did unless it was only to look; no call, because it runs
/// where no daemon does.
package struct RestoreReport: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// The copy.
    package var copy: CopySummary
    /// The directory of the state into which it goes.
    package var home: String
    /// How many sessions were there before; nil where that cannot be read.
    package var heldSessions: Int?
    /// Whether anything was there that somebody entered.
    package var wasUsed: Bool
    /// Whether the copy was put in its place; false where it was only looked at.
    package var restored: Bool
    /// Where the database is now that was there; absent where none was.
    package var replaced: String?

    package init(
        copy: CopySummary,
        home: String,
        heldSessions: Int?,
        wasUsed: Bool,
        restored: Bool,
        replaced: String? = nil
    ) {
        self.copy = copy
        self.home = home
        self.heldSessions = heldSessions
        self.wasUsed = wasUsed
        self.restored = restored
        self.replaced = replaced
    }
}

/// What will be exported.
package struct ExportBeginReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1
    /// The session.
    package var session: String
    /// Its title.
    package var title: String
    /// The first line of a file that begins with this session.
    package var header: String
    /// How many rows there are, of the journal about.
    package var rows: Int
    /// Whether the session has no key here, so that none goes along.
    package var isKeyMissing: Bool

    package init(
        session: String,
        title: String,
        header: String,
        rows: Int,
        isKeyMissing: Bool
    ) {
        self.session = session
        self.title = title
        self.header = header
        self.rows = rows
        self.isKeyMissing = isKeyMissing
    }
}

/// Some lines of an export.
package struct ExportNextReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema = 1
    /// Whole lines, each with its end.
    package var text: String
    /// How many rows have been written with these.
    package var rows: Int
    /// Whether these were the session's last lines.
    package var isLast: Bool

    package init(text: String, rows: Int, isLast: Bool) {
        self.text = text
        self.rows = rows
        self.isLast = isLast
    }
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
