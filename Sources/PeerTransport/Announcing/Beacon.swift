internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Sends announcements to every neighbour and receives theirs, over UDP.
///
/// Several beacons of one machine share the port, and each receives every announcement, its own
/// included. What arrives is a hint from a stranger; the owner judges it.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only (checked at each
/// call), which the handler of its socket shares.
package final class Beacon: @unchecked Sendable {
    /// Which interfaces carry announcements.
    package struct Reach: Hashable, Sendable {
        /// The names of the only interfaces to use; empty for all.
        package var names: Set<String>
        /// Whether loopback is used beside a network, for several daemons on one machine.
        ///
        /// Without a network it always is, unless interfaces were named: then all who can be met
        /// are on this machine.
        package var includesLoopback: Bool

        /// All interfaces but loopback, unless said otherwise.
        package init(names: Set<String> = [], includesLoopback: Bool = false) {
            self.names = names
            self.includesLoopback = includesLoopback
        }

        /// Where to send, given what exists: one place for each interface and network.
        package func targets(among interfaces: [NetworkInterface]) -> [NetworkInterface] {
            let isAlone = !interfaces.contains { !$0.isLoopback && $0.everybody != nil }
            let usesLoopback = includesLoopback || isAlone && names.isEmpty
            var seen: Set<[UInt32]> = []
            return interfaces.filter { each in
                guard each.everybody != nil,
                    each.isLoopback ? usesLoopback : names.isEmpty || names.contains(each.name)
                else { return false }
                return seen.insert([each.index, each.address & each.netmask]).inserted
            }
        }
    }

    /// What came of the last sending on one address of an interface.
    package struct Sending: Hashable, Sendable {
        /// The address, and the interface that it belongs to.
        package let target: NetworkInterface
        /// Why nothing went out; nil where all did.
        package let failure: SystemError?
    }

    /// The UDP port, ours and everybody's.
    package let port: UInt16
    /// Which interfaces carry announcements.
    package let reach: Reach

    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let onDatagram: (_ bytes: [UInt8], _ source: Endpoint) -> Void
    private let onFailure: (_ interface: String, SystemError) -> Void
    private let interfaces: () throws(SystemError) -> [NetworkInterface]
    /// What came of the last sending, address by address: as many as there are interfaces.
    package private(set) var sendings: [Sending] = []
    /// The last failure of each interface, so that each is reported once.
    private var failures: [String: SystemError] = [:]

    /// Binds the port on all addresses (0 takes any) and receives from then on.
    ///
    /// `onDatagram` gets every datagram of at most 512 bytes with its source; `onFailure` an
    /// interface that fails, once until its failure changes (an empty name: the list of interfaces
    /// itself). `interfaces` is asked at every sending.
    package init(
        on queue: EventQueue,
        port: UInt16 = Ports.discovery,
        reach: Reach = Reach(),
        interfaces: @escaping () throws(SystemError) -> [NetworkInterface] = NetworkInterface.all,
        onDatagram: @escaping (_ bytes: [UInt8], _ source: Endpoint) -> Void,
        onFailure: @escaping (_ interface: String, SystemError) -> Void
    ) throws(SystemError) {
        self.queue = queue
        self.reach = reach
        self.interfaces = interfaces
        self.onDatagram = onDatagram
        self.onFailure = onFailure
        let name = "receive announcements on UDP port \(port)"
        let descriptor = try SystemError.check(platform_udp_socket(), name)
        var address: UInt32 = 0
        var boundPort: UInt16 = 0
        do throws(SystemError) {
            try SystemError.check(platform_bind(descriptor, 0, port), name)
            try SystemError.check(
                unsafe platform_local_address(descriptor, &address, &boundPort),
                name
            )
        } catch {
            platform_close(descriptor)
            throw error
        }
        self.port = boundPort
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { @Sendable [weak self] in self?.readable() }
    }

    deinit { socket.cancel() }

    /// Stops sending and receiving.
    package func close() {
        queue.requireCurrent()
        socket.cancel()
    }

    /// Sends datagrams to all neighbours on every usable interface of this moment.
    ///
    /// One interface that fails does not keep the others from it.
    package func send(_ datagrams: [[UInt8]]) {
        queue.requireCurrent()
        guard !socket.isCancelled else { return }
        let present: [NetworkInterface]
        do throws(SystemError) { present = try interfaces() } catch {
            sendings = []
            return note(error, for: "")
        }
        note(nil, for: "")
        let targets = reach.targets(among: present)
        sendings = targets.map { target in
            Sending(target: target, failure: send(datagrams, through: target))
        }
        for sending in sendings { note(sending.failure, for: sending.target.name) }
        // An interface that went away and comes back with the same failure is news again.
        let names = Set(targets.map(\.name))
        failures = failures.filter { names.contains($0.key) || $0.key.isEmpty }
    }

    private func send(_ datagrams: [[UInt8]], through target: NetworkInterface) -> SystemError? {
        guard let everybody = target.everybody else { return nil }
        for datagram in datagrams {
            let result = unsafe platform_send_to(
                socket.descriptor,
                datagram,
                datagram.count,
                everybody,
                port,
                target.address,
                target.index
            )
            guard result < 0, !platform_would_block(result) else { continue }
            return SystemError("announce on \(target.name)", code: Int32(-result))
        }
        return nil
    }

    private func note(_ failure: SystemError?, for interface: String) {
        guard failures[interface] != failure else { return }
        failures[interface] = failure
        if let failure { onFailure(interface, failure) }
    }

    private func readable() {
        queue.requireCurrent()
        for _ in 0..<TransportLimits.turnsPerEvent {
            guard !socket.isCancelled else { return }
            // One byte more than allowed, to see that it is longer.
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
