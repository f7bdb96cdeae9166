internal import CPlatform
internal import CSQLite
internal import SessionCRDT

/// The checksum after the last page of a backup, where SQLite ignores it: a mark, and the SipHash
/// of all bytes before it in hexadecimal digits.
///
/// A changed number is still a valid row, so nothing else finds it. A backup of an earlier version
/// and a database that was set aside end with their last page.
enum BackupChecksum {
    private static let mark = "ScoreSync backup check "
    private static let pieceBytes = 1 << 20

    /// Appends the checksum to a complete file.
    static func append(to path: String) throws(StoreError) {
        let action = "write the checksum of a backup"
        let bytes = Int(PrivateFile.status(path)?.bytes ?? 0)
        let text = Array(try text(of: path, bytes, action).utf8)
        let file = try PrivateFile.check(unsafe platform_open_log(path), action, path)
        defer { platform_close(file) }
        try PrivateFile.check(unsafe platform_write_all(file, text, text.count), action, path)
    }

    /// Returns the length of the checksum after a database of this size, which must be right; 0 if
    /// there is none.
    static func checkedBytes(_ connection: Connection, after bytes: Int) throws(StoreError) -> Int {
        let (path, action) = (connection.path, connection.action)
        let found = try read(path, bytes, pieceBytes, action)
        guard found.starts(with: mark.utf8) else { return 0 }
        guard try found.elementsEqual(text(of: path, bytes, action).utf8) else {
            throw connection.failure(SQLITE_CORRUPT, "bytes were changed since it was written")
        }
        return found.count
    }

    private static func text(
        of path: String,
        _ bytes: Int,
        _ action: String
    ) throws(StoreError) -> String {
        var hash = SipHash()
        for offset in stride(from: 0, to: bytes, by: pieceBytes) {
            hash.add(try read(path, offset, min(pieceBytes, bytes - offset), action))
        }
        var digest = Digest()
        digest.add(hash.result)
        return "\(mark)\(digest)\n"
    }

    private static func read(
        _ path: String,
        _ offset: Int,
        _ capacity: Int,
        _ action: String
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: capacity)
        let count = unsafe platform_read_file(path, Int64(offset), &bytes, capacity)
        try PrivateFile.check(Int32(clamping: count), action, path)
        return Array(bytes.prefix(count))
    }
}
