#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The files of a store: a database, its log and the log's index, in one directory.
///
/// They hold the keys of sessions, so nobody else may read them from the moment they exist. SQLite
/// gives the log and its index the permissions of the database.
struct StoreFiles {
    /// The database.
    let database: String
    /// Where a database is made that is to take the place of a damaged one.
    var partial: String { database + ".partial" }

    /// Where such a database is once it is whole.
    private var whole: String { database + ".whole" }

    let directory: String

    /// See `StoreQueue.longLog`.
    private static let logBytes: off_t = 4 << 20

    static let suffixes = ["", "-wal", "-shm"]

    /// The files of the store in a directory.
    init(directory: String) {
        self.directory = directory
        database = directory + "/scoresync.db"
    }

    /// The length of the database.
    var databaseBytes: Int {
        var status = stat()
        return unsafe stat(database, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes the directory, and those above it that are missing, for this user only.
    func makeDirectory() throws(StoreError) {
        var missing: [String] = []
        var path = Substring(directory)
        while path.count > 1, path.last == "/" { path.removeLast() }
        while !path.isEmpty, !PrivateFile.exists(String(path)) {
            missing.append(String(path))
            guard let slash = path.lastIndex(of: "/") else { break }
            path = path[..<slash]
        }
        for path in missing.reversed() {
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw StoreError(systemCall: errno, action: "make the directory", path: path)
            }
            try PrivateFile.flush(parentOf: path)
        }
    }

    /// Makes an empty database where none is, and takes the permissions of others away.
    func makeDatabase() throws(StoreError) {
        // Exclusive: closing a file that SQLite has open would take SQLite's locks away.
        do throws(StoreError) { try make(database) } catch {
            guard PrivateFile.exists(database) else { throw error }
        }
        for suffix in StoreFiles.suffixes {
            let path = database + suffix
            var status = stat()
            guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            guard unsafe chmod(path, 0o600) == 0 else {
                throw StoreError(systemCall: errno, action: "make the file private", path: path)
            }
        }
    }

    private func make(_ path: String) throws(StoreError) {
        close(try PrivateFile.make(path, to: "make the database"))
    }

    /// Gives the log the length at which it is usually folded in, so that a commit neither moves
    /// its end, which would be a second thing to flush, nor waits for room on a disk that others
    /// fill.
    ///
    /// What follows its last frame is never read. Without it the log still works: no error counts.
    func lengthenLog() {
        let descriptor = unsafe open(database + "-wal", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let start = lseek(descriptor, 0, SEEK_END)
        var end = start
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        while end >= 0, end < StoreFiles.logBytes {
            let count = unsafe pwrite(descriptor, zeros, zeros.count, end)
            // A disk that is nearly full is left as it was.
            guard count == zeros.count else {
                _ = ftruncate(descriptor, start)
                return
            }
            end += off_t(count)
        }
    }

    /// Keeps a copy of a database whose name leads to another one now, beside that one.
    func keepBeside(_ connection: Connection, _ text: String) throws(StoreError) {
        let aside = freeAside()
        try copy(connection, to: aside, by: aside + ".copy")
        try note(text, beside: aside)
    }

    private func copy(
        _ connection: Connection,
        to path: String,
        by unfinished: String
    ) throws(StoreError) {
        try remove(unfinished)
        try make(unfinished)
        connection.action = "keep a copy of the database"
        try connection.run("VACUUM INTO ?", [.text(unfinished)])
        try PrivateFile.flush(file: unfinished)
        try PrivateFile.move(unfinished, to: path, connection.action)
    }

    /// Removes what an attempt left that did not come to its end.
    private func remove(_ unfinished: String) throws(StoreError) {
        for suffix in ["", "-journal"] { try PrivateFile.remove(unfinished + suffix) }
    }

    // MARK: A damaged database

    /// What is wrong with the files before SQLite opens them, which would delete a log without a
    /// database and go on without the rest of a damaged one; nil mostly.
    func findDamage() -> String? {
        var status = stat()
        guard unsafe stat(database + "-wal", &status) == 0, status.st_size > 0 else { return nil }
        let log = LogFrames(path: database + "-wal")
        if log.isCut { return "a page in the middle of its log" }
        guard unsafe stat(database, &status) == 0 else { return "only its log is left" }
        return status.st_size == 0 && log.pageCount > 0 ? "it is empty and its log is not" : nil
    }

    /// Makes an empty file for a database that is to take the place of a damaged one.
    func makePartial() throws(StoreError) {
        try remove(partial)
        try make(partial)
    }

    /// Notes that the new database is whole.
    func keepPartial() throws(StoreError) {
        try PrivateFile.flush(file: partial)
        try PrivateFile.move(partial, to: whole, "keep the new database")
    }

    /// Puts a database that is whole in the place of a damaged one; also goes on where a program
    /// that was killed had begun to.
    ///
    /// - Returns: where the damaged one is, if it was still in its place.
    @discardableResult
    func finishSalvage() throws(StoreError) -> String? {
        try remove(partial)
        guard PrivateFile.exists(whole) else { return nil }
        let aside = isAnythingAt(database) ? try setAside() : nil
        try PrivateFile.move(whole, to: database, "put the new database in its place")
        return aside
    }

    /// Writes down what became of a database that was set aside, beside it.
    func note(_ text: String, beside aside: String) throws(StoreError) {
        let path = aside + StoreFiles.noteSuffix
        _ = unsafe unlink(path)
        try make(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array("\(text)\n".utf8)
        // What it says is only told: should the disk be full, the file beside it says enough.
        _ = unsafe write(descriptor, bytes, bytes.count)
    }

    private static let noteSuffix = ".txt"

    /// The databases that were set aside and are still there, each with what became of it.
    func setAsideBefore() -> [(file: String, text: String)] {
        var found: [(file: String, text: String)] = []
        for number in 1...StoreFiles.mostAside {
            let file = aside(number)
            guard isAnythingAt(file) else { continue }
            let descriptor = unsafe open(file + StoreFiles.noteSuffix, O_RDONLY | O_CLOEXEC)
            defer { if descriptor >= 0 { close(descriptor) } }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe read(descriptor, &bytes, bytes.count)
            let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
            let said = text.split(separator: "\n").first.map(String.init)
            found.append((file, said ?? "the database was damaged"))
        }
        return found
    }

    /// How many damaged databases are looked for.
    private static let mostAside = 32

    private func aside(_ number: Int) -> String { "\(database).damaged-\(number)" }

    private func freeAside() -> String {
        var number = 1
        while isAnythingAt(aside(number)) { number += 1 }
        return aside(number)
    }

    /// Sets the files aside under a number that is free.
    ///
    /// - Returns: the path of the database now; a log stands beside it as SQLite expects it.
    func setAside() throws(StoreError) -> String {
        let free = freeAside()
        // The database first: a log that stays behind is seen at the next start and follows.
        for suffix in StoreFiles.suffixes where PrivateFile.exists(database + suffix) {
            guard unsafe rename(database + suffix, free + suffix) == 0 else {
                let action = "set the damaged database aside"
                throw StoreError(systemCall: errno, action: action, path: database + suffix)
            }
        }
        try PrivateFile.flush(parentOf: database)
        return free
    }

    /// Whether a database, or a log of one, is at a path.
    func isAnythingAt(_ path: String) -> Bool {
        StoreFiles.suffixes.contains { PrivateFile.exists(path + $0) }
    }
}

/// Files that nobody else may read from the moment they exist, and that outlive a power cut.
enum PrivateFile {
    /// Makes an empty file where nothing is, open for reading and writing.
    static func make(_ path: String, to action: String) throws(StoreError) -> Int32 {
        let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(systemCall: errno, action: action, path: path)
        }
        return descriptor
    }

    /// Opens whatever is at a path for reading, without waiting for the other end of a pipe.
    static func read(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(systemCall: errno, action: "read the file", path: path)
        }
        return descriptor
    }

    /// Whether anything is at a path.
    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) throws(StoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw StoreError(systemCall: errno, action: "remove the file", path: path)
        }
    }

    /// Gives a file another name, in place of what was there.
    static func move(
        _ old: String,
        to new: String,
        _ action: String
    ) throws(StoreError) {
        guard unsafe rename(old, new) == 0 else {
            throw StoreError(systemCall: errno, action: action, path: new)
        }
        try flush(parentOf: new)
    }

    /// Makes sure that a file, and its name, outlive a power cut.
    static func flush(file path: String) throws(StoreError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(systemCall: errno, action: "open the file", path: path)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(systemCall: errno, action: "flush the file", path: path)
        }
        try flush(parentOf: path)
    }

    /// Makes sure that a new name in a directory outlives a power cut.
    static func flush(parentOf path: String) throws(StoreError) {
        let parent = directory(of: path)
        let descriptor = unsafe open(parent, O_RDONLY | O_CLOEXEC)
        // A directory that may be written but not read cannot be flushed; nothing else is wrong.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw StoreError(systemCall: errno, action: "flush the directory", path: parent)
        }
    }

    /// The directory that a path is in.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The names in a directory, in no order; none where it cannot be read.
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

/// Which file a name leads to.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// The file of a name; nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }
}

extension StoreFiles {
    /// The log that stands beside the database now.
    var log: FileIdentity? { FileIdentity(database + "-wal") }

    /// The directory that the name leads to now.
    var place: FileIdentity? { FileIdentity(directory) }
}
