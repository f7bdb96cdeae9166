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
    private let directory: String

    /// See `StoreQueue.longLog`.
    private static let logBytes: off_t = 4 << 20

    private static let suffixes = ["", "-wal", "-shm"]

    /// The files of the store in a directory.
    init(directory: String) {
        self.directory = directory
        database = directory + "/scoresync.db"
    }

    /// Makes the directory, and those above it that are missing, for this user only.
    func makeDirectory() throws(StoreError) {
        var missing: [String] = []
        var path = Substring(directory)
        while path.count > 1, path.last == "/" { path.removeLast() }
        while !path.isEmpty, !exists(String(path)) {
            missing.append(String(path))
            guard let slash = path.lastIndex(of: "/") else { break }
            path = path[..<slash]
        }
        for path in missing.reversed() {
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw StoreError(systemCall: errno, action: "make the directory", path: path)
            }
            try flush(parentOf: path)
        }
    }

    /// Makes an empty database where none is, and takes the permissions of others away.
    func makeDatabase() throws(StoreError) {
        // Exclusive: closing a file that SQLite has open would take SQLite's locks away.
        let made = unsafe open(database, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if made >= 0 {
            close(made)
        } else if errno != EEXIST {
            throw StoreError(systemCall: errno, action: "make the database", path: database)
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

    /// Sets a log aside that has lost its database: SQLite would delete it.
    ///
    /// - Returns: the name that its database would have, or nil when there was no such log.
    func setAsideOrphans() throws(StoreError) -> String? {
        exists(database) || !exists(database + "-wal") ? nil : try setAside()
    }

    /// Sets the files aside under a number that is free.
    ///
    /// - Returns: the path of the database now; a log stands beside it as SQLite expects it.
    func setAside() throws(StoreError) -> String {
        var number = 1
        var aside: String { "\(database).damaged-\(number)" }
        while StoreFiles.suffixes.contains(where: { exists(aside + $0) }) { number += 1 }
        // The database first: a log that stays behind is seen at the next start and follows.
        for suffix in StoreFiles.suffixes where exists(database + suffix) {
            guard unsafe rename(database + suffix, aside + suffix) == 0 else {
                let action = "set the damaged database aside"
                throw StoreError(systemCall: errno, action: action, path: database + suffix)
            }
        }
        try flush(parentOf: database)
        return aside
    }

    private func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Makes sure that a new name in a directory outlives a power cut.
    private func flush(parentOf path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(parent, O_RDONLY | O_CLOEXEC)
        // A directory that may be written but not read cannot be flushed; nothing else is wrong.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw StoreError(systemCall: errno, action: "flush the directory", path: parent)
        }
    }
}
