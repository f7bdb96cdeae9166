internal import SessionCRDT

/// A cache of the row numbers of sessions, actors, authors and keys, and of the last journal lines.
///
/// Everything in it is committed or being committed; a failed transaction drops the cache.
struct RowNumberCache {
    var sessions: [SessionID: Int64] = [:]
    private var bySession: [Int64: OfSession] = [:]

    subscript(session: Int64) -> OfSession {
        mutating get {
            if let known = bySession[session] { return known }
            let new = OfSession()
            bySession[session] = new
            return new
        }
    }

    /// The row numbers within a session; a class, because it is used for each row.
    final class OfSession {
        var actors: [ActorID: Int64] = [:]
        var authors: [DeviceID: Int64] = [:]
        /// The keys read or written; more than `maxKeys` only during a commit, which uses each key
        /// twice, and never more than `maxKeysOfCommit`.
        private(set) var keys: [Key: Int64] = [:]
        /// The number of the last journal line; nil if it was not read yet.
        var lastLine: Int64?

        func add(_ key: Key, _ number: Int64, limit: Int) {
            if keys.count < limit { keys[key] = number }
        }

        /// Drops all keys if there are too many.
        func trim() { if keys.count > RowNumberCache.maxKeys { keys = [:] } }
    }

    /// The maximum number of cached keys of one session, and of keys cached while all sessions are
    /// loaded: most sessions are never written again.
    private static let maxKeys = 16_384
    /// The maximum number of keys cached during a commit: one more would double the table, to 12 MB.
    fileprivate static let maxKeysOfCommit = 98_304

    private var loadedKeys = 0

    /// Caches the number of a loaded key, up to the maximum.
    mutating func addLoaded(_ key: Key, _ number: Int64, in session: Int64) {
        guard loadedKeys < RowNumberCache.maxKeys else { return }
        loadedKeys += 1
        self[session].add(key, number, limit: RowNumberCache.maxKeys)
    }
}

extension SessionStore {
    func number(of session: SessionID) throws(StoreError) -> Int64 {
        if let number = numbers.sessions[session] { return number }
        let query = "SELECT number FROM session WHERE id = ?"
        guard let number = try connection.firstNumber(query, [.id(session)]) else {
            throw .unknownSession(session)
        }
        numbers.sessions[session] = number
        return number
    }

    /// Returns the row number of an actor in a session; a new actor is added.
    func number(of actor: ActorID, in session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        if let number = known.actors[actor] { return number }
        let number = try intern("actor", "id", .id(actor), in: session)
        known.actors[actor] = number
        return number
    }

    func number(of author: DeviceID, in session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        if let number = known.authors[author] { return number }
        let number = try intern("author", "id", .id(author), in: session)
        known.authors[author] = number
        return number
    }

    func number(of key: Key, in session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        if let number = known.keys[key] { return number }
        let number = try intern("subject", "key", .text(key.description), in: session)
        known.add(key, number, limit: RowNumberCache.maxKeysOfCommit)
        return number
    }

    func nextLine(of session: Int64) throws(StoreError) -> Int64 {
        let known = numbers[session]
        var last = known.lastLine
        if last == nil {
            let newest = "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1"
            last = try connection.firstNumber(newest, [.integer(session)])
        }
        let number = last ?? 0
        guard number < .max else {
            throw .unreadable(path: connection.path, action: connection.action, column: "line")
        }
        known.lastLine = number + 1
        return number + 1
    }

    /// Returns the row number of a value, which is added if it is new.
    ///
    /// It inserts first, because a value that is not cached is nearly always new, and looks the value
    /// up only if that fails.
    private func intern(
        _ table: String,
        _ column: String,
        _ value: SQLValue,
        in session: Int64
    ) throws(StoreError) -> Int64 {
        let values = [.integer(session), value]
        let insert =
            "INSERT INTO \(table) (session, \(column)) VALUES (?, ?) ON CONFLICT DO NOTHING"
        try connection.run(insert, values)
        if connection.changedRows == 1 { return connection.lastRow }
        let query = "SELECT number FROM \(table) WHERE session = ? AND \(column) = ?"
        guard let number = try connection.firstNumber(query, values) else {
            throw .unreadable(path: connection.path, action: connection.action, column: column)
        }
        return number
    }
}
