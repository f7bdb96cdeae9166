package import SessionCRDT

/// A line of the journal as it is stored.
package struct JournalRecord: Hashable, Sendable {
    /// The line's number: it grows within a session and is never used twice.
    package let number: Int64
    /// When this device noted it, in milliseconds since 1970 by its own clock.
    package let recordedAt: UInt64
    /// What happened.
    package let line: JournalLine

    package init(number: Int64, recordedAt: UInt64, line: JournalLine) {
        self.number = number
        self.recordedAt = recordedAt
        self.line = line
    }
}
