internal import CSQLite

/// A connection to a database, with its cached statements.
///
/// Every result code of SQLite passes through `check`. Used by one thread at a time, because
/// SQLite's own locks are disabled. Safe because the pointers are private and outlive every use.
@safe final class Connection {
    /// The maximum time to wait for locks of other programs, in milliseconds.
    private static let lockTimeout: Int32 = 2_000

    let path: String
    /// The current operation, as it follows "cannot" in an error message.
    var action = "open the database"

    private(set) var statementsRun = 0

    private let database: OpaquePointer
    private var statements: [String: Statement] = [:]
    /// The number of pages in the log; SQLite's hook stores it here after each commit.
    private let logPageCount: UnsafeMutablePointer<Int>

    enum Access {
        /// This process owns the file: from the first read until the last of its connections is
        /// closed no other process can lock it, and the log's index is in memory, not in a file.
        case readWrite
        /// Read-only, while other programs may write.
        case readOnly
        /// Read-only, while no program writes; creates no files next to the database.
        case immutable
    }

    /// Opens an existing file; `lockTimeout` is in milliseconds.
    init(
        path: String,
        _ access: Access = .readWrite,
        lockTimeout: Int32 = Connection.lockTimeout
    ) throws(StoreError) {
        self.path = path
        var opened: OpaquePointer?
        let (name, mode) = Connection.opening(path, access)
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let files = access == .readWrite ? "unix-excl" : nil
        let code = unsafe sqlite3_open_v2(name, &opened, flags, files)
        guard let handle = unsafe opened, code == SQLITE_OK else {
            let error = unsafe StoreError(code, of: opened, action: action, path: path)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe database = unsafe handle
        unsafe logPageCount = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe logPageCount.initialize(to: 0)
        try check(unsafe sqlite3_busy_timeout(database, lockTimeout))
        // Replaces SQLite's own hook, which would checkpoint as part of a commit.
        unsafe sqlite3_wal_hook(
            database,
            { count, _, _, pages in
                unsafe count?.assumingMemoryBound(to: Int.self).pointee = Int(pages)
                return SQLITE_OK
            },
            logPageCount
        )
    }

    private static func opening(_ path: String, _ access: Access) -> (name: String, mode: Int32) {
        switch access {
        case .readWrite: return (path, SQLITE_OPEN_READWRITE)
        case .readOnly: return (path, SQLITE_OPEN_READONLY)
        case .immutable:
            // These characters have a meaning in a URI.
            let escapes: [Unicode.Scalar: String] = ["%": "%25", "?": "%3F", "#": "%23"]
            let name = path.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
            return ("file:\(name)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
    }

    deinit {
        // Statements may outlive the connection: the database closes with the last of them.
        statements = [:]
        unsafe sqlite3_wal_hook(database, nil, nil)
        unsafe sqlite3_close_v2(database)
        unsafe logPageCount.deallocate()
    }

    /// Has SQLite call a pacer regularly during long statements, until `removePacer`.
    func install(_ pacer: WritePacer) {
        // The caller keeps the pacer alive until it is removed.
        let context = unsafe Unmanaged.passUnretained(pacer).toOpaque()
        unsafe sqlite3_progress_handler(
            database,
            WritePacer.steps,
            { context in
                guard let context = unsafe context else { return 0 }
                let pacer = unsafe Unmanaged<WritePacer>.fromOpaque(context).takeUnretainedValue()
                return pacer.mayContinue() ? 0 : 1
            },
            context
        )
    }

    func removePacer() { unsafe sqlite3_progress_handler(database, 0, nil, nil) }

    /// Whether SQLite could open the file only for reading, which is not an error when opening.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(database, "main") != 0 }

    /// Whether the file was renamed, replaced or removed after it was opened.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let operation = SQLITE_FCNTL_HAS_MOVED
        let code = unsafe sqlite3_file_control(database, "main", operation, &moved)
        return code == SQLITE_OK && moved != 0
    }

    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }

    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(database) }

    var changedRows: Int { Int(unsafe sqlite3_changes(database)) }

    /// The number of pages in the log after the last commit that no checkpoint has copied since.
    var logPages: Int { unsafe logPageCount.pointee }

    /// Copies as much of the log into the database as possible without waiting for readers, so that
    /// the log can be overwritten from its beginning.
    func checkpoint() throws(StoreError) {
        let mode = SQLITE_CHECKPOINT_PASSIVE
        var (pages, copied): (Int32, Int32) = (0, 0)
        try check(unsafe sqlite3_wal_checkpoint_v2(database, nil, mode, &pages, &copied))
        unsafe logPageCount.pointee = Int(max(0, pages - copied))
    }

    /// Starts the log again after a complete checkpoint, which flushes its new header: otherwise
    /// the next commit would, and a user waits for that.
    func restartLog() throws(StoreError) {
        guard logPages == 0 else { return }
        let schema = try number("PRAGMA user_version")
        try transaction { () throws(StoreError) in try run("PRAGMA user_version = \(schema)") }
        unsafe logPageCount.pointee = 0
    }

    /// Sets whether closing the connection leaves the log unchanged, without a checkpoint.
    func keepLogOnClose(_ isKept: Bool) throws(StoreError) {
        try check(unsafe scoresync_keep_log_on_close(database, isKept ? 1 : 0))
    }

    /// Runs a statement and ignores its rows.
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        try each(sql, values) { _ in }
    }

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

    func firstNumber(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int64? {
        try first(sql, values) { row throws(StoreError) in try row.integer(0) }
    }

    /// Returns the number in the first row of a statement; zero if there is none.
    func number(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int64 {
        try firstNumber(sql, values) ?? 0
    }

    func firstText(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> String? {
        try first(sql, values) { row throws(StoreError) in try row.text(0) }
    }

    func all<Result>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ body: (Row) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        var results: [Result] = []
        try each(sql, values) { row throws(StoreError) in results.append(try body(row)) }
        return results
    }

    /// Calls `body` for each row of a statement; `body` must not run the same statement.
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

    // MARK: Prepared statements

    func prepare(_ sql: String) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(unsafe sqlite3_prepare_v3(database, sql, -1, flags, &prepared, nil))
        guard let prepared = unsafe prepared else { throw error(SQLITE_MISUSE) }
        return unsafe Statement(prepared)
    }

    /// Runs a statement that returns no rows, with the parameters that `bind` sets.
    func run(
        _ statement: Statement,
        _ bind: (inout Bindings) throws(StoreError) -> Void
    ) throws(StoreError) {
        try run(statement, bind) { _ in }
    }

    private func run(
        _ statement: Statement,
        _ bind: (inout Bindings) throws(StoreError) -> Void,
        each body: (Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        statementsRun += 1
        // The result of the reset only repeats an error that was already thrown.
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

    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        if isInTransaction { try run("ROLLBACK") }
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite has already rolled back after some errors. If the rollback fails, the next
            // transaction tries again.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Returns an error with a result code of SQLite for a failure that this program has detected.
    func failure(_ code: Int32, _ text: String? = nil) -> StoreError {
        unsafe StoreError(code, of: nil, action: action, path: path, text: text)
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> StoreError {
        unsafe StoreError(code, of: database, action: action, path: path)
    }
}
