import SessionCRDT
import SyncProtocol

/// A file that is being read: how far, and what came of it.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only, and by who reads its lines
/// while it is busy: a copy of the reader would be one of all that it has read.
final class ImportFile: @unchecked Sendable {
    /// Whether it is only checked.
    let isDryRun: Bool
    /// What has been read of it.
    private var reader = ExportReader()
    /// Whether lines are being read or taken in.
    var isBusy = false
    /// The first session that was not here before.
    var first: SessionID?

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// Reads whole lines, while it is busy; what they came to.
    func read(_ text: String) -> ImportedLines {
        var sessions: [ImportedSession] = []
        do throws(ExportError) {
            for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                .dropLast()
            {
                guard case .session(let session) = try reader.read(Array(line)) else { continue }
                sessions.append(session)
            }
            return ImportedLines(sessions: sessions, error: nil)
        } catch { return ImportedLines(sessions: sessions, error: error) }
    }

    /// Makes sure that the file is whole, when there are no more lines.
    func finish() throws(ExportError) { try reader.finish() }
}

/// What lines of a file came to.
struct ImportedLines: Sendable {
    /// The sessions that are whole with them.
    let sessions: [ImportedSession]
    /// What is wrong with the first line that could not be read.
    let error: ExportError?
}
