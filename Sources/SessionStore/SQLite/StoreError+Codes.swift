internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension StoreError {
    /// The error of a result code (extended ones are on) and the connection that gave it.
    ///
    /// Without a text of its own it says what the connection or SQLite in general says.
    init(
        _ code: Int32,
        of database: OpaquePointer?,
        action: String,
        path: String,
        text: String? = nil
    ) {
        let primary = code & 0xFF
        let failure = StoreFailure(
            action: action,
            path: path,
            text: unsafe text ?? StoreError.message(code, of: database),
            code: .sqlite(code)
        )
        switch primary {
        case SQLITE_FULL: self = .diskFull(failure)
        case SQLITE_READONLY: self = .readOnly(failure)
        case SQLITE_PERM, SQLITE_AUTH: self = .notPermitted(failure)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(failure)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(failure)
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            // Only of these two does SQLite keep the system's reason.
            let reason = unsafe database == nil ? 0 : unsafe sqlite3_system_errno(database)
            self = StoreError(failure, because: reason)
        default: self = .failed(failure)
        }
    }

    /// The error of a system call that failed with `reason`.
    init(systemCall reason: Int32, action: String, path: String) {
        // Into a buffer of its own: the text of `strerror` may change while another thread asks.
        var buffer = [CChar](repeating: 0, count: 256)
        let capacity = buffer.count
        unsafe scoresync_error_text(reason, &buffer, capacity)
        let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        let text = String(decoding: bytes, as: UTF8.self)
        let failure = StoreFailure(action: action, path: path, text: text, code: .system(reason))
        self = StoreError(failure, because: reason)
    }

    private init(_ failure: StoreFailure, because reason: Int32) {
        switch reason {
        case ENOSPC, EDQUOT: self = .diskFull(failure)
        case EROFS: self = .readOnly(failure)
        case EACCES, EPERM: self = .notPermitted(failure)
        default: self = .failed(failure)
        }
    }

    private static func message(_ code: Int32, of database: OpaquePointer?) -> String {
        let text =
            unsafe database == nil ? sqlite3_errstr(code) : unsafe sqlite3_errmsg(database)
        return unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    }
}
