import CPlatform
import Foundation
import Synchronization

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
