package import SessionCRDT

// The live entries of sessions: commits and loading.

extension SessionStore {
    /// Commits batches of sessions in one transaction; batches of the same session must be in
    /// order.
    ///
    /// `milliseconds` is the time to record in the journal, by this device's clock.
    package func commit(
        _ batches: [(session: SessionID, batch: Batch)],
        at milliseconds: UInt64
    ) throws(StoreError) {
        try transaction(to: "save changes") { () throws(StoreError) in
            for (session, batch) in batches {
                let number = try number(of: session)
                lastKnown.changed.insert(session)
                try write(batch, to: number)
                try prepend(batch.earlier, to: number, at: milliseconds)
                try append(batch.journal.lazy.map { (milliseconds, nil, $0) }, to: number)
                numbers[number].trim()
            }
        }
    }

    /// Assigns row numbers to keys before the batch that uses them, which makes the batch shorter.
    ///
    /// A number that is not used after all does no harm.
    package func number(_ keys: some Sequence<Key>, of session: SessionID) throws(StoreError) {
        try transaction(to: "save changes") { () throws(StoreError) in
            let session = try number(of: session)
            for key in keys { _ = try number(of: key, in: session) }
        }
    }

    private func write(_ batch: Batch, to session: Int64) throws(StoreError) {
        let statements = try statements
        // Most writes replace one entry; overwriting its row takes one statement instead of two.
        let replaced = batch.canReplace ? min(batch.removed.count, batch.inserted.count) : 0
        for (dot, stored) in zip(batch.removed, batch.inserted).prefix(replaced) {
            if try !replace(dot, by: stored, in: session) { try insert([stored], into: session) }
        }
        for dot in batch.removed.dropFirst(replaced) {
            try connection.run(statements.remove) { bindings throws(StoreError) in
                bindings.integer(try number(of: dot.actor, in: session))
                bindings.word(dot.sequence)
            }
        }
        try insert(batch.inserted.dropFirst(replaced), into: session)
        for dot in batch.advanced {
            try connection.run(statements.advance) { bindings throws(StoreError) in
                bindings.word(dot.sequence)
                bindings.integer(try number(of: dot.actor, in: session))
            }
        }
    }

    private func insert(
        _ entries: some Collection<KeyedEntry>,
        into session: Int64
    ) throws(StoreError) {
        try statements.insert.run(entries, on: connection) { bindings, stored throws(StoreError) in
            bindings.integer(try number(of: stored.key, in: session))
            try bind(stored.entry, in: session, to: &bindings)
        }
    }

    /// Overwrites the row of an entry with another entry; returns whether the row existed.
    private func replace(
        _ dot: Dot,
        by stored: KeyedEntry,
        in session: Int64
    ) throws(StoreError) -> Bool {
        try connection.run(statements.replace) { bindings throws(StoreError) in
            bindings.integer(try number(of: stored.key, in: session))
            try bind(stored.entry, in: session, to: &bindings)
            bindings.integer(try number(of: dot.actor, in: session))
            bindings.word(dot.sequence)
        }
        return connection.changedRows == 1
    }

    /// Binds actor, sequence, stamp, author, kind, foreign kind and value of an entry; adds the
    /// actor and the author if they are new.
    private func bind(
        _ entry: Entry,
        in session: Int64,
        to bindings: inout Bindings
    ) throws(StoreError) {
        bindings.integer(try number(of: entry.dot.actor, in: session))
        bindings.word(entry.dot.sequence)
        bindings.word(entry.stamp.bits)
        bindings.integer(try number(of: entry.author, in: session))
        bindings.value(entry.value)
    }

    /// Appends lines with their times and numbers; a nil number is the next one of the session.
    func append(
        _ lines: some Collection<(at: UInt64, number: Int64?, line: JournalLine)>,
        to session: Int64
    ) throws(StoreError) {
        var further: [(line: Int64, place: Int64, entry: Entry)] = []
        try statements.append.run(lines, on: connection) { bindings, added throws(StoreError) in
            let line = added.line
            let number = if let given = added.number { given } else { try nextLine(of: session) }
            bindings.integer(session)
            bindings.integer(number)
            bindings.word(added.at)
            bindings.integer(try self.number(of: line.key, in: session))
            try bind(line.entry, in: session, to: &bindings)
            // The row of a line has room for the first replaced entry only.
            if let replaced = line.replaced.first {
                try bind(replaced, in: session, to: &bindings)
            } else {
                bindings.null(7)
            }
            for (index, entry) in line.replaced.enumerated().dropFirst() {
                further.append((number, Int64(index), entry))
            }
        }
        try statements.appendReplaced.run(further, on: connection) {
            bindings,
            replaced throws(StoreError) in
            bindings.integer(session)
            bindings.integer(replaced.line)
            bindings.integer(replaced.place)
            try bind(replaced.entry, in: session, to: &bindings)
        }
    }
}

extension Batch {
    /// Whether inserted entries may overwrite the rows of removed ones, because no dot is in both;
    /// false for large batches, which are not checked.
    fileprivate var canReplace: Bool {
        removed.count <= 8 && inserted.allSatisfy { !removed.contains($0.entry.dot) }
    }
}

extension SessionStore {
    /// Loads the live entries and the version vector of a session.
    package func load(_ session: SessionID) throws(StoreError) -> ReplicaSnapshot {
        connection.action = "load a session"
        let number = try number(of: session)
        let authors: [Int64: DeviceID] = try ids("author", of: number)
        var entries: [KeyedEntry] = []
        entries.reserveCapacity(try countEntries(of: number))
        var sequences: [ActorID: UInt64] = [:]
        let query = "SELECT number, id, seen FROM actor WHERE session = ?"
        let actors = try connection.all(query, [.integer(number)]) { row throws(StoreError) in
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
        return Int(try connection.number(query, [.integer(session)]))
    }

    private func load(
        _ actor: ActorID,
        _ number: Int64,
        of session: Int64,
        _ authors: [Int64: DeviceID],
        into entries: inout [KeyedEntry]
    ) throws(StoreError) {
        // A left join, so that an entry whose key is lost causes an error instead of being omitted.
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
            numbers.addLoaded(key, try row.integer(7), in: session)
        }
    }

    func ids<Tag>(_ table: String, of session: Int64) throws(StoreError) -> [Int64: ID<Tag>] {
        var ids: [Int64: ID<Tag>] = [:]
        let query = "SELECT number, id FROM \(table) WHERE session = ?"
        try connection.each(query, [.integer(session)]) { row throws(StoreError) in
            ids[try row.integer(0)] = try row.id(1)
        }
        return ids
    }
}

/// The prepared statements of a commit.
///
/// In each of them, the columns of the entry follow those of its key.
struct CommitStatements {
    let insert: RowInsertion
    let replace: Statement
    let remove: Statement
    let advance: Statement
    let append: RowInsertion
    let appendReplaced: RowInsertion

    init(_ connection: Connection) throws(StoreError) {
        let columns = ["actor", "sequence", "stamp", "author", "kind", "foreign_kind", "value"]
        let entry = columns.joined(separator: ", ")
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

/// Inserts any number of rows, several per statement, which costs a third less per row than one
/// statement for each.
struct RowInsertion {
    private let statements: [(rows: Int, statement: Statement)]

    /// Creates an insertion; `sql` must end with the list of columns.
    init(_ sql: String, _ connection: Connection) throws(StoreError) {
        let count = sql.split(separator: ",").count
        let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
        // A score adds two lines, one of them for the player's membership.
        statements = try [16, 2, 1].map { rows throws(StoreError) in
            let values = Array(repeating: row, count: rows).joined(separator: ", ")
            return (rows, try connection.prepare("\(sql) VALUES \(values)"))
        }
    }

    /// Inserts a row for each element, with the parameters that `bind` sets.
    func run<Element>(
        _ rows: some Collection<Element>,
        on connection: Connection,
        _ bind: (inout Bindings, Element) throws(StoreError) -> Void
    ) throws(StoreError) {
        var rest = rows[...]
        for (count, statement) in statements {
            while rest.count >= count {
                let chunk = rest.prefix(count)
                rest = rest.dropFirst(count)
                try connection.run(statement) { bindings throws(StoreError) in
                    for row in chunk { try bind(&bindings, row) }
                }
            }
        }
    }
}
