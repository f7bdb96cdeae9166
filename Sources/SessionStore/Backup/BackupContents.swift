internal import CPlatform
internal import CSQLite
package import SessionCRDT

/// A summary of a backup that is undamaged and not from a later version.
package struct BackupContents: Hashable, Sendable {
    package let device: DeviceID
    package let sessions: Int
    package let entries: Int
    /// The time of the latest line in any journal, in milliseconds since 1970; nil if there is
    /// none.
    package let latest: UInt64?
    package let bytes: Int

    /// Inspects a file, without creating another file next to it.
    ///
    /// If no checksum proves that it is as it was written, each row is checked as well, unless it
    /// was just written.
    ///
    /// - Throws: `notABackup`, `otherProgram`, `newerSchema`, an error with `isDamage`, or one of
    ///   reading it.
    package init(
        of path: String,
        migrations: [Migration] = Schema.migrations,
        isJustWritten: Bool = false
    ) throws(StoreError) {
        let connection = try BackupContents.open(path)
        try BackupContents.checkKind(connection, migrations)
        try SessionStore.checkPages(connection, upTo: .max)
        connection.action = "read the backup"
        let query = "SELECT device FROM identity"
        let known = try connection.first(query) { row throws(StoreError) in
            try row.id(0) as DeviceID
        }
        guard let known else { throw .notABackup(path: path, reason: "it has no device id") }
        device = known
        sessions = Int(try connection.number("SELECT count(*) FROM session"))
        entries = Int(try connection.number("SELECT count(*) FROM entry"))
        let last = try connection.number("SELECT coalesce(max(recorded), 0) FROM line")
        latest = last > 0 ? UInt64(last) : nil
        let pages = try connection.number("PRAGMA page_count")
        let size = Int(pages * (try connection.number("PRAGMA page_size")))
        let checksumBytes = try BackupChecksum.checkedBytes(connection, after: size)
        bytes = size + checksumBytes
        if checksumBytes == 0, !isJustWritten { try BackupContents.checkRows(connection) }
    }

    /// Checks each index and row: what it refers to, and that the store can read it.
    private static func checkRows(_ connection: Connection) throws(StoreError) {
        let flaw = try connection.firstText("PRAGMA integrity_check(1)")
        guard flaw == "ok" else { throw connection.failure(SQLITE_CORRUPT, flaw) }
        if let table = try connection.firstText("PRAGMA foreign_key_check") {
            throw connection.failure(SQLITE_CORRUPT, "a row of \(table) refers to a missing one")
        }
        for table in ["session", "actor", "author"] {
            try connection.each("SELECT id FROM \(table)") { row throws(StoreError) in
                _ = try row.id(0) as DeviceID
            }
        }
        for table in ["entry", "line"] {
            let query = """
                SELECT e.kind, e.foreign_kind, e.value, s.key, a.number, d.number
                FROM \(table) e LEFT JOIN subject s ON s.number = e.subject
                LEFT JOIN actor a ON a.number = e.actor LEFT JOIN author d ON d.number = e.author
                """
            try connection.each(query) { row throws(StoreError) in
                _ = (try Value(row, from: 0), try row.key(3), try row.word(4), try row.word(5))
            }
        }
        // Numbers are stored by their bits: those above 2⁶³ are negative.
        let uncovered = """
            SELECT s.id FROM entry e JOIN actor a ON a.number = e.actor
            JOIN session s ON s.number = a.session
            WHERE a.seen >= 0 AND (e.sequence < 0 OR e.sequence > a.seen)
            """
        let session = try connection.first(uncovered) { row throws(StoreError) in
            try row.id(0) as SessionID
        }
        if let session { throw .inconsistent(session) }
    }

    /// Opens a file read-only, if its header is that of an SQLite database.
    ///
    /// If there is a log next to it, another program may be writing, so locks are used; otherwise
    /// the file is opened as immutable, which also works on read-only media.
    static func open(_ path: String) throws(StoreError) -> Connection {
        var file = platform_file()
        try PrivateFile.check(unsafe platform_target_status(path, &file), "read the file", path)
        guard file.is_regular else {
            let reason = file.is_directory ? "it is a directory" : "it is not a regular file"
            throw .notABackup(path: path, reason: reason)
        }
        guard file.bytes > 0 else { throw .notABackup(path: path, reason: "it is empty") }
        var head = [UInt8](repeating: 0, count: magic.count)
        let count = unsafe platform_read_file(path, 0, &head, magic.count)
        try PrivateFile.check(Int32(clamping: count), "read the file", path)
        guard head == magic else { throw .notABackup(path: path, reason: "it is not a database") }
        let isAlone = ["-wal", "-journal"].allSatisfy { !PrivateFile.exists(path + $0) }
        let connection = try Connection(path: path, isAlone ? .immutable : .readOnly)
        try connection.keepLogOnClose(true)
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
        return connection
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    /// Checks that a database is a store with exactly the tables of a known schema: a trigger or a
    /// view could run code of the file's author.
    private static func checkKind(
        _ connection: Connection,
        _ migrations: [Migration]
    ) throws(StoreError) {
        let path = connection.path
        connection.action = "read the backup"
        let owner = try connection.number("PRAGMA application_id")
        guard owner == Schema.applicationID else {
            throw .otherProgram(path: path, applicationID: Int(owner))
        }
        let schema = Int(try connection.number("PRAGMA user_version"))
        guard schema <= migrations.count else {
            throw .newerSchema(path: path, found: schema, known: migrations.count)
        }
        guard schema > 0 else { throw .notABackup(path: path, reason: "it contains no store") }
        let model = try Connection(path: ":memory:")
        for statement in migrations.prefix(schema).flatMap(\.statements) {
            try model.run(statement)
        }
        guard try shape(of: connection) == shape(of: model) else {
            throw .notABackup(path: path, reason: "it has other tables than a store")
        }
    }

    /// Returns a line for each column of a table, and for each other object in a database.
    private static func shape(of connection: Connection) throws(StoreError) -> [String] {
        let query = """
            SELECT m.type || ' ' || m.name || ' ' || m.tbl_name || ' '
                || (m.sql LIKE 'CREATE TABLE%' OR m.sql IS NULL) || ' ' || coalesce(c.name, '')
                || ' ' || coalesce(c.type, '') || ' ' || coalesce(c.pk, '')
            FROM sqlite_master AS m LEFT JOIN pragma_table_info(m.name) AS c
            ORDER BY m.type, m.name, c.cid
            """
        return try connection.all(query) { row throws(StoreError) in try row.text(0) }
    }
}
