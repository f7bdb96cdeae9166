package import SessionCRDT

extension SessionStore {
    /// How many bytes a session's key has.
    package static let keyBytes = 32

    /// All sessions, in the order of joining.
    package func sessions() throws(StoreError) -> [SessionRecord] {
        connection.action = "list the sessions"
        let query = "SELECT id, secret, joined FROM session ORDER BY number"
        return try connection.all(query) { row throws(StoreError) in
            let key = try row.blob(1)
            guard key.count == SessionStore.keyBytes else { throw row.unreadable(1) }
            return SessionRecord(id: try row.id(0), key: key, joinedAt: try row.word(2))
        }
    }

    /// Adds a session without entries.
    ///
    /// - Throws: `knownSession` when it is there already, `wrongKeyLength`, and what the disk says.
    package func add(_ session: SessionRecord) throws(StoreError) {
        guard session.key.count == SessionStore.keyBytes else {
            throw .wrongKeyLength(session.key.count)
        }
        try transaction(to: "add a session") { () throws(StoreError) in
            try connection.run(
                "INSERT INTO session (id, secret, joined) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [.id(session.id), .blob(session.key), .word(session.joinedAt)]
            )
            guard connection.changedRows == 1 else { throw StoreError.knownSession(session.id) }
        }
    }

    /// Removes a session and everything that was stored of it.
    ///
    /// - Throws: `unknownSession` when it is not there, and what the disk says.
    package func remove(_ session: SessionID) throws(StoreError) {
        try transaction(to: "remove a session") { () throws(StoreError) in
            try connection.run("DELETE FROM session WHERE id = ?", [.id(session)])
            guard connection.changedRows == 1 else { throw StoreError.unknownSession(session) }
        }
        numbers = KnownNumbers()
    }
}
