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

/// A directory for one test, deleted at its end.
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

    var database: String { path + "/scoresync.db" }

    var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
    }

    func bytes(of name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path + "/" + name) else {
            throw SystemError(number: errno)
        }
        return [UInt8](data)
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }

    func setPermissions(_ mode: mode_t) throws {
        guard chmod(database, mode) == 0 else { throw SystemError(number: errno) }
    }

    func open(
        maxCheckedBytes: Int = SessionStore.maxCheckedBytes,
        migrations: [Migration] = Schema.migrations
    ) throws(StoreError) -> SessionStore {
        var generator = SeededGenerator(seed: 1)
        return try SessionStore(
            directory: path,
            using: &generator,
            maxCheckedBytes: maxCheckedBytes,
            migrations: migrations
        )
    }
}

/// A failed system call.
struct SystemError: Error {
    let number: Int32
}
