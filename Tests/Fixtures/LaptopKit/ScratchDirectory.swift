import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A directory of one test, removed with it.
package final class ScratchDirectory {
    /// Its absolute path.
    package let path: String

    package init() throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/ss.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a directory in it and returns its path.
    package func directory(_ name: String) throws -> String {
        let path = "\(path)/\(name)"
        guard mkdir(path, 0o700) == 0 else { throw Failure("mkdir \(path): errno \(errno)") }
        return path
    }

    /// The bytes of a file in it.
    package func bytes(of name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else {
            throw Failure("there is no \(path)/\(name)")
        }
        return [UInt8](data)
    }
}
