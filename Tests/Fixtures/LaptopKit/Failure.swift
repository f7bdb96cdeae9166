import CPlatform
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Needs real time: waiting for real daemons has a timeout.

/// An error of a test's setup.
package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Polls a condition until it holds, and returns the time that took.
///
/// Throws after the time limit. It pauses between checks, so that the programs under test get
/// processor time.
@discardableResult
package func eventually(
    within limit: Duration,
    everyMilliseconds pause: Int32 = 5,
    _ what: @autoclosure () -> String,
    _ isSo: () throws -> Bool
) throws -> Duration {
    let start = ContinuousClock.now
    while try !isSo() {
        guard ContinuousClock.now - start < limit else {
            throw Failure("not in \(limit): \(what())")
        }
        _ = platform_wait(-1, false, -1, pause)
    }
    return ContinuousClock.now - start
}

/// Polls a value until it has not changed for a while, and returns it.
package func settled<Value: Equatable>(
    for calm: Duration,
    within limit: Duration,
    _ read: () throws -> Value
) throws -> Value {
    var (value, since) = (try read(), ContinuousClock.now)
    try eventually(within: limit, "the same for \(calm)") {
        let now = try read()
        if now != value { (value, since) = (now, ContinuousClock.now) }
        return ContinuousClock.now - since > calm
    }
    return value
}

/// A temporary directory, removed with this object.
package final class ScratchDirectory {
    package let path: String

    package init() throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/ss.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("mkdtemp: errno \(errno)") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a subdirectory, and returns its path.
    package func directory(_ name: String) throws -> String {
        let path = "\(path)/\(name)"
        guard mkdir(path, 0o700) == 0 else { throw Failure("mkdir \(path): errno \(errno)") }
        return path
    }

    /// Returns the bytes of a file.
    package func bytes(of name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(name)") else {
            throw Failure("there is no \(path)/\(name)")
        }
        return [UInt8](data)
    }
}
