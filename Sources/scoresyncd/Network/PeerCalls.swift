import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

@EventLoop
struct PeerCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.peers) { request throws(ControlError) in
            PeerListReply(peers.summaries(of: try sessions.session(request.session)))
        }
        router.answer(.addPeer) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            let endpoints = try await addresses.resolveLaptop(request.address)
            let others = endpoints.filter { !network.isOwn($0) }
            guard !others.isEmpty else {
                throw .refused("that is an address of this laptop; add one of another laptop")
            }
            addresses.add(others, to: session)
            return Done()
        }
        router.answer(.knownLaptops) { _ in known }
        router.answer(.forgetLaptops) { request async throws(ControlError) in
            let laptops = settings.memory.knownLaptops
            var devices: [String] = []
            for name in request.names {
                let found = laptops.filter { $0.name == name || $0.device == name }
                guard !found.isEmpty else {
                    throw .notFound(
                        "this laptop does not know “\(name)”",
                        candidates: laptops.map(\.name)
                    )
                }
                devices += found.map(\.device)
            }
            try await settings.forget(devices)
            return known
        }
        router.answer(.removePeer) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            do throws(ControlError) { try await remove(request.address, from: session) } catch {
                guard request.session == nil, error.kind == .notFound else { throw error }
                // Doctor names addresses of all sessions.
                let endpoints = (try? await addresses.resolve(request.address)) ?? []
                let holding = sessions.all.filter { session in
                    endpoints.contains { session.facts.addresses[$0] != nil }
                }
                guard !holding.isEmpty else { throw error }
                for session in holding { try addresses.remove(endpoints, from: session) }
            }
            return Done()
        }
    }
}

extension PeerCalls {
    /// Removes a laptop that is not linked from the list of a session: one that `peer.list` names, by
    /// its name or id, with all its addresses, or else an address.
    private func remove(_ text: String, from session: Session) async throws(ControlError) {
        let listed = peers.summaries(of: session)
        let named = listed.filter { $0.device == text || $0.name.lowercased() == text.lowercased() }
        if let linked = named.first(where: \.online) {
            throw .refused("\(linked.name) is online; only a laptop that is away can be removed")
        }
        let devices = Set(named.compactMap(\.device))
        guard devices.isEmpty else {
            let theirs = session.facts.addresses.filter { _, address in
                address.device.map { devices.contains($0.description) } ?? false
            }
            return try addresses.remove(theirs.keys.sorted(), from: session)
        }
        do throws(ControlError) {
            try addresses.remove(try await addresses.resolve(text), from: session)
        } catch {
            throw .notFound(
                "no other laptop or address of this session is called “\(text)”",
                candidates: listed.map(\.name)
            )
        }
    }

    private var known: KnownLaptopsReply {
        KnownLaptopsReply(
            settings.memory.knownLaptops.map {
                KnownLaptopSummary(
                    device: $0.device,
                    name: $0.name,
                    lastPlayed: Timestamp(milliseconds: $0.lastPlayed)
                )
            }
        )
    }
}

/// The other laptops of a session in the form that clients see.
@EventLoop
struct PeerList: DaemonPart {
    let daemon: Daemon

    func devices(of session: Session) -> [String] {
        summaries(of: session).filter { $0.device != nil }.map(\.name)
    }

    /// Returns the other laptops of a session, online or not, sorted by name.
    func summaries(of session: Session) -> [PeerSummary] {
        let online = driver.engine.peers(session.id)
        let offline = offline(in: session)
        let devices = online.map(\.device) + offline.compactMap(\.device)
        let names = sessions.names(of: devices, in: session)
        let upToDate = driver.engine.upToDate(session.id)?.devices ?? []
        let summaries =
            online.map { peer in
                PeerSummary(
                    device: peer.device.description,
                    name: names[peer.device] ?? peer.name,
                    address: peer.endpoint.port == 0 ? nil : "\(peer.endpoint)"
                ).with {
                    $0.online = true
                    $0.synced = peer.isSynced
                    $0.clockSkewMs = peer.skew
                    $0.storage = peer.storageProblem?.rawValue
                }
            }
            + offline.map { device, addresses in
                let latest = addresses.max {
                    ($0.lastAuthenticated ?? 0) < ($1.lastAuthenticated ?? 0)
                }
                return PeerSummary(
                    device: device?.description,
                    name: device.flatMap { names[$0] } ?? latest?.address ?? "",
                    address: latest?.address
                ).with {
                    $0.synced = device.map(upToDate.contains) ?? false
                    $0.lastSeen = latest?.lastAuthenticated.map { Timestamp(milliseconds: $0) }
                }
            }
        return summaries.sorted { ($0.name, $0.device ?? "") < ($1.name, $1.device ?? "") }
    }

    /// Returns the devices that are not linked, each with its addresses, followed by typed
    /// addresses at which no device has answered, one at a time.
    func offline(in session: Session) -> [(device: DeviceID?, addresses: [StoredAddress])] {
        let online = Set(driver.engine.peers(session.id).map(\.device) + [device.id])
        let devices = Set(session.facts.addresses.values.compactMap(\.device))
        return devices.subtracting(online).sorted().map { device in
            (device: device, addresses: session.facts.addresses(of: device))
        }
            + session.facts.addresses(of: nil).map { (device: nil, addresses: [$0]) }
    }
}
