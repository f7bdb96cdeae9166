package import SessionCRDT

extension SessionStore {
    /// The games that were added to this device, by id.
    package func sheets() throws(StoreError) -> [StoredSheet] {
        connection.action = "list the games of this device"
        let query = "SELECT id, source FROM sheet ORDER BY id"
        return try connection.all(query) { row throws(StoreError) in
            guard let id = Symbol(try row.text(0)) else { throw row.unreadable(0) }
            return StoredSheet(id: id, text: try row.text(1))
        }
    }

    /// Keeps a game, in place of the one with its id.
    package func keep(_ sheet: StoredSheet) throws(StoreError) {
        connection.action = "keep a game"
        try connection.run(
            "INSERT OR REPLACE INTO sheet (id, source) VALUES (?, ?)",
            [.text(sheet.id.description), .text(sheet.text)]
        )
    }

    /// Removes a game.
    ///
    /// - Returns: whether it was there.
    package func removeSheet(_ id: Symbol) throws(StoreError) -> Bool {
        connection.action = "remove a game"
        try connection.run("DELETE FROM sheet WHERE id = ?", [.text(id.description)])
        return connection.changedRows == 1
    }
}
