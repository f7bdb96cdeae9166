/// A copy that takes the place of what a home holds.
///
/// Only whoever holds the lock of the home may do that. It comes back as another instance with the
/// device of the copy, and with new actors, as after every start: what it then lacks of what it
/// once had told, the members send it again.
package struct Restoration: Hashable, Sendable {
    /// What the copy holds.
    package let content: CopyContent
    /// Where the database is now that was there; nil where none was.
    package let replaced: String?

    /// Checks a copy and puts it in the place of the store in a directory.
    ///
    /// Before the copy is here and whole, nothing that is here is touched. Now and then it tells
    /// which share of the copy is written, from 0 to 1.
    package init(
        of path: String,
        into directory: String,
        telling tell: @escaping @Sendable (Double) -> Void = { _ in }
    ) throws(StoreError) {
        let files = StoreFiles(directory: directory)
        // What is wrong with the file is said before anything is done.
        let whole = Double(max(1, try CopyContent(of: path).bytes))
        try files.makeDirectory()
        try files.finishSalvage()
        try files.finishRestoring()
        let writer = CopyWriter(source: try CopyContent.open(path), end: CopyEnd())
        // What was checked is what is restored, whatever becomes of the file meanwhile.
        content = try writer.write(unfinished: files.arriving) { tell(Double($0) / whole) }
        Restoration.foldLog(of: files)
        replaced = try files.restore()
    }

    /// Makes one file of a sound database that is about to be set aside; one that is damaged is
    /// left as it is.
    private static func foldLog(of files: StoreFiles) {
        guard files.findDamage() == nil, files.databaseBytes > 0,
            let connection = try? Connection(path: files.database)
        else { return }
        do throws(StoreError) {
            try connection.keepLogOnClose(true)
            try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
            try connection.keepLogOnClose(false)
        } catch {
            // It goes aside with its log.
        }
    }

    /// What somebody would miss who restores a copy into a home: how many sessions it holds, nil
    /// where that cannot be read; and whether it holds anything that somebody entered.
    package static func held(in directory: String) -> (sessions: Int?, isUsed: Bool) {
        let files = StoreFiles(directory: directory)
        guard files.isAnythingAt(files.database) else { return (0, false) }
        do throws(StoreError) {
            let connection = try Connection(path: files.database, .reading)
            try connection.keepLogOnClose(true)
            connection.action = "look what is here"
            func count(_ table: String) throws(StoreError) -> Int {
                Int(try connection.number("SELECT count(*) FROM \(table)"))
            }
            // A daemon that was started, and ended before it had made its tables.
            guard try count("sqlite_master") > 0 else { return (0, false) }
            let sessions = try count("session")
            let others = try count("person") + count("sheet") + count("result")
            return (sessions, sessions + others > 0)
        } catch { return (nil, true) }
    }
}

/// A copy in the place of a database, which is set aside and never removed.
///
/// The copy stands in the directory as `scoresync.db.restored-N` once it is whole: from then on the
/// store is what it holds, also where the program is killed, because whoever opens the store goes
/// on. The number says under which name the database before it is set aside, so that its log
/// follows it there.
extension StoreFiles {
    /// Where a copy is written that is to be restored.
    var arriving: String { database + ".arriving" }

    private static let restored = "scoresync.db.restored-"

    /// Where a database is set aside for a copy.
    private func replaced(_ number: Int) -> String { "\(database).replaced-\(number)" }

    /// The number of a copy that is to take the place of the database.
    private var numberOfRestored: Int? {
        PrivateFile.names(in: directory).lazy.compactMap { name in
            name.hasPrefix(StoreFiles.restored)
                ? Int(name.dropFirst(StoreFiles.restored.count)) : nil
        }.first
    }

    /// Puts a copy that has arrived whole in the place of the database.
    ///
    /// - Returns: where the database is now that was there; nil where none was.
    func restore() throws(StoreError) -> String? {
        var number = 1
        while isAnythingAt(replaced(number)) { number += 1 }
        let hadDatabase = isAnythingAt(database)
        let restored = "\(directory)/\(StoreFiles.restored)\(number)"
        try PrivateFile.move(arriving, to: restored, "restore the copy")
        try finishRestoring()
        return hadDatabase ? replaced(number) : nil
    }

    /// Goes on where a program was killed that had begun to put a copy in its place.
    func finishRestoring() throws(StoreError) {
        guard let number = numberOfRestored else { return }
        // The database last: as long as it is here, whatever is here belongs to it.
        for suffix in StoreFiles.suffixes.reversed() where PrivateFile.exists(database + suffix) {
            let aside = replaced(number) + suffix
            try PrivateFile.move(database + suffix, to: aside, "set the database aside")
        }
        let restored = "\(directory)/\(StoreFiles.restored)\(number)"
        try PrivateFile.move(restored, to: database, "restore the copy")
    }
}
