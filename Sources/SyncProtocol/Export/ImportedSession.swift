package import SessionCRDT

/// A session as a file has it, checked: sound, whole, and within the limits of a session.
package struct ImportedSession: Sendable {
    /// What the file says of it.
    package let facts: ExportedSession
    /// All that is live, as the delta for who has seen nothing.
    package let delta: Delta
    /// What happened on the device that wrote the file, the oldest first.
    package let journal: [ImportedLine]

    /// What is live, one by one.
    package var entries: [KeyedEntry] {
        delta.changes.flatMap { change in
            change.live.map { KeyedEntry(key: change.key, entry: $0) }
        }
    }
}

/// A line of a journal as a file has it.
package struct ImportedLine: Hashable, Sendable {
    /// When it was noted, in milliseconds since 1970 by the clock of who noted it.
    package let recordedAt: UInt64
    /// What happened.
    package let line: JournalLine

    /// A line of these parts.
    package init(recordedAt: UInt64, line: JournalLine) {
        self.recordedAt = recordedAt
        self.line = line
    }
}
