internal import CPlatform
package import Descriptors

/// An IPv4 address of a network interface of this machine, in host byte order.
///
/// An interface with two addresses is listed twice.
package struct InterfaceAddress: Hashable, Sendable {
    /// The system's name, such as `wlan0`.
    package let name: String
    /// The kernel's number of the interface.
    package let index: UInt32
    package let address: UInt32
    package let netmask: UInt32
    package let isLoopback: Bool
    /// Whether the interface is up and can broadcast.
    package let canBroadcast: Bool

    /// The destination of datagrams to all devices on the interface's network: 255.255.255.255,
    /// through this interface only; nil if the interface cannot broadcast.
    ///
    /// A directed broadcast would be dropped by receivers with another netmask, and does not exist
    /// on a network of two addresses (RFC 3021). Loopback has only the directed one.
    package var announcementTarget: UInt32? {
        if isLoopback { return broadcast }
        return canBroadcast ? .max : nil
    }

    /// The directed broadcast address; nil if the interface cannot broadcast, or its network has at
    /// most two addresses (RFC 3021).
    ///
    /// It is computed from the netmask, because the address that the system reports is missing for
    /// loopback and sometimes wrong.
    package var broadcast: UInt32? {
        guard canBroadcast || isLoopback, netmask < 0xFFFF_FFFE else { return nil }
        return address | ~netmask
    }

    /// Returns all interfaces that are up and have an IPv4 address, in the system's order.
    package static func all() throws(SystemError) -> [InterfaceAddress] {
        let capacity = TransportLimits.interfaces
        var found = [platform_interface](repeating: platform_interface(), count: capacity)
        let count = try SystemError.check(
            unsafe platform_interfaces(&found, Int32(capacity)),
            "list the network interfaces"
        )
        return found.prefix(Int(count)).filter(\.is_up).map { each in
            InterfaceAddress(
                name: unsafe withUnsafeBytes(of: each.name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                },
                index: each.index,
                address: each.address,
                netmask: each.netmask,
                isLoopback: each.is_loopback,
                canBroadcast: each.can_broadcast
            )
        }
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
