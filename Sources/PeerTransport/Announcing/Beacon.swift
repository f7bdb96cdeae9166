internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Sends announcements to all devices on the local networks, and receives theirs, over UDP: by
/// IPv4 broadcast, and by IPv6 multicast to all nodes of each link.
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

        /// Returns the interfaces to send through: one address for each network of each interface,
        /// of which the link-local networks of IPv6 are one kind.
        package func targets(among interfaces: [InterfaceAddress]) -> [InterfaceAddress] {
            let isAlone = !interfaces.contains { !$0.isLoopback && $0.announcementTarget != nil }
            let usesLoopback = includesLoopback || isAlone && names.isEmpty
            var seen: Set<Network> = []
            return interfaces.filter { each in
                guard each.announcementTarget != nil,
                    each.isLoopback ? usesLoopback : names.isEmpty || names.contains(each.name)
                else { return false }
                return seen.insert(Network(interface: each.index, address: each.network)).inserted
            }
        }

        private struct Network: Hashable {
            let interface: UInt32
            let address: IPAddress
        }
    }

    package struct SendResult: Hashable, Sendable {
        package let target: InterfaceAddress
        /// The error; nil if all datagrams were sent.
        package let failure: SystemError?
    }

    /// The UDP port that all beacons on a network use.
    package let port: UInt16
    /// The reason why announcements of IPv4, of IPv6 or of both are not received; nil if all are.
    ///
    /// Another program has the port; announcements are sent from a different one.
    package let receiveFailure: SystemError?
    package let filter: InterfaceFilter

    private let queue: EventQueue
    private let socket: DescriptorEvents
    /// The socket for IPv6; nil where that is not available.
    private let socketIPv6: DescriptorEvents?
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
        let first = try Beacon.open(isIPv6: false, port)
        self.port = first.port
        socket = DescriptorEvents(first.descriptor, queue: queue)
        let second = try Beacon.openIPv6(first.port)
        socketIPv6 = second.map { DescriptorEvents($0.descriptor, queue: queue) }
        receiveFailure = first.failure ?? second?.failure
        if first.failure == nil { read(socket) }
        if let socketIPv6, second?.failure == nil { read(socketIPv6) }
        joinGroups()
    }

    /// Opens a socket and binds it to a port; if another program has the port, returns the failure,
    /// and sending the first datagram binds the socket to a free one.
    private static func open(
        isIPv6: Bool,
        _ port: UInt16
    ) throws(SystemError) -> (descriptor: Int32, port: UInt16, failure: SystemError?) {
        let name = "receive announcements on UDP port \(port)"
        let descriptor = try SystemError.check(platform_udp_socket(isIPv6), name)
        do throws(SystemError) {
            let everywhere = IPAddress(high: 0, low: 0)
            let address = isIPv6 ? everywhere : IPAddress(ipv4: 0)
            var bound = Endpoint(address: address, port: port).platform
            let binding = platform_bind(descriptor, bound)
            if binding == -EADDRINUSE {
                return (descriptor, port, SystemError(name, code: EADDRINUSE))
            }
            try SystemError.check(binding, name)
            try SystemError.check(unsafe platform_local_address(descriptor, &bound), name)
            return (descriptor, bound.port, nil)
        } catch {
            platform_close(descriptor)
            throw error
        }
    }

    /// Opens the socket for IPv6; nil where the system has no IPv6, and so no address for it.
    private static func openIPv6(
        _ port: UInt16
    ) throws(SystemError) -> (descriptor: Int32, port: UInt16, failure: SystemError?)? {
        do throws(SystemError) { return try open(isIPv6: true, port) } catch {
            guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code) else { throw error }
            return nil
        }
    }

    private var sockets: [DescriptorEvents] { [socket] + (socketIPv6.map { [$0] } ?? []) }

    deinit {
        socket.cancel()
        socketIPv6?.cancel()
    }

    package func close() { for socket in sockets { socket.cancel() } }

    /// Listens to the IPv6 announcements of interfaces that are new.
    package func joinGroups() {
        guard let socketIPv6, !socketIPv6.isCancelled, let available = try? interfaces()
        else { return }
        for target in filter.targets(among: available) where target.address.isLinkLocal {
            // A failure concerns an interface that has just gone.
            _ = platform_join_all_nodes(socketIPv6.descriptor, target.index)
        }
    }

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
        let targets = filter.targets(among: available).filter {
            socketIPv6 != nil || $0.address.ipv4 != nil
        }
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
        guard let address = target.announcementTarget,
            let socket = target.address.ipv4 == nil ? socketIPv6 : socket
        else { return nil }
        for datagram in datagrams {
            let result = unsafe platform_send_to(
                socket.descriptor,
                datagram,
                datagram.count,
                Endpoint(address: address, port: port).platform,
                Endpoint(address: target.address, port: 0).platform,
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

    private func read(_ socket: DescriptorEvents) {
        socket.startReading { [weak self, weak socket] in
            if let socket { self?.readable(socket) }
        }
    }

    private func readable(_ socket: DescriptorEvents) {
        for _ in 0..<TransportLimits.turnsPerEvent {
            guard !socket.isCancelled else { return }
            // One byte more than the limit, to recognize longer datagrams.
            let capacity = Limits.announcementBytes + 1
            var source = platform_endpoint()
            var result = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                result = unsafe platform_receive_from(
                    socket.descriptor,
                    buffer.baseAddress,
                    capacity,
                    &source
                )
                count = max(0, result)
            }
            if result < 0 { return }
            guard (1...Limits.announcementBytes).contains(bytes.count) else { continue }
            let sender = Endpoint(source)
            // Over IPv6 the whole Internet may reach this port. Announcements come from the link,
            // and no router passes a link-local address on.
            guard sender.address.ipv4 != nil || sender.address.isLinkLocal else { continue }
            onDatagram(bytes, sender)
        }
    }
}
