internal import CPlatform
internal import CSQLite
internal import Descriptors
package import SessionCRDT

/// The persistent state of this device in one SQLite database: its identity, its sessions with all
/// their entries and journals, the addresses of members, settings and results.
///
/// Law: when a writing call returns, everything that it wrote survives a power failure; when it
/// throws, nothing is stored. Synchronous, and used by one thread at a time; the daemon uses
/// `StoreQueue`.
package final class SessionStore {
    /// The maximum size of a database that is checked completely when it is opened, in bytes.
    package static let maxCheckedBytes = 16 << 20

    package let device: DeviceID
    /// The report of the repair; nil unless the database was damaged when it was opened.
    package let repairReport: RepairReport?
    /// The reason why the backup before a migration failed; nil if there was no failure.
    package let backupFailure: StoreError?

    private(set) var connection: Connection
    var numbers = RowNumberCache()
    let migrations: [Migration]
    let files: StoreFiles
    /// Whether the current change must be checkpointed into the database before its call returns.
    var needsCheckpoint = false
    var lastKnown: LastKnownState
    private var prepared: CommitStatements?
    /// Whether `atomically` is running, so that all calls belong to its transaction.
    private var isAtomic = false
    /// The identities of the directory and the log at the time they were opened.
    private let directory: FileIdentity?
    private var log: FileIdentity?

    /// Opens the store in a directory, which is created if it is missing.
    ///
    /// A damaged database is set aside and rebuilt from what can be read of it.
    ///
    /// `generator` creates the device id of a new store. A database of up to `maxCheckedBytes` is
    /// checked completely; for a larger one see `StoreQueue.checkInBackground`. Throws any error
    /// except `damaged`.
    package init(
        directory: String,
        using generator: inout some RandomNumberGenerator,
        maxCheckedBytes: Int = SessionStore.maxCheckedBytes,
        migrations: [Migration] = Schema.migrations
    ) throws(StoreError) {
        files = StoreFiles(directory: directory)
        self.migrations = migrations
        try files.createDirectory()
        self.directory = files.directoryIdentity
        try files.finishRepair()
        try files.finishRestore()
        let newDevice = DeviceID.random(using: &generator)
        var damage = files.damage
        var sound: Opened?
        if damage == nil {
            do throws(StoreError) {
                sound = try SessionStore.open(files, maxCheckedBytes, migrations, newDevice)
            } catch {
                guard case .damaged(let failure) = error else { throw error }
                damage = failure.text
            }
        }
        if let sound {
            repairReport = nil
            (connection, device, backupFailure) = sound
        } else {
            repairReport = try DatabaseRepair(
                files: files,
                reason: damage ?? "its beginning",
                migrations: migrations,
                device: newDevice
            ).run(using: &generator)
            (connection, device, backupFailure) =
                try SessionStore.open(files, 0, migrations, newDevice)
        }
        log = files.logIdentity
        lastKnown = LastKnownState(files.lastKnownState, connection)
        saveLastKnownState()
    }

    /// Copies the database of a directory that cannot be written into a private one, of which
    /// nothing else is kept.
    package static func copy(from directory: String, to copy: String) throws(StoreError) {
        _ = unsafe platform_remove_tree(copy)
        try PrivateFile.createDirectory(copy)
        try StoreFiles(directory: directory).copy(to: copy)
    }

    /// The damaged databases that were set aside in the directory and that the user has not
    /// removed, each with its repair report.
    package var damagedDatabases: [(file: String, text: String)] { files.damagedDatabases }

    /// Closes the database, calls `replace` to put another one in its place, and opens that.
    func reopen<Result>(
        _ replace: (StoreFiles, DeviceID) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try? connection.keepLogOnClose(true)
        prepared = nil
        numbers = RowNumberCache()
        // A placeholder, because the old files close when the last reference to them is gone.
        connection = try Connection(path: ":memory:")
        let result = Swift.Result { () throws(StoreError) in try replace(files, device) }
        connection = try SessionStore.open(files, 0, migrations, device).connection
        log = files.logIdentity
        lastKnown = LastKnownState(files.lastKnownState, connection)
        return try result.get()
    }

    /// The number of statements run since the store was opened, as a measure of cost.
    package var statementsRun: Int { connection.statementsRun }

    /// The statements of a commit, prepared when they are first used.
    var statements: CommitStatements {
        get throws(StoreError) {
            if let prepared { return prepared }
            let statements = try CommitStatements(connection)
            prepared = statements
            return statements
        }
    }

    /// Runs `body` in a transaction; after a failure, the cache of row numbers is dropped.
    func transaction<Result>(
        to action: String,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        connection.action = action
        if isAtomic { return try body() }
        guard filesAreCurrent else { throw movedError }
        defer { needsCheckpoint = false }
        do throws(StoreError) {
            let result = try connection.transaction(body)
            if needsCheckpoint { checkpoint() }
            return result
        } catch {
            numbers = RowNumberCache()
            throw error
        }
    }

    /// Whether the files are still at the paths where they were opened; costs two system calls.
    package var filesAreCurrent: Bool { !connection.hasMoved && files.logIdentity == log }

    /// Whether the directory was removed or replaced since it was opened.
    package var isDirectoryReplaced: Bool { files.directoryIdentity != directory }

    /// Saves the open database, whose files were replaced, next to the database that replaced it.
    package func saveReplacedDatabase() throws(StoreError) {
        guard !filesAreCurrent else { return }
        let text =
            "a daemon was running here when this directory was removed or replaced, and had scores "
            + "that no other laptop has: to use them, stop the daemon and rename this file to the "
            + "name of the database"
        try files.saveReplacedDatabase(connection, text)
    }

    package var movedError: StoreError { .moved(path: files.database) }

    /// Runs `body` with all its calls to this store in a single transaction.
    ///
    /// `body` must not catch errors of the store, because a call may have failed halfway.
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
        connection: Connection, device: DeviceID, backupFailure: StoreError?
    )

    /// Opens the database, checks that it is undamaged and a store, and migrates it to the last
    /// schema.
    private static func open(
        _ files: StoreFiles,
        _ maxCheckedBytes: Int,
        _ migrations: [Migration],
        _ newDevice: DeviceID
    ) throws(StoreError) -> Opened {
        try files.createDatabase()
        let connection = try Connection(path: files.database)
        // If pages turn out to be damaged, the repair needs the log unchanged.
        try connection.keepLogOnClose(true)
        guard !connection.isReadOnly else { throw connection.failure(SQLITE_READONLY) }
        do throws(StoreError) { try checkOwner(connection) } catch {
            // The first read locks the database for this process.
            guard case .busy(let failure) = error, files.refusesLocks else { throw error }
            throw .noLocks(failure)
        }
        files.removeLogIndex()
        try checkPages(connection, upTo: maxCheckedBytes)
        try configure(connection)
        // A killed process may have left commits in the log that were never flushed. They count
        // from now on, and later commits build on them, so a power failure must not undo them. The
        // checkpoint flushes the log before it copies a page, and only that flush must succeed.
        do throws(StoreError) {
            try connection.checkpoint()
        } catch .diskFull, .busy {
            // Ignored, because the log contains everything and the next commit flushes it.
        }
        var backupFailure: StoreError?
        try connection.migrate(by: migrations) { schema throws(StoreError) in
            backupFailure = files.addBackup(of: connection, schema: schema)
        }
        try connection.run("PRAGMA foreign_keys = ON")
        let device = try identity(connection, newDevice)
        // Checkpoints a new identity and the changes of a migration.
        if connection.logPages > 0 { try? connection.checkpoint() }
        try connection.keepLogOnClose(false)
        files.lengthenLog()
        return (connection, device, backupFailure)
    }

    private static func checkOwner(_ connection: Connection) throws(StoreError) {
        // This first read fails if the file is not a database.
        let owner = try connection.number("PRAGMA application_id")
        let isEmpty = try connection.number("SELECT count(*) FROM sqlite_master") == 0
        guard owner == Schema.applicationID || (owner == 0 && isEmpty) else {
            throw .otherProgram(path: connection.path, applicationID: Int(owner))
        }
    }

    static func checkPages(_ connection: Connection, upTo limit: Int) throws(StoreError) {
        connection.action = "check the database"
        let pages = try connection.number("PRAGMA page_count")
        let size = try connection.number("PRAGMA page_size")
        guard pages <= Int64(limit) / max(size, 1) else { return }
        let finding = try connection.firstText("PRAGMA quick_check(1)")
        guard finding == "ok" else { throw connection.failure(SQLITE_CORRUPT, finding) }
    }

    private static func configure(_ connection: Connection) throws(StoreError) {
        connection.action = "switch to write-ahead logging"
        let mode = try connection.firstText("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw connection.failure(SQLITE_ERROR, mode.map { "the journal stays in mode \($0)" })
        }
        connection.action = "configure the database"
        // A commit waits for the disk and, on macOS, for the disk's own cache.
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run("PRAGMA fullfsync = ON")
        try connection.run("PRAGMA checkpoint_fullfsync = ON")
        // Truncates a log that became long by one big commit.
        try connection.run("PRAGMA journal_size_limit = 4194304")
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
    }

    private static func identity(
        _ connection: Connection,
        _ newDevice: DeviceID
    ) throws(StoreError) -> DeviceID {
        connection.action = "read this device's id"
        let query = "SELECT device FROM identity"
        let known = try connection.first(query) { row throws(StoreError) in
            try row.id(0) as DeviceID
        }
        if let known { return known }
        connection.action = "store this device's id"
        try connection.run("INSERT INTO identity (one, device) VALUES (1, ?)", [.id(newDevice)])
        return newDevice
    }
}

extension SessionStore {
    /// The number of pages in the write-ahead log that may not have been copied into the database.
    ///
    /// A commit does not checkpoint, because users wait for it, unless it adds a session or a key:
    /// with those in the database itself, other members can send what a lost log takes away.
    /// Otherwise `checkpoint` and `truncateLog` are for idle moments.
    package var logPages: Int { connection.logPages }

    /// Copies the log into the database, so that the log is overwritten from its beginning.
    ///
    /// A failure is ignored, here and in `truncateLog`, because the log contains everything.
    package func checkpoint() {
        connection.action = "copy the log into the database"
        do throws(StoreError) {
            try connection.checkpoint()
            try connection.restartLog()
        } catch {}
    }

    /// Copies the log into the database and truncates the log, so that one file contains
    /// everything.
    package func truncateLog() {
        connection.action = "copy the log into the database"
        try? connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
