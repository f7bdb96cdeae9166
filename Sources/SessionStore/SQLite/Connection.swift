internal import CSQLite

/// One connection to a database, with its prepared statements.
///
/// Every result of SQLite passes through `check`. Used by one thread at a time: SQLite's own locks
/// are off. Safe because both pointers are private and outlive every use.
@safe final class Connection {
    /// How long a lock of another program is waited for, in milliseconds.
    private static let patience: Int32 = 5_000

    /// The file.
    let path: String
    /// What is being done, as in "cannot …", for the message when it fails.
    var action = "open the database"

    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = unsafe [:]

    /// Opens a file that exists.
    init(path: String) throws(StoreError) {
        self.path = path
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let handle = unsafe opened, code == SQLITE_OK else {
            let error = unsafe StoreError(code, of: opened, action: action, path: path)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe database = unsafe handle
        try check(unsafe sqlite3_busy_timeout(database, Connection.patience))
    }

    deinit {
        while let cached = unsafe statements.popFirst() { unsafe sqlite3_finalize(cached.value) }
        unsafe sqlite3_close_v2(database)
    }

    /// Whether the file can only be read, which SQLite accepts without a word.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(database, "main") != 0 }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }

    /// The id of the last row that was inserted into a table with row ids.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(database) }

    /// How many rows the last statement changed.
    var changedRows: Int { Int(unsafe sqlite3_changes(database)) }

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
        let statement = unsafe try prepared(sql)
        // Its result only repeats the failure that was thrown already.
        defer { unsafe sqlite3_reset(statement) }
        for (place, value) in values.enumerated() {
            try check(unsafe Connection.bind(value, to: statement, at: Int32(place + 1)))
        }
        let row = unsafe Row(statement, path: path, action: action)
        while true {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code) }
            try body(row)
        }
    }

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

    private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = unsafe statements[sql] { return unsafe statement }
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(unsafe sqlite3_prepare_v3(database, sql, -1, flags, &prepared, nil))
        guard let statement = unsafe prepared else { throw error(SQLITE_MISUSE) }
        unsafe statements[sql] = unsafe statement
        return unsafe statement
    }

    private static func bind(
        _ value: SQLValue,
        to statement: OpaquePointer,
        at index: Int32
    ) -> Int32 {
        switch value {
        case .null:
            return unsafe sqlite3_bind_null(statement, index)
        case .integer(let number):
            return unsafe sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                // SQLite leaves open what it does with a text that holds a zero byte.
                let bind =
                    unsafe bytes.contains(0) ? scoresync_bind_blob : scoresync_bind_text
                return unsafe bind(statement, index, bytes.baseAddress, UInt64(bytes.count))
            }
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                let count = UInt64(bytes.count)
                return unsafe scoresync_bind_blob(statement, index, bytes.baseAddress, count)
            }
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> StoreError {
        unsafe StoreError(code, of: database, action: action, path: path)
    }
}
