import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The floor of everything that must survive a power cut: bytes written into a file, and the disk
/// saying that it has them.
///
/// The file has its length already, as a log has that is used again and again: growing it would
/// cost a further write of the file system.
final class DiskFloor {
    private static let length = 4 << 20

    private let descriptor: Int32

    /// The floor of the disk that this directory is on.
    init(_ directory: String) throws(BenchError) {
        descriptor = open(directory + "/floor", O_CREAT | O_WRONLY, 0o600)
        guard descriptor >= 0 else { throw BenchError("no file can be made in \(directory)") }
        _ = try write(bytes: DiskFloor.length)
    }

    deinit { close(descriptor) }

    /// One write of so many bytes, at most the file's length, in seconds.
    func write(bytes count: Int = 4096) throws(BenchError) -> Double {
        let bytes = [UInt8](repeating: 1, count: count)
        var isDurable = false
        let time = Stopwatch.time {
            isDurable = pwrite(descriptor, bytes, count, 0) == count && Self.flush(descriptor)
        }
        guard isDurable else { throw BenchError("the disk refuses to take \(count) bytes") }
        return time
    }

    /// Whether the disk has everything that was written to a file.
    static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC) == 0
        #else
        fdatasync(descriptor) == 0
        #endif
    }

    /// The time to read a file from end to end, in seconds.
    static func read(_ path: String) throws -> Double {
        try Stopwatch.time { _ = try Data(contentsOf: URL(filePath: path)) }
    }
}
