internal import CSQLite
package import SessionCRDT

/// What this device remembers: its identity, its sessions with all their entries, the journal and
/// the addresses of members, in one SQLite database.
///
/// Law: when a call that writes returns, what it wrote survives a power cut; when it throws,
/// nothing of it is there. Synchronous, and used by one thread at a time; `StoreQueue` is for
/// everybody else.
package final class SessionStore {
    /// The size up to which the whole database is checked when it is opened, in bytes.
    package static let checkedBytes = 16 << 20

    /// This device.
    package let device: DeviceID
    /// What became of a damaged database, when there was one as the store was opened.
    package let salvage: Salvage?
    /// Why no copy was kept before the schema was changed, when that was to be.
    package let missingCopy: StoreError?

    private(set) var connection: Connection
    /// The numbers that the file has for ids and keys.
    var numbers = KnownNumbers()
    /// The steps of the schema.
    let migrations: [Migration]
    let files: StoreFiles
    /// The statements of a commit, once one was made.
    private var prepared: CommitStatements?
    /// Whether a transaction is open that takes in every step.
    private var isAtomic = false
    /// The directory and the log as they were opened.
    private let place: FileIdentity?
    private var log: FileIdentity?

    /// Opens the store of a directory, which is made when it is missing.
    ///
    /// A damaged database is made anew from what can be read of it, and set aside.
    ///
    /// - Parameters:
    ///   - directory: where the files are.
    ///   - generator: mints this device's id when the store is new.
    ///   - checkedBytes: the size up to which the whole database is checked first; for a larger one
    ///     see `StoreQueue.lookThrough`.
    ///   - migrations: the steps of the schema.
    /// - Throws: `StoreError` of any kind but `damaged`.
    package init(
        directory: String,
        using generator: inout some RandomNumberGenerator,
        checkedBytes: Int = SessionStore.checkedBytes,
        migrations: [Migration] = Schema.migrations
    ) throws(StoreError) {
        files = StoreFiles(directory: directory)
        self.migrations = migrations
        try files.makeDirectory()
        place = files.place
        try files.finishSalvage()
        try files.finishRestoring()
        let fresh = DeviceID.random(using: &generator)
        var finding = files.findDamage()
        var sound: Opened?
        if finding == nil {
            do throws(StoreError) {
                sound = try SessionStore.open(files, checkedBytes, migrations, fresh)
            } catch {
                guard case .damaged(let failure) = error else { throw error }
                finding = failure.text
            }
        }
        if let sound {
            salvage = nil
            (connection, device, missingCopy) = sound
        } else {
            let damage = finding ?? "its beginning"
            salvage = try SessionStore.salvage(files, damage, migrations, fresh, &generator)
            (connection, device, missingCopy) = try SessionStore.open(files, 0, migrations, fresh)
        }
        log = files.log
    }

    /// The damaged databases that are beside this one, each with what became of it, for as long as
    /// nobody takes them away.
    package var setAside: [(file: String, text: String)] { files.setAsideBefore() }

    /// Closes the database, lets `replace` put another in its place, and opens what is there then.
    func reopen<Result>(
        _ replace: (StoreFiles, DeviceID) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try? connection.keepLogOnClose(true)
        prepared = nil
        numbers = KnownNumbers()
        // Nothing can be asked of it meanwhile; the files are closed with the last reference.
        connection = try Connection(path: ":memory:")
        let result = Swift.Result { () throws(StoreError) in try replace(files, device) }
        connection = try SessionStore.open(files, 0, migrations, device).connection
        log = files.log
        return try result.get()
    }

    /// How many statements were run since the store was opened: what a call costs.
    package var statementsRun: Int { connection.statementsRun }

    /// The statements of a commit.
    var statements: CommitStatements {
        get throws(StoreError) {
            if let prepared { return prepared }
            let statements = try CommitStatements(connection)
            prepared = statements
            return statements
        }
    }

    /// Runs `body` in a transaction and forgets the numbers of rows that did not stay.
    func transaction<Result>(
        to action: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        connection.action = action
        if isAtomic { return try body() }
        try requireInPlace()
        do throws(StoreError) {
            let result = try connection.transaction(body)
            // What went to files that nobody will find again is not there.
            try requireInPlace()
            return result
        } catch {
            numbers = KnownNumbers()
            throw error
        }
    }

    /// Whether the files are still where they were opened; two calls of the system.
    package var isInPlace: Bool { !connection.hasMoved && files.log == log }

    /// Whether the directory is another one than at the start, or gone.
    package var isDirectoryReplaced: Bool { files.place != place }

    /// Keeps what is here beside the database that stands in its place now, for who runs there.
    package func keepBeside() throws(StoreError) {
        guard !isInPlace else { return }
        let text =
            "a daemon ran here when this directory was removed or replaced, and had scores that no "
            + "other laptop has: to go on with them, stop the daemon and give the file the name of "
            + "the database"
        try files.keepBeside(connection, text)
    }

    /// What is said of files that are no longer there.
    package var lost: StoreError { .moved(path: files.database) }

    private func requireInPlace() throws(StoreError) {
        guard isInPlace else { throw lost }
    }

    /// Makes everything that `body` does with this store one transaction: all of it is kept, or
    /// nothing.
    ///
    /// `body` must let every error out: what it caught could be half of a step.
    package func atomically<Result>(
        to action: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try transaction(to: action) { () throws(StoreError) in
            isAtomic = true
            defer { isAtomic = false }
            return try body()
        }
    }

    private typealias Opened = (
        connection: Connection, device: DeviceID, missingCopy: StoreError?
    )

    /// Opens the database and makes sure that it is sound, ours and of the last schema.
    private static func open(
        _ files: StoreFiles,
        _ checkedBytes: Int,
        _ migrations: [Migration],
        _ fresh: DeviceID
    ) throws(StoreError) -> Opened {
        try files.makeDatabase()
        let connection = try Connection(path: files.database)
        // Should its pages turn out damaged, its log is left as it was found.
        try connection.keepLogOnClose(true)
        try checkWritable(connection)
        try checkOwner(connection)
        try checkPages(connection, upTo: checkedBytes)
        try configure(connection)
        // What a run that was killed had written and not flushed is shown from here on, and what is
        // written next stands behind it: a power cut must not take it from under that. The log is
        // flushed before a page is copied, so that only the flush must not fail.
        do throws(StoreError) {
            try connection.checkpoint()
        } catch .diskFull, .busy {
            // The log holds everything, and the next commit flushes it.
        }
        var missingCopy: StoreError?
        try connection.migrate(by: migrations) { schema throws(StoreError) in
            missingCopy = files.keepCopy(of: connection, asOf: schema)
        }
        try connection.run("PRAGMA foreign_keys = ON")
        let device = try identity(connection, fresh)
        try connection.keepLogOnClose(false)
        files.lengthenLog()
        return (connection, device, missingCopy)
    }

    private static func checkWritable(_ connection: Connection) throws(StoreError) {
        guard !connection.isReadOnly else { throw connection.refusal(SQLITE_READONLY) }
    }

    private static func checkOwner(_ connection: Connection) throws(StoreError) {
        // Reading comes first, because a file that is no database shows only then.
        let owner = try connection.number("PRAGMA application_id")
        let isFresh = try connection.number("SELECT count(*) FROM sqlite_master") == 0
        guard owner == Schema.applicationID || (owner == 0 && isFresh) else {
            throw .otherProgram(path: connection.path, applicationID: Int(owner))
        }
    }

    static func checkPages(
        _ connection: Connection,
        upTo limit: Int
    ) throws(StoreError) {
        connection.action = "check the database"
        let pages = try connection.number("PRAGMA page_count")
        let size = try connection.number("PRAGMA page_size")
        guard pages <= Int64(limit) / max(size, 1) else { return }
        let finding = try connection.first("PRAGMA quick_check(1)") { row throws(StoreError) in
            try row.text(0)
        }
        guard finding == "ok" else {
            throw connection.refusal(SQLITE_CORRUPT, finding)
        }
    }

    private static func configure(_ connection: Connection) throws(StoreError) {
        connection.action = "switch to write-ahead logging"
        let mode = try connection.first("PRAGMA journal_mode = WAL") { row throws(StoreError) in
            try row.text(0)
        }
        guard mode == "wal" else {
            throw connection.refusal(SQLITE_ERROR, mode.map { "the journal stays in mode \($0)" })
        }
        connection.action = "configure the database"
        // A commit waits for the disk; on macOS for the disk's own cache too.
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run("PRAGMA fullfsync = ON")
        try connection.run("PRAGMA checkpoint_fullfsync = ON")
        // A log that one big commit made long is cut again.
        try connection.run("PRAGMA journal_size_limit = 4194304")
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
    }

    private static func identity(
        _ connection: Connection,
        _ fresh: DeviceID
    ) throws(StoreError) -> DeviceID {
        connection.action = "read this device's id"
        let query = "SELECT device FROM identity"
        let known = try connection.first(query) { row throws(StoreError) in
            try row.id(0) as DeviceID
        }
        if let known { return known }
        connection.action = "note this device's id"
        try connection.run("INSERT INTO identity (one, device) VALUES (1, ?)", [.id(fresh)])
        return fresh
    }
}

extension SessionStore {
    /// How many pages the write-ahead log has that are not in the database for certain.
    ///
    /// Nothing is ever folded in by a commit, which somebody waits for: `checkpoint` and `foldLog`
    /// are for moments in which nobody does.
    package var logPages: Int { connection.logPages }

    /// Copies the log into the database, after which it is written from its beginning again.
    ///
    /// Nothing is at stake when it fails, nor in `foldLog`: the log holds everything.
    package func checkpoint() {
        connection.action = "copy the log into the database"
        try? connection.checkpoint()
    }

    /// Folds the write-ahead log into the database, so that one file holds everything.
    package func foldLog() {
        connection.action = "fold the log into the database"
        try? connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
