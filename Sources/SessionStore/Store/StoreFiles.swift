internal import CPlatform
internal import Descriptors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The files of a store in a directory: the database and its log.
///
/// They contain the keys of sessions, so they are private from their creation. SQLite gives the log
/// the permissions of the database.
struct StoreFiles {
    static let suffixes = ["", "-wal"]

    /// The initial length of the log, see `StoreQueue.idleLogPages`.
    private static let logBytes: off_t = 4 << 20

    let directory: String
    let database: String

    init(directory: String) {
        self.directory = directory
        database = directory + "/scoresync.db"
    }

    var databaseBytes: Int { Int(PrivateFile.status(database)?.bytes ?? 0) }

    /// The identity of the log that is next to the database now; nil if there is none.
    var logIdentity: FileIdentity? { FileIdentity(at: database + "-wal") }

    /// The identity of the directory that is at the path now; nil if there is none.
    var directoryIdentity: FileIdentity? { FileIdentity(at: directory + "/.") }

    /// Creates the directory and its missing parents, accessible only to the user.
    func createDirectory() throws(StoreError) {
        var missing: [String] = []
        var path = Substring(directory)
        while path.count > 1, path.last == "/" { path.removeLast() }
        while !path.isEmpty, !PrivateFile.exists(String(path)) {
            missing.append(String(path))
            guard let slash = path.lastIndex(of: "/") else { break }
            path = path[..<slash]
        }
        for path in missing.reversed() {
            try PrivateFile.createDirectory(path)
            try PrivateFile.flush(parentOf: path)
        }
    }

    /// Creates an empty database if there is none, and removes access for other users.
    func createDatabase() throws(StoreError) {
        // Never opens an existing file, because closing it would release the locks that SQLite has
        // on it.
        do throws(StoreError) { try create(database) } catch {
            guard PrivateFile.exists(database) else { throw error }
        }
        for suffix in StoreFiles.suffixes {
            let path = database + suffix
            guard let file = PrivateFile.status(path), file.mode & 0o077 != 0 else { continue }
            let result = unsafe chmod(path, 0o600)
            try PrivateFile.check(result < 0 ? -errno : 0, "make the file private", path)
        }
    }

    private func create(_ path: String) throws(StoreError) {
        platform_close(try PrivateFile.create(path, to: "create the database"))
    }

    /// Whether the file system refuses locks as NFS does without its lock service, which SQLite
    /// reports like a lock of another program.
    var refusesLocks: Bool {
        let descriptor = unsafe open(database, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        // This releases all locks of this process, but it has none if SQLite got none.
        defer { close(descriptor) }
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        return unsafe fcntl(descriptor, F_SETLK, &lock) < 0 && errno == ENOLCK
    }

    /// Removes the log's index of an earlier version, which had it in a file.
    func removeLogIndex() { try? PrivateFile.remove(database + "-shm") }

    /// Extends the log to the length at which it is usually checkpointed, so that a commit neither
    /// moves its end, which would be a second flush, nor waits for space on a full disk.
    ///
    /// A commit then neither changes the file's length, which would need a second flush, nor needs
    /// space on a full disk.
    ///
    /// SQLite never reads the bytes after the last frame. Errors are ignored, because the log also
    /// works without this.
    func lengthenLog() {
        let descriptor = unsafe open(database + "-wal", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let start = lseek(descriptor, 0, SEEK_END)
        var end = start
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        while end >= 0, end < StoreFiles.logBytes {
            let count = unsafe pwrite(descriptor, zeros, zeros.count, end)
            // The disk is nearly full.
            guard count == zeros.count else {
                _ = ftruncate(descriptor, start)
                return
            }
            end += off_t(count)
        }
    }

    /// Saves a database that is no longer at its path, next to the database that is there now.
    func saveReplacedDatabase(_ connection: Connection, _ text: String) throws(StoreError) {
        let path = freeDamagedPath
        let unfinished = path + ".copy"
        try removeUnfinished(unfinished)
        try create(unfinished)
        connection.action = "save the replaced database"
        try connection.run("VACUUM INTO ?", [.text(unfinished)])
        try PrivateFile.flush(file: unfinished)
        try PrivateFile.move(unfinished, to: path, connection.action)
        try save(text, nextTo: path)
    }

    func copy(to directory: String) throws(StoreError) {
        let copy = StoreFiles(directory: directory)
        for suffix in ["", "-wal"] where suffix.isEmpty || PrivateFile.exists(database + suffix) {
            try PrivateFile.copy(database + suffix, to: copy.database + suffix)
        }
    }

    private func removeUnfinished(_ path: String) throws(StoreError) {
        for suffix in ["", "-journal"] { try PrivateFile.remove(path + suffix) }
    }

    /// A description of damage that must be found before SQLite opens the files, because SQLite
    /// would delete a log without a database, and ignore a log after a damaged frame; usually nil.
    var damage: String? {
        guard PrivateFile.status(database + "-wal")?.bytes ?? 0 > 0 else { return nil }
        let log = LogPages(path: database + "-wal")
        if log.isCut { return "a damaged page in the middle of the log" }
        guard let file = PrivateFile.status(database) else { return "only its log is left" }
        return file.bytes == 0 && log.pageCount > 0 ? "an empty database with a log" : nil
    }

    /// The path at which a repair creates the new database.
    var partial: String { database + ".partial" }

    /// The path of the new database after it is complete.
    private var complete: String { database + ".whole" }

    func createPartial() throws(StoreError) {
        try removeUnfinished(partial)
        try create(partial)
    }

    /// Marks the new database as complete; an interruption after this finishes the repair.
    func completePartial() throws(StoreError) {
        try PrivateFile.flush(file: partial)
        try PrivateFile.move(partial, to: complete, "complete the new database")
    }

    /// Moves a complete new database into place, possibly after an interruption.
    func finishRepair() throws(StoreError) {
        try removeUnfinished(partial)
        guard PrivateFile.exists(complete) else { return }
        // The report of the repair says what is missing.
        try PrivateFile.remove(lastKnownState)
        if hasFiles(at: database) { _ = try setAside() }
        try PrivateFile.move(complete, to: database, "move the new database into place")
    }

    /// Saves a report next to a database that was set aside.
    func save(_ text: String, nextTo path: String) throws(StoreError) {
        let report = path + StoreFiles.reportSuffix
        try? PrivateFile.remove(report)
        let descriptor = try PrivateFile.create(report, to: "create the report")
        defer { platform_close(descriptor) }
        let bytes = Array("\(text)\n".utf8)
        // The report is only informative, so it does not matter if the disk is full.
        _ = unsafe platform_write_all(descriptor, bytes, bytes.count)
    }

    private static let reportSuffix = ".txt"

    /// The databases that were set aside and still exist, each with its report.
    var damagedDatabases: [(file: String, text: String)] {
        var found: [(file: String, text: String)] = []
        for number in 1...StoreFiles.maxDamaged {
            let file = damagedPath(number)
            guard hasFiles(at: file) else { continue }
            let (report, limit) = (file + StoreFiles.reportSuffix, 4_096)
            var bytes = [UInt8](repeating: 0, count: limit)
            let count = unsafe platform_read_file(report, 0, &bytes, limit)
            let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            let line = text.split(separator: "\n").first.map(String.init)
            found.append((file, line ?? "the database was damaged"))
        }
        return found
    }

    /// The maximum number of damaged databases that are found.
    private static let maxDamaged = 32

    private func damagedPath(_ number: Int) -> String { "\(database).damaged-\(number)" }

    private var freeDamagedPath: String {
        var number = 1
        while hasFiles(at: damagedPath(number)) { number += 1 }
        return damagedPath(number)
    }

    /// Renames the files with the next free number; returns the new path of the database, next to
    /// which its log is, where SQLite expects it.
    func setAside() throws(StoreError) -> String {
        let free = freeDamagedPath
        // The database is moved first: a remaining log is found at the next start and moved, too.
        for suffix in StoreFiles.suffixes where PrivateFile.exists(database + suffix) {
            let result = unsafe platform_rename(database + suffix, free + suffix)
            try PrivateFile.check(result, "set the damaged database aside", database + suffix)
        }
        try PrivateFile.flush(parentOf: database)
        return free
    }

    /// Whether there is a database at a path, or the log of one.
    func hasFiles(at path: String) -> Bool {
        StoreFiles.suffixes.contains { PrivateFile.exists(path + $0) }
    }
}

/// Files that are private from their creation and survive a power failure.
enum PrivateFile {
    /// Returns the result of a CPlatform function; throws if it is a negated errno.
    @discardableResult
    static func check(_ code: Int32, _ action: String, _ path: String) throws(StoreError) -> Int32 {
        guard code < 0 else { return code }
        throw StoreError(systemCall: -code, action: action, path: path)
    }

    /// Creates an empty file, open for writing; fails if the path exists.
    static func create(_ path: String, to action: String) throws(StoreError) -> Int32 {
        try check(unsafe platform_create_file(path, true), action, path)
    }

    /// Copies a file to a new one, without waiting for the disk.
    static func copy(_ old: String, to new: String) throws(StoreError) {
        let target = try create(new, to: "create the copy")
        defer { platform_close(target) }
        var (bytes, offset) = ([UInt8](repeating: 0, count: 1 << 20), Int64(0))
        while true {
            let count = unsafe platform_read_file(old, offset, &bytes, bytes.count)
            try check(Int32(clamping: count), "read the file", old)
            guard count > 0 else { return }
            let written = unsafe platform_write_all(target, bytes, count)
            try check(written, "write the copy", new)
            offset += Int64(count)
        }
    }

    static func createDirectory(_ path: String) throws(StoreError) {
        let result = unsafe platform_make_directory(path)
        if result != -EEXIST { try check(result, "create the directory", path) }
    }

    static func status(_ path: String, followingLinks: Bool = true) -> platform_file? {
        var file = platform_file()
        let result =
            unsafe followingLinks
            ? platform_target_status(path, &file) : platform_file_status(path, &file)
        return result == 0 ? file : nil
    }

    static func exists(_ path: String) -> Bool { status(path) != nil }

    static func remove(_ path: String) throws(StoreError) {
        let result = unsafe platform_unlink(path)
        if result != -ENOENT { try check(result, "remove the file", path) }
    }

    /// Renames a file, in place of an existing one, and flushes the change.
    static func move(_ old: String, to new: String, _ action: String) throws(StoreError) {
        try check(unsafe platform_rename(old, new), action, new)
        try flush(parentOf: new)
    }

    /// Flushes a file and its directory entry to the disk.
    static func flush(file path: String) throws(StoreError) {
        try check(unsafe platform_sync_path(path), "flush the file", path)
        try flush(parentOf: path)
    }

    /// Flushes the entries of a directory to the disk.
    static func flush(parentOf path: String) throws(StoreError) {
        let parent = directory(of: path)
        let result = unsafe platform_sync_path(parent)
        // A directory that is writable but not readable cannot be flushed.
        if ![-EACCES, -EINVAL].contains(result) {
            try check(result, "flush the directory", parent)
        }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the names in a directory, unsorted; empty if it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }
}
