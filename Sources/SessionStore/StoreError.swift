internal import CPlatform
internal import CSQLite
internal import Descriptors
package import SessionCRDT

/// A failed operation of the store; nothing was stored, and it can be tried again.
package enum StoreError: Error, Hashable, Sendable {
    /// No room is left on the disk, or in the user's quota.
    case diskFull(StoreFailure)
    /// The disk, the directory or the file is read-only.
    case readOnly(StoreFailure)
    /// The user lacks permission for the file or its directory.
    case notPermitted(StoreFailure)
    /// The database is damaged, see `SessionStore.repair`.
    case damaged(StoreFailure)
    /// Another program has the database open for longer than the store waits.
    case busy(StoreFailure)
    /// The file system has no locks, so nothing would stop another program from writing.
    case noLocks(StoreFailure)
    /// Any other error of SQLite or the system.
    case failed(StoreFailure)
    /// The database is undamaged but contains a value that no version writes.
    case unreadable(path: String, action: String, column: String)
    /// The session's version vector does not cover a stored entry, which no version writes.
    case inconsistent(SessionID)
    /// A later version has written the database.
    case newerSchema(path: String, found: Int, known: Int)
    case otherProgram(path: String, applicationID: Int)
    /// The files are not at the paths where they were opened, so writes would be lost.
    case moved(path: String)
    /// The file cannot be restored, because it is not a backup.
    case notABackup(path: String, reason: String)
    case fileExists(path: String)
    /// A backup cannot be written to this path.
    case cannotWrite(path: String, reason: String)
    /// The operation was cancelled because the program is ending.
    case cancelled(action: String)
    case unknownSession(SessionID)
    case sessionExists(SessionID)
    /// A key does not have `SessionStore.keyBytes` bytes.
    case wrongKeyLength(Int)
}

/// An error of SQLite or the system, with its context.
package struct StoreFailure: Hashable, Sendable {
    /// The operation that failed, as it follows "cannot" in a message.
    package let action: String
    package let path: String
    /// The message of SQLite or the system.
    package let text: String
    package let code: Code

    package enum Code: Hashable, Sendable {
        case sqlite(Int32)
        /// An `errno`.
        case system(Int32)
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
    /// Whether the stored data is damaged, so that `SessionStore.repair` can help.
    package var isDamage: Bool {
        switch self {
        case .damaged, .unreadable, .inconsistent: true
        default: false
        }
    }

    /// Whether the files cannot be written, although they may be readable.
    package var isUnwritable: Bool {
        switch self {
        case .diskFull, .readOnly, .notPermitted: true
        // Of a log that cannot be created, SQLite does not keep the `errno`.
        case .failed(let failure): failure.code == .sqlite(SQLITE_CANTOPEN)
        default: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .diskFull(let failure): "the disk is full: \(failure)"
        case .readOnly(let failure): "the state directory is read-only: \(failure)"
        case .notPermitted(let failure): "permission denied: \(failure)"
        case .damaged(let failure): "the database is damaged: \(failure)"
        case .busy(let failure):
            "another program has the database open; close it, then try again: \(failure)"
        case .noLocks(let failure):
            "the file system of the state directory has no file locks; use a state directory on a "
                + "local disk (--home): \(failure)"
        case .failed(let failure): "\(failure)"
        case .unreadable(let path, let action, let column):
            "cannot \(action): invalid value in column \(column) (\(path))"
        case .inconsistent(let session):
            "session \(session): a stored entry is not covered by the version vector"
        case .newerSchema(let path, let found, let known):
            "\(path) was written by a later version of ScoreSync: its schema is \(found), "
                + "this version supports up to \(known); update ScoreSync on this device"
        case .otherProgram(let path, let applicationID):
            "\(path) is the database of another program (application id \(applicationID))"
        case .moved(let path):
            "\(path) was removed or replaced while the daemon was running: nothing more can be "
                + "saved, and saved scores can be read only until the daemon stops; put the "
                + "directory back, then restart the daemon"
        case .notABackup(let path, let reason): "\(path) cannot be restored: \(reason)"
        case .fileExists(let path): "\(path) already exists"
        case .cannotWrite(let path, let reason): "\(path) \(reason)"
        case .cancelled(let action): "cannot \(action): the daemon is stopping"
        case .unknownSession(let session): "session \(session) is not stored here"
        case .sessionExists(let session): "session \(session) is already stored here"
        case .wrongKeyLength(let count): "a session's key has 32 bytes, this one has \(count)"
        }
    }
}

extension StoreError {
    /// Creates the error for an extended result code of a connection.
    ///
    /// If `text` is nil, the message is that of the connection or, without one, that of the code.
    init(
        _ code: Int32,
        of database: OpaquePointer?,
        action: String,
        path: String,
        text: String? = nil
    ) {
        let failure = StoreFailure(
            action: action,
            path: path,
            text: unsafe text ?? StoreError.message(code, of: database),
            code: .sqlite(code)
        )
        switch code & 0xFF {
        case _ where scoresync_is_lock_error(code): self = .noLocks(failure)
        case SQLITE_FULL: self = .diskFull(failure)
        case SQLITE_READONLY: self = .readOnly(failure)
        case SQLITE_PERM, SQLITE_AUTH: self = .notPermitted(failure)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(failure)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(failure)
        case SQLITE_CANTOPEN, SQLITE_IOERR:
            // SQLite stores the `errno` only for these two codes.
            let reason = unsafe database == nil ? 0 : unsafe sqlite3_system_errno(database)
            self = StoreError(failure, because: reason)
        default: self = .failed(failure)
        }
    }

    /// Creates the error for a failed system call; `reason` is its `errno`.
    init(systemCall reason: Int32, action: String, path: String) {
        let text = SystemError.text(of: reason)
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
        let text = unsafe database == nil ? sqlite3_errstr(code) : unsafe sqlite3_errmsg(database)
        return unsafe text.map { unsafe String(cString: $0) } ?? "unknown error"
    }
}
