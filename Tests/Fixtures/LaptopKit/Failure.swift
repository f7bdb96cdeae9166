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

/// Something that a test needs has not worked; the text says what.
package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Asks again and again until it is so, and returns how long that took.
///
/// It throws when the time is over. Between two questions it leaves the machine to others for some
/// milliseconds.
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

/// Looks again and again until what it sees has stayed the same for so long, and returns it.
package func settled<Value: Equatable>(
    for calm: Duration,
    within limit: Duration,
    _ look: () throws -> Value
) throws -> Value {
    var (value, since) = (try look(), ContinuousClock.now)
    try eventually(within: limit, "the same for \(calm)") {
        let now = try look()
        if now != value { (value, since) = (now, ContinuousClock.now) }
        return ContinuousClock.now - since > calm
    }
    return value
}

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
