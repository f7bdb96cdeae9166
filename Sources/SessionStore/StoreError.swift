internal import CSQLite
package import SessionCRDT

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Why the store could not do something.
///
/// Whatever it is, nothing of what was asked is kept, and the store can be asked again.
package enum StoreError: Error, Hashable, Sendable {
    /// No room is left on the disk, or in the user's quota.
    case diskFull(StoreFailure)
    /// The disk, the directory or the file can only be read.
    case readOnly(StoreFailure)
    /// This user may not read or write the file or its directory.
    case notPermitted(StoreFailure)
    /// The database is damaged: see `SessionStore.mend`.
    case damaged(StoreFailure)
    /// Another program holds the database for longer than the store waits.
    case busy(StoreFailure)
    /// Anything else that SQLite or the system refused.
    case failed(StoreFailure)
    /// The database is sound but holds something that no version writes.
    case unreadable(path: String, action: String, column: String)
    /// An entry of the session is stored that was never counted as seen, which no version does.
    case uncounted(SessionID)
    /// A later version has written the database.
    case newerSchema(path: String, found: Int, known: Int)
    /// The file is a database of another program.
    case otherProgram(path: String, applicationID: Int)
    /// The files are no longer where they were opened: what is written would be lost.
    case moved(path: String)
    /// The file cannot be restored, because it is no copy of a store.
    case notACopy(path: String, reason: String)
    /// Something stands already where a copy is to be made.
    case inTheWay(path: String, reason: String)
    /// It was given up, because the program ends.
    case givenUp(action: String)
    /// The session is not stored here.
    case unknownSession(SessionID)
    /// The session is stored here already.
    case knownSession(SessionID)
    /// A session's key must have 32 bytes; this one has another length.
    case wrongKeyLength(Int)
}

/// What was tried, where, and how it was refused.
package struct StoreFailure: Hashable, Sendable {
    /// What was tried, as in "cannot …".
    package let action: String
    /// The file or directory.
    package let path: String
    /// What SQLite or the system called the refusal.
    package let text: String
    /// The code of the refusal.
    package let code: Code

    /// The code of a refusal and who gave it.
    package enum Code: Hashable, Sendable {
        /// SQLite's extended result code.
        case sqlite(Int32)
        /// The system's `errno`.
        case system(Int32)
    }

    package init(action: String, path: String, text: String, code: Code) {
        self.action = action
        self.path = path
        self.text = text
        self.code = code
    }
}

extension StoreFailure: CustomStringConvertible {
    package var description: String {
        switch code {
        case .sqlite(let code): "cannot \(action): \(text) (SQLite \(code), \(path))"
        case .system(let code): "cannot \(action): \(text) (errno \(code), \(path))"
        }
    }
}

extension StoreError {
    /// Whether what is stored makes no sense, and making the database anew helps: see
    /// `SessionStore.mend`.
    package var isDamage: Bool {
        switch self {
        case .damaged, .unreadable, .uncounted: true
        case .diskFull, .readOnly, .notPermitted, .busy, .failed, .newerSchema, .otherProgram,
            .moved, .notACopy, .inTheWay, .givenUp, .unknownSession, .knownSession,
            .wrongKeyLength:
            false
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .diskFull(let failure): "no room is left on the disk: \(failure)"
        case .readOnly(let failure): "the state directory can only be read: \(failure)"
        case .notPermitted(let failure): "permission is missing: \(failure)"
        case .damaged(let failure): "the database is damaged: \(failure)"
        case .busy(let failure): "another program holds the database: \(failure)"
        case .failed(let failure): "\(failure)"
        case .unreadable(let path, let action, let column):
            "cannot \(action): column \(column) holds what no version writes (\(path))"
        case .uncounted(let session):
            "session \(session) holds an entry that was never counted as seen"
        case .newerSchema(let path, let found, let known):
            "a later version of ScoreSync has written \(path): its schema is \(found), "
                + "this version knows up to \(known); please update this device"
        case .otherProgram(let path, let applicationID):
            "\(path) is a database of another program (application id \(applicationID))"
        case .moved(let path):
            "\(path) was removed or replaced while the daemon ran: nothing more can be saved, and "
                + "what was saved can be read only until the daemon stops; put the directory back, "
                + "then stop the daemon and start it again"
        case .notACopy(let path, let reason): "\(path) cannot be restored: \(reason)"
        case .inTheWay(let path, let reason): "\(path) \(reason)"
        case .givenUp(let action): "cannot \(action): the daemon stops"
        case .unknownSession(let session): "session \(session) is not stored here"
        case .knownSession(let session): "session \(session) is stored here already"
        case .wrongKeyLength(let count): "a session's key has 32 bytes, this one has \(count)"
        }
    }
}

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
