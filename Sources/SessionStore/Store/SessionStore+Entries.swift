package import SessionCRDT

// What is held of a session: commits, loading, and the journal.

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
                try write(batch, to: number)
                try insert(earlier: batch.earlier, into: number, at: milliseconds)
                try append(batch.journal, to: number, at: milliseconds)
                numbers[number].trim()
            }
        }
    }

    /// Gives keys their numbers ahead of the batch that writes under them, which is shorter then.
    ///
    /// A number of which nothing comes does no harm.
    package func number(
        _ keys: some Sequence<Key>,
        of session: SessionID
    ) throws(StoreError) {
        try transaction(to: "write what changed") { () throws(StoreError) in
            let session = try number(of: session)
            for key in keys { _ = try number(of: key, in: session) }
        }
    }

    private func write(_ batch: Batch, to session: Int64) throws(StoreError) {
        let statements = try statements
        // What is written nearly always takes the place of something: one statement for both.
        let replaced = batch.canReplace ? min(batch.removed.count, batch.inserted.count) : 0
        for (dot, stored) in zip(batch.removed, batch.inserted).prefix(replaced) {
            if try !replace(dot, by: stored, in: session) { try insert([stored], into: session) }
        }
        for dot in batch.removed.dropFirst(replaced) {
            let actor = try number(of: dot.actor, in: session)
            try connection.run(statements.remove) { bindings in
                bindings.integer(actor)
                bindings.word(dot.sequence)
            }
        }
        try insert(batch.inserted.dropFirst(replaced), into: session)
        for dot in batch.advanced {
            let actor = try number(of: dot.actor, in: session)
            try connection.run(statements.advance) { bindings in
                bindings.word(dot.sequence)
                bindings.integer(actor)
            }
        }
    }

    private func insert(
        _ entries: some Collection<KeyedEntry>,
        into session: Int64
    ) throws(StoreError) {
        try statements.insert.run(entries, on: connection) { bindings, stored throws(StoreError) in
            bindings.integer(try number(of: stored.key, in: session))
            bindings.add(try columns(of: stored.entry, in: session))
        }
    }

    /// Writes an entry in the place of another; whether the other was there.
    private func replace(
        _ dot: Dot,
        by stored: KeyedEntry,
        in session: Int64
    ) throws(StoreError) -> Bool {
        let subject = try number(of: stored.key, in: session)
        let columns = try columns(of: stored.entry, in: session)
        let actor = try number(of: dot.actor, in: session)
        try connection.run(statements.replace) { bindings in
            bindings.integer(subject)
            bindings.add(columns)
            bindings.integer(actor)
            bindings.word(dot.sequence)
        }
        return connection.changedRows == 1
    }

    // MARK: The journal

    private func append(
        _ lines: [JournalLine],
        to session: Int64,
        at milliseconds: UInt64
    ) throws(StoreError) {
        try append(lines.lazy.map { (milliseconds, nil, $0) }, to: session)
    }

    /// Adds lines, each with when it was noted and its number; nil is the session's next one.
    func append(
        _ lines: some Collection<(at: UInt64, number: Int64?, line: JournalLine)>,
        to session: Int64
    ) throws(StoreError) {
        var further: [(line: Int64, place: Int64, entry: Entry)] = []
        try statements.append.run(lines, on: connection) { bindings, added throws(StoreError) in
            let columns = try columns(of: added.line, numbered: added.number, in: session)
            bindings.add(columns, of: session, at: added.at)
            // The first entry that it replaced stands in the line.
            for (place, entry) in columns.further.enumerated() {
                further.append((columns.number, Int64(place + 1), entry))
            }
        }
        try statements.appendReplaced.run(further, on: connection) {
            bindings,
            replaced throws(StoreError) in
            bindings.integer(session)
            bindings.integer(replaced.line)
            bindings.integer(replaced.place)
            bindings.add(try columns(of: replaced.entry, in: session))
        }
    }
}

extension Batch {
    /// Whether entries that come may take the rows of entries that go: none of both is the same,
    /// which is looked at only where the batch is small.
    fileprivate var canReplace: Bool {
        removed.count <= 8 && inserted.allSatisfy { !removed.contains($0.entry.dot) }
    }
}

extension SessionStore {
    /// Everything that is live in a session, and what has been seen.
    package func load(_ session: SessionID) throws(StoreError) -> ReplicaSnapshot {
        connection.action = "load a session"
        let number = try number(of: session)
        let authors = try authors(of: number)
        var entries: [KeyedEntry] = []
        entries.reserveCapacity(try countEntries(of: number))
        var sequences: [ActorID: UInt64] = [:]
        let actors = try connection.all(
            "SELECT number, id, seen FROM actor WHERE session = ?",
            [.integer(number)]
        ) { row throws(StoreError) in
            (number: try row.integer(0), id: try row.id(1) as ActorID, seen: try row.word(2))
        }
        for actor in actors {
            sequences[actor.id] = actor.seen
            try load(actor.id, actor.number, of: number, authors, into: &entries)
        }
        return ReplicaSnapshot(entries: entries, vector: VersionVector(sequences))
    }

    private func countEntries(of session: Int64) throws(StoreError) -> Int {
        let query = """
            SELECT count(*) FROM actor a JOIN entry e ON e.actor = a.number WHERE a.session = ?
            """
        return Int(try firstNumber(query, [.integer(session)]) ?? 0)
    }

    private func load(
        _ actor: ActorID,
        _ number: Int64,
        of session: Int64,
        _ authors: [Int64: DeviceID],
        into entries: inout [KeyedEntry]
    ) throws(StoreError) {
        // A left join, so that an entry whose key is lost is an error and not left out.
        let query = """
            SELECT e.sequence, e.stamp, e.author, e.kind, e.foreign_kind, e.value, s.key, e.subject
            FROM entry e LEFT JOIN subject s ON s.number = e.subject WHERE e.actor = ?
            """
        try connection.each(query, [.integer(number)]) { row throws(StoreError) in
            guard let author = authors[try row.integer(2)] else { throw row.unreadable(2) }
            let entry = Entry(
                dot: Dot(actor: actor, sequence: try row.word(0)),
                stamp: Stamp(bits: try row.word(1)),
                author: author,
                value: try Value(row, from: 3)
            )
            let key = try row.key(6)
            entries.append(KeyedEntry(key: key, entry: entry))
            numbers.noteLoaded(key, try row.integer(7), in: session)
        }
    }

    private func authors(of session: Int64) throws(StoreError) -> [Int64: DeviceID] {
        var authors: [Int64: DeviceID] = [:]
        try connection.each(
            "SELECT number, id FROM author WHERE session = ?",
            [.integer(session)]
        ) { row throws(StoreError) in authors[try row.integer(0)] = try row.id(1) }
        return authors
    }
}

extension SessionStore {
    /// The newest lines of a session's journal that the filter lets through, newest first, or the
    /// oldest, oldest first.
    ///
    /// With this device as author these are the lines that undo works from.
    package func history(
        of session: SessionID,
        _ filter: HistoryFilter = HistoryFilter(),
        oldestFirst: Bool = false,
        limit: Int
    ) throws(StoreError) -> [JournalRecord] {
        connection.action = "read the journal"
        let number = try number(of: session)
        var conditions = "x.session = ? AND x.line < ? AND x.line > ?"
        var values: [SQLValue] = [
            .integer(number), .integer(filter.before ?? .max), .integer(filter.after ?? .min),
        ]
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
            SELECT \(SessionStore.entryColumns), x.line, x.recorded, s.key,
            b.id, x.replaced_sequence, x.replaced_stamp, e.id, x.replaced_kind,
            x.replaced_foreign_kind, x.replaced_value
            FROM line x LEFT JOIN subject s ON s.number = x.subject \(SessionStore.entryJoins)
            LEFT JOIN actor b ON b.number = x.replaced_actor
            LEFT JOIN author e ON e.number = x.replaced_author
            WHERE \(conditions) ORDER BY x.line \(oldestFirst ? "ASC" : "DESC") LIMIT ?
            """
        values.append(.integer(Int64(max(limit, 0))))
        return try connection.all(query, values) { row throws(StoreError) in
            let line = try row.integer(7)
            // What is missing of the first entry that was replaced is an error, except all of it.
            let first = row.isNull(11) ? [] : [try Entry(row, from: 10)]
            let journalLine = JournalLine(
                key: try row.key(9),
                entry: try Entry(row, from: 0),
                replaced: first + (try replaced(by: line, in: number))
            )
            return JournalRecord(number: line, recordedAt: try row.word(8), line: journalLine)
        }
    }

    /// Shortens a session's journal, a piece of it in each call.
    ///
    /// A line goes only when its entry is no longer live; one that this device wrote only once a
    /// peer has it too. What a remaining line replaced stays readable, since each line has its own
    /// copy of it. One call looks at `linesAtOnce`, the oldest first, so that nobody who shares the
    /// queue waits for long.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - acknowledged: what peers have said that they have.
    ///   - kept: how many of the newest lines stay whatever they say; at least one does, so that
    ///     no number is given out twice.
    ///   - first: the line to begin at.
    /// - Returns: how many lines went, and the line at which to go on, nil at the end.
    /// - Throws: `unknownSession`, and what the disk says.
    package func prune(
        _ session: SessionID,
        acknowledged: VersionVector,
        keepingNewest kept: Int,
        from first: Int64 = .min
    ) throws(StoreError) -> (gone: Int, next: Int64?) {
        try transaction(to: "shorten the journal") { () throws(StoreError) in
            let number = try number(of: session)
            let oldestKept = try firstNumber(
                "SELECT line FROM line WHERE session = ? ORDER BY line DESC LIMIT 1 OFFSET ?",
                [.integer(number), .integer(Int64(max(kept, 1) - 1))]
            )
            guard let oldestKept else { return (0, nil) }
            let seen = try superseded(in: number, from: first, before: oldestKept, acknowledged)
            for line in seen.lines {
                try connection.run(
                    "DELETE FROM line WHERE session = ? AND line = ?",
                    [.integer(number), .integer(line)]
                )
            }
            return (seen.lines.count, seen.next)
        }
    }

    /// How many lines of the journal are looked at in one call.
    package static let linesAtOnce = 1_000

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
            row throws(StoreError) in try Entry(row, from: 0)
        }
    }

    /// The lines of a piece of the journal that may go, and where the next piece begins.
    private func superseded(
        in session: Int64,
        from first: Int64,
        before end: Int64,
        _ acknowledged: VersionVector
    ) throws(StoreError) -> (lines: [Int64], next: Int64?) {
        let query = """
            SELECT x.line, a.id, x.sequence, d.id, EXISTS
            (SELECT 1 FROM entry e WHERE e.actor = x.actor AND e.sequence = x.sequence)
            FROM line x \(SessionStore.entryJoins)
            WHERE x.session = ? AND x.line >= ? AND x.line < ? ORDER BY x.line LIMIT ?
            """
        let limit = SessionStore.linesAtOnce
        var lines: [Int64] = []
        var count = 0
        var last = first
        try connection.each(
            query,
            [.integer(session), .integer(first), .integer(end), .integer(Int64(limit))]
        ) { row throws(StoreError) in
            count += 1
            last = try row.integer(0)
            guard try row.integer(4) == 0 else { return }
            let dot = Dot(actor: try row.id(1), sequence: try row.word(2))
            let isOwn = try row.id(3) == device
            if !isOwn || acknowledged.covers(dot) { lines.append(last) }
        }
        return (lines, count == limit ? last + 1 : nil)
    }
}

extension Entry {
    /// The entry of columns like `SessionStore.entryColumns`, which stand from `column` on.
    fileprivate init(_ row: Row, from column: Int32) throws(StoreError) {
        self.init(
            dot: Dot(actor: try row.id(column), sequence: try row.word(column + 1)),
            stamp: Stamp(bits: try row.word(column + 2)),
            author: try row.id(column + 3),
            value: try Value(row, from: column + 4)
        )
    }
}

/// The statements of a commit, prepared once: what a score runs.
///
/// The columns of an entry come after that of what it is about, as `EntryColumns` adds them.
struct CommitStatements {
    let insert: RowInsertion
    let replace: Statement
    let remove: Statement
    let advance: Statement
    let append: RowInsertion
    let appendReplaced: RowInsertion

    init(_ connection: Connection) throws(StoreError) {
        let entry = "actor, sequence, stamp, author, kind, foreign_kind, value"
        let columns = entry.split(separator: ", ")
        insert = try RowInsertion("INSERT OR REPLACE INTO entry (subject, \(entry))", connection)
        let changes = columns.map { "\($0) = ?" }.joined(separator: ", ")
        replace = try connection.prepare(
            "UPDATE OR REPLACE entry SET subject = ?, \(changes) WHERE actor = ? AND sequence = ?"
        )
        remove = try connection.prepare("DELETE FROM entry WHERE actor = ? AND sequence = ?")
        advance = try connection.prepare("UPDATE actor SET seen = ? WHERE number = ?")
        let replaced = columns.map { "replaced_\($0)" }.joined(separator: ", ")
        append = try RowInsertion(
            "INSERT INTO line (session, line, recorded, subject, \(entry), \(replaced))",
            connection
        )
        appendReplaced = try RowInsertion(
            "INSERT INTO replaced (session, line, place, \(entry))",
            connection
        )
    }
}

/// An insertion of any number of rows, prepared for some numbers of them: a row of a long statement
/// costs two thirds of one by itself.
struct RowInsertion {
    private let statements: [(rows: Int, statement: Statement)]

    /// The insertion whose SQL ends with the names of the columns.
    init(_ sql: String, _ connection: Connection) throws(StoreError) {
        let count = sql.split(separator: ",").count
        let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
        // A score has two lines, with that of the player's membership.
        statements = try [16, 2, 1].map { rows throws(StoreError) in
            let values = Array(repeating: row, count: rows).joined(separator: ", ")
            return (rows, try connection.prepare("\(sql) VALUES \(values)"))
        }
    }

    /// Inserts rows, each with the values that `bind` adds for it.
    func run<Element>(
        _ rows: some Collection<Element>,
        on connection: Connection,
        _ bind: (inout Bindings, Element) throws(StoreError) -> Void
    ) throws(StoreError) {
        var rest = rows[...]
        for (count, statement) in statements {
            while rest.count >= count {
                let share = rest.prefix(count)
                rest = rest.dropFirst(count)
                try connection.run(statement) { bindings throws(StoreError) in
                    for row in share { try bind(&bindings, row) }
                }
            }
        }
    }
}
