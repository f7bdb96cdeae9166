internal import SessionCRDT

/// Makes what was rescued of sessions' data sound again where something of it is lost.
///
/// The rule, from the laws of deltas (a vector may only say of a write that it was seen when its
/// entry is here or was replaced):
/// - Of each actor only that counts as seen before which nothing can be lost. So members send the
///   rest again, and what is sent from here claims nothing that is lost to have been replaced.
/// - An entry beyond that cannot keep its dot, since no vector without a hole covers it. It is
///   written anew, under an actor that is born for it and never writes again: the same value,
///   author and stamp. Members who have it too then hold both, which say the same, until somebody
///   writes there.
/// - What is lost and stands in the journal, replaced by nothing, is taken from there.
struct Resettling {
    private let connection: Connection
    private let gaps: EntryGaps
    private let isStale: Bool
    private let hasJournal: Bool
    /// Up to where nothing is lost of actors of which something is.
    private var sound: [Int64: UInt64] = [:]
    /// The actor that writes anew, by session, and how much it wrote.
    private var writers: [Int64: (number: Int64, count: Int64)] = [:]
    private var sessions: Set<Int64> = []

    /// What stands for the last write seen of an actor of which that is not known; no sequence is
    /// as large.
    static let unknownSeen = Int64.min

    /// The resettling of rescued rows; `isStale` when any page may be older than it should, and
    /// `hasJournal` when nothing is missing of the journal.
    init(_ connection: Connection, _ gaps: EntryGaps, isStale: Bool, hasJournal: Bool) {
        self.connection = connection
        self.gaps = gaps
        self.isStale = isStale
        self.hasJournal = hasJournal
    }

    /// - Returns: the sessions of which something is lost, or may be.
    mutating func run(
        using generator: inout some RandomNumberGenerator
    ) throws(StoreError) -> [SessionID] {
        try removeNameless()
        try lowerVectors()
        let hasUnknownActors = try hasUnknownActors()
        guard !sound.isEmpty || hasUnknownActors else { return try names() }
        if hasJournal { try takeFromJournal() }
        try connection.run(
            """
            CREATE TEMP TABLE moved (actor INTEGER NOT NULL, sequence INTEGER NOT NULL,
            writer INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (actor, sequence))
            """
        )
        for (place, session) in try entriesToMove() { try move(place, in: session, &generator) }
        try tellJournal()
        for (_, writer) in writers {
            try connection.run(
                "UPDATE actor SET seen = ? WHERE number = ?",
                [.integer(writer.count), .integer(writer.number)]
            )
        }
        try connection.run("DROP TABLE moved")
        return try names()
    }

    // MARK: What has been seen

    /// Removes entries whose key or author is lost; nothing from them on counts as seen.
    private mutating func removeNameless() throws(StoreError) {
        let nameless = try connection.all(
            """
            SELECT e.actor, e.sequence, a.session FROM entry e
            LEFT JOIN subject s ON s.number = e.subject LEFT JOIN author d ON d.number = e.author
            LEFT JOIN actor a ON a.number = e.actor
            WHERE s.number IS NULL OR d.number IS NULL OR d.session != s.session
            OR a.session != s.session
            """
        ) { row throws(StoreError) in
            let session = row.isNull(2) ? nil : try row.integer(2)
            return (try EntryPlace(row), session)
        }
        for (place, session) in nameless {
            let before = UInt64(bitPattern: place.sequence) &- 1
            sound[place.actor] = min(sound[place.actor] ?? .max, before)
            if let session { sessions.insert(session) }
            try connection.run(
                "DELETE FROM entry WHERE actor = ? AND sequence = ?",
                [.integer(place.actor), .integer(place.sequence)]
            )
        }
    }

    private mutating func lowerVectors() throws(StoreError) {
        let actors = try connection.all("SELECT number, session, seen FROM actor") {
            row throws(StoreError) in
            (number: try row.integer(0), session: try row.integer(1), seen: try row.integer(2))
        }
        for actor in actors {
            // Where only the number is lost, all live entries are known: up to the last of them
            // everything has been seen.
            let isUnknown = actor.seen == Resettling.unknownSeen
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
            try connection.run(
                "UPDATE actor SET seen = ? WHERE number = ?",
                [.word(min(sure, seen)), .integer(actor.number)]
            )
        }
    }

    private func lastSequence(of actor: Int64) throws(StoreError) -> UInt64 {
        let sequences = try connection.all(
            "SELECT sequence FROM entry WHERE actor = ?",
            [.integer(actor)]
        ) { row throws(StoreError) in try row.word(0) }
        return sequences.max() ?? 0
    }

    // MARK: What is written anew

    private func hasUnknownActors() throws(StoreError) -> Bool {
        let query = "SELECT 1 FROM entry WHERE actor NOT IN (SELECT number FROM actor) LIMIT 1"
        return try connection.first(query) { _ in true } ?? false
    }

    /// The entries that no vector covers, each with its session.
    private func entriesToMove() throws(StoreError) -> [(place: EntryPlace, session: Int64)] {
        var moved: [(place: EntryPlace, session: Int64)] = []
        try connection.each(
            """
            SELECT e.actor, e.sequence, s.session, a.seen FROM entry e
            JOIN subject s ON s.number = e.subject LEFT JOIN actor a ON a.number = e.actor
            """
        ) { row throws(StoreError) in
            let seen = row.isNull(3) ? 0 : try row.word(3)
            guard try row.word(1) > seen else { return }
            moved.append((try EntryPlace(row), try row.integer(2)))
        }
        return moved.sorted { $0.place < $1.place }
    }

    private mutating func move(
        _ place: EntryPlace,
        in session: Int64,
        _ generator: inout some RandomNumberGenerator
    ) throws(StoreError) {
        sessions.insert(session)
        if writers[session] == nil {
            try connection.run(
                "INSERT INTO actor (session, id) VALUES (?, ?)",
                [.integer(session), .id(ActorID.random(using: &generator))]
            )
            writers[session] = (connection.lastRow, 0)
        }
        guard var writer = writers[session] else { return }
        writer.count += 1
        writers[session] = writer
        let dots: [SQLValue] = [
            .integer(writer.number), .integer(writer.count), .integer(place.actor),
            .integer(place.sequence),
        ]
        let entry = "UPDATE entry SET actor = ?, sequence = ? WHERE actor = ? AND sequence = ?"
        try connection.run(entry, dots)
        let note = "INSERT INTO moved (writer, place, actor, sequence) VALUES (?, ?, ?, ?)"
        try connection.run(note, dots)
    }

    /// The journal's line of an entry that was written anew names its new dot.
    private func tellJournal() throws(StoreError) {
        try connection.run(
            """
            UPDATE line SET (actor, sequence) = (SELECT m.writer, m.place FROM moved m
            WHERE m.actor = line.actor AND m.sequence = line.sequence)
            WHERE EXISTS (SELECT 1 FROM moved m
            WHERE m.actor = line.actor AND m.sequence = line.sequence)
            """
        )
    }

    // MARK: What the journal has

    /// Takes lost entries from the journal, for keys under which nothing is left.
    private func takeFromJournal() throws(StoreError) {
        var replaced: Set<EntryPlace> = []
        for query in [
            "SELECT replaced_actor, replaced_sequence FROM line WHERE replaced_actor IS NOT NULL",
            "SELECT actor, sequence FROM replaced",
        ] {
            try connection.each(query) { row throws(StoreError) in
                replaced.insert(try EntryPlace(row))
            }
        }
        let columns = "actor, sequence, stamp, author, kind, foreign_kind, value, subject"
        let lost = try connection.all(
            """
            SELECT actor, sequence, session, line FROM line x
            WHERE x.subject NOT IN (SELECT subject FROM entry)
            """
        ) { row throws(StoreError) in
            (place: try EntryPlace(row), session: try row.integer(2), line: try row.integer(3))
        }
        for line in lost where isLost(line.place) && !replaced.contains(line.place) {
            try connection.run(
                """
                INSERT OR IGNORE INTO entry (\(columns)) SELECT \(columns) FROM line
                WHERE session = ? AND line = ?
                """,
                [.integer(line.session), .integer(line.line)]
            )
        }
    }

    private func isLost(_ place: EntryPlace) -> Bool {
        sound[place.actor].map { UInt64(bitPattern: place.sequence) > $0 } ?? false
    }

    private func names() throws(StoreError) -> [SessionID] {
        try connection.all("SELECT number, id FROM session ORDER BY number") {
            row throws(StoreError) in
            (number: try row.integer(0), id: try row.id(1) as SessionID)
        }
        .filter { sessions.contains($0.number) }.map(\.id)
    }
}

extension EntryPlace {
    /// The place in the first two columns of a row.
    fileprivate init(_ row: Row) throws(StoreError) {
        self.init(actor: try row.integer(0), sequence: try row.integer(1))
    }
}
