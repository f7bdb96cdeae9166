package import SessionCRDT

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
