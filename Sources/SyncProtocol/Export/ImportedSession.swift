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
        // Made at its size: growing it would take as much memory again.
        var entries: [KeyedEntry] = []
        entries.reserveCapacity(delta.changes.reduce(0) { $0 + $1.live.count })
        for change in delta.changes {
            for entry in change.live {
                entries.append(KeyedEntry(key: change.key, entry: entry))
            }
        }
        return entries
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
