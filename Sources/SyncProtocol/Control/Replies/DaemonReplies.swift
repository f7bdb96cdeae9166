// Replies about the daemon and its backups. `schema` is the version of the JSON documents.

// MARK: The daemon

package struct NegotiateReply: Document {
    /// The version to use on this connection.
    package var api: Int
    package var version: String
    /// Distinguishes builds of the same version; nil if unknown.
    package var build: String?
    /// The arguments with which to start the daemon again, except home and name; nil if there are
    /// none.
    package var options: [String]?

    package init(api: Int, version: String, build: String? = nil, options: [String]? = nil) {
        (self.api, self.version, self.build, self.options) = (api, version, build, options)
    }
}

package struct StatusReply: Document {
    package var schema = 1
    package var daemon: DaemonSummary
    /// The sessions held here, by title.
    package var sessions: [SessionSummary]
    /// The alarms, the latest last.
    package var alarms: [Alarm]

    package init(daemon: DaemonSummary, sessions: [SessionSummary], alarms: [Alarm]) {
        (self.daemon, self.sessions, self.alarms) = (daemon, sessions, alarms)
    }
}

package struct DaemonSummary: Document {
    package var version: String
    package var device: String
    package var name: String
    /// The id of this run of the daemon.
    package var instance: String
    package var home = ""
    /// The TCP port on which the daemon listens; 0 if it does not.
    package var port = 0
    package var pid = 0
    /// Whether the user paused links and announcements.
    package var offline = false

    package init(version: String, device: String, name: String, instance: String) {
        (self.version, self.device, self.name, self.instance) = (version, device, name, instance)
    }
}

package struct Alarm: Document {
    /// A code for programs: `clock-skew`, `cloned-home`, `digest-mismatch`, `storage` or `network`.
    package var kind: String
    package var text: String

    package init(kind: String, text: String) { (self.kind, self.text) = (kind, text) }
}

package struct DaemonRenameReply: Document {
    package var schema = 1
    package var name: String
    package var before: String

    package init(name: String, before: String) { (self.name, self.before) = (name, before) }
}

package struct WaitCondition: Document {
    package enum Kind: String, Document {
        /// The daemon responds to calls.
        case ready
        /// At least one peer is linked, and all linked peers have the same state as this device.
        case synced
        /// At least `count` peers are linked.
        case peers
        case turn
    }

    package let kind: Kind
    /// The number of peers; required by `peers` and used only by it.
    package var count: Int?
    /// The player to wait for, used only by `turn`; nil for the player of this device.
    package var player: String?

    package static let ready = WaitCondition(kind: .ready)
    package static let synced = WaitCondition(kind: .synced)
    package static func peers(_ count: Int) -> Self { Self(kind: .peers, count: count) }
    package static func turn(player: String?) -> Self { Self(kind: .turn, player: player) }
}

extension WaitCondition {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(Kind.self, forKey: .kind)
        count = kind == .peers ? try container.decode(Int.self, forKey: .count) : nil
        player = try container.decodeIfPresent(String.self, forKey: .player)
    }
}

// MARK: Backup

package struct BackupMakeReply: Document {
    package var schema = 1
    package var copy: CopySummary

    package init(copy: CopySummary) { self.copy = copy }
}

/// Facts about a backup, read back from the file.
package struct CopySummary: Document {
    package var file: String
    package var bytes: Int
    package var device: String
    package var sessions = 0
    /// The number of live entries.
    package var entries = 0
    /// The time of the last change; absent if the store has none.
    package var latest: Timestamp?

    package init(file: String, bytes: Int, device: String) {
        (self.file, self.bytes, self.device) = (file, bytes, device)
    }
}

package struct BackupListReply: Document {
    package var schema = 1
    package var directory: String
    /// The backups, the latest first.
    package var copies: [KeptCopySummary]

    package init(directory: String, copies: [KeptCopySummary]) {
        (self.directory, self.copies) = (directory, copies)
    }
}

package struct KeptCopySummary: Document {
    /// The name to pass to `restore`.
    package var name: String
    package var file: String
    package var madeAt: Timestamp
    package var bytes: Int
    /// The reason why the daemon made it: `weekly`, or `schema` before it migrated the store.
    package var reason: String

    package init(name: String, file: String, madeAt: Timestamp, bytes: Int, reason: String) {
        (self.name, self.file, self.madeAt) = (name, file, madeAt)
        (self.bytes, self.reason) = (bytes, reason)
    }
}

/// The output of `scoresyncd --restore`, which works only while no daemon is running.
package struct RestoreReport: Document {
    package var schema = 1
    package var copy: CopySummary
    /// The state directory to which it is restored.
    package var home: String
    /// The number of sessions in the replaced store; nil if it cannot be read.
    package var heldSessions: Int?
    /// Whether the replaced store had user entries.
    package var wasUsed = false
    /// False if the backup was only checked.
    package var restored = false
    /// The path to which the replaced database was moved; absent if there was none.
    package var replaced: String?

    package init(copy: CopySummary, home: String) { (self.copy, self.home) = (copy, home) }
}

// MARK: Export and import

package struct ExportBeginReply: Document {
    package var schema = 1
    package var session: String
    package var title: String
    /// The first line of a file in which this session comes first.
    package var header: String
    /// The number of rows, of which those of the journal are an estimate.
    package var rows: Int
    /// Whether the session has no key on this device, so that the export cannot contain one.
    package var isKeyMissing: Bool

    package init(session: String, title: String, header: String, rows: Int, isKeyMissing: Bool) {
        (self.session, self.title, self.header) = (session, title, header)
        (self.rows, self.isKeyMissing) = (rows, isKeyMissing)
    }
}

package struct ExportNextReply: Document {
    package var schema = 1
    /// Complete lines, each with its line feed.
    package var text: String
    /// The number of rows sent so far, including these.
    package var rows: Int
    /// Whether these are the session's last lines.
    package var isLast: Bool

    package init(text: String, rows: Int, isLast: Bool) {
        (self.text, self.rows, self.isLast) = (text, rows, isLast)
    }
}

/// The effect of an import on one session; of a dry run, the effect that it would have.
package struct ImportedSummary: Document {
    package enum Outcome: String, Codable, Sendable {
        /// The session was not on this device.
        case new
        /// The session was on this device but lacked some of the entries.
        case changed
        /// The session was on this device with all entries of the file.
        case same
    }

    package var id: String
    package var title: String
    package var outcome: Outcome
    package var entries = 0
    package var journal = 0
    /// Whether this device has the session's key after the import.
    package var hasKey = false

    package init(id: String, title: String, outcome: Outcome) {
        (self.id, self.title, self.outcome) = (id, title, outcome)
    }
}
