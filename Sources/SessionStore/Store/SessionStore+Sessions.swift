package import SessionCRDT

extension SessionStore {
    package static let keyBytes = 32

    /// Returns all sessions in the order of joining; a lost key does not have the usual length.
    package func sessions() throws(StoreError) -> [SessionRecord] {
        connection.action = "list the sessions"
        let query = "SELECT id, secret, joined FROM session ORDER BY number"
        return try connection.all(query) { row throws(StoreError) in
            SessionRecord(id: try row.id(0), key: try row.blob(1), joinedAt: try row.word(2))
        }
    }

    /// Stores the key of a session whose key is lost.
    ///
    /// - Throws: `sessionExists` if the session has a key.
    package func restoreKey(_ key: [UInt8], of session: SessionID) throws(StoreError) {
        guard key.count == SessionStore.keyBytes else { throw .wrongKeyLength(key.count) }
        try transaction(to: "store a session's key") { () throws(StoreError) in
            let sql =
                "UPDATE session SET secret = ? WHERE id = ? AND length(secret) != \(key.count)"
            try connection.run(sql, [.blob(key), .id(session)])
            guard connection.changedRows == 1 else { throw StoreError.sessionExists(session) }
            needsCheckpoint = true
        }
    }

    /// Adds a session without entries; an empty key counts as lost.
    package func add(_ session: SessionRecord) throws(StoreError) {
        guard session.key.isEmpty || session.hasKey else {
            throw .wrongKeyLength(session.key.count)
        }
        try transaction(to: "add a session") { () throws(StoreError) in
            try connection.run(
                "INSERT INTO session (id, secret, joined) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [.id(session.id), .blob(session.key), .word(session.joinedAt)]
            )
            guard connection.changedRows == 1 else { throw StoreError.sessionExists(session.id) }
            needsCheckpoint = true
            lastKnown.changed.insert(session.id)
        }
    }

    /// Removes a session and everything that is stored for it, except results.
    package func remove(_ session: SessionID) throws(StoreError) {
        try transaction(to: "remove a session") { () throws(StoreError) in
            try connection.run("DELETE FROM session WHERE id = ?", [.id(session)])
            guard connection.changedRows == 1 else { throw StoreError.unknownSession(session) }
            lastKnown.changed.insert(session)
        }
        numbers = RowNumberCache()
    }
}

extension SessionStore {
    package static let maxAddresses = 64

    /// Returns the addresses of a session, the one with the most recent answer of a member first.
    package func addresses(of session: SessionID) throws(StoreError) -> [StoredAddress] {
        connection.action = "read the addresses of peers"
        let query = """
            SELECT address, device, authenticated, typed FROM peer
            WHERE session = ? ORDER BY authenticated DESC NULLS LAST, address
            """
        return try connection.all(query, [.integer(try number(of: session))]) {
            row throws(StoreError) in
            StoredAddress(
                address: try row.text(0),
                device: try row.optionalID(1),
                lastAuthenticated: row.isNull(2) ? nil : try row.word(2),
                isTyped: try row.integer(3) != 0
            )
        }
    }

    /// Stores an address, or updates the stored one.
    ///
    /// Beyond `maxAddresses`, the oldest address is removed that the user did not type; if the user
    /// typed all, the oldest other one.
    package func record(_ peer: StoredAddress, for session: SessionID) throws(StoreError) {
        try transaction(to: "store a peer's address") { () throws(StoreError) in
            let number = SQLValue.integer(try number(of: session))
            let device = peer.device.map { SQLValue.id($0) } ?? .null
            let time = peer.lastAuthenticated.map { SQLValue.word($0) } ?? .null
            try connection.run(
                """
                INSERT INTO peer (session, address, device, authenticated, typed)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                device = coalesce(excluded.device, device),
                authenticated = max(coalesce(excluded.authenticated, authenticated),
                    coalesce(authenticated, excluded.authenticated)),
                typed = max(excluded.typed, typed)
                """,
                [number, .text(peer.address), device, time, peer.isTyped ? 1 : 0]
            )
            try connection.run(
                """
                DELETE FROM peer WHERE session = ?1 AND address IN (
                    SELECT address FROM peer WHERE session = ?1
                    ORDER BY typed DESC, address = ?2 DESC, authenticated DESC NULLS LAST, address
                    LIMIT -1 OFFSET \(SessionStore.maxAddresses))
                """,
                [number, .text(peer.address)]
            )
        }
    }

    package func removeAddress(
        _ address: String,
        of session: SessionID
    ) throws(StoreError) -> Bool {
        try transaction(to: "remove a peer's address") { () throws(StoreError) in
            let sql = "DELETE FROM peer WHERE session = ? AND address = ?"
            try connection.run(sql, [.integer(try number(of: session)), .text(address)])
            return connection.changedRows == 1
        }
    }
}
