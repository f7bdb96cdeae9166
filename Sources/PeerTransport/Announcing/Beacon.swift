internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Broadcasts announcements to all neighbours and receives theirs, over UDP.
///
/// Several beacons of one machine share the port, and each receives every announcement, its own
/// included. An announcement is an unauthenticated hint, which the owner must verify.
@EventLoop
package final class Beacon {
    /// Selects the interfaces that carry announcements.
    package struct InterfaceFilter: Hashable, Sendable {
        /// The names of the only interfaces to use; empty for all.
        package var names: Set<String>
        /// Whether loopback is used in addition to a network, for several daemons on one machine.
        ///
        /// Without a network it always is, unless interfaces were named: then all daemons that can
        /// be reached are on this machine.
        package var includesLoopback: Bool

        package init(names: Set<String> = [], includesLoopback: Bool = false) {
            (self.names, self.includesLoopback) = (names, includesLoopback)
        }

        /// Returns the interfaces to send through: one for each interface and network.
        package func targets(among interfaces: [InterfaceAddress]) -> [InterfaceAddress] {
            let isAlone = !interfaces.contains { !$0.isLoopback && $0.announcementTarget != nil }
            let usesLoopback = includesLoopback || isAlone && names.isEmpty
            var seen: Set<[UInt32]> = []
            return interfaces.filter { each in
                guard each.announcementTarget != nil,
                    each.isLoopback ? usesLoopback : names.isEmpty || names.contains(each.name)
                else { return false }
                return seen.insert([each.index, each.address & each.netmask]).inserted
            }
        }
    }

    /// The result of the last broadcast through one interface.
    package struct SendResult: Hashable, Sendable {
        package let target: InterfaceAddress
        /// The error; nil if everything was sent.
        package let failure: SystemError?
    }

    /// The UDP port of all beacons of a network.
    package let port: UInt16
    /// The reason why nothing is received, because another program has the port; announcements are
    /// sent from another one. Nil if announcements are received.
    package let receiveFailure: SystemError?
    package let filter: InterfaceFilter

    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let onDatagram: (_ bytes: [UInt8], _ source: Endpoint) -> Void
    private let onFailure: (_ interface: String, SystemError) -> Void
    private let interfaces: () throws(SystemError) -> [InterfaceAddress]
    /// The results of the last broadcast, one for each interface used.
    package private(set) var lastResults: [SendResult] = []
    /// The last failure of each interface, so that each is reported once.
    private var failures: [String: SystemError] = [:]

    /// Binds the port on all addresses (0 stands for any free port) and starts receiving; only sends
    /// if another program has the port.
    ///
    /// `onDatagram` gets every datagram of at most 512 bytes with its source; `onFailure` gets an
    /// interface that fails, once until its failure changes (with an empty name if the interfaces
    /// cannot be listed). `interfaces` is called at every broadcast.
    package init(
        on queue: EventQueue,
        port: UInt16 = Ports.discovery,
        filter: InterfaceFilter = InterfaceFilter(),
        interfaces: @escaping () throws(SystemError) -> [InterfaceAddress] = InterfaceAddress.all,
        onDatagram: @escaping (_ bytes: [UInt8], _ source: Endpoint) -> Void,
        onFailure: @escaping (_ interface: String, SystemError) -> Void
    ) throws(SystemError) {
        (self.queue, self.filter, self.interfaces) = (queue, filter, interfaces)
        (self.onDatagram, self.onFailure) = (onDatagram, onFailure)
        let name = "receive announcements on UDP port \(port)"
        let descriptor = try SystemError.check(platform_udp_socket(), name)
        var address: UInt32 = 0
        var boundPort: UInt16 = 0
        let binding = platform_bind(descriptor, 0, port)
        if binding == -EADDRINUSE {
            receiveFailure = SystemError(name, code: EADDRINUSE)
            self.port = port
            // The first datagram binds the socket to a free port.
            socket = DescriptorEvents(descriptor, queue: queue)
            return
        }
        receiveFailure = nil
        do throws(SystemError) {
            try SystemError.check(binding, name)
            let result = unsafe platform_local_address(descriptor, &address, &boundPort)
            try SystemError.check(result, name)
        } catch {
            platform_close(descriptor)
            throw error
        }
        self.port = boundPort
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { [weak self] in self?.readable() }
    }

    deinit { socket.cancel() }

    package func close() { socket.cancel() }

    /// Broadcasts datagrams through every selected interface; a failure does not affect the others.
    package func send(_ datagrams: [[UInt8]]) {
        guard !socket.isCancelled else { return }
        let available: [InterfaceAddress]
        do throws(SystemError) { available = try interfaces() } catch {
            lastResults = []
            return report(error, for: "")
        }
        report(nil, for: "")
        let targets = filter.targets(among: available)
        lastResults = targets.map { target in
            SendResult(target: target, failure: send(datagrams, through: target))
        }
        for result in lastResults { report(result.failure, for: result.target.name) }
        // Forgets the failures of missing interfaces, so that they are reported again on return.
        let names = Set(targets.map(\.name))
        failures = failures.filter { names.contains($0.key) || $0.key.isEmpty }
    }

    private func send(_ datagrams: [[UInt8]], through target: InterfaceAddress) -> SystemError? {
        guard let announcementTarget = target.announcementTarget else { return nil }
        for datagram in datagrams {
            let result = unsafe platform_send_to(
                socket.descriptor,
                datagram,
                datagram.count,
                announcementTarget,
                port,
                target.address,
                target.index
            )
            guard result < 0, !platform_would_block(result) else { continue }
            return SystemError("announce on \(target.name)", code: Int32(-result))
        }
        return nil
    }

    private func report(_ failure: SystemError?, for interface: String) {
        guard failures[interface] != failure else { return }
        failures[interface] = failure
        if let failure { onFailure(interface, failure) }
    }

    private func readable() {
        for _ in 0..<TransportLimits.turnsPerEvent {
            guard !socket.isCancelled else { return }
            // One byte more than allowed, to recognize a longer one.
            let capacity = Limits.announcementBytes + 1
            var address: UInt32 = 0
            var sourcePort: UInt16 = 0
            var result = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                result = unsafe platform_receive_from(
                    socket.descriptor,
                    buffer.baseAddress,
                    capacity,
                    &address,
                    &sourcePort
                )
                count = max(0, result)
            }
            if result < 0 { return }
            guard (1...Limits.announcementBytes).contains(bytes.count) else { continue }
            onDatagram(bytes, Endpoint(address: address, port: sourcePort))
        }
    }
}
