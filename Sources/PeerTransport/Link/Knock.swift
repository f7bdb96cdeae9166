internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Sees whether somebody listens at an address: connects, says nothing, and hangs up.
///
/// Invariant for `@unchecked Sendable`: everything is touched on the queue only (checked at its
/// call), which the handler of its socket shares.
package final class Knock: @unchecked Sendable {
    private let endpoint: Endpoint
    private let socket: DescriptorEvents
    private var tell: ((SystemError?) -> Void)?

    private init(
        _ descriptor: Int32,
        _ endpoint: Endpoint,
        on queue: EventQueue,
        _ tell: @escaping (SystemError?) -> Void
    ) {
        self.endpoint = endpoint
        self.tell = tell
        socket = DescriptorEvents(descriptor, queue: queue)
    }

    /// Knocks at an address, on `queue`; told is nil where somebody listens, and else why not.
    ///
    /// Where nothing has answered within the limit, that is ETIMEDOUT.
    package static func at(
        _ endpoint: Endpoint,
        on queue: EventQueue,
        within limit: Duration,
        then tell: @escaping (SystemError?) -> Void
    ) {
        queue.requireCurrent()
        let descriptor = platform_tcp_socket()
        guard descriptor >= 0 else { return tell(SystemError("make a socket", code: -descriptor)) }
        let knock = Knock(descriptor, endpoint, on: queue, tell)
        let result = platform_connect(descriptor, endpoint.address, endpoint.port)
        guard result == -EINPROGRESS else { return knock.end(result) }
        // The handlers keep it until it has told.
        knock.socket.startWriting { @Sendable in
            knock.end(platform_socket_error(knock.socket.descriptor))
        }
        queue.async(after: limit) { @Sendable in knock.end(-ETIMEDOUT) }
    }

    private func end(_ result: Int32) {
        guard let tell else { return }
        self.tell = nil
        socket.cancel()
        tell(result == 0 ? nil : SystemError("connect to \(endpoint)", code: -result))
    }
}
