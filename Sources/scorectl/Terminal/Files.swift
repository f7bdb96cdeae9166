import CPlatform
import ControlSocket
import SyncProtocol

enum Files {
    /// Returns the status of a file; nil if it does not exist or cannot be inspected.
    static func status(_ path: String) -> platform_file? {
        var file = platform_file()
        return platform_file_status(path, &file) == 0 ? file : nil
    }

    /// Reads some bytes from an offset on; empty at the end.
    static func read(
        _ path: String,
        from offset: Int64 = 0,
        atMost limit: Int
    ) throws(ControlError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            result = platform_read_file(path, offset, buffer.baseAddress, limit)
            count = max(0, result)
        }
        guard result != -Int(ENOENT) else { throw .notFound("no such file: \(path)") }
        try check(Int32(clamping: result), "read \(path)")
        return bytes
    }

    static func write(_ text: String, to path: String) throws(ControlError) {
        let bytes = Array(text.utf8)
        try check(platform_write_file(path, bytes, bytes.count), "write \(path)")
    }

    /// Returns the result of a call of CPlatform, or throws its negated errno.
    ///
    /// The action is named in words that follow "cannot".
    @discardableResult
    static func check(_ result: Int32, _ action: String) throws(ControlError) -> Int32 {
        guard result < 0 else { return result }
        throw ControlSocketError.system(action, code: -result).controlError
    }
}
