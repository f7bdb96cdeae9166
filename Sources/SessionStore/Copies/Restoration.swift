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
