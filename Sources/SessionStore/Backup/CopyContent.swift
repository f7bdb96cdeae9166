package import SessionCRDT

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What a copy of a store holds, once it was found to be sound, ours and not of a later version.
package struct CopyContent: Hashable, Sendable {
    /// The device whose store it is.
    package let device: DeviceID
    /// How many sessions are in it.
    package let sessions: Int
    /// How many live entries these have.
    package let entries: Int
    /// When the last line of a journal was written, in milliseconds since 1970; nil without one.
    package let latest: UInt64?
    /// Its length.
    package let bytes: Int

    /// Reads a file that may be anything, and leaves nothing beside it.
    ///
    /// - Throws: `notACopy`, `otherProgram`, `newerSchema`, `damaged`, or why it cannot be read.
    package init(
        of path: String,
        migrations: [Migration] = Schema.migrations
    ) throws(StoreError) {
        let connection = try CopyContent.open(path)
        try CopyContent.checkKind(connection, migrations)
        try SessionStore.checkPages(connection, upTo: .max)
        connection.action = "read the copy"
        let query = "SELECT device FROM identity"
        let known = try connection.first(query) { row throws(StoreError) in
            try row.id(0) as DeviceID
        }
        guard let known else { throw .notACopy(path: path, reason: "it is of no device") }
        device = known
        sessions = Int(try connection.number("SELECT count(*) FROM session"))
        entries = Int(try connection.number("SELECT count(*) FROM entry"))
        let last = try connection.number("SELECT coalesce(max(recorded), 0) FROM line")
        latest = last > 0 ? UInt64(last) : nil
        let pages = try connection.number("PRAGMA page_count")
        bytes = Int(pages * (try connection.number("PRAGMA page_size")))
    }

    /// Opens what is certainly a database of SQLite, for reading only.
    ///
    /// Only where a log stands beside it are others asked not to write meanwhile; else it is read
    /// as it is, also where nothing can be written.
    static func open(_ path: String) throws(StoreError) -> Connection {
        let file = try PrivateFile.read(path)
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else {
            throw StoreError(systemCall: errno, action: "read the copy", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            let reason = isDirectory ? "it is a directory" : "it is no file"
            throw .notACopy(path: path, reason: reason)
        }
        guard status.st_size > 0 else { throw .notACopy(path: path, reason: "it is empty") }
        var head = [UInt8](repeating: 0, count: magic.count)
        guard unsafe read(file, &head, head.count) == head.count, head == magic else {
            throw .notACopy(path: path, reason: "it is no database")
        }
        let isAlone = ["-wal", "-journal"].allSatisfy { !PrivateFile.exists(path + $0) }
        let connection = try Connection(path: path, isAlone ? .still : .reading)
        try connection.keepLogOnClose(true)
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
        return connection
    }

    private static let magic = Array("SQLite format 3\0".utf8)

    /// Makes sure that a database is a store of a schema that this version knows, with the tables
    /// of that schema and nothing else, which could act by itself.
    private static func checkKind(
        _ connection: Connection,
        _ migrations: [Migration]
    ) throws(StoreError) {
        let path = connection.path
        connection.action = "read the copy"
        let owner = try connection.number("PRAGMA application_id")
        guard owner == Schema.applicationID else {
            throw .otherProgram(path: path, applicationID: Int(owner))
        }
        let schema = Int(try connection.number("PRAGMA user_version"))
        guard schema <= migrations.count else {
            throw .newerSchema(path: path, found: schema, known: migrations.count)
        }
        guard schema > 0 else { throw .notACopy(path: path, reason: "it holds no store") }
        let model = try Connection(path: ":memory:")
        for statement in migrations.prefix(schema).flatMap(\.statements) {
            try model.run(statement)
        }
        guard try shape(of: connection) == shape(of: model) else {
            throw .notACopy(path: path, reason: "its tables are not those of a store")
        }
    }

    /// What a database consists of: its tables with their columns, and whatever else it has.
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
