import CPlatform

/// The file of the home into which a daemon writes that `scorectl` started: it is put aside
/// whenever it has become long, so that it and the one before it are all that is kept.
struct LogFile {
    private let path: String
    private let mostBytes: Int
    private var bytes: Int

    /// The file at a path; nil unless standard error leads to it.
    ///
    /// Another file, or a journal, belongs to whoever made it.
    init?(_ path: String, mostBytes: Int) {
        let bytes = platform_log_bytes(path)
        guard bytes >= 0 else { return nil }
        self.path = path
        self.mostBytes = mostBytes
        self.bytes = Int(bytes)
    }

    /// Makes room for so many bytes.
    mutating func prepare(for count: Int) {
        if bytes + count > mostBytes, bytes > 0 {
            // Where that fails, because the disk is full, it is tried again after as much more.
            _ = platform_log_rotate(path, path + ".1")
            bytes = 0
        }
        bytes += count
    }
}
