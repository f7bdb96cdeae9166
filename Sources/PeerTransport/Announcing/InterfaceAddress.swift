internal import CPlatform
package import Descriptors

/// An IPv4 address of a network interface of this machine, in host byte order.
///
/// An interface with two addresses appears twice.
package struct InterfaceAddress: Hashable, Sendable {
    /// The system's name, such as `wlan0`.
    package let name: String
    /// The kernel's number for it.
    package let index: UInt32
    package let address: UInt32
    package let netmask: UInt32
    package let isLoopback: Bool
    /// Whether it is up and can broadcast.
    package let canBroadcast: Bool

    /// The destination of datagrams for all neighbours, regardless of their netmask:
    /// 255.255.255.255 through this interface alone; nil if the interface cannot broadcast.
    ///
    /// A directed broadcast is dropped by a receiver with another netmask and does not exist in a
    /// network of two addresses (RFC 3021); but loopback has nothing else.
    package var announcementTarget: UInt32? {
        if isLoopback { return broadcast }
        return canBroadcast ? .max : nil
    }

    /// The directed broadcast address, computed from the netmask, because the one that the system
    /// reports is missing for loopback and sometimes wrong.
    ///
    /// Nil if the interface cannot broadcast or its network has at most two addresses (RFC 3021).
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

/// Reports changes of network interfaces and their addresses, without polling or privileges.
///
/// The first change is reported at once, because a user may be waiting for it. Changes come in
/// bursts (a link, then its address), so those of the next `TransportLimits.interfaceDebounce`
/// share one report at its end. The owner reads the new state itself.
@EventLoop
package final class InterfaceMonitor {
    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let debounce: Duration
    private let onChange: () -> Void
    /// Whether the last report is so recent that the next change waits.
    private var isDebouncing = false
    private var isReportDue = false

    /// Reports changes until it is released or closed.
    package convenience init(
        on queue: EventQueue,
        debounce: Duration = TransportLimits.interfaceDebounce,
        onChange: @escaping () -> Void
    ) throws(SystemError) {
        let name = "watch the network interfaces"
        let descriptor = try SystemError.check(platform_interface_changes(), name)
        self.init(descriptor: descriptor, on: queue, debounce: debounce, onChange: onChange)
    }

    /// Takes ownership of a descriptor with the kernel's messages; a test passes a pipe.
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
        // Nothing can be repaired here; without reports the daemon still announces by its timer.
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
