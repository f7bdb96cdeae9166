/// Has the daemon write a copy of everything that it holds, with the keys, while it goes on.
///
/// The answer comes when the copy is on disk and was read back.
package struct BackupMakeRequest: ControlRequest, Hashable {
    package typealias Reply = BackupMakeReply
    package static let method = "backup.make"

    /// Where the copy is to be: a path from the root.
    package var file: String
    /// Whether it takes the place of a file there; nil says no.
    package var replace: Bool?

    package init(file: String, replace: Bool? = nil) {
        self.file = file
        self.replace = replace
    }
}

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

/// Asks for the copies that the daemon keeps by itself.
package struct BackupListRequest: ControlRequest, Hashable {
    package typealias Reply = BackupListReply
    package static let method = "backup.list"

    package init() {}
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
