import CPlatform
import Foundation
import SyncProtocol
import Synchronization

enum Network {
    static func loopback(_ port: UInt16) -> platform_endpoint {
        platform_ipv4(0x7F00_0001, port)
    }

    /// Listens on a port; 0 stands for any free one.
    static func listen(on port: UInt16) throws(BenchError) -> (descriptor: Int32, port: UInt16) {
        var local = loopback(port)
        let descriptor = platform_tcp_socket(local)
        guard platform_bind(descriptor, local) == 0, platform_listen(descriptor, 16) == 0,
            platform_local_address(descriptor, &local) == 0
        else {
            platform_close(descriptor)
            throw BenchError("cannot listen on port \(port) of the loopback network")
        }
        return (descriptor, local.port)
    }

    static func connect(_ port: UInt16) throws(BenchError) -> Int32 {
        let descriptor = platform_tcp_socket(loopback(port))
        let result = platform_connect(descriptor, loopback(port))
        guard result == 0 || result == -EINPROGRESS,
            platform_wait(descriptor, true, -1, 3000) == 1, platform_socket_error(descriptor) == 0
        else {
            platform_close(descriptor)
            throw BenchError("cannot connect to port \(port)")
        }
        return descriptor
    }

    static func accept(_ listener: Int32) throws(BenchError) -> Int32 {
        _ = platform_wait(listener, false, -1, -1)
        let descriptor = platform_accept(listener, nil)
        guard descriptor >= 0 else { throw BenchError("cannot accept a connection") }
        _ = platform_no_delay(descriptor)
        return descriptor
    }

    /// Passes everything that arrives to `body` until the connection ends or `body` returns false.
    static func readAll(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = platform_receive(descriptor, &buffer, buffer.count)
            if platform_would_block(count) {
                guard platform_wait(descriptor, false, -1, -1) == 1 else { return }
            } else if count <= 0 || !body(buffer[..<count]) {
                return
            }
        }
    }

    /// Sends everything; false if the connection was closed.
    static func sendAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { platform_write_all(descriptor, $0.baseAddress, $0.count) == 0 }
    }
}

/// A client that splits the stream into frames and decodes none, to measure only the server.
final class FrameSocket {
    /// Receives bytes of the stream, and returns the frames that they complete.
    typealias Splitter = (ArraySlice<UInt8>) -> [[UInt8]]

    private let descriptor: Int32
    private let split: Splitter
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)

    /// Connects to a control socket, or to one with the same frames.
    init(_ path: String) throws(BenchError) {
        var decoder = FrameDecoder(limit: Limits.controlFrameBytes)
        split = { bytes in
            decoder.append(bytes)
            var frames: [[UInt8]] = []
            while let frame = try? decoder.next() { frames.append(frame) }
            return frames
        }
        descriptor = platform_unix_socket()
        guard platform_unix_connect(descriptor, path) == 0 else {
            platform_close(descriptor)
            throw BenchError("cannot connect to \(path)")
        }
    }

    init(port: UInt16, _ split: @escaping Splitter) throws(BenchError) {
        self.split = split
        descriptor = try Network.connect(port)
    }

    deinit { platform_close(descriptor) }

    static func call(_ id: Int, _ method: String, _ parameters: String) throws -> [UInt8] {
        let text = #"{"id":\#(id),"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#
        return try Frame.encode(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws(BenchError) {
        guard Network.sendAll(descriptor, bytes[...]) else {
            throw BenchError("the server closed the connection")
        }
    }

    /// Returns the frames that have arrived, perhaps none.
    func received() throws(BenchError) -> [[UInt8]] {
        let count = platform_receive(descriptor, &buffer, buffer.count)
        if platform_would_block(count) { return [] }
        guard count > 0 else { throw BenchError("the server closed the connection") }
        return split(buffer[..<count])
    }

    func wait(forFrames count: Int) throws(BenchError) {
        var missing = count
        while missing > 0 {
            _ = try FrameSocket.readable([self])
            missing -= try received().count
        }
    }

    /// Waits until at least one of the connections is readable, and returns their indices.
    static func readable(_ sockets: [FrameSocket]) throws(BenchError) -> [Int] {
        var waited = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        guard poll(&waited, nfds_t(waited.count), 60_000) > 0 else {
            throw BenchError("no reply within 60 s")
        }
        return waited.indices.filter { waited[$0].revents != 0 }
    }
}

extension [UInt8] {
    /// Whether it contains a number, without other digits around it.
    func contains(number: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let bytes = Array(number.utf8)
        var start = 0
        while let index = firstIndex(of: bytes, from: start) {
            let end = index + bytes.count
            let neighbors = [index - 1, end].filter(indices.contains)
            if !neighbors.contains(where: { digits.contains(self[$0]) }) { return true }
            start = index + 1
        }
        return false
    }

    func firstIndex(of bytes: [UInt8], from start: Int) -> Int? {
        withUnsafeBytes { all in
            var start = start
            // No match fits behind it.
            let last = all.count - bytes.count
            while start <= last, let base = all.baseAddress,
                let found = memchr(base + start, Int32(bytes[0]), last - start + 1)
            {
                let index = base.distance(to: UnsafeRawPointer(found))
                if memcmp(found, bytes, bytes.count) == 0 { return index }
                start = index + 1
            }
            return nil
        }
    }
}

/// Forwards connections to another port, and counts the bytes in both directions.
final class CountingProxy: Sendable {
    let port: UInt16
    private let count = Atomic(0)

    /// The number of bytes forwarded, without the headers of TCP.
    var bytes: Int { count.load(ordering: .relaxed) }

    init(to target: UInt16) throws(BenchError) {
        let (listener, port) = try Network.listen(on: 0)
        self.port = port
        Thread.detachNewThread { [self] in
            while let near = try? Network.accept(listener) {
                guard let far = try? Network.connect(target) else {
                    platform_close(near)
                    continue
                }
                // Both descriptors stay open until the program ends; there are few.
                Thread.detachNewThread { self.forward(from: near, to: far) }
                Thread.detachNewThread { self.forward(from: far, to: near) }
            }
        }
    }

    private func forward(from source: Int32, to target: Int32) {
        Network.readAll(source) { bytes in
            count.add(bytes.count, ordering: .relaxed)
            return Network.sendAll(target, bytes)
        }
        platform_finish_writing(target)
    }
}
