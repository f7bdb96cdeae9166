package import SessionCRDT

extension SessionStore {
    /// Writes the batches of any number of sessions down, all or none.
    ///
    /// - Parameters:
    ///   - batches: the batches, each of its session; of one session in their order.
    ///   - milliseconds: this device's clock, which the journal notes.
    /// - Throws: why it could not be done; nothing of any batch is there then.
    package func commit(
        _ batches: [(session: SessionID, batch: Batch)],
        at milliseconds: UInt64
    ) throws(StoreError) {
        try transaction(to: "write what changed") { () throws(StoreError) in
            for (session, batch) in batches {
                let number = try number(of: session)
                try remove(batch.removed, from: number)
                for stored in batch.inserted { try insert(stored, into: number) }
                try advance(batch.advanced, of: number)
                try append(batch.journal, to: number, at: milliseconds)
            }
        }
    }

    /// The columns of an entry: actor, sequence, stamp, author, kind, foreign kind, value.
    func stored(_ entry: Entry, in session: Int64) throws(StoreError) -> [SQLValue] {
        [
            .integer(try number(of: entry.dot.actor, in: session)),
            .word(entry.dot.sequence),
            .word(entry.stamp.bits),
            .integer(try number(of: entry.author, in: session)),
        ] + entry.value.stored
    }

    private func remove(_ dots: [Dot], from session: Int64) throws(StoreError) {
        for dot in dots {
            try connection.run(
                "DELETE FROM entry WHERE actor = ? AND sequence = ?",
                [.integer(try number(of: dot.actor, in: session)), .word(dot.sequence)]
            )
        }
    }

    private func insert(_ stored: KeyedEntry, into session: Int64) throws(StoreError) {
        let columns = try self.stored(stored.entry, in: session)
        try connection.run(
            """
            INSERT OR REPLACE INTO entry
            (actor, sequence, stamp, author, kind, foreign_kind, value, subject)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            columns + [.integer(try number(of: stored.key, in: session))]
        )
    }

    private func advance(_ dots: [Dot], of session: Int64) throws(StoreError) {
        for dot in dots {
            try connection.run(
                "UPDATE actor SET seen = ? WHERE number = ?",
                [.word(dot.sequence), .integer(try number(of: dot.actor, in: session))]
            )
        }
    }

    private func append(
        _ lines: [JournalLine],
        to session: Int64,
        at milliseconds: UInt64
    ) throws(StoreError) {
        guard !lines.isEmpty else { return }
        let newest = "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1"
        var number = try firstNumber(newest, [.integer(session)]) ?? 0
        for line in lines {
            guard number < .max else {
                throw .unreadable(path: connection.path, action: connection.action, column: "line")
            }
            number += 1
            let place: [SQLValue] = [.integer(session), .integer(number)]
            let subject = try self.number(of: line.key, in: session)
            try connection.run(
                """
                INSERT INTO line (session, line, recorded, subject,
                actor, sequence, stamp, author, kind, foreign_kind, value)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                place + [.word(milliseconds), .integer(subject)]
                    + stored(line.entry, in: session)
            )
            for (index, entry) in line.replaced.enumerated() {
                try connection.run(
                    """
                    INSERT INTO replaced (session, line, place,
                    actor, sequence, stamp, author, kind, foreign_kind, value)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    place + [.integer(Int64(index))] + stored(entry, in: session)
                )
            }
        }
    }
}

extension SessionStore {
    /// Folds the write-ahead log into the database, so that one file holds everything.
    ///
    /// Nothing is at stake when it fails: the log is read again when the store is next opened.
    package func foldLog() {
        connection.action = "fold the log into the database"
        try? connection.each("PRAGMA wal_checkpoint(TRUNCATE)", []) { _ in }
    }
}
