/// The tables of the database, as migrations.
///
/// Ids are 16 big-endian bytes, so that `hex(id)` gives their text form. A text is stored as text,
/// or as a blob if it contains a zero byte; hence the columns of type ANY. Unsigned 64-bit numbers
/// are stored as the signed integers with the same bits, times in milliseconds since 1970.
///
/// Actors, authors and keys have small row numbers, unique in the file and each used in one
/// session. Their rows are removed only with the session. Columns that refer to them without an
/// index (`entry.subject`, `entry.author`, …) have no foreign key, because removing a session would
/// then scan a table once for each row removed; loading checks these references instead.
package enum Schema {
    package static let migrations = [
        first, sheets, people, firstReplaced, teams, verdicts, sides, halves,
    ]

    /// The application id in the header of the database: "ScSy".
    package static let applicationID: Int64 = 0x5363_5379

    private static let ofSession = "session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE"

    /// The columns of an entry; for the kinds see `Bindings.value`.
    private static let ofEntry = """
        actor INTEGER NOT NULL, sequence INTEGER NOT NULL, stamp INTEGER NOT NULL,
        author INTEGER NOT NULL, kind INTEGER NOT NULL, foreign_kind ANY, value ANY
        """

    private static let first = Migration([
        "PRAGMA application_id = \(applicationID)",
        """
        CREATE TABLE identity (
            one INTEGER PRIMARY KEY CHECK (one = 1), device BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE setting (
            name ANY PRIMARY KEY NOT NULL, value ANY NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, secret BLOB NOT NULL,
            joined INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE session_setting (
            \(ofSession), name ANY NOT NULL, value ANY NOT NULL, PRIMARY KEY (session, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE peer (
            \(ofSession), address ANY NOT NULL, device BLOB, authenticated INTEGER,
            typed INTEGER NOT NULL, PRIMARY KEY (session, address)
        ) STRICT, WITHOUT ROWID
        """,
        // The version vector: `seen` is the last seen write of the actor, 0 if there is none.
        """
        CREATE TABLE actor (
            number INTEGER PRIMARY KEY, \(ofSession), id BLOB NOT NULL,
            seen INTEGER NOT NULL DEFAULT 0, UNIQUE (session, id)
        ) STRICT
        """,
        """
        CREATE TABLE author (
            number INTEGER PRIMARY KEY, \(ofSession), id BLOB NOT NULL, UNIQUE (session, id)
        ) STRICT
        """,
        """
        CREATE TABLE subject (
            number INTEGER PRIMARY KEY, \(ofSession), key ANY NOT NULL, UNIQUE (session, key)
        ) STRICT
        """,
        // The live entries.
        """
        CREATE TABLE entry (
            \(ofEntry), subject INTEGER NOT NULL, PRIMARY KEY (actor, sequence),
            FOREIGN KEY (actor) REFERENCES actor ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
        // The journal, and the entries that each of its lines replaced. Its keys have no index:
        // reading 100,000 lines takes 10 ms, while an index would add a page to each write.
        """
        CREATE TABLE line (
            \(ofSession), line INTEGER NOT NULL, recorded INTEGER NOT NULL,
            subject INTEGER NOT NULL, \(ofEntry), PRIMARY KEY (session, line)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE replaced (
            session INTEGER NOT NULL, line INTEGER NOT NULL, place INTEGER NOT NULL, \(ofEntry),
            PRIMARY KEY (session, line, place),
            FOREIGN KEY (session, line) REFERENCES line (session, line) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID
        """,
    ])

    /// The people of this device in their order, and the results of sessions.
    ///
    /// Results remain when their session is removed, so they refer to it by its id.
    private static let people = Migration([
        """
        CREATE TABLE person (
            place INTEGER PRIMARY KEY, name ANY NOT NULL, selected INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE result (
            number INTEGER PRIMARY KEY, session BLOB NOT NULL, outcome INTEGER NOT NULL,
            game ANY NOT NULL, title ANY NOT NULL, ended INTEGER, UNIQUE (session, outcome)
        ) STRICT
        """,
        """
        CREATE TABLE result_player (
            result INTEGER NOT NULL REFERENCES result ON DELETE CASCADE, seat INTEGER NOT NULL,
            player BLOB NOT NULL, name ANY NOT NULL, winner INTEGER NOT NULL, place INTEGER,
            total INTEGER NOT NULL, computer INTEGER NOT NULL, tally ANY NOT NULL,
            PRIMARY KEY (result, seat)
        ) STRICT, WITHOUT ROWID
        """,
    ])

    /// Columns for the first entry that a journal line replaced.
    ///
    /// Most lines replaced at most one entry, so that a write needs one row of the journal instead
    /// of two. Further replaced entries are in `replaced`, as are all of lines from earlier
    /// versions.
    private static let firstReplaced = Migration(
        [
            "actor INTEGER", "sequence INTEGER", "stamp INTEGER", "author INTEGER",
            "kind INTEGER", "foreign_kind ANY", "value ANY",
        ].map { "ALTER TABLE line ADD COLUMN replaced_\($0)" }
    )

    /// The teams of players in results; null in results that an earlier version stored.
    private static let teams = Migration(["ALTER TABLE result_player ADD COLUMN team ANY"])

    /// The time of the first entry, and the word of the table; null in results that an earlier
    /// version stored.
    private static let verdicts = Migration(
        ["began INTEGER", "verdict ANY"].map { "ALTER TABLE result ADD COLUMN \($0)" }
    )

    /// Whether a team was one scorer; null in results that an earlier version stored.
    private static let sides = Migration(["ALTER TABLE result ADD COLUMN sides INTEGER"])

    /// Whether a total has a half more; null in results that an earlier version stored.
    private static let halves = Migration(["ALTER TABLE result_player ADD COLUMN half INTEGER"])

    /// The games that users add to their devices.
    private static let sheets = Migration([
        "CREATE TABLE sheet (id TEXT PRIMARY KEY NOT NULL, source ANY NOT NULL) STRICT"
    ])
}

/// The statements that change a database from one schema to the next.
///
/// A migration that was released must never be edited, because existing databases have run it.
package struct Migration: Hashable, Sendable {
    package let statements: [String]

    package init(_ statements: [String]) { self.statements = statements }
}

extension Connection {
    /// Migrates the database to the latest schema; migration n results in schema n.
    ///
    /// Each migration and its number form one transaction, so that an interrupted migration
    /// continues at the next start. Foreign keys must be off, as SQLite requires for rebuilding
    /// tables.
    ///
    /// If the database has content, `addBackup` is called before the first migration, with the
    /// number of the old schema.
    ///
    /// - Throws: `StoreError.newerSchema` if a later version has written the database.
    func migrate(
        by migrations: [Migration],
        addBackup: (Int) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        action = "read the schema's number"
        let found = Int(try number("PRAGMA user_version"))
        guard found <= migrations.count, found >= 0 else {
            throw .newerSchema(path: path, found: found, known: migrations.count)
        }
        guard found < migrations.count else { return }
        if found > 0 { try addBackup(found) }
        for (index, migration) in migrations.enumerated().dropFirst(found) {
            action = "migrate the database to schema \(index + 1)"
            try transaction { () throws(StoreError) in
                for statement in migration.statements { try run(statement) }
                try run("PRAGMA user_version = \(index + 1)")
            }
        }
    }
}
