internal import CPlatform
internal import Descriptors
internal import Synchronization

/// Writes a consistent snapshot of a database into a new file, without deleted content (`VACUUM
/// INTO`).
///
/// The file gets its name only when it is complete, flushed and was read back. A backup ends with
/// a `BackupChecksum`.
struct BackupWriter {
    /// The suffix of a file that is being written.
    static let unfinished = ".scoresync-partial"

    let source: Connection
    let cancellation: CancellationFlag

    /// Writes the backup and returns the contents as read back; after an error no file remains.
    func write(to path: String, replacing: Bool) throws(StoreError) -> BackupContents {
        try BackupWriter.requireFree(at: path, replacing: replacing)
        let unfinished = path + BackupWriter.unfinished
        let contents = try write(unfinished: unfinished, hasChecksum: true)
        do throws(StoreError) {
            try BackupWriter.rename(unfinished, path, replacing: replacing)
        } catch {
            try? PrivateFile.remove(unfinished)
            throw error
        }
        return contents
    }

    /// Writes a file under its unfinished name, in place of one that an interrupted backup left.
    ///
    /// `onProgress` is called at intervals with the number of bytes written.
    func write(
        unfinished path: String,
        hasChecksum: Bool = false,
        onProgress: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) -> BackupContents {
        try BackupWriter.removeUnfinished(path)
        let action = "write a backup to \(path)"
        let file = try PrivateFile.create(path, to: action)
        // Closed after SQLite's own descriptor, because closing it earlier would release SQLite's
        // locks.
        defer { platform_close(file) }
        do throws(StoreError) {
            try fill(path, file, action, onProgress)
            if hasChecksum { try BackupChecksum.append(to: path) }
            try PrivateFile.check(platform_sync(file), action, path)
            guard FileIdentity(at: path) == FileIdentity(of: file) else {
                throw .cannotWrite(path: path, reason: "is also being written by another program")
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
        _ onProgress: @escaping @Sendable (Int) -> Void
    ) throws(StoreError) {
        let pacer = WritePacer(file, cancellation, onProgress)
        source.action = action
        source.install(pacer)
        defer { withExtendedLifetime(pacer) { source.removePacer() } }
        do throws(StoreError) { try source.run("VACUUM INTO ?", [.text(path)]) } catch {
            throw cancellation.isCancelled ? .cancelled(action: action) : error
        }
    }

    private func check(_ path: String) throws(StoreError) -> BackupContents {
        do throws(StoreError) {
            return try BackupContents(of: path, isJustWritten: true)
        } catch {
            // The damage is that of the written file, not of the store.
            guard error.isDamage else { throw error }
            throw .cannotWrite(path: path, reason: "was written but cannot be read back: \(error)")
        }
    }

    private static func requireFree(at path: String, replacing: Bool) throws(StoreError) {
        var file = platform_file()
        let result = unsafe platform_file_status(path, &file)
        guard result != -ENOENT else {
            // The error of the file itself would name it with the suffix.
            let directory = PrivateFile.directory(of: path)
            var folder = platform_file()
            let found = unsafe platform_target_status(directory, &folder)
            try PrivateFile.check(found, "write a backup to \(path)", directory)
            return
        }
        try PrivateFile.check(result, "write a backup", path)
        guard file.is_regular else {
            let kind = file.is_directory ? "a directory: name a file in it" : "not a regular file"
            throw .cannotWrite(path: path, reason: "is \(kind)")
        }
        if !replacing { throw .fileExists(path: path) }
    }

    private static func removeUnfinished(_ path: String) throws(StoreError) {
        guard let file = PrivateFile.status(path, followingLinks: false) else { return }
        guard file.is_regular, file.owner == platform_own_user() else {
            throw .cannotWrite(path: path, reason: "exists and belongs to another user")
        }
        for suffix in ["", "-journal"] { try PrivateFile.remove(path + suffix) }
    }

    private static func rename(
        _ unfinished: String,
        _ path: String,
        replacing: Bool
    ) throws(StoreError) {
        let action = "rename the backup"
        if replacing { return try PrivateFile.move(unfinished, to: path, action) }
        let result = unsafe platform_link(unfinished, path)
        if result == 0 {
            try PrivateFile.remove(unfinished)
            return try PrivateFile.flush(parentOf: path)
        }
        if result == -EEXIST { throw .fileExists(path: path) }
        // File systems without hard links, such as on many USB sticks, need another way.
        if ![-EPERM, -ENOTSUP, -EOPNOTSUPP, -ENOSYS, -EMLINK].contains(result) {
            try PrivateFile.check(result, action, path)
        }
        try requireFree(at: path, replacing: false)
        try PrivateFile.move(unfinished, to: path, action)
    }
}

extension StoreFiles {
    /// Returns a writer with a connection of its own, so that commits can go on during the backup.
    func backupWriter(_ cancellation: CancellationFlag) throws(StoreError) -> BackupWriter {
        let source = try Connection(path: database)
        // Keeps the log, which belongs to the store or, after a replacement, to another database.
        try source.keepLogOnClose(true)
        return BackupWriter(source: source, cancellation: cancellation)
    }
}

extension SessionStore {
    /// Writes a backup to a file, synchronously; see `StoreQueue.backUp`.
    @discardableResult
    package func backUp(to path: String, replacing: Bool) throws(StoreError) -> BackupContents {
        try files.backupWriter(CancellationFlag()).write(to: path, replacing: replacing)
    }
}

/// Limits the rate at which a backup is written, and stops the backup when the program ends.
///
/// It flushes the file piece by piece, so that a commit that flushes need not wait until a whole
/// backup is flushed.
final class WritePacer: Sendable {
    /// The number of SQLite's virtual machine steps between two calls; they take under a
    /// millisecond.
    static let steps: Int32 = 5_000
    /// The maximum number of bytes that are not flushed yet.
    private static let pieceBytes: Int64 = 1 << 20

    private let file: Int32
    private let flushed = Atomic<Int64>(0)
    private let cancellation: CancellationFlag
    private let onProgress: @Sendable (Int) -> Void

    init(
        _ file: Int32,
        _ cancellation: CancellationFlag,
        _ onProgress: @escaping @Sendable (Int) -> Void
    ) {
        (self.file, self.cancellation) = (file, cancellation)
        self.onProgress = onProgress
    }

    /// Flushes if a piece is complete; returns whether the backup may continue.
    func mayContinue() -> Bool {
        if cancellation.isCancelled { return false }
        var status = platform_file()
        guard unsafe platform_descriptor_status(file, &status) == 0 else { return true }
        let bytes = status.bytes
        if bytes - flushed.load(ordering: .relaxed) >= WritePacer.pieceBytes {
            flushed.store(bytes, ordering: .relaxed)
            // The last flush reports errors.
            _ = platform_sync(file)
            onProgress(Int(bytes))
        }
        return true
    }
}

/// A flag to cancel all backups, usable from any thread.
final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func cancel() { flag.store(true, ordering: .releasing) }
}
