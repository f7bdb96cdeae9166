import CPlatform
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The loopback network, by the plainest of means.
enum Network {
    /// 127.0.0.1.
    static let loopback: UInt32 = 0x7F00_0001

    /// Whether nobody listens on the port.
    static func isFree(_ port: UInt16) -> Bool {
        let descriptor = platform_tcp_socket()
        defer { platform_close(descriptor) }
        return platform_bind(descriptor, loopback, port) == 0
    }

    /// A listening socket and its port.
    static func listen() throws(BenchError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = platform_tcp_socket()
        var port: UInt16 = 0
        var address: UInt32 = 0
        guard platform_bind(descriptor, loopback, 0) == 0, platform_listen(descriptor, 16) == 0,
            platform_local_address(descriptor, &address, &port) == 0
        else {
            platform_close(descriptor)
            throw BenchError("this machine lets nobody listen on its loopback network")
        }
        return (descriptor, port)
    }

    /// A connection to a port.
    static func connect(_ port: UInt16) throws(BenchError) -> Int32 {
        let descriptor = platform_tcp_socket()
        let result = platform_connect(descriptor, loopback, port)
        guard result == 0 || result == -EINPROGRESS,
            platform_wait(descriptor, true, -1, 3000) == 1, platform_socket_error(descriptor) == 0
        else {
            platform_close(descriptor)
            throw BenchError("nobody listens on port \(port)")
        }
        return descriptor
    }

    /// The next connection; nil when the listening socket has been closed.
    static func accept(_ listener: Int32) -> Int32? {
        guard platform_wait(listener, false, -1, -1) == 1 else { return nil }
        let descriptor = platform_accept(listener, nil, nil)
        if descriptor >= 0 { _ = platform_no_delay(descriptor) }
        return descriptor >= 0 ? descriptor : nil
    }

    /// Hands every piece that arrives to `body`, until the other end or `body` says stop.
    static func readAll(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = platform_receive(descriptor, &buffer, buffer.count)
            if platform_would_block(count) {
                guard platform_wait(descriptor, false, -1, -1) == 1 else { return }
                continue
            }
            guard count > 0, body(buffer[..<count]) else { return }
        }
    }

    /// Sends everything; false when the other end is gone.
    static func sendAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platform_send(descriptor, $0.baseAddress, $0.count) }
            if platform_would_block(count) {
                guard platform_wait(descriptor, true, -1, -1) == 1 else { return false }
                continue
            }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// A connection as the thinnest client has it: it cuts frames and reads none of them, so that what
/// is measured is whoever answers.
final class FrameSocket {
    /// Cuts the whole frames out of what has arrived, and leaves the rest.
    typealias Cutter = (inout [UInt8]) -> [[UInt8]]

    private let descriptor: Int32
    private let cut: Cutter
    private var arrived: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)

    /// Connects to the socket file at a path, for frames of the control interface.
    init(_ path: String) throws(BenchError) {
        cut = Self.controlFrames
        descriptor = platform_unix_socket()
        guard platform_unix_connect(descriptor, path) == 0 else {
            platform_close(descriptor)
            throw BenchError("nobody answers at \(path)")
        }
    }

    /// Connects to a port of this machine.
    init(port: UInt16, _ cut: @escaping Cutter) throws(BenchError) {
        self.cut = cut
        descriptor = try Network.connect(port)
    }

    deinit { platform_close(descriptor) }

    private static func controlFrames(_ arrived: inout [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var start = 0
        while arrived.count - start >= 4 {
            let length = arrived[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let first = start + 4
            guard arrived.count - first >= length else { break }
            start = first + length
            frames.append(Array(arrived[first..<start]))
        }
        arrived.removeFirst(start)
        return frames
    }

    /// The frame of a call.
    static func call(_ id: Int, _ method: String, _ parameters: String) -> [UInt8] {
        let text = """
            {"id":\(id),"jsonrpc":"2.0","method":"\(method)","params":\(parameters)}
            """
        let length = UInt32(text.utf8.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array(text.utf8)
    }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) throws(BenchError) {
        guard Network.sendAll(descriptor, bytes[...]) else {
            throw BenchError("whoever should answer has gone")
        }
    }

    /// The frames that have arrived, perhaps none.
    func received() throws(BenchError) -> [[UInt8]] {
        let count = platform_receive(descriptor, &buffer, buffer.count)
        if platform_would_block(count) { return [] }
        guard count > 0 else { throw BenchError("whoever should answer has gone") }
        arrived.append(contentsOf: buffer[..<count])
        return cut(&arrived)
    }

    /// Waits until so many frames have arrived, and passes them over.
    func wait(forFrames count: Int) throws(BenchError) {
        var missing = count
        while missing > 0 {
            _ = try FrameSocket.readable([self])
            missing -= try received().count
        }
    }

    /// Waits until one of the connections can be read; which they are.
    static func readable(
        _ sockets: [FrameSocket],
        milliseconds: Int32 = 60_000
    ) throws(BenchError) -> [Int] {
        var waited = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&waited, nfds_t(waited.count), milliseconds) > 0 else {
            throw BenchError("no answer came within \(milliseconds / 1000) s")
        }
        return waited.indices.filter { waited[$0].revents != 0 }
    }
}

extension [UInt8] {
    /// Whether these bytes are in it.
    func holds(_ bytes: [UInt8]) -> Bool { place(of: bytes, from: 0) != nil }

    /// Whether this number is in it, with no digit around it.
    func holds(number: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let bytes = Array(number.utf8)
        var start = 0
        while let place = place(of: bytes, from: start) {
            let end = place + bytes.count
            let isAlone =
                (place == 0 || !digits.contains(self[place - 1]))
                && (end == count || !digits.contains(self[end]))
            if isAlone { return true }
            start = place + 1
        }
        return false
    }

    /// Where these bytes, at least one, are next.
    func place(of bytes: [UInt8], from start: Int) -> Int? {
        withUnsafeBytes { all in
            var start = start
            // Inside the array: a match ends at its end at the latest.
            while let base = all.baseAddress, start + bytes.count <= all.count,
                let found = memchr(
                    base + start,
                    Int32(bytes[0]),
                    all.count - bytes.count - start + 1
                )
            {
                if memcmp(found, bytes, bytes.count) == 0 {
                    return base.distance(to: UnsafeRawPointer(found))
                }
                start = base.distance(to: UnsafeRawPointer(found)) + 1
            }
            return nil
        }
    }
}

/// Passes connections on to another port and counts the bytes of both directions.
final class CountingProxy: Sendable {
    /// Where it listens.
    let port: UInt16

    private let counter: Counter

    private final class Counter: Sendable {
        let bytes = Atomic(0)
    }

    /// A proxy in front of the port.
    init(to target: UInt16) throws(BenchError) {
        let (listener, port) = try Network.listen()
        self.port = port
        let counter = Counter()
        self.counter = counter
        Thread.detachNewThread {
            while let near = Network.accept(listener) {
                guard let far = try? Network.connect(target) else {
                    platform_close(near)
                    continue
                }
                // Both descriptors stay open until the program ends: there are few.
                Thread.detachNewThread { Self.pump(near, far, counter) }
                Thread.detachNewThread { Self.pump(far, near, counter) }
            }
        }
    }

    /// The bytes that have passed, TCP's own left out.
    var bytes: Int { counter.bytes.load(ordering: .relaxed) }

    private static func pump(_ from: Int32, _ to: Int32, _ counter: Counter) {
        Network.readAll(from) { piece in
            counter.bytes.add(piece.count, ordering: .relaxed)
            return Network.sendAll(to, piece)
        }
        platform_finish_writing(to)
    }
}
