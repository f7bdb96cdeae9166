internal import SessionCRDT

/// Makes the copied sessions consistent again after the loss of entries.
///
/// A version vector may cover a write only if its entry is stored or was replaced. Therefore: - For
/// each actor, the vector is lowered to the last write before which nothing can be lost. Other
/// members then send the later writes again, and deltas of this device do not claim that lost
/// entries were replaced. - An entry above the lowered vector cannot keep its dot, because a vector
/// has no gaps. It is rewritten under a new actor that makes no other writes, with the same value,
/// author and stamp. Members that have the original then hold two equal values, until the next
/// write. - A lost entry is copied from the journal if the journal has it and nothing has replaced
/// it.
struct VectorRebuilder {
    private let connection: Connection
    private let gaps: EntryGaps
    private let isStale: Bool
    private let hasJournal: Bool
    /// The last sequence before any possible loss, for each actor that may have lost writes.
    private var sound: [Int64: UInt64] = [:]
    /// The new actor of each session, and the number of entries rewritten under it.
    private var writers: [Int64: (number: Int64, count: Int64)] = [:]
    /// The sessions that have lost entries, or may have.
    private var sessions: Set<Int64> = []

    /// A placeholder for an unknown last seen write, which no actor can have.
    static let unknownSeen = Int64.min

    /// - Parameters:
    ///   - connection: the database with the copied rows.
    ///   - gaps: the unreadable parts of the live entries.
    ///   - isStale: whether any page may be outdated.
    ///   - hasJournal: whether the journal is complete.
    init(_ connection: Connection, _ gaps: EntryGaps, isStale: Bool, hasJournal: Bool) {
        (self.connection, self.gaps) = (connection, gaps)
        (self.isStale, self.hasJournal) = (isStale, hasJournal)
    }

    /// Returns the sessions that have lost entries, or may have.
    mutating func run(
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> [SessionID] {
        try removeUnattributed()
        try lowerVectors()
        let hasUnknownActors = try hasUnknownActors()
        guard !sound.isEmpty || hasUnknownActors else { return try affectedSessions() }
        if hasJournal { try copyFromJournal() }
        try connection.run(
            """
            CREATE TEMP TABLE moved (actor INTEGER NOT NULL, sequence INTEGER NOT NULL,
            writer INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (actor, sequence))
            """
        )
        for (position, session) in try uncoveredEntries() {
            try rewrite(position, in: session, &generator)
        }
        try updateJournal()
        for writer in writers.values { try setSeen(.integer(writer.count), of: writer.number) }
        try connection.run("DROP TABLE moved")
        return try affectedSessions()
    }

    // MARK: Vectors

    /// Removes entries whose key or author is lost; the vector then ends before them.
    private mutating func removeUnattributed() throws(StoreError) {
        let unattributed = try connection.all(
            """
            SELECT e.actor, e.sequence, a.session FROM entry e
            LEFT JOIN subject s ON s.number = e.subject LEFT JOIN author d ON d.number = e.author
            LEFT JOIN actor a ON a.number = e.actor
            WHERE s.number IS NULL OR d.number IS NULL OR d.session != s.session
            OR a.session != s.session
            """
        ) { row throws(StoreError) in
            let session = row.isNull(2) ? nil : try row.integer(2)
            return (try EntryPosition(row), session)
        }
        for (position, session) in unattributed {
            let before = UInt64(bitPattern: position.sequence) &- 1
            sound[position.actor] = min(sound[position.actor] ?? .max, before)
            if let session { sessions.insert(session) }
            let delete = "DELETE FROM entry WHERE actor = ? AND sequence = ?"
            try connection.run(delete, [.integer(position.actor), .integer(position.sequence)])
        }
    }

    private mutating func lowerVectors() throws(StoreError) {
        let actors = try connection.all("SELECT number, session, seen FROM actor") {
            row throws(StoreError) in
            (number: try row.integer(0), session: try row.integer(1), seen: try row.integer(2))
        }
        for actor in actors {
            // If only the number is lost, everything up to the last live entry counts as seen.
            let isUnknown = actor.seen == VectorRebuilder.unknownSeen
            let known = UInt64(bitPattern: actor.seen)
            let seen = isUnknown ? try lastSequence(of: actor.number) : known
            let limit = isStale ? 0 : gaps.soundSequence(of: actor.number)
            let sure = min(limit, sound[actor.number] ?? .max)
            if sure < seen {
                sound[actor.number] = sure
                sessions.insert(actor.session)
            } else {
                sound[actor.number] = nil
            }
            guard sure < seen || isUnknown else { continue }
            try setSeen(.word(min(sure, seen)), of: actor.number)
        }
    }

    private func setSeen(_ sequence: SQLValue, of actor: Int64) throws(StoreError) {
        let update = "UPDATE actor SET seen = ? WHERE number = ?"
        try connection.run(update, [sequence, .integer(actor)])
    }

    private func lastSequence(of actor: Int64) throws(StoreError) -> UInt64 {
        let query = "SELECT sequence FROM entry WHERE actor = ?"
        return try connection.all(query, [.integer(actor)]) { row throws(StoreError) in
            try row.word(0)
        }.max() ?? 0
    }

    // MARK: Rewritten entries

    private func hasUnknownActors() throws(StoreError) -> Bool {
        let query = "SELECT 1 FROM entry WHERE actor NOT IN (SELECT number FROM actor) LIMIT 1"
        return try connection.first(query) { _ in true } ?? false
    }

    /// Returns the entries that no vector covers, each with the number of its session.
    private func uncoveredEntries()
        throws(StoreError) -> [(position: EntryPosition, session: Int64)]
    {
        var entries: [(position: EntryPosition, session: Int64)] = []
        try connection.each(
            """
            SELECT e.actor, e.sequence, s.session, a.seen FROM entry e
            JOIN subject s ON s.number = e.subject LEFT JOIN actor a ON a.number = e.actor
            """
        ) { row throws(StoreError) in
            let seen = row.isNull(3) ? 0 : try row.word(3)
            guard try row.word(1) > seen else { return }
            entries.append((try EntryPosition(row), try row.integer(2)))
        }
        return entries.sorted { $0.position < $1.position }
    }

    private mutating func rewrite(
        _ position: EntryPosition,
        in session: Int64,
        _ generator: inout some RandomNumberGenerator
    ) throws(StoreError) {
        sessions.insert(session)
        if writers[session] == nil {
            let insert = "INSERT INTO actor (session, id) VALUES (?, ?)"
            let id = ActorID.random(using: &generator)
            try connection.run(insert, [.integer(session), .id(id)])
            writers[session] = (connection.lastRow, 0)
        }
        guard var writer = writers[session] else { return }
        writer.count += 1
        writers[session] = writer
        let dots: [SQLValue] = [
            .integer(writer.number), .integer(writer.count), .integer(position.actor),
            .integer(position.sequence),
        ]
        let entry = "UPDATE entry SET actor = ?, sequence = ? WHERE actor = ? AND sequence = ?"
        try connection.run(entry, dots)
        let moved = "INSERT INTO moved (writer, place, actor, sequence) VALUES (?, ?, ?, ?)"
        try connection.run(moved, dots)
    }

    /// Makes journal lines refer to the new dots of rewritten entries.
    private func updateJournal() throws(StoreError) {
        try connection.run(
            """
            UPDATE line SET (actor, sequence) = (SELECT m.writer, m.place FROM moved m
            WHERE m.actor = line.actor AND m.sequence = line.sequence)
            WHERE EXISTS (SELECT 1 FROM moved m
            WHERE m.actor = line.actor AND m.sequence = line.sequence)
            """
        )
    }

    /// Copies lost entries from the journal, for keys that have no entry.
    private func copyFromJournal() throws(StoreError) {
        var replaced: Set<EntryPosition> = []
        for query in [
            "SELECT replaced_actor, replaced_sequence FROM line WHERE replaced_actor IS NOT NULL",
            "SELECT actor, sequence FROM replaced",
        ] {
            try connection.each(query) { row throws(StoreError) in
                replaced.insert(try EntryPosition(row))
            }
        }
        let columns = "actor, sequence, stamp, author, kind, foreign_kind, value, subject"
        let lost = try connection.all(
            """
            SELECT actor, sequence, session, line FROM line x
            WHERE x.subject NOT IN (SELECT subject FROM entry)
            """
        ) { row throws(StoreError) in
            (at: try EntryPosition(row), session: try row.integer(2), line: try row.integer(3))
        }
        for line in lost where isLost(line.at) && !replaced.contains(line.at) {
            try connection.run(
                """
                INSERT OR IGNORE INTO entry (\(columns)) SELECT \(columns) FROM line
                WHERE session = ? AND line = ?
                """,
                [.integer(line.session), .integer(line.line)]
            )
        }
    }

    private func isLost(_ position: EntryPosition) -> Bool {
        sound[position.actor].map { UInt64(bitPattern: position.sequence) > $0 } ?? false
    }

    private func affectedSessions() throws(StoreError) -> [SessionID] {
        try connection.all("SELECT number, id FROM session ORDER BY number") {
            row throws(StoreError) in
            (number: try row.integer(0), id: try row.id(1) as SessionID)
        }.filter { sessions.contains($0.number) }.map(\.id)
    }
}
