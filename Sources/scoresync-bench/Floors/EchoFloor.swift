import CPlatform
import Foundation

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
