internal import CSQLite

/// One connection to a database: it owns the file while it is open, and its prepared statements.
///
/// Every result of SQLite passes through `check`. Used by one thread at a time: SQLite's own locks
/// are off. Safe because the pointers are private and outlive every use.
@safe final class Connection {
    /// How long a lock of another program is waited for, in milliseconds.
    private static let patience: Int32 = 5_000

    /// The file.
    let path: String
    /// What is being done, as in "cannot …", for the message when it fails.
    var action = "open the database"

    /// How many statements were run.
    private(set) var statementsRun = 0

    private let database: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// How many pages the log has, which SQLite notes here after each commit.
    private let noted: UnsafeMutablePointer<Int>

    /// How a file is used.
    enum Access {
        /// It is read and written.
        case full
        /// It is read only, and others may write it.
        case reading
        /// It is read only, nobody writes it, and nothing is made beside it.
        case still
    }

    /// Opens a file that exists.
    init(path: String, _ access: Access = .full) throws(StoreError) {
        self.path = path
        var opened: OpaquePointer?
        let (name, mode) = Connection.opening(path, access)
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
        guard let handle = unsafe opened, code == SQLITE_OK else {
            let error = unsafe StoreError(code, of: opened, action: action, path: path)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe database = unsafe handle
        unsafe noted = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe noted.initialize(to: 0)
        try check(unsafe sqlite3_busy_timeout(database, Connection.patience))
        // In place of SQLite's own hook, which would fold the log in the middle of a commit.
        unsafe sqlite3_wal_hook(
            database,
            { noted, _, _, pages in
                unsafe noted?.assumingMemoryBound(to: Int.self).pointee = Int(pages)
                return SQLITE_OK
            },
            noted
        )
    }

    private static func opening(_ path: String, _ access: Access) -> (name: String, mode: Int32) {
        switch access {
        case .full: return (path, SQLITE_OPEN_READWRITE)
        case .reading: return (path, SQLITE_OPEN_READONLY)
        case .still:
            let digits = Array("0123456789ABCDEF".utf8)
            var name = Array("file:".utf8)
            for byte in path.utf8 {
                // What means something in such a name: a percent sign, a question mark, a hash.
                if [0x25, 0x3F, 0x23].contains(byte) {
                    name += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                } else {
                    name.append(byte)
                }
            }
            let text = String(decoding: name, as: UTF8.self) + "?immutable=1"
            return (text, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
    }

    deinit {
        // The store's own statements may outlive this: the database closes with the last of them.
        statements = [:]
        unsafe sqlite3_wal_hook(database, nil, nil)
        unsafe sqlite3_close_v2(database)
        unsafe noted.deallocate()
    }

    /// Has a pace kept, now and then, by whatever takes long; until it is let go again.
    func keep(_ pace: CopyPace) {
        // Held by the caller for longer than that.
        let context = unsafe Unmanaged.passUnretained(pace).toOpaque()
        unsafe sqlite3_progress_handler(
            database,
            CopyPace.steps,
            { context in
                guard let context = unsafe context else { return 0 }
                let pace = unsafe Unmanaged<CopyPace>.fromOpaque(context).takeUnretainedValue()
                return pace.goesOn() ? 0 : 1
            },
            context
        )
    }

    /// Goes on without a pace.
    func dropPace() { unsafe sqlite3_progress_handler(database, 0, nil, nil) }

    /// Whether the file can only be read, which SQLite accepts without a word.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(database, "main") != 0 }

    /// Whether the file was renamed, replaced or removed since it was opened.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let question = SQLITE_FCNTL_HAS_MOVED
        let code = unsafe sqlite3_file_control(database, "main", question, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }

    /// The id of the last row that was inserted into a table with row ids.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(database) }

    /// How many rows the last statement changed.
    var changedRows: Int { Int(unsafe sqlite3_changes(database)) }

    /// How many pages were in the log after the last commit, of which a checkpoint takes care.
    var logPages: Int { unsafe noted.pointee }

    /// Copies as much of the log into the database as is possible without waiting for anybody, so
    /// that the log starts again from its beginning.
    func checkpoint() throws(StoreError) {
        try check(
            unsafe sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        )
        unsafe noted.pointee = 0
    }

    /// Whether closing leaves the log as it is, instead of folding it into the database.
    func keepLogOnClose(_ isKept: Bool) throws(StoreError) {
        try check(unsafe scoresync_keep_log_on_close(database, isKept ? 1 : 0))
    }

    /// Runs a statement that gives no rows, or whose rows do not matter.
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        try each(sql, values) { _ in }
    }

    /// The first row of a statement.
    func first<Result>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ body: (Row) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        var result: Result?
        try each(sql, values) { row throws(StoreError) in
            if result == nil { result = try body(row) }
        }
        return result
    }

    /// All rows of a statement.
    func all<Result>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ body: (Row) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        var results: [Result] = []
        try each(sql, values) { row throws(StoreError) in results.append(try body(row)) }
        return results
    }

    /// Each row of a statement in turn; `body` must not run the same statement.
    func each(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ body: (Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = try cached(sql)
        try run(statement) { bindings throws(StoreError) in
            for value in values { bindings.add(value) }
        } each: { row throws(StoreError) in
            try body(row)
        }
    }

    // MARK: Statements that are held

    /// A statement for who runs it often; it must not outlive the connection.
    func prepare(_ sql: String) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(unsafe sqlite3_prepare_v3(database, sql, -1, flags, &prepared, nil))
        guard let prepared = unsafe prepared else { throw error(SQLITE_MISUSE) }
        return unsafe Statement(prepared)
    }

    /// Runs a statement that gives no rows, with the values that `bind` adds.
    func run(
        _ statement: Statement,
        _ bind: (inout Bindings) throws(StoreError) -> Void
    ) throws(StoreError) {
        try run(statement, bind) { _ in }
    }

    /// Runs a statement with the values that `bind` adds, and hands each row to `body`.
    private func run(
        _ statement: Statement,
        _ bind: (inout Bindings) throws(StoreError) -> Void,
        each body: (Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        statementsRun += 1
        // Its result only repeats the failure that was thrown already.
        defer { unsafe sqlite3_reset(statement.pointer) }
        var bindings = Bindings(statement)
        try bind(&bindings)
        try check(bindings.code)
        let row = unsafe Row(statement.pointer, path: path, action: action)
        while true {
            let code = unsafe sqlite3_step(statement.pointer)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code) }
            try body(row)
        }
    }

    private func cached(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try prepare(sql)
        statements[sql] = statement
        return statement
    }

    // MARK: Transactions

    /// Runs `body` in a transaction: all of it is kept, or nothing.
    func transaction<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if isInTransaction { try run("ROLLBACK") }
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite has rolled back by itself after some failures. Should this fail too, the next
            // transaction starts with it.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// The error of a finding that is ours and not SQLite's, told as SQLite would.
    func refusal(_ code: Int32, _ text: String? = nil) -> StoreError {
        unsafe StoreError(code, of: nil, action: action, path: path, text: text)
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> StoreError {
        unsafe StoreError(code, of: database, action: action, path: path)
    }
}
