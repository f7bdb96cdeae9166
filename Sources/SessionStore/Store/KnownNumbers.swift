internal import SessionCRDT

/// The small numbers that the file has for sessions, actors and authors, kept once they were read.
struct KnownNumbers {
    var sessions: [SessionID: Int64] = [:]
    var actors: [Int64: [ActorID: Int64]] = [:]
    var authors: [Int64: [DeviceID: Int64]] = [:]
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
        if let number = numbers.actors[session]?[actor] { return number }
        let number = try intern("actor", "id", .id(actor), in: session)
        numbers.actors[session, default: [:]][actor] = number
        return number
    }

    /// The number of an author in a session, given out now if it had none.
    func number(of author: DeviceID, in session: Int64) throws(StoreError) -> Int64 {
        if let number = numbers.authors[session]?[author] { return number }
        let number = try intern("author", "id", .id(author), in: session)
        numbers.authors[session, default: [:]][author] = number
        return number
    }

    /// The number of a key in a session, given out now if it had none.
    func number(of key: Key, in session: Int64) throws(StoreError) -> Int64 {
        try intern("subject", "key", .text(key.description), in: session)
    }

    /// The number that a statement gives, or nil when it gives none.
    func firstNumber(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int64? {
        try connection.first(sql, values) { row throws(StoreError) in try row.integer(0) }
    }

    private func intern(
        _ table: String,
        _ column: String,
        _ value: SQLValue,
        in session: Int64
    ) throws(StoreError) -> Int64 {
        let query = "SELECT number FROM \(table) WHERE session = ? AND \(column) = ?"
        let values = [.integer(session), value]
        if let number = try firstNumber(query, values) { return number }
        try connection.run("INSERT INTO \(table) (session, \(column)) VALUES (?, ?)", values)
        return connection.lastRow
    }
}
