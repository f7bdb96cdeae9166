internal import CPlatform
package import SessionCRDT

/// The contents of a verified backup: undamaged, and not of a later version.
package struct BackupContents: Hashable, Sendable {
    package let device: DeviceID
    package let sessions: Int
    /// The number of live entries.
    package let entries: Int
    /// The time of the last line in a journal, in milliseconds since 1970; nil if there is none.
    package let latest: UInt64?
    package let bytes: Int

    /// Inspects any file without creating another one next to it.
    ///
    /// - Throws: `notABackup`, `otherProgram`, `newerSchema`, `damaged`, or an error of reading it.
    package init(of path: String, migrations: [Migration] = Schema.migrations) throws(StoreError) {
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
        bytes = Int(pages * (try connection.number("PRAGMA page_size")))
    }

    /// Opens a file read-only, if it is certainly an SQLite database.
    ///
    /// If it has a log, other programs may write, which locks prevent meanwhile; otherwise it is
    /// opened as immutable, which also works on read-only media.
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
    /// view of another file could run code of its author.
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

    /// Returns a line for each column of a table, and for everything else in a database.
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
