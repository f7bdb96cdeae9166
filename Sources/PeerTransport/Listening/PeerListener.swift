package import CPlatform
package import Descriptors
package import SyncProtocol

/// Accepts connections, and passes those whose peer has proven possession of a key to the owner.
///
/// Everything before that proof is handled here: admission, time limits, and the pause when
/// descriptors run out. So a flood of unknown connections costs bounded memory and affects no open
/// link.
@EventLoop
package final class PeerListener {
    /// The owner's callbacks, always called on the queue.
    package struct Delegate {
        /// Returns the 32-byte key for an identity; nil if there is none on this device.
        ///
        /// Called during the handshake of an unknown peer, possibly several times, so it must be
        /// fast.
        package var key: (_ identity: String) -> Secret?
        /// Whether an address is known to be a member's.
        package var isKnown: (_ address: IPAddress) -> Bool
        /// A peer has proven possession of a key.
        ///
        /// The owner must retain the link and set its `onEvent` before it returns, because frames
        /// may follow at once. A link that is not retained is cut.
        package var opened: (_ link: TransportLink, _ identity: String) -> Void
        /// A connection ended before its handshake was finished.
        package var refused: (_ remote: Endpoint, CloseReason) -> Void

        package init(
            key: @escaping (_ identity: String) -> Secret?,
            isKnown: @escaping (_ address: IPAddress) -> Bool,
            opened: @escaping (_ link: TransportLink, _ identity: String) -> Void,
            refused: @escaping (_ remote: Endpoint, CloseReason) -> Void
        ) {
            (self.key, self.isKnown) = (key, isKnown)
            (self.opened, self.refused) = (opened, refused)
        }
    }

    /// Accepts one connection; returns its descriptor or a negated errno.
    ///
    /// Replaceable for tests, which cannot use up the descriptors of the whole process.
    package typealias Accept = (_ listening: Int32, _ peer: inout platform_endpoint) -> Int32

    package let endpoint: Endpoint

    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let durations: LinkDurations
    private let delegate: Delegate
    private let accept: Accept
    private var gate = AdmissionGate()
    private var unproven: [Int: TransportLink] = [:]
    private var lastID = 0

    /// Listens on the first free port of a range, at one address or at all of this machine, IPv6
    /// and IPv4; `0...0` stands for any free port.
    ///
    /// Throws the error of the last port if none is free.
    package init(
        on queue: EventQueue,
        address: IPAddress? = nil,
        ports: ClosedRange<UInt16> = Ports.listening,
        durations: LinkDurations = .standard,
        delegate: Delegate,
        accept: @escaping Accept = { unsafe platform_accept($0, &$1) }
    ) throws(SystemError) {
        (self.queue, self.durations) = (queue, durations)
        (self.delegate, self.accept) = (delegate, accept)
        let (descriptor, endpoint) = try PeerListener.listen(address: address, ports: ports)
        self.endpoint = endpoint
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { [weak self] in self?.acceptable() }
    }

    deinit { socket.cancel() }

    /// Stops listening and cuts the unfinished connections; open links are left to their owner.
    package func close() {
        socket.cancel()
        for (_, link) in unproven.sorted(by: { $0.key < $1.key }) { link.abort() }
    }

    /// Sets whether packets of connections that are accepted later are limited to the size that
    /// every network carries.
    package func setShortSegments(_ isLimited: Bool) {
        guard !socket.isCancelled else { return }
        _ = platform_limit_segments(socket.descriptor, isLimited)
    }

    private static func listen(
        address: IPAddress?,
        ports: ClosedRange<UInt16>
    ) throws(SystemError) -> (descriptor: Int32, endpoint: Endpoint) {
        var last = SystemError("listen", code: EADDRINUSE)
        for port in ports {
            do throws(SystemError) {
                return try listen(at: address, port)
            } catch { last = error }
        }
        throw ports.count == 1
            ? last
            : SystemError(
                "listen on any TCP port from \(ports.lowerBound) to \(ports.upperBound)",
                code: last.code
            )
    }

    private static func listen(
        at address: IPAddress?,
        _ port: UInt16
    ) throws(SystemError) -> (descriptor: Int32, endpoint: Endpoint) {
        let wanted = address.map { Endpoint(address: $0, port: port) }
        let name = "listen on \(wanted?.description ?? "TCP port \(port)")"
        let descriptor = try SystemError.check(
            wanted.map { platform_tcp_socket($0.platform) } ?? platform_tcp_socket_at(port),
            name
        )
        do throws(SystemError) {
            if let wanted {
                try SystemError.check(platform_reuse_address(descriptor), name)
                try SystemError.check(platform_bind(descriptor, wanted.platform), name)
            }
            try SystemError.check(platform_listen(descriptor, TransportLimits.backlog), name)
            var bound = platform_endpoint()
            try SystemError.check(unsafe platform_local_address(descriptor, &bound), name)
            return (descriptor, Endpoint(bound))
        } catch {
            platform_close(descriptor)
            throw error
        }
    }
}

extension PeerListener {
    private func acceptable() {
        for _ in 0..<TransportLimits.turnsPerEvent {
            guard !socket.isCancelled else { return }
            var peer = platform_endpoint()
            let descriptor = accept(socket.descriptor, &peer)
            if descriptor >= 0 {
                admit(descriptor, from: Endpoint(peer))
            } else if platform_would_block(Int(descriptor)) {
                return
            } else {
                // Usually EMFILE: the connection stays in the kernel's queue, so accepting again at
                // once would spin.
                return socket.pauseReading(for: TransportLimits.descriptorShortageBackoff)
            }
        }
    }

    private func admit(_ descriptor: Int32, from remote: Endpoint) {
        _ = platform_no_delay(descriptor)
        lastID += 1
        let id = lastID
        do throws(TLSFailure) {
            let link = try TransportLink.accepted(
                descriptor: descriptor,
                from: remote,
                lookup: delegate.key,
                on: queue,
                durations: durations,
                onEvent: { [weak self] event in self?.unproven(id, event) }
            )
            let isKnown = delegate.isKnown(remote.address)
            let evicted = gate.admit(id, address: remote.address, isKnown: isKnown)
            unproven[id] = link
            if let evicted { unproven[evicted]?.abort(.evicted) }
        } catch { delegate.refused(remote, .tls(error)) }
    }

    /// Handles an event of a connection that has not finished its handshake.
    private func unproven(_ id: Int, _ event: LinkEvent) {
        switch event {
        case .opened(let identity, _):
            gate.release(id)
            guard let link = unproven.removeValue(forKey: id) else { return }
            delegate.opened(link, identity)
        case .closed(let reason):
            gate.release(id)
            guard let link = unproven.removeValue(forKey: id) else { return }
            delegate.refused(link.remote, reason)
        case .frame, .heard, .drained:
            // Never delivered here: they come after `.opened`, when the owner's handler is set.
            break
        }
    }
}

/// Limits the connections that have not finished their TLS handshake.
///
/// Connections can be opened faster than they can be rejected. So the newest connection is always
/// admitted and the oldest evicted: otherwise an attacker could hold all slots until their time is
/// over. There are `TransportLimits.unprovenConnections` slots. Unknown addresses get all but
/// `reservedForKnown` of them, and one address at most `unprovenConnectionsPerAddress`, except
/// loopback, which all users of the machine share. The unknown addresses of an IPv6 network count as
/// one (`IPAddress.limitGroup`); a known one counts alone, so that strangers of its network do not
/// evict it. A connection leaves the gate when its handshake is finished, so open links are never
/// affected.
package struct AdmissionGate {
    private struct Slot {
        let id: Int
        let address: IPAddress
        let isKnown: Bool
    }

    /// The unfinished connections, oldest first.
    private var pending: [Slot] = []

    package var count: Int { pending.count }

    /// Admits a connection and returns the one to evict for it, if any: the oldest of its address
    /// if that has too many, else the oldest of an unknown address, else the oldest.
    package mutating func admit(_ id: Int, address: IPAddress, isKnown: Bool) -> Int? {
        let address = isKnown ? address : address.limitGroup
        let index = indexToEvict(address: address, isKnown: isKnown)
        let evicted = index.map { pending.remove(at: $0).id }
        pending.append(Slot(id: id, address: address, isKnown: isKnown))
        return evicted
    }

    /// Frees the slot of a connection that has finished its handshake or has ended.
    package mutating func release(_ id: Int) { pending.removeAll { $0.id == id } }

    private func indexToEvict(address: IPAddress, isKnown: Bool) -> Int? {
        if !address.isLoopback,
            pending.count(where: { $0.address == address })
                >= TransportLimits.unprovenConnectionsPerAddress
        {
            return pending.firstIndex { $0.address == address }
        }
        let oldestStranger = pending.firstIndex { !$0.isKnown }
        let capacity = TransportLimits.unprovenConnections
        let forStrangers = capacity - TransportLimits.reservedForKnown
        if !isKnown, pending.count(where: { !$0.isKnown }) >= forStrangers { return oldestStranger }
        guard pending.count >= capacity else { return nil }
        return oldestStranger ?? pending.startIndex
    }
}
