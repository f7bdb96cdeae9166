#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A copy that a store keeps of itself: `12-2026-11-23.db`, or `13-2026-11-24-schema-5.db`.
package struct KeptCopy: Hashable, Sendable {
    /// Its number; a later copy has a greater one, whatever the clock said.
    package let number: Int
    /// The name of its file.
    package let name: String
    /// Its file.
    package let path: String
    /// Why it was kept.
    package let reason: CopyShelf.Reason
    /// When it was written by the clock of then, in milliseconds since 1970.
    package let madeAt: UInt64
    /// Its length.
    package let bytes: Int

    /// The copy of a name in a directory; nil where none of that name is.
    init?(name: String, in directory: String) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        guard name.hasSuffix(".db"), words.count >= 4, let number = Int(words[0]), number > 0,
            String(number) == words[0]
        else { return nil }
        switch words.count {
        case 4: reason = .weekly
        case 6:
            guard words[4] == "schema", let schema = Int(words[5].dropLast(3)) else { return nil }
            reason = .schema(schema)
        default: return nil
        }
        path = directory + "/" + name
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        self.number = number
        self.name = name
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        madeAt = UInt64(max(0, changed.tv_sec)) * 1_000 + UInt64(changed.tv_nsec / 1_000_000)
        bytes = Int(status.st_size)
    }

    /// The name of a copy; the day in it is that of UTC.
    static func name(
        _ number: Int,
        _ reason: CopyShelf.Reason,
        at milliseconds: UInt64
    ) -> String {
        let date = day(of: time_t(milliseconds / 1_000))
        switch reason {
        case .weekly: return "\(number)-\(date).db"
        case .schema(let schema): return "\(number)-\(date)-schema-\(schema).db"
        }
    }

    /// The day of a moment in UTC, as `2026-11-23`.
    private static func day(of seconds: time_t) -> String {
        var seconds = seconds
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        let numbers = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    }
}
