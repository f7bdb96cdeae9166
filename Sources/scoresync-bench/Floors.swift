import CPlatform
import Foundation
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The floor of everything that crosses a network: a small message there and back over TCP on
/// loopback.
final class EchoFloor {
    private let descriptor: Int32

    init() throws(BenchError) {
        let (listener, port) = try Network.listen()
        Thread.detachNewThread {
            guard let descriptor = Network.accept(listener) else { return }
            Network.readAll(descriptor) { Network.sendAll(descriptor, $0) }
            platform_close(descriptor)
            platform_close(listener)
        }
        descriptor = try Network.connect(port)
    }

    deinit { platform_close(descriptor) }

    /// One message of 100 bytes there and back, in seconds.
    func roundTrip() -> Double {
        Stopwatch.time {
            var missing = 100
            _ = Network.sendAll(descriptor, [UInt8](repeating: 1, count: missing)[...])
            Network.readAll(descriptor) { piece in
                missing -= piece.count
                return missing > 0
            }
        }
    }
}

/// The least that a score can cost which is to survive on two machines before the other one's
/// watcher sees it: two processes that write what they read to a file, wait for the disk, and pass
/// it on.
///
/// What has arrived together becomes durable together, as in any store that deserves the name. The
/// files have their length already, as a log has that is used again and again.
enum Relay {
    /// The word by which this program is told to be one of them.
    static let word = "--relay"
    private static let logBytes = 4 << 20

    /// Both relays, with the writer's and the watcher's ends.
    static func scene(on stage: Stage) throws -> Scene {
        let directory = try stage.newDirectory()
        let (writerPath, watcherPath) = (directory + "/near.sock", directory + "/far.sock")
        let port = "\(try stage.freePort())"
        let far = try Child(
            stage.ownProgram,
            [word, "far", watcherPath, directory + "/far.log", port],
            home: directory,
            log: directory + "/bench.log"
        )
        try far.waitUntilReady()
        let near = try Child(
            stage.ownProgram,
            [word, "near", writerPath, directory + "/near.log", port],
            home: directory,
            log: directory + "/bench.log"
        )
        try near.waitUntilReady()
        let session = SampleSession(cells: 100)
        return Scene(
            writer: try FrameSocket(writerPath),
            watchers: [try FrameSocket(watcherPath)],
            processes: [near.process, far.process],
            score: session.score
        )
    }

    /// Is the near relay (from a socket file to a port) or the far one (from a port to a socket
    /// file) until its writer goes; the exit status.
    static func run(_ words: [String]) -> Int32 {
        guard words.count == 4, let port = UInt16(words[3]) else { return 2 }
        let isNear = words[0] == "near"
        let local = platform_unix_socket()
        let remote = platform_tcp_socket()
        guard platform_unix_bind(local, words[1]) == 0, platform_listen(local, 1) == 0,
            let log = log(words[2])
        else { return 1 }
        if isNear {
            guard let peer = try? Network.connect(port) else { return 1 }
            tellReady()
            guard let writer = Network.accept(local) else { return 1 }
            return relay(from: writer, to: peer, answering: true, log)
        }
        guard platform_bind(remote, Network.loopback, port) == 0,
            platform_listen(remote, 1) == 0
        else { return 1 }
        tellReady()
        guard let peer = Network.accept(remote), let watcher = Network.accept(local)
        else { return 1 }
        return relay(from: peer, to: watcher, answering: false, log)
    }

    private static func log(_ path: String) -> Int32? {
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        let zeros = [UInt8](repeating: 0, count: logBytes)
        guard descriptor >= 0, platform_write_all(descriptor, zeros, logBytes) == 0,
            fsync(descriptor) == 0
        else { return nil }
        return descriptor
    }

    private static func tellReady() {
        var byte: UInt8 = 1
        _ = platform_write_all(3, &byte, 1)
    }

    /// Passes on what arrives once the disk has it, by calls that block: nothing is cheaper.
    private static func relay(
        from source: Int32,
        to target: Int32,
        answering: Bool,
        _ log: Int32
    ) -> Int32 {
        for descriptor in [source, target] { _ = fcntl(descriptor, F_SETFL, 0) }
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        var place = 0
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count > 0 else { return 0 }
            if place + count > logBytes { place = 0 }
            guard pwrite(log, bytes, count, off_t(place)) == count, DiskFloor.flush(log),
                platform_write_all(target, bytes, count) == 0,
                !answering || platform_write_all(source, bytes, count) == 0
            else { return 1 }
            place += count
        }
    }
}

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
