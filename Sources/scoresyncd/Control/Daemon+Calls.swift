import CPlatform
import ControlSocket
import Dispatch
import PeerTransport
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about the daemon and its peers.
extension Daemon {
    func routeDaemon(_ router: inout ControlRouter) {
        on(StatusRequest.self, &router) { daemon, _ in daemon.status() }
        on(DaemonStopRequest.self, &router) { daemon, _ in
            // After the answer is on its way.
            daemon.queue.asyncAfter(deadline: .now() + .milliseconds(5)) { @Sendable in
                daemon.stop()
            }
            return Done()
        }
        on(DaemonOfflineRequest.self, &router) { daemon, request in
            daemon.handle(.offline(request.offline))
            return Done()
        }
        on(PeerListRequest.self, &router) { daemon, request throws(ControlError) in
            PeerListReply(peers: daemon.peerSummaries(try daemon.session(request.session)))
        }
        onLater(PeerAddRequest.self, &router) { daemon, request, answer throws(ControlError) in
            let session = try daemon.session(request.session)
            daemon.resolve(request.address) { @Sendable result in
                answer(
                    result.flatMap { endpoints in
                        let others = endpoints.filter { !daemon.isOwn($0) }
                        guard !others.isEmpty else {
                            let text = "that is where this laptop itself listens; add another one"
                            return .failure(ControlError(.refused, text))
                        }
                        daemon.addPeers(others, to: session)
                        return .success(Done())
                    }
                )
            }
        }
        onLater(PeerRemoveRequest.self, &router) { daemon, request, answer throws(ControlError) in
            let session = try daemon.session(request.session)
            daemon.resolve(request.address) { @Sendable result in
                answer(result.flatMap { daemon.removePeers($0, from: session) })
            }
        }
        router.on(WaitRequest.self) { @Sendable [weak self] request, call in
            guard let self else { return }
            do throws(ControlError) { try wait(request, for: call) } catch { call.fail(error) }
        }
    }

    private func status() -> StatusReply {
        let summaries = held.keys.map { summary(of: $0) }
        return StatusReply(
            daemon: DaemonSummary(
                version: Versions.program,
                device: device.id.description,
                name: device.name,
                instance: device.instance.description,
                home: paths.home,
                port: Int(listener?.endpoint.port ?? 0),
                pid: Int(platform_own_process()),
                offline: engine.isOffline
            ),
            sessions: summaries.sorted { ($0.title, $0.id) < ($1.title, $1.id) },
            alarms: alarms.alarms
        )
    }

    // MARK: Peers

    /// Who else holds the session, online or not, by name.
    func peerSummaries(_ session: SessionID) -> [PeerSummary] {
        let document = document(session)
        let online = engine.peers(session)
        var summaries = online.map { peer in
            PeerSummary(
                device: peer.device.description,
                name: peer.name,
                address: "\(peer.endpoint)",
                online: true,
                synced: peer.isSynced,
                clockSkewMs: peer.skew,
                lastSeen: nil
            )
        }
        let known = Set(online.map(\.device))
        for (device, addresses) in offlineDevices(session, besides: known) {
            let latest = addresses.max { ($0.lastAuthenticated ?? 0) < ($1.lastAuthenticated ?? 0) }
            summaries.append(
                PeerSummary(
                    device: device?.description,
                    name: device.map { metNames[$0] ?? document.name(of: $0) } ?? latest?.address
                        ?? "",
                    address: latest?.address,
                    online: false,
                    synced: false,
                    clockSkewMs: nil,
                    lastSeen: latest?.lastAuthenticated.map { Timestamp(milliseconds: $0) }
                )
            )
        }
        return summaries.sorted { ($0.name, $0.device ?? "") < ($1.name, $1.device ?? "") }
    }

    /// The devices that are not linked, each with its addresses; typed addresses of nobody each
    /// alone.
    private func offlineDevices(
        _ session: SessionID,
        besides online: Set<DeviceID>
    ) -> [(device: DeviceID?, addresses: [StoredAddress])] {
        let book = (held[session]?.book ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        var byDevice: [DeviceID: [StoredAddress]] = [:]
        for address in book {
            if let device = address.device { byDevice[device, default: []].append(address) }
        }
        let strangers = book.filter { $0.device == nil }
        let offline = byDevice.filter { !online.contains($0.key) && $0.key != device.id }
        var devices: [(device: DeviceID?, addresses: [StoredAddress])] = []
        for (device, addresses) in offline.sorted(by: { $0.key < $1.key }) {
            devices.append((device, addresses))
        }
        for stranger in strangers { devices.append((nil, [stranger])) }
        return devices
    }

    /// Whether this daemon listens at an endpoint.
    private func isOwn(_ endpoint: Endpoint) -> Bool {
        guard endpoint.port == listener?.endpoint.port else { return false }
        // All of 127/8 is this machine.
        if endpoint.address >> 24 == 127 { return true }
        let interfaces = (try? NetworkInterface.all()) ?? []
        return interfaces.contains { $0.address == endpoint.address }
    }

    /// Notes addresses that the user typed, and tries them.
    func addPeers(_ endpoints: [Endpoint], to session: SessionID) {
        for endpoint in endpoints {
            let known = held[session]?.book[endpoint]
            let address = StoredAddress(
                address: "\(endpoint)",
                device: known?.device,
                lastAuthenticated: known?.lastAuthenticated,
                isTyped: true
            )
            held[session]?.book[endpoint] = address
            note("an address could not be noted") { store throws(StoreError) in
                try store.note(address, for: session)
            }
            handle(.addressTyped(session, endpoint))
        }
        watchers.changed(session)
    }

    private func removePeers(
        _ endpoints: [Endpoint],
        from session: SessionID
    ) -> Result<Done, ControlError> {
        let known = endpoints.filter { held[session]?.book[$0] != nil }
        guard !known.isEmpty else {
            let addresses = (held[session]?.book ?? [:]).keys.sorted().map(\.description)
            return .failure(
                ControlError(
                    .notFound,
                    "that address is not in the peer book",
                    candidates: addresses
                )
            )
        }
        for endpoint in known {
            held[session]?.book[endpoint] = nil
            note("an address could not be removed") { store throws(StoreError) in
                _ = try store.forget("\(endpoint)", of: session)
            }
            handle(.addressRemoved(session, endpoint))
        }
        watchers.changed(session)
        return .success(Done())
    }

    // MARK: Wait

    private func wait(
        _ request: WaitRequest,
        for call: ControlCall<Done>
    ) throws(ControlError) {
        guard request.condition != .ready else { return call.respond(Done()) }
        let session = try session(request.session)
        let condition = try settled(request.condition, in: session)
        let wait = Wait(
            for: session,
            until: { [weak self] in self?.isSo(condition, in: session) ?? true },
            what: { [weak self] in self?.shortfall(condition, in: session) ?? "" },
            unless: { [weak self] in self?.hindrance(to: condition, in: session) },
            milliseconds: request.timeoutMilliseconds,
            on: queue,
            then: { result in call.respond(result) }
        )
        watchers.add(wait)
        call.connection.onClose { @Sendable in wait.cancel() }
        wait.check()
    }

    private func isSo(_ condition: WaitCondition, in session: SessionID) -> Bool {
        switch condition {
        case .ready: true
        case .synced: engine.isSynced(session)
        case .peers(let count): engine.peers(session).count >= count
        case .turn(let player): playerToMove(in: session)?.id.description == player
        }
    }

    /// Why a wait is over in vain.
    private func shortfall(_ condition: WaitCondition, in session: SessionID) -> String {
        let linked = engine.peers(session).count
        return switch condition {
        case .ready: "the daemon is not ready"
        case .synced:
            linked == 0 ? "no other laptop is linked" : "not in sync with the other laptops"
        case .peers(let count): "\(linked) of \(count) laptops are linked"
        case .turn: "\(playerToMove(in: session)?.name ?? "nobody") is to move"
        }
    }
}
