internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Checks whether a program listens at an address: connects, sends nothing, and closes.
@EventLoop
package final class Probe {
    private let endpoint: Endpoint
    private let socket: DescriptorEvents
    private var completion: ((SystemError?) -> Void)?

    private init(
        _ descriptor: Int32,
        _ endpoint: Endpoint,
        on queue: EventQueue,
        _ completion: @escaping (SystemError?) -> Void
    ) {
        (self.endpoint, self.completion) = (endpoint, completion)
        socket = DescriptorEvents(descriptor, queue: queue)
    }

    /// Probes an address; the error is nil if a program listens there, and ETIMEDOUT if there was
    /// no answer within the limit.
    package static func connect(
        to endpoint: Endpoint,
        on queue: EventQueue,
        within limit: Duration,
        then completion: @escaping (SystemError?) -> Void
    ) {
        let descriptor = platform_tcp_socket(endpoint.platform)
        guard descriptor >= 0 else {
            return completion(SystemError("make a socket", code: -descriptor))
        }
        let probe = Probe(descriptor, endpoint, on: queue, completion)
        let result = platform_connect(descriptor, endpoint.platform)
        guard result == -EINPROGRESS else { return probe.end(result) }
        // The closures keep the probe alive until it ends.
        probe.socket.startWriting { probe.end(platform_socket_error(probe.socket.descriptor)) }
        queue.async(after: limit) { probe.end(-ETIMEDOUT) }
    }

    private func end(_ result: Int32) {
        guard let completion else { return }
        self.completion = nil
        socket.cancel()
        completion(result == 0 ? nil : SystemError("connect to \(endpoint)", code: -result))
    }
}
