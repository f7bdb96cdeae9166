import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about the laptops that hold a session.
@EventLoop
struct PeerCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.peers) { request throws(ControlError) in
            PeerListReply(peers.of(try sessions.session(request.session)))
        }
        router.answer(.addPeer) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            let endpoints = try await addresses.resolveLaptop(request.address)
            let others = endpoints.filter { !network.isOwn($0) }
            guard !others.isEmpty else {
                let text = "that is where this laptop itself listens; add another one"
                throw ControlError(.refused, text)
            }
            addresses.add(others, to: session)
            return Done()
        }
        router.answer(.removePeer) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            try addresses.remove(try await addresses.resolve(request.address), from: session)
            return Done()
        }
    }
}

/// The other laptops of a session, as clients see them.
@EventLoop
struct PeerList: DaemonPart {
    let daemon: Daemon

    /// The other devices that have held a session, by what they are called.
    func devices(of session: Session) -> [String] {
        of(session).filter { $0.device != nil }.map(\.name)
    }

    /// The other laptops of a session, online or not, by name.
    func of(_ session: Session) -> [PeerSummary] {
        let online = driver.engine.peers(session.id)
        let known = Set(online.map(\.device))
        let away = offline(session, besides: known)
        let devices = online.map(\.device) + away.compactMap(\.device)
        let names = sessions.names(of: devices, in: session)
        let summaries =
            online.map { peer in
                PeerSummary(
                    device: peer.device.description,
                    name: names[peer.device] ?? peer.name,
                    address: "\(peer.endpoint)"
                ).with {
                    $0.online = true
                    $0.synced = peer.isSynced
                    $0.clockSkewMs = peer.skew
                }
            }
            + away.map { device, addresses in
                summary(of: device, device.flatMap { names[$0] }, at: addresses)
            }
        return summaries.sorted { ($0.name, $0.device ?? "") < ($1.name, $1.device ?? "") }
    }

    private func summary(
        of device: DeviceID?,
        _ name: String?,
        at addresses: [StoredAddress]
    ) -> PeerSummary {
        let latest = addresses.max { ($0.lastAuthenticated ?? 0) < ($1.lastAuthenticated ?? 0) }
        return PeerSummary(
            device: device?.description,
            name: name ?? latest?.address ?? "",
            address: latest?.address
        ).with { $0.lastSeen = latest?.lastAuthenticated.map { Timestamp(milliseconds: $0) } }
    }

    /// The devices that are not linked, each with its addresses; typed addresses of nobody each
    /// alone.
    private func offline(
        _ session: Session,
        besides online: Set<DeviceID>
    ) -> [(device: DeviceID?, addresses: [StoredAddress])] {
        let addresses = session.facts.addresses.sorted { $0.key < $1.key }.map(\.value)
        var byDevice: [DeviceID: [StoredAddress]] = [:]
        for address in addresses {
            if let device = address.device { byDevice[device, default: []].append(address) }
        }
        let own = driver.engine.device.id
        let offline = byDevice.filter { !online.contains($0.key) && $0.key != own }
        let strangers = addresses.filter { $0.device == nil }
        return offline.sorted { $0.key < $1.key }.map { (device: $0.key, addresses: $0.value) }
            + strangers.map { (device: nil, addresses: [$0]) }
    }
}
