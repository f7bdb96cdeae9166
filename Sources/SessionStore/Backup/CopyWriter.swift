internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writes all that a database holds at one moment into one new file.
///
/// The file is there under its name only when it is whole, on disk, and was read back. What was
/// deleted from the database is not in it (`VACUUM INTO`).
struct CopyWriter {
    /// What follows the name of a copy that is being written.
    static let unfinished = ".scoresync-partial"

    /// The database.
    let source: Connection
    /// When to give up.
    let end: CopyEnd

    /// Writes the copy and says what is in it.
    ///
    /// - Parameters:
    ///   - path: where the copy is to be.
    ///   - replacing: whether it takes the place of a file there.
    /// - Returns: what was read back.
    /// - Throws: why there is no copy; then nothing of one is left.
    func write(to path: String, replacing: Bool) throws(StoreError) -> CopyContent {
        try CopyWriter.requireRoom(at: path, replacing: replacing)
        let content = try write(unfinished: path + CopyWriter.unfinished)
        do throws(StoreError) {
            try CopyWriter.name(path + CopyWriter.unfinished, path, replacing: replacing)
        } catch {
            try? PrivateFile.remove(path + CopyWriter.unfinished)
            throw error
        }
        return content
    }

    /// Writes a file that nobody takes for a copy yet, in place of what an attempt left there;
    /// tells now and then how many bytes are written.
    func write(
        unfinished path: String,
        onPiece: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) -> CopyContent {
        try CopyWriter.removeUnfinished(path)
        let action = "write a copy to \(path)"
        let file = try PrivateFile.make(path, to: action)
        // Open until SQLite is done with it: closing it earlier would take SQLite's locks away.
        defer { close(file) }
        do throws(StoreError) {
            try fill(path, file, action, onPiece)
            guard fsync(file) == 0 else {
                throw StoreError(systemCall: errno, action: action, path: path)
            }
            guard CopyWriter.leads(path, to: file) else {
                throw .inTheWay(path: path, reason: "is being written by another program too")
            }
            return try check(path)
        } catch {
            for suffix in ["", "-journal"] { try? PrivateFile.remove(path + suffix) }
            throw error
        }
    }

    private func fill(
        _ path: String,
        _ file: Int32,
        _ action: String,
        _ onPiece: @escaping @Sendable (Int) -> Void
    ) throws(StoreError) {
        let pace = CopyPace(to: file, until: end, onPiece: onPiece)
        source.action = action
        source.keep(pace)
        defer { withExtendedLifetime(pace) { source.dropPace() } }
        do throws(StoreError) { try source.run("VACUUM INTO ?", [.text(path)]) } catch {
            throw end.hasCome ? .givenUp(action: action) : error
        }
    }

    /// What was written, read back.
    private func check(_ path: String) throws(StoreError) -> CopyContent {
        do throws(StoreError) { return try CopyContent(of: path) } catch {
            // The store itself is not damaged by that.
            guard error.isDamage else { throw error }
            throw .inTheWay(path: path, reason: "was written and cannot be read back: \(error)")
        }
    }

    // MARK: The place

    /// Refuses a place where something is that a copy must not replace.
    private static func requireRoom(at path: String, replacing: Bool) throws(StoreError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else {
                throw StoreError(systemCall: errno, action: "write a copy", path: path)
            }
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if !replacing { throw inTheWay(path) }
        case S_IFDIR:
            throw .inTheWay(path: path, reason: "is a directory; name a file in it")
        default:
            throw .inTheWay(path: path, reason: "is there and no file: nothing was written")
        }
    }

    private static func inTheWay(_ path: String) -> StoreError {
        .inTheWay(path: path, reason: "exists; to replace it, say --force")
    }

    private static func removeUnfinished(_ path: String) throws(StoreError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid() else {
            throw .inTheWay(path: path, reason: "is in the way")
        }
        for suffix in ["", "-journal"] { try PrivateFile.remove(path + suffix) }
    }

    private static func leads(_ path: String, to file: Int32) -> Bool {
        var (named, open) = (stat(), stat())
        guard unsafe lstat(path, &named) == 0, unsafe fstat(file, &open) == 0 else { return false }
        return named.st_dev == open.st_dev && named.st_ino == open.st_ino
    }

    /// Gives a whole copy its name.
    private static func name(
        _ unfinished: String,
        _ path: String,
        replacing: Bool
    ) throws(StoreError) {
        let action = "name the copy"
        if replacing { return try PrivateFile.move(unfinished, to: path, action) }
        if unsafe link(unfinished, path) == 0 {
            try PrivateFile.remove(unfinished)
            return try PrivateFile.flush(parentOf: path)
        }
        let reason = errno
        if reason == EEXIST { throw inTheWay(path) }
        // A file system without second names, as on many sticks.
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(reason) else {
            throw StoreError(systemCall: reason, action: action, path: path)
        }
        try requireRoom(at: path, replacing: false)
        try PrivateFile.move(unfinished, to: path, action)
    }
}

extension StoreFiles {
    /// A writer of copies, by a connection of its own.
    func copyWriter(until end: CopyEnd) throws(StoreError) -> CopyWriter {
        let source = try Connection(path: database)
        // The log is the store's, and by the end perhaps that of another database.
        try source.keepLogOnClose(true)
        return CopyWriter(source: source, end: end)
    }
}

extension SessionStore {
    /// Writes a copy to a file while the caller waits; see `StoreQueue.copy`.
    @discardableResult
    package func copy(to path: String, replacing: Bool) throws(StoreError) -> CopyContent {
        try files.copyWriter(until: CopyEnd()).write(to: path, replacing: replacing)
    }
}

/// How a copy is written beside the scores: flushed piece by piece, and given up when the program
/// ends.
///
/// Who writes a score waits for the disk, and a disk that is given a whole copy at once makes them
/// wait for all of it.
final class CopyPace: Sendable {
    /// How many steps of SQLite's machine are done between two looks: below a millisecond's worth.
    static let steps: Int32 = 5_000
    /// How much of a copy may wait to be flushed, in bytes.
    private static let pieceBytes: off_t = 1 << 20

    private let file: Int32
    private let flushed = Atomic<Int64>(0)
    private let end: CopyEnd
    private let onPiece: @Sendable (Int) -> Void

    /// The pace of a copy that goes to an open file, up to an end; after each piece it tells how
    /// many bytes are written.
    init(to file: Int32, until end: CopyEnd, onPiece: @escaping @Sendable (Int) -> Void) {
        self.file = file
        self.end = end
        self.onPiece = onPiece
    }

    /// Flushes what has come to a piece; false where the copy is to be given up.
    func goesOn() -> Bool {
        if end.hasCome { return false }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return true }
        let bytes = Int64(status.st_size)
        if bytes - flushed.load(ordering: .relaxed) >= CopyPace.pieceBytes {
            flushed.store(bytes, ordering: .relaxed)
            // Whether all of it is on disk is asked at the end.
            _ = fsync(file)
            onPiece(Int(bytes))
        }
        return true
    }
}

/// The end of all copying, which one thread says and another one hears.
final class CopyEnd: Sendable {
    private let isSaid = Atomic<Bool>(false)

    /// Whether copies are to be given up.
    var hasCome: Bool { isSaid.load(ordering: .acquiring) }

    /// Has copies given up, the one that is being written too.
    func come() { isSaid.store(true, ordering: .releasing) }
}
