import SessionCRDT
import SessionStore
import SyncProtocol

extension CopySummary {
    /// What was found in a file.
    init(_ content: CopyContent, _ file: String) {
        self.init(
            file: file,
            bytes: content.bytes,
            device: content.device.description,
            sessions: content.sessions,
            entries: content.entries,
            latest: content.latest.map { Timestamp(milliseconds: $0) }
        )
    }
}
