internal import CPlatform
package import Descriptors

/// One IPv4 address of a network interface of this machine.
///
/// Addresses are in host byte order.
package struct NetworkInterface: Hashable, Sendable {
    /// The system's name, such as `wlan0`.
    ///
    /// An interface with two addresses appears twice.
    package let name: String
    /// The number by which the kernel knows it.
    package let index: UInt32
    /// Its address.
    package let address: UInt32
    /// The bits of the address that name the network.
    package let netmask: UInt32
    /// Whether it leads back to this machine only.
    package let isLoopback: Bool
    /// Whether it is up, and datagrams to all its neighbours are possible.
    package let canBroadcast: Bool

    /// An interface by its parts.
    package init(
        name: String,
        index: UInt32,
        address: UInt32,
        netmask: UInt32,
        isLoopback: Bool,
        canBroadcast: Bool
    ) {
        self.name = name
        self.index = index
        self.address = address
        self.netmask = netmask
        self.isLoopback = isLoopback
        self.canBroadcast = canBroadcast
    }

    /// Where a datagram goes that all its neighbours are to get, whatever network each believes to
    /// be in: 255.255.255.255, through this interface alone.
    ///
    /// A directed broadcast is dropped by who has another netmask, and does not exist where a
    /// network has two addresses (RFC 3021). Loopback has nothing else. Nil where nobody can be
    /// reached so.
    package var everybody: UInt32? {
        if isLoopback { return broadcast }
        return canBroadcast ? .max : nil
    }

    /// The address of all machines of its network (directed broadcast), from the netmask: the one
    /// that the system reports is missing for loopback and sometimes wrong.
    ///
    /// Nil where none exists: the interface cannot, or its network has at most two addresses (RFC
    /// 3021).
    package var broadcast: UInt32? {
        guard canBroadcast || isLoopback, netmask < 0xFFFF_FFFE else { return nil }
        return address | ~netmask
    }

    /// All interfaces that are up and have an IPv4 address, in the system's order.
    package static func all() throws(SystemError) -> [NetworkInterface] {
        let capacity = TransportLimits.interfaces
        var found = [platform_interface](repeating: platform_interface(), count: capacity)
        let count = try SystemError.check(
            unsafe platform_interfaces(&found, Int32(capacity)),
            "list the network interfaces"
        )
        return found.prefix(Int(count)).filter(\.is_up).map { each in
            NetworkInterface(
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

/// Tells when a network interface or its address has changed, without asking again and again.
///
/// The first change is reported at once, because somebody may wait for it. Changes come in bursts
/// (a link, then its address), so those of the next `TransportLimits.interfaceDebounce` share one
/// report at its end. What changed is for the owner to read anew. No privilege is needed.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only (checked at each
/// call), which the handler of its socket shares.
package final class InterfaceMonitor: @unchecked Sendable {
    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let debounce: Duration
    private let onChange: () -> Void
    /// Whether a report was made so recently that the next change waits.
    private var isResting = false
    private var isReportDue = false

    /// Reports changes from now on, until it is let go or closed.
    package convenience init(
        on queue: EventQueue,
        debounce: Duration = TransportLimits.interfaceDebounce,
        onChange: @escaping () -> Void
    ) throws(SystemError) {
        let descriptor = try SystemError.check(
            platform_interface_changes(),
            "watch the network interfaces"
        )
        self.init(descriptor: descriptor, on: queue, debounce: debounce, onChange: onChange)
    }

    /// Takes the kernel's messages from a descriptor that it takes over: a test's own pipe.
    init(
        descriptor: Int32,
        on queue: EventQueue,
        debounce: Duration,
        onChange: @escaping () -> Void
    ) {
        self.queue = queue
        self.debounce = debounce
        self.onChange = onChange
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { @Sendable [weak self] in self?.readable() }
    }

    deinit { socket.cancel() }

    /// Stops reporting.
    package func close() {
        queue.requireCurrent()
        socket.cancel()
    }

    private func readable() {
        queue.requireCurrent()
        guard !socket.isCancelled else { return }
        let result = platform_drain_interface_changes(socket.descriptor)
        // Nothing can be repaired here; without news the daemon still announces by its timer.
        if result < 0 { return socket.cancel() }
        guard result > 0 else { return }
        if isResting { isReportDue = true } else { report() }
    }

    private func report() {
        isReportDue = false
        isResting = true
        queue.async(after: debounce) { @Sendable [weak self] in self?.restIsOver() }
        onChange()
    }

    private func restIsOver() {
        isResting = false
        guard isReportDue, !socket.isCancelled else { return }
        report()
    }
}
