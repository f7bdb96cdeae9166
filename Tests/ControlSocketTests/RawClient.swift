import CPlatform
import SyncProtocol
import Testing

/// A client that sends what it likes.
final class RawClient {
    let descriptor: Int32
    private var decoder = FrameDecoder(limit: Limits.controlFrameBytes)

    init(_ path: String) throws {
        descriptor = platform_unix_socket()
        try #require(descriptor >= 0)
        try #require(platform_unix_connect(descriptor, path) == 0)
    }

    deinit { platform_close(descriptor) }

    /// Sends bytes; whether the daemon still took them.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        platform_send(descriptor, bytes, bytes.count) == bytes.count
    }

    func send(json: String) throws {
        send(try Frame.encode(Array(json.utf8)))
    }

    /// Agrees on a version.
    func negotiate() throws {
        try send(
            json: #"{"jsonrpc":"2.0","id":0,"method":"negotiate","#
                + #""params":{"client":"t","lowest":3,"highest":3}}"#
        )
        _ = try receive()
    }

    /// The next frame as text, or nil when the daemon closed the connection.
    func receive() throws -> String? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let frame = try decoder.next() { return String(decoding: frame, as: UTF8.self) }
            try #require(platform_wait(descriptor, false, -1, 10_000) == 1, "no answer in 10 s")
            let count = platform_receive(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            decoder.append(buffer[..<count])
        }
    }
}
