import CPlatform

/// The terminal that shows where a board is.
struct Screen: Hashable, Sendable {
    /// How wide it is.
    var columns: Int
    /// Whether it has block characters.
    var hasBlocks: Bool

    /// The one of standard output; nil where that is a file or a pipe, to which a code for cameras
    /// says nothing.
    static func current() -> Screen? {
        guard platform_is_terminal(1) else { return nil }
        var (columns, rows): (Int32, Int32) = (0, 0)
        _ = unsafe platform_terminal_size(1, &columns, &rows)
        return Screen(columns: columns > 0 ? Int(columns) : 80, hasBlocks: isUnicode)
    }

    /// By the locale, as in the rest of the command line (POSIX, "Environment Variables").
    private static var isUnicode: Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = unsafe platform_environment(name) else { continue }
            let locale = unsafe String(cString: value).lowercased()
            guard locale.isEmpty else { return locale.contains("utf-8") || locale.contains("utf8") }
        }
        return true
    }
}
