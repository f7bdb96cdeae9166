/// The tables, as the steps that make them.
///
/// Ids are 16 bytes, most significant first; `hex(id)` shows their text form. Texts are stored as
/// texts, those with a zero byte as blobs; hence the columns of type ANY. Unsigned 64-bit numbers
/// are stored by their bits, times in milliseconds since 1970.
///
/// Actors, authors and keys are named by a small number inside the file, and each belongs to one
/// session. Their rows are only ever removed with the session, and children that would be searched
/// without an index (`entry.subject`, `entry.author`, …) carry no foreign key, because removing a
/// session would then search them once per parent; loading checks them instead.
package enum Schema {
    /// The steps, in order.
    package static let migrations = [first, sheets, people, firstReplaced, teams]

    /// What marks a database as ours: "ScSy".
    package static let applicationID: Int64 = 0x5363_5379

    private static let ofSession = "session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE"

    /// An entry; kinds are those of `Value.stored`.
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
        // The version vector: `seen` is the last write seen of the actor, 0 where none counts.
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
        // The journal, and the whole entries that each of its lines replaced. It has no index of
        // its keys: reading 100,000 lines takes 10 ms, and an index would cost each write a page.
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

    /// The people of this device in their order, and what came of the sessions that were left:
    /// these stay when a session goes, so they name it by its id.
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

    /// The first entry that a line replaced stands in the line itself.
    ///
    /// Most lines have one at most, so a write is one row of the journal and not two. Further ones
    /// stand in `replaced`, and so do all of the lines that an earlier version wrote.
    private static let firstReplaced = Migration(
        [
            "actor INTEGER", "sequence INTEGER", "stamp INTEGER", "author INTEGER",
            "kind INTEGER", "foreign_kind ANY", "value ANY",
        ].map { "ALTER TABLE line ADD COLUMN replaced_\($0)" }
    )

    /// The teams of those who played: nothing of the results that an earlier version kept.
    private static let teams = Migration(["ALTER TABLE result_player ADD COLUMN team ANY"])
}

extension Schema {
    /// The games that users add to their devices.
    static let sheets = Migration([
        "CREATE TABLE sheet (id TEXT PRIMARY KEY NOT NULL, source ANY NOT NULL) STRICT"
    ])
}

/// One step from a schema to the next.
///
/// Steps that have shipped are never edited: a database in the field has run them as they were.
package struct Migration: Hashable, Sendable {
    /// The statements, each on its own.
    package let statements: [String]

    /// A step of these statements.
    package init(_ statements: [String]) {
        self.statements = statements
    }
}

extension Connection {
    /// Brings the database to the last schema; step n makes schema n.
    ///
    /// Each step is one transaction with its number, so that a cut between two leaves a database
    /// that goes on from there. Must run while foreign keys are off, as SQLite wants it for tables
    /// that a step rebuilds.
    ///
    /// - Parameters:
    ///   - migrations: the steps.
    ///   - keepCopy: called before the first step of a database that holds something, with the
    ///     number of its schema.
    /// - Throws: `StoreError.newerSchema` for a database that knows more steps.
    func migrate(
        by migrations: [Migration],
        keepCopy: (Int) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        action = "read the schema's number"
        let found = Int(try number("PRAGMA user_version"))
        guard found <= migrations.count, found >= 0 else {
            throw .newerSchema(path: path, found: found, known: migrations.count)
        }
        guard found < migrations.count else { return }
        if found > 0 { try keepCopy(found) }
        for (index, migration) in migrations.enumerated().dropFirst(found) {
            action = "bring the database to schema \(index + 1)"
            try transaction { () throws(StoreError) in
                for statement in migration.statements { try run(statement) }
                try run("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// The one number that a statement gives; zero when it gives none.
    func number(_ sql: String) throws(StoreError) -> Int64 {
        try first(sql) { row throws(StoreError) in try row.integer(0) } ?? 0
    }
}
