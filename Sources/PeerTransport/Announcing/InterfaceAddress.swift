internal import CPlatform
package import Descriptors
package import SyncProtocol

/// An address of a network interface of this machine.
///
/// An interface with two addresses is listed twice.
package struct InterfaceAddress: Hashable, Sendable {
    /// The system's name, such as `wlan0`.
    package let name: String
    /// The kernel's number of the interface.
    package let index: UInt32
    package let address: IPAddress
    /// The length of the network's prefix: up to 32 for IPv4, up to 128 for IPv6.
    package let prefixLength: Int
    package let isLoopback: Bool
    /// Whether the interface is up and can broadcast.
    package let canBroadcast: Bool
    /// Whether it can also send to groups of machines.
    package let canMulticast: Bool

    package init(
        name: String,
        index: UInt32,
        address: IPAddress,
        prefixLength: Int,
        isLoopback: Bool = false,
        canBroadcast: Bool = true,
        canMulticast: Bool = true
    ) {
        (self.name, self.index, self.address) = (name, index, address)
        (self.prefixLength, self.isLoopback) = (prefixLength, isLoopback)
        (self.canBroadcast, self.canMulticast) = (canBroadcast, canMulticast)
    }

    /// The network of the address.
    package var network: IPAddress { address.network(prefixLength: prefixLength) }

    /// The destination of datagrams to all devices on the interface's network: 255.255.255.255 or,
    /// from its link-local IPv6 address, all nodes of the link (`ff02::1`); nil if there is none.
    ///
    /// A directed broadcast would be dropped by receivers with another netmask, and does not exist
    /// on a network of two addresses (RFC 3021). Loopback has only the directed one. Tunnels may
    /// claim to know groups, but only a network that can broadcast has neighbours.
    package var announcementTarget: IPAddress? {
        if isLoopback { return broadcast }
        guard canBroadcast else { return nil }
        if address.ipv4 != nil { return IPAddress(ipv4: .max) }
        return address.isLinkLocal && canMulticast ? .allNodes(of: name) : nil
    }

    /// The directed broadcast address; nil if the interface cannot broadcast, or its network has at
    /// most two addresses (RFC 3021) or is of IPv6, which has no broadcasts.
    ///
    /// It is computed from the netmask, because the address that the system reports is missing for
    /// loopback and sometimes wrong.
    package var broadcast: IPAddress? {
        guard let number = address.ipv4, canBroadcast || isLoopback, prefixLength < 31
        else { return nil }
        return IPAddress(ipv4: number | (.max >> UInt32(prefixLength)))
    }

    /// Returns all addresses of interfaces that are up, those of IPv4 first.
    package static func all() throws(SystemError) -> [InterfaceAddress] {
        let capacity = TransportLimits.interfaces
        var found = [platform_interface](repeating: platform_interface(), count: capacity)
        let count = try SystemError.check(
            unsafe platform_interfaces(&found, Int32(capacity)),
            "list the network interfaces"
        )
        let addresses = found.prefix(Int(count)).filter(\.is_up).map { each in
            let name = String(zeroTerminated: each.name)
            return InterfaceAddress(
                name: name,
                index: each.index,
                address: IPAddress(high: each.high, low: each.low, zone: name),
                prefixLength: Int(each.prefix_length),
                isLoopback: each.is_loopback,
                canBroadcast: each.can_broadcast,
                canMulticast: each.can_multicast
            )
        }
        return addresses.filter { $0.address.ipv4 != nil }
            + addresses.filter { $0.address.ipv4 == nil }
    }
}

/// Reports changes of network interfaces and their addresses, without polling and without
/// privileges.
///
/// A change is reported immediately, because a user may be waiting for it. Changes come in bursts
/// (a link, then its address), so further changes within `TransportLimits.interfaceDebounce` are
/// reported together at the end of that time. The owner reads the new state itself.
@EventLoop
package final class InterfaceMonitor {
    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let debounce: Duration
    private let onChange: () -> Void
    /// Whether the last report is so recent that further changes must wait.
    private var isDebouncing = false
    private var isReportDue = false

    /// Starts to report changes, until the monitor is released or closed.
    package convenience init(
        on queue: EventQueue,
        debounce: Duration = TransportLimits.interfaceDebounce,
        onChange: @escaping () -> Void
    ) throws(SystemError) {
        let name = "watch the network interfaces"
        let descriptor = try SystemError.check(platform_interface_changes(), name)
        self.init(descriptor: descriptor, on: queue, debounce: debounce, onChange: onChange)
    }

    /// Takes ownership of a descriptor that delivers the kernel's messages; tests pass a pipe.
    init(
        descriptor: Int32,
        on queue: EventQueue,
        debounce: Duration,
        onChange: @escaping () -> Void
    ) {
        (self.queue, self.debounce, self.onChange) = (queue, debounce, onChange)
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { [weak self] in self?.readable() }
    }

    deinit { socket.cancel() }

    package func close() { socket.cancel() }

    private func readable() {
        guard !socket.isCancelled else { return }
        let result = platform_drain_interface_changes(socket.descriptor)
        // Nothing can be done about the error; without reports the daemon still announces
        // periodically.
        if result < 0 { return socket.cancel() }
        guard result > 0 else { return }
        if isDebouncing { isReportDue = true } else { report() }
    }

    private func report() {
        isReportDue = false
        isDebouncing = true
        queue.async(after: debounce) { [weak self] in self?.debounceEnded() }
        onChange()
    }

    private func debounceEnded() {
        isDebouncing = false
        guard isReportDue, !socket.isCancelled else { return }
        report()
    }
}
