package import SessionCRDT

extension SessionStore {
    /// A setting of this device; nil when it was never set.
    package func setting(_ name: String) throws(StoreError) -> String? {
        connection.action = "read a setting"
        return try connection.first(
            "SELECT value FROM setting WHERE name = ?",
            [.text(name)]
        ) { row throws(StoreError) in try row.text(0) }
    }

    /// Sets a setting of this device, or with nil takes it away.
    package func set(_ name: String, to value: String?) throws(StoreError) {
        connection.action = "change a setting"
        guard let value else {
            return try connection.run("DELETE FROM setting WHERE name = ?", [.text(name)])
        }
        let sql = "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)"
        try connection.run(sql, [.text(name), .text(value)])
    }

    /// This device's setting for a session; nil when it was never set.
    package func setting(
        _ name: String,
        of session: SessionID
    ) throws(StoreError) -> String? {
        connection.action = "read a session's setting"
        return try connection.first(
            "SELECT value FROM session_setting WHERE session = ? AND name = ?",
            [.integer(try number(of: session)), .text(name)]
        ) { row throws(StoreError) in try row.text(0) }
    }

    /// Sets this device's setting for a session, or with nil takes it away.
    package func set(
        _ name: String,
        of session: SessionID,
        to value: String?
    ) throws(StoreError) {
        connection.action = "change a session's setting"
        let place: [SQLValue] = [.integer(try number(of: session)), .text(name)]
        guard let value else {
            let sql = "DELETE FROM session_setting WHERE session = ? AND name = ?"
            return try connection.run(sql, place)
        }
        try connection.run(
            "INSERT OR REPLACE INTO session_setting (session, name, value) VALUES (?, ?, ?)",
            place + [.text(value)]
        )
    }
}
