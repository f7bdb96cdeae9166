import CPlatform
import Foundation
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The floor of network operations: the round trip of a small message over TCP on loopback.
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

    /// Returns the seconds of a round trip of 100 bytes.
    func roundTrip() -> Double {
        Stopwatch.time {
            var missing = 100
            _ = Network.sendAll(descriptor, [UInt8](repeating: 1, count: missing)[...])
            Network.readAll(descriptor) { bytes in
                missing -= bytes.count
                return missing > 0
            }
        }
    }
}

/// The floor of a score that is durable on two machines before a watcher on the other one sees it:
/// two processes that write what they read to a file, wait for the disk, and forward it.
///
/// Bytes that arrive together become durable together. The files have their full length from the
/// start, like a log that is reused.
enum Relay {
    /// The first argument of this program when it runs as a relay.
    static let argument = "--relay"
    private static let logBytes = 4 << 20

    /// Starts both relays, and connects the writer and the watcher.
    static func scene(on stage: Stage) throws -> Scene {
        let directory = try stage.newDirectory()
        let port = "\(try stage.freePort())"
        let relays = try ["far", "near"].map { name in
            let arguments = [
                argument, name, "\(directory)/\(name).sock", "\(directory)/\(name).log", port,
            ]
            let relay = try Child(stage.ownProgram, arguments, home: directory)
            try relay.waitUntilReady()
            return relay
        }
        return Scene(
            writer: try FrameSocket(directory + "/near.sock"),
            watchers: [try FrameSocket(directory + "/far.sock")],
            processes: relays.map(\.process),
            score: SampleSession(cells: 100).score
        )
    }

    /// Runs the near relay (socket file to port) or the far one (port to socket file) until the
    /// writer disconnects; the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 4, let port = UInt16(arguments[3]) else { return 2 }
        let local = platform_unix_socket()
        guard platform_unix_bind(local, arguments[1]) == 0, platform_listen(local, 1) == 0,
            let log = log(arguments[2])
        else { return 1 }
        if arguments[0] == "near" {
            guard let peer = try? Network.connect(port) else { return 1 }
            reportReady()
            guard let writer = Network.accept(local) else { return 1 }
            return relay(from: writer, to: peer, acknowledges: true, log)
        }
        let remote = platform_tcp_socket()
        guard platform_bind(remote, Network.loopback, port) == 0,
            platform_listen(remote, 1) == 0
        else { return 1 }
        reportReady()
        guard let peer = Network.accept(remote), let watcher = Network.accept(local)
        else { return 1 }
        return relay(from: peer, to: watcher, acknowledges: false, log)
    }

    private static func log(_ path: String) -> Int32? {
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        let zeros = [UInt8](repeating: 0, count: logBytes)
        guard descriptor >= 0, platform_write_all(descriptor, zeros, logBytes) == 0,
            fsync(descriptor) == 0
        else { return nil }
        return descriptor
    }

    private static func reportReady() {
        var byte: UInt8 = 1
        _ = platform_write_all(3, &byte, 1)
    }

    /// Forwards by blocking calls, the cheapest way.
    private static func relay(
        from source: Int32,
        to target: Int32,
        acknowledges: Bool,
        _ log: Int32
    ) -> Int32 {
        for descriptor in [source, target] { _ = fcntl(descriptor, F_SETFL, 0) }
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count > 0 else { return 0 }
            if offset + count > logBytes { offset = 0 }
            guard pwrite(log, bytes, count, off_t(offset)) == count, DiskFloor.flush(log),
                platform_write_all(target, bytes, count) == 0,
                !acknowledges || platform_write_all(source, bytes, count) == 0
            else { return 1 }
            offset += count
        }
    }
}

/// The floor of durable writes: bytes written to a file and flushed to the disk.
///
/// The file has its full length from the start: growing it would cost another write.
final class DiskFloor {
    private static let length = 4 << 20

    private let descriptor: Int32

    init(_ directory: String) throws(BenchError) {
        descriptor = open(directory + "/floor", O_CREAT | O_WRONLY, 0o600)
        guard descriptor >= 0 else { throw BenchError("cannot make a file in \(directory)") }
        _ = try write(bytes: DiskFloor.length)
    }

    deinit { close(descriptor) }

    /// Returns the seconds of one write, at most of the file's length.
    func write(bytes count: Int) throws(BenchError) -> Double {
        let bytes = [UInt8](repeating: 1, count: count)
        var isDurable = false
        let time = Stopwatch.time {
            isDurable = pwrite(descriptor, bytes, count, 0) == count && Self.flush(descriptor)
        }
        guard isDurable else { throw BenchError("cannot write \(count) bytes to the disk") }
        return time
    }

    static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC) == 0
        #else
        fdatasync(descriptor) == 0
        #endif
    }

    /// Returns the seconds to read a file.
    static func read(_ path: String) throws -> Double {
        try Stopwatch.time { _ = try Data(contentsOf: URL(filePath: path)) }
    }
}
