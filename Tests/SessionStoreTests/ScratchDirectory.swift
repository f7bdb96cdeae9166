import FoundationEssentials
import SessionCRDT
import SessionStore
import SyncTestKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory of one test, removed with it.
final class ScratchDirectory {
    let path: String

    init() throws {
        var template = Array(
            "\(FileManager.default.temporaryDirectory.path)/store.XXXXXX".utf8CString
        )
        guard mkdtemp(&template) != nil else { throw SystemError(number: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of the database and with a suffix of its other files.
    var database: String { path + "/scoresync.db" }

    /// The names of the files in it.
    var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }

    /// The bytes of a file in it.
    func bytes(of name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path + "/" + name) else {
            throw SystemError(number: errno)
        }
        return [UInt8](data)
    }

    /// Writes a file in it.
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }

    /// Changes the permissions of the database.
    func setPermissions(_ mode: mode_t) throws {
        guard chmod(database, mode) == 0 else { throw SystemError(number: errno) }
    }

    /// Opens the store in it.
    func open(
        checkedBytes: Int = SessionStore.checkedBytes,
        migrations: [Migration] = Schema.migrations
    ) throws(StoreError) -> SessionStore {
        var generator = SeededGenerator(seed: 1)
        return try SessionStore(
            directory: path,
            using: &generator,
            checkedBytes: checkedBytes,
            migrations: migrations
        )
    }
}

/// A system call that a test needs has failed.
struct SystemError: Error {
    let number: Int32
}
