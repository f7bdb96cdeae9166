internal import SessionCRDT

/// The small numbers that the file has for sessions, actors, authors and keys, and the number of
/// each journal's last line, kept once they were read.
///
/// They are of what is committed or being committed; a transaction that fails forgets them all.
struct KnownNumbers {
    var sessions: [SessionID: Int64] = [:]
    private var ofSession: [Int64: OfSession] = [:]

    /// What is known of a session.
    subscript(session: Int64) -> OfSession {
        mutating get {
            if let known = ofSession[session] { return known }
            let fresh = OfSession()
            ofSession[session] = fresh
            return fresh
        }
    }

    /// What is named inside one session: a class, because it is looked into for each row.
    final class OfSession {
        var actors: [ActorID: Int64] = [:]
        var authors: [DeviceID: Int64] = [:]
        /// The keys that were loaded or written; more than `mostKeys` only within a commit, which
        /// names each twice.
        var keys: [Key: Int64] = [:]
        /// The journal's last line; nil until it was asked for.
        var lastLine: Int64?

        /// Forgets all keys if there are too many.
        func trim() {
            if keys.count > KnownNumbers.mostKeys { keys = [:] }
        }

        /// Keeps the number of a key while there is room for it.
        func note(_ key: Key, _ number: Int64) {
            if keys.count < KnownNumbers.mostKeys { keys[key] = number }
        }
    }

    /// How many keys are known of a session before they are read again, and how many loading notes
    /// of all sessions together: most sessions are held and not written.
    static let mostKeys = 16_384

    private var loadedKeys = 0

    /// Keeps the number of a key that was loaded, while there is room for it.
    mutating func noteLoaded(_ key: Key, _ number: Int64, in session: Int64) {
        guard loadedKeys < KnownNumbers.mostKeys else { return }
        loadedKeys += 1
        self[session].note(key, number)
    }
}

extension SessionStore {
    /// The number of a session.
    func number(of session: SessionID) throws(StoreError) -> Int64 {
        if let number = numbers.sessions[session] { return number }
        let query = "SELECT number FROM session WHERE id = ?"
        guard let number = try firstNumber(query, [.id(session)]) else {
            throw .unknownSession(session)
        }
        numbers.sessions[session] = number
        return number
    }

    /// The number of an actor in a session, given out now if it had none.
    func number(of actor: ActorID, in session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        if let number = known.actors[actor] { return number }
        let number = try intern("actor", "id", .id(actor), in: session)
        known.actors[actor] = number
        return number
    }

    /// The number of an author in a session, given out now if it had none.
    func number(of author: DeviceID, in session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        if let number = known.authors[author] { return number }
        let number = try intern("author", "id", .id(author), in: session)
        known.authors[author] = number
        return number
    }

    /// The number of a key in a session, given out now if it had none.
    func number(of key: Key, in session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        if let number = known.keys[key] { return number }
        let number = try intern("subject", "key", .text(key.description), in: session)
        known.keys[key] = number
        return number
    }

    /// Gives out the number of a session's next line of the journal.
    func nextLine(of session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        var last = known.lastLine
        if last == nil {
            let newest = "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1"
            last = try firstNumber(newest, [.integer(session)])
        }
        let number = last ?? 0
        guard number < .max else {
            throw .unreadable(path: connection.path, action: connection.action, column: "line")
        }
        known.lastLine = number + 1
        return number + 1
    }

    /// The number that a statement gives, or nil when it gives none.
    func firstNumber(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int64? {
        try connection.first(sql, values) { row throws(StoreError) in try row.integer(0) }
    }

    /// What is not known is nearly always new, so it is added first and only looked up when that
    /// shows that it was there.
    private func intern(
        _ table: String,
        _ column: String,
        _ value: SQLValue,
        in session: Int64
    ) throws(StoreError) -> Int64 {
        let values = [.integer(session), value]
        try connection.run(
            "INSERT INTO \(table) (session, \(column)) VALUES (?, ?) ON CONFLICT DO NOTHING",
            values
        )
        if connection.changedRows == 1 { return connection.lastRow }
        let query = "SELECT number FROM \(table) WHERE session = ? AND \(column) = ?"
        guard let number = try firstNumber(query, values) else {
            throw .unreadable(path: connection.path, action: connection.action, column: column)
        }
        return number
    }
}
