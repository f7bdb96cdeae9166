import CPlatform
import Foundation

/// The floor of network operations: the round trip of a small message over TCP on loopback.
final class EchoFloor {
    private let descriptor: Int32

    init() throws(BenchError) {
        let (listener, port) = try Network.listen(on: 0)
        Thread.detachNewThread {
            guard let descriptor = try? Network.accept(listener) else { return }
            Network.readAll(descriptor) { Network.sendAll(descriptor, $0) }
            platform_close(descriptor)
            platform_close(listener)
        }
        descriptor = try Network.connect(port)
    }

    deinit { platform_close(descriptor) }

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
/// Bytes that arrive together become durable together.
enum Relay {
    /// The first argument of this program when it runs as a relay.
    static let argument = "--relay"

    /// Starts both relays, and connects the writer and the watcher.
    static func scene(on stage: Stage) throws -> Scene {
        let directory = try stage.newDirectory()
        let port = "\(try stage.freePort())"
        func socket(_ name: String) -> String { "\(stage.runtimeDirectory)/\(name).sock" }
        let relays = try ["far", "near"].map { name in
            let words = [argument, name, socket(name), "\(directory)/\(name).log", port]
            let relay = try Child(stage.ownProgram, words, home: directory)
            try relay.waitUntilReady()
            return relay
        }
        return Scene(
            SampleSession(cells: 100),
            writer: try FrameSocket(socket("near")),
            watchers: [try FrameSocket(socket("far"))],
            processes: relays.map(\.process)
        )
    }

    /// Runs the near relay (socket file to port) or the far one (port to socket file) until the
    /// writer disconnects.
    static func run(_ arguments: [String]) throws(BenchError) {
        let local = platform_unix_socket()
        guard arguments.count == 4, let port = UInt16(arguments[3]),
            platform_unix_bind(local, arguments[1]) == 0, platform_listen(local, 1) == 0
        else { throw BenchError("cannot start a relay: \(arguments)") }
        let disk = try DiskFloor(arguments[2])
        let isNear = arguments[0] == "near"
        let remote = try isNear ? Network.connect(port) : Network.listen(on: port).descriptor
        var ready: UInt8 = 1
        _ = platform_write_all(3, &ready, 1)
        let source = try Network.accept(isNear ? local : remote)
        let target = try isNear ? remote : Network.accept(local)
        try relay(from: source, to: target, acknowledges: isNear, disk)
    }

    /// Forwards by blocking calls, the cheapest way.
    private static func relay(
        from source: Int32,
        to target: Int32,
        acknowledges: Bool,
        _ disk: DiskFloor
    ) throws(BenchError) {
        for descriptor in [source, target] { _ = fcntl(descriptor, F_SETFL, 0) }
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(source, &bytes, bytes.count)
            guard count > 0 else { return }
            try disk.write(bytes, count)
            guard platform_write_all(target, bytes, count) == 0,
                !acknowledges || platform_write_all(source, bytes, count) == 0
            else { throw BenchError("a connection of the relay was closed") }
        }
    }
}

/// The floor of durable writes: bytes written to a file and flushed to the disk.
///
/// The file has its full length from the start, like a log that is reused: growing it would cost
/// another write.
final class DiskFloor {
    private static let length = 4 << 20

    private let descriptor: Int32
    private var offset = 0

    init(_ path: String) throws(BenchError) {
        descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        try write([UInt8](repeating: 0, count: DiskFloor.length), DiskFloor.length)
        guard fsync(descriptor) == 0 else { throw BenchError("cannot flush \(path)") }
    }

    deinit { close(descriptor) }

    /// Returns the seconds of one write, at most of the file's length.
    func time(bytes count: Int) throws -> Double {
        let bytes = [UInt8](repeating: 1, count: count)
        return try Stopwatch.time { try write(bytes, count) }
    }

    /// Writes the first bytes of a buffer behind the last ones, or at the start of the file.
    func write(_ bytes: [UInt8], _ count: Int) throws(BenchError) {
        if offset + count > DiskFloor.length { offset = 0 }
        guard pwrite(descriptor, bytes, count, off_t(offset)) == count, flush() else {
            throw BenchError("cannot write \(count) bytes to the disk")
        }
        offset += count
    }

    private func flush() -> Bool {
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
