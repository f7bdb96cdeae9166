internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Broadcasts announcements to all devices on the local networks, and receives theirs, over UDP.
///
/// Several beacons of one machine share the port; each receives all announcements, including its
/// own. An announcement is not authenticated: it is a hint that the owner must verify.
@EventLoop
package final class Beacon {
    /// Selects the interfaces that carry announcements.
    package struct InterfaceFilter: Hashable, Sendable {
        /// The names of the interfaces to use; empty for all.
        package var names: Set<String>
        /// Whether to use loopback in addition to other interfaces, for several daemons on one
        /// machine.
        ///
        /// Loopback is always used if there is no network, unless interfaces were named: then only
        /// daemons on this machine can be reached.
        package var includesLoopback: Bool

        package init(names: Set<String> = [], includesLoopback: Bool = false) {
            (self.names, self.includesLoopback) = (names, includesLoopback)
        }

        /// Returns the interfaces to send through: one address for each network of each interface.
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

    package struct SendResult: Hashable, Sendable {
        package let target: InterfaceAddress
        /// The error; nil if all datagrams were sent.
        package let failure: SystemError?
    }

    /// The UDP port that all beacons on a network use.
    package let port: UInt16
    /// The reason why nothing is received; nil if announcements are received.
    ///
    /// Another program has the port; announcements are sent from a different one.
    package let receiveFailure: SystemError?
    package let filter: InterfaceFilter

    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let onDatagram: (_ bytes: [UInt8], _ source: Endpoint) -> Void
    private let onFailure: (_ interface: String, SystemError) -> Void
    private let interfaces: () throws(SystemError) -> [InterfaceAddress]
    /// The results of the last broadcast, one for each address used.
    package private(set) var lastResults: [SendResult] = []
    /// The last failure of each interface, so that a lasting failure is reported once.
    private var failures: [String: SystemError] = [:]

    /// Binds the port on all addresses and starts receiving.
    ///
    /// If another program has the port, this beacon can only send. Port 0 stands for any free port.
    ///
    /// `onDatagram` is called with each datagram of at most 512 bytes and its source; `onFailure`
    /// with the name of an interface whose failure is new or has changed (an empty name if the
    /// interfaces cannot be listed). `interfaces` is called for each broadcast.
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
            // Sending the first datagram binds the socket to a free port.
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

    /// Broadcasts datagrams through every selected interface; the failure of one does not affect
    /// others.
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
        // Forgets the failures of missing interfaces, so that they are reported when they come
        // back.
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
            // One byte more than the limit, to recognize longer datagrams.
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
