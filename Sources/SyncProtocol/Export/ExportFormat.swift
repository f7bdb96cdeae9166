/// What a file of exported sessions is called, and its bounds (PROTOCOL, section 10).
package enum ExportFormat {
    /// What the first line says that it is.
    package static let name = "scoresync-export"
    /// The version that is written, and the newest that is read.
    package static let version: Int64 = 1
    /// From which length on rows begin a new line, in bytes.
    package static let lineBytes = 64 << 10
    /// The longest line that is read, in bytes: what was longer could not be handed to a daemon.
    ///
    /// The longest entry fits even where each of its bytes takes six.
    package static let longestLine = lineBytes + 6 * Limits.sheetBytes + 4096
    /// The most that the journal of one session comes to, in canonical bytes.
    package static let journalBytes = 4 * Limits.mergedBytes
    /// The most sessions in one file.
    package static let sessions = 100_000
    /// The longest title that stands beside a session, in bytes.
    static let titleBytes = Limits.textBytes
}
