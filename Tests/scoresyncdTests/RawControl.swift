import CPlatform
import FoundationEssentials
import LaptopKit
import SyncProtocol

/// The control socket as somebody sees it who knows frames and JSON, and none of this version's
/// types.
final class RawControl {
    private let descriptor: Int32
    private var decoder = FrameDecoder(limit: Limits.controlFrameBytes)

    /// Connects to a daemon.
    init(_ path: String) throws {
        descriptor = platform_unix_socket()
        guard platform_unix_connect(descriptor, path) >= 0 else { throw Failure("no \(path)") }
    }

    deinit { platform_close(descriptor) }

    /// Sends a whole call, and returns the whole answer.
    func answer(to call: RecordedJSON) throws -> RecordedJSON {
        try send(try Frame.encode(Array(try JSONEncoder().encode(call))))
        return try next()
    }

    /// Sends bytes, which may be part of a frame.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platform_send(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                guard platform_would_block(count), platform_wait(descriptor, true, -1, 10_000) == 1
                else { throw Failure("the bytes were not taken") }
                continue
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The next frame.
    func next() throws -> RecordedJSON {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let payload = try decoder.next() {
                return try JSONDecoder().decode(RecordedJSON.self, from: Data(payload))
            }
            guard platform_wait(descriptor, false, -1, 20_000) == 1 else {
                throw Failure("no answer")
            }
            let count = platform_receive(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw Failure("the daemon hung up") }
            decoder.append(buffer[..<count])
        }
    }
}
