package import SessionCRDT

extension SessionStore {
    /// The newest lines of a session's journal that the filter lets through, newest first.
    ///
    /// With this device as author these are the lines that undo works from.
    package func history(
        of session: SessionID,
        _ filter: HistoryFilter = HistoryFilter(),
        limit: Int
    ) throws(StoreError) -> [JournalRecord] {
        connection.action = "read the journal"
        let number = try number(of: session)
        var conditions = "x.session = ? AND x.line < ?"
        var values: [SQLValue] = [.integer(number), .integer(filter.before ?? .max)]
        if let author = filter.author {
            conditions += " AND x.author = (SELECT number FROM author WHERE session = ? AND id = ?)"
            values += [.integer(number), .id(author)]
        }
        if let keys = filter.keys {
            let subjects = "SELECT number FROM subject WHERE session = ? AND (\(keys.condition))"
            conditions += " AND x.subject IN (\(subjects))"
            values += [.integer(number)] + keys.values
        }
        let query = """
            SELECT \(SessionStore.entryColumns), x.line, x.recorded, s.key
            FROM line x LEFT JOIN subject s ON s.number = x.subject \(SessionStore.entryJoins)
            WHERE \(conditions) ORDER BY x.line DESC LIMIT ?
            """
        values.append(.integer(Int64(max(limit, 0))))
        return try connection.all(query, values) { row throws(StoreError) in
            let line = try row.integer(7)
            let journalLine = JournalLine(
                key: Key(try row.text(9)),
                entry: try Entry(row),
                replaced: try replaced(by: line, in: number)
            )
            return JournalRecord(number: line, recordedAt: try row.word(8), line: journalLine)
        }
    }

    /// Shortens a session's journal.
    ///
    /// A line goes only when its entry is no longer live; one that this device wrote only once a
    /// peer has it too. What a remaining line replaced stays readable, since each line has its own
    /// copy of it.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - acknowledged: what peers have said that they have.
    ///   - kept: how many of the newest lines stay whatever they say; at least one does, so that
    ///     no number is given out twice.
    /// - Returns: how many lines went.
    /// - Throws: `unknownSession`, and what the disk says.
    package func prune(
        _ session: SessionID,
        acknowledged: VersionVector,
        keepingNewest kept: Int
    ) throws(StoreError) -> Int {
        try transaction(to: "shorten the journal") { () throws(StoreError) in
            let number = try number(of: session)
            let oldestKept = try firstNumber(
                "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1 OFFSET ?",
                [.integer(number), .integer(Int64(max(kept, 1) - 1))]
            )
            guard let oldestKept else { return 0 }
            let lines = try superseded(in: number, before: oldestKept, acknowledged)
            for line in lines {
                try connection.run(
                    "DELETE FROM line WHERE session = ? AND line = ?",
                    [.integer(number), .integer(line)]
                )
            }
            return lines.count
        }
    }

    private static let entryColumns =
        "a.id, x.sequence, x.stamp, d.id, x.kind, x.foreign_kind, x.value"

    // Left joins, so that a line whose actor is lost is an error and not left out.
    private static let entryJoins = """
        LEFT JOIN actor a ON a.number = x.actor LEFT JOIN author d ON d.number = x.author
        """

    private func replaced(by line: Int64, in session: Int64) throws(StoreError) -> [Entry] {
        let query = """
            SELECT \(SessionStore.entryColumns) FROM replaced x \(SessionStore.entryJoins)
            WHERE x.session = ? AND x.line = ? ORDER BY x.place
            """
        return try connection.all(query, [.integer(session), .integer(line)]) {
            row throws(StoreError) in try Entry(row)
        }
    }

    private func superseded(
        in session: Int64,
        before line: Int64,
        _ acknowledged: VersionVector
    ) throws(StoreError) -> [Int64] {
        let query = """
            SELECT x.line, a.id, x.sequence, d.id FROM line x \(SessionStore.entryJoins)
            WHERE x.session = ? AND x.line < ? AND NOT EXISTS
            (SELECT 1 FROM entry e WHERE e.actor = x.actor AND e.sequence = x.sequence)
            """
        var lines: [Int64] = []
        try connection.each(query, [.integer(session), .integer(line)]) { row throws(StoreError) in
            let dot = Dot(actor: try row.id(1), sequence: try row.word(2))
            let isOwn = try row.id(3) == device
            if !isOwn || acknowledged.covers(dot) { lines.append(try row.integer(0)) }
        }
        return lines
    }
}

extension Entry {
    /// The entry of a row that starts with `SessionStore.entryColumns`.
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(
            dot: Dot(actor: try row.id(0), sequence: try row.word(1)),
            stamp: Stamp(bits: try row.word(2)),
            author: try row.id(3),
            value: try Value(row, from: 4)
        )
    }
}
