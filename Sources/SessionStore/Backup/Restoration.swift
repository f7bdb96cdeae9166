/// Replaces the store in a directory by a backup.
///
/// Only the holder of the directory's lock may use it. The restored store has the device id of the
/// backup, and the next run has a new instance and new actors, as after every start. Writes of this
/// device that are not in the backup come back from other members.
package struct Restoration: Hashable, Sendable {
    package let contents: BackupContents
    /// The path to which the previous database was moved; nil if there was none.
    package let replaced: String?

    /// Checks a backup and restores it.
    ///
    /// No file of the store is changed before the backup is copied completely; `onProgress` is
    /// called with the fraction that is copied.
    package init(
        of path: String,
        into directory: String,
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) throws(StoreError) {
        let files = StoreFiles(directory: directory)
        let total = Double(max(1, try BackupContents(of: path).bytes))
        try files.createDirectory()
        try files.finishRepair()
        try files.finishRestore()
        let source = try BackupContents.open(path)
        let writer = BackupWriter(source: source, cancellation: CancellationFlag())
        // The copy is what is checked, so later changes of the file are harmless.
        contents = try writer.write(unfinished: files.arriving) { onProgress(Double($0) / total) }
        Restoration.truncateLog(of: files)
        replaced = try files.restore()
    }

    /// Copies the log of an undamaged database into the database, so that one file is set aside.
    private static func truncateLog(of files: StoreFiles) {
        guard files.damage == nil, files.databaseBytes > 0,
            let connection = try? Connection(path: files.database)
        else { return }
        do throws(StoreError) {
            try connection.keepLogOnClose(true)
            try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
            try connection.keepLogOnClose(false)
        } catch {
            // After a failure the database is set aside with its log.
        }
    }

    /// Returns what a restore into a directory would replace: the number of sessions, nil if
    /// unreadable, and whether a user has entered anything.
    package static func existing(in directory: String) -> (sessions: Int?, isUsed: Bool) {
        let files = StoreFiles(directory: directory)
        guard files.hasFiles(at: files.database) else { return (0, false) }
        do throws(StoreError) {
            let connection = try reader(of: files.database)
            func count(_ table: String) throws(StoreError) -> Int {
                Int(try connection.number("SELECT count(*) FROM \(table)"))
            }
            // The daemon ended before it created the tables.
            guard try count("sqlite_master") > 0 else { return (0, false) }
            let sessions = try count("session")
            let others = try count("person") + count("sheet") + count("result")
            return (sessions, sessions + others > 0)
        } catch { return (nil, true) }
    }
}

extension Restoration {
    /// Opens a database to be read; if a daemon owns it, as of the last checkpoint.
    private static func reader(of path: String) throws(StoreError) -> Connection {
        do throws(StoreError) {
            let connection = try Connection(path: path, lockTimeout: 0)
            try connection.keepLogOnClose(true)
            connection.action = "read the existing database"
            _ = try connection.number("PRAGMA user_version")
            return connection
        } catch .busy {
            return try Connection(path: path, .immutable)
        }
    }
}

// A complete copy of the backup is named `scoresync.db.restored-N`. From then on it is the content
// of the store: after an interruption, the next start finishes the restore. N determines the name
// of the former database that is set aside, so that its log follows it there.
extension StoreFiles {
    var arriving: String { database + ".arriving" }

    private static let restored = "scoresync.db.restored-"

    /// Returns the path to which the previous database is moved.
    private func replaced(_ number: Int) -> String { "\(database).replaced-\(number)" }

    private var numberOfRestored: Int? {
        PrivateFile.names(in: directory).lazy.compactMap { name in
            name.hasPrefix(StoreFiles.restored)
                ? Int(name.dropFirst(StoreFiles.restored.count)) : nil
        }.first
    }

    /// Moves a complete copy into place; returns the path of the previous database, if any.
    func restore() throws(StoreError) -> String? {
        var number = 1
        while hasFiles(at: replaced(number)) { number += 1 }
        let hadDatabase = hasFiles(at: database)
        let restored = "\(directory)/\(StoreFiles.restored)\(number)"
        try PrivateFile.move(arriving, to: restored, "restore the backup")
        try finishRestore()
        return hadDatabase ? replaced(number) : nil
    }

    func finishRestore() throws(StoreError) {
        guard let number = numberOfRestored else { return }
        // The restored store is older on purpose, so no writes are reported as missing.
        try PrivateFile.remove(lastKnownState)
        // The database is moved last, because as long as it exists the other files belong to it.
        for suffix in StoreFiles.suffixes.reversed() where PrivateFile.exists(database + suffix) {
            let path = replaced(number) + suffix
            try PrivateFile.move(database + suffix, to: path, "set the database aside")
        }
        let restored = "\(directory)/\(StoreFiles.restored)\(number)"
        try PrivateFile.move(restored, to: database, "restore the backup")
    }
}
