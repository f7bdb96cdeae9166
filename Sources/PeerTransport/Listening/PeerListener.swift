internal import CPlatform
package import Descriptors
package import SyncProtocol

/// Listens for peers and lets them prove themselves; those that did are handed to the owner.
///
/// Everything before that stays here: the gate, the time limits, and the rest when descriptors run
/// out. So a flood of strangers costs bounded memory and touches no link that is open.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only (checked at each
/// call), which the handler of its socket shares.
package final class PeerListener: @unchecked Sendable {
    /// What the owner is asked and told, always on the queue.
    package struct Delegate {
        /// The key of 32 bytes for an identity, nil when it is not held here.
        ///
        /// Asked during a stranger's handshake, perhaps several times: a look into a table.
        package var key: (_ identity: String) -> Secret?
        /// Whether an address (host byte order) is known as one of a member.
        package var isKnown: (_ address: UInt32) -> Bool
        /// A peer has proven itself.
        ///
        /// The owner keeps the link and sets its `onEvent` before it returns: frames may follow at
        /// once. A link that is not kept is cut.
        package var opened: (_ link: TransportLink, _ identity: String) -> Void
        /// A connection ended before it had proven anything.
        package var refused: (_ remote: Endpoint, CloseReason) -> Void

        /// The owner's answers.
        package init(
            key: @escaping (_ identity: String) -> Secret?,
            isKnown: @escaping (_ address: UInt32) -> Bool,
            opened: @escaping (_ link: TransportLink, _ identity: String) -> Void,
            refused: @escaping (_ remote: Endpoint, CloseReason) -> Void
        ) {
            self.key = key
            self.isKnown = isKnown
            self.opened = opened
            self.refused = refused
        }
    }

    /// Accepts one connection: its descriptor or a negated errno.
    ///
    /// Replaced only by tests, which cannot take the descriptors of the whole process away.
    package typealias Accept = (
        _ listening: Int32, _ address: inout UInt32, _ port: inout UInt16
    ) -> Int32

    /// Where it listens.
    package let endpoint: Endpoint

    private let queue: EventQueue
    private let socket: DescriptorEvents
    private let durations: LinkDurations
    private let delegate: Delegate
    private let accept: Accept
    private var gate = AdmissionGate()
    /// The connections in the gate.
    private var unproven: [Int: TransportLink] = [:]
    private var lastID = 0

    /// Listens on the first free port of a range; `0...0` takes any.
    ///
    /// Throws when none is free, with the error of the last one.
    package init(
        on queue: EventQueue,
        address: UInt32 = 0,
        ports: ClosedRange<UInt16> = Ports.listening,
        durations: LinkDurations = .standard,
        delegate: Delegate,
        accept: @escaping Accept = { unsafe platform_accept($0, &$1, &$2) }
    ) throws(SystemError) {
        self.queue = queue
        self.durations = durations
        self.delegate = delegate
        self.accept = accept
        let (descriptor, endpoint) = try PeerListener.listen(address: address, ports: ports)
        self.endpoint = endpoint
        socket = DescriptorEvents(descriptor, queue: queue)
        socket.startReading { @Sendable [weak self] in self?.acceptable() }
    }

    deinit { socket.cancel() }

    /// Stops listening and cuts what has not proven itself.
    ///
    /// Open links are the owner's.
    package func close() {
        queue.requireCurrent()
        socket.cancel()
        for (_, link) in unproven.sorted(by: { $0.key < $1.key }) { link.abort() }
    }

    private static func listen(
        address: UInt32,
        ports: ClosedRange<UInt16>
    ) throws(SystemError) -> (descriptor: Int32, endpoint: Endpoint) {
        var last = SystemError("listen", code: EADDRINUSE)
        for port in ports {
            do throws(SystemError) {
                return try listen(at: Endpoint(address: address, port: port))
            } catch { last = error }
        }
        // None of them is to blame alone.
        throw ports.count == 1
            ? last
            : SystemError(
                "listen on any TCP port from \(ports.lowerBound) to \(ports.upperBound)",
                code: last.code
            )
    }

    private static func listen(
        at wanted: Endpoint
    ) throws(SystemError) -> (descriptor: Int32, endpoint: Endpoint) {
        let name = "listen on \(wanted)"
        let descriptor = try SystemError.check(platform_tcp_socket(), name)
        do throws(SystemError) {
            try SystemError.check(platform_reuse_address(descriptor), name)
            try SystemError.check(platform_bind(descriptor, wanted.address, wanted.port), name)
            try SystemError.check(platform_listen(descriptor, TransportLimits.backlog), name)
            var address: UInt32 = 0
            var port: UInt16 = 0
            try SystemError.check(
                unsafe platform_local_address(descriptor, &address, &port),
                name
            )
            return (descriptor, Endpoint(address: address, port: port))
        } catch {
            platform_close(descriptor)
            throw error
        }
    }
}

extension PeerListener {
    private func acceptable() {
        queue.requireCurrent()
        for _ in 0..<TransportLimits.turnsPerEvent {
            guard !socket.isCancelled else { return }
            var address: UInt32 = 0
            var port: UInt16 = 0
            let descriptor = accept(socket.descriptor, &address, &port)
            if descriptor >= 0 {
                admit(descriptor, from: Endpoint(address: address, port: port))
            } else if platform_would_block(Int(descriptor)) {
                return
            } else {
                // Above all EMFILE: the connection stays in the kernel's queue, and trying again
                // at once would spin.
                return socket.pauseReading(for: TransportLimits.shortageRest)
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

    /// What happens to a connection that is in the gate.
    private func unproven(_ id: Int, _ event: LinkEvent) {
        switch event {
        case .opened(let identity, _):
            gate.leave(id)
            guard let link = unproven.removeValue(forKey: id) else { return }
            delegate.opened(link, identity)
        case .closed(let reason):
            gate.leave(id)
            guard let link = unproven.removeValue(forKey: id) else { return }
            delegate.refused(link.remote, reason)
        case .frame, .heard, .drained:
            // They come only after `.opened`, when the owner listens: it did not want the link.
            break
        }
    }
}

/// Decides which connections may try to prove themselves.
///
/// A stranger can open connections faster than anyone can refuse them, so places are few, short
/// and taken from the oldest: at most `TransportLimits.unprovenConnections`, of which strangers get
/// all but `placesForKnown`; at most `unprovenConnectionsPerAddress` of one address, but for
/// loopback, which all users of the machine share. A connection leaves the gate when its TLS is
/// finished, so what is linked is never touched. A value without input or output.
package struct AdmissionGate {
    /// One connection in the gate.
    private struct Place {
        let id: Int
        let address: UInt32
        let isKnown: Bool
    }

    private let places: Int
    private let placesForKnown: Int
    private let perAddress: Int
    /// The oldest first.
    ///
    /// At most `places`, so that a search costs nothing.
    private var held: [Place] = []

    /// A gate with the limits of `TransportLimits`, unless a test wants others.
    package init(
        places: Int = TransportLimits.unprovenConnections,
        placesForKnown: Int = TransportLimits.placesForKnown,
        perAddress: Int = TransportLimits.unprovenConnectionsPerAddress
    ) {
        precondition(places > placesForKnown && perAddress > 0, "a gate that admits nobody")
        self.places = places
        self.placesForKnown = placesForKnown
        self.perAddress = perAddress
    }

    /// The connections in the gate.
    package var count: Int { held.count }

    /// Lets a connection in, and returns the one that has to go for it, if any.
    ///
    /// The newest is always let in: a place that an attacker could hold until its time is over
    /// would shut out everybody else. Who goes is the oldest of the same address when that has its
    /// share, else the oldest stranger, else the oldest.
    package mutating func admit(_ id: Int, address: UInt32, isKnown: Bool) -> Int? {
        let evicted = indexToEvict(address: address, isKnown: isKnown).map {
            held.remove(at: $0).id
        }
        held.append(Place(id: id, address: address, isKnown: isKnown))
        return evicted
    }

    /// Frees the place of a connection that has proven itself or ended.
    package mutating func leave(_ id: Int) {
        held.removeAll { $0.id == id }
    }

    private func indexToEvict(address: UInt32, isKnown: Bool) -> Int? {
        let isLoopback = address >> 24 == 127
        if !isLoopback, held.count(where: { $0.address == address }) >= perAddress {
            return held.firstIndex { $0.address == address }
        }
        let oldestStranger = held.firstIndex { !$0.isKnown }
        if !isKnown, held.count(where: { !$0.isKnown }) >= places - placesForKnown {
            return oldestStranger
        }
        guard held.count >= places else { return nil }
        return oldestStranger ?? held.startIndex
    }
}
