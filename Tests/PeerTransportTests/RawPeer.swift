import CPlatform
import Descriptors
import Dispatch
import SyncProtocol
import Testing

@testable import PeerTransport

/// A peer that follows no rules: a plain TCP connection, on which TLS can be spoken by hand.
@EventLoop
final class RawPeer {
    private(set) var received: [UInt8] = []
    private(set) var isOver = false
    private let stage: Stage
    private let socket: DescriptorEvents
    private var tls: TLSMachine?
    private var pending: [UInt8] = []

    /// A connection to an endpoint, from an address of this machine.
    nonisolated init(_ remote: Endpoint, from source: IPAddress = .loopback, stage: Stage) throws {
        self.stage = stage
        let descriptor = platform_tcp_socket(remote.platform)
        try #require(descriptor >= 0)
        socket = DescriptorEvents(descriptor, queue: stage.queue)
        try #require(platform_bind(descriptor, Endpoint(address: source, port: 0).platform) == 0)
        let result = platform_connect(descriptor, remote.platform)
        try #require(result == 0 || result == -EINPROGRESS)
        stage.queue.async { [weak self] in self?.startReading() }
    }

    deinit { socket.cancel() }

    private func startReading() {
        socket.startReading { [weak self] in self?.readable() }
    }

    /// Sends bytes as they are, as soon as the connection takes them.
    func send(_ bytes: [UInt8]) {
        pending += bytes
        flush()
    }

    private func flush() {
        while !pending.isEmpty {
            let count = platform_send(socket.descriptor, pending, pending.count)
            guard count > 0 else {
                // Not connected yet, or no room; anything else shows when reading.
                return socket.startWriting { [weak self] in self?.flush() }
            }
            pending.removeFirst(count)
        }
        socket.stopWriting()
        stage.changed()
    }

    /// Whether the kernel has taken everything.
    var hasSentAll: Bool { pending.isEmpty }

    /// Speaks TLS from now on.
    func startTLS(_ key: PreSharedKey) throws {
        let machine = try TLSMachine(role: .client(key))
        send(machine.drainOutput())
        tls = machine
    }

    var isOpen: Bool { tls?.status == .open }

    /// Sends plain bytes under TLS.
    func sendPlain(_ bytes: [UInt8]) throws {
        try tls?.send(bytes)
        send(tls?.drainOutput() ?? [])
    }

    /// Cuts the connection.
    func cut() { socket.cancel() }

    private func readable() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = platform_receive(socket.descriptor, &buffer, buffer.count)
            if platform_would_block(count) { break }
            guard count > 0 else {
                isOver = true
                socket.cancel()
                break
            }
            let bytes = Array(buffer[..<count])
            guard let tls else {
                received += bytes
                continue
            }
            received += (try? tls.receive(bytes)) ?? []
            send(tls.drainOutput())
        }
        stage.changed()
    }
}
