import SessionCRDT
import SyncProtocol

/// A file that is being read: how far, and what came of it.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class ImportFile: @unchecked Sendable {
    /// Whether it is only checked.
    let isDryRun: Bool
    /// What was read; a copy of it goes on beside the queue.
    var reader = ExportReader()
    /// Whether lines are being read or taken in.
    var isBusy = false
    /// The first session that was not here before.
    var first: SessionID?

    init(isDryRun: Bool) { self.isDryRun = isDryRun }
}

/// What lines of a file came to.
struct ImportedLines: Sendable {
    /// The reader behind them.
    let reader: ExportReader
    /// The sessions that are whole with them.
    let sessions: [ImportedSession]
    /// What is wrong with the first line that could not be read.
    let error: ExportError?

    /// Reads whole lines.
    init(_ text: String, _ reader: ExportReader) {
        var reader = reader
        var sessions: [ImportedSession] = []
        var failure: ExportError?
        do throws(ExportError) {
            for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                .dropLast()
            {
                guard case .session(let session) = try reader.read(Array(line)) else { continue }
                sessions.append(session)
            }
        } catch { failure = error }
        self.reader = reader
        self.sessions = sessions
        error = failure
    }
}
