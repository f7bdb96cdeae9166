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
                answer(result.map { daemon.addPeers($0, to: session) })
            }
        }
        onLater(PeerRemoveRequest.self, &router) { daemon, request, answer throws(ControlError) in
            let session = try daemon.session(request.session)
            daemon.resolve(request.address) { @Sendable result in
                answer(result.flatMap { daemon.removePeers($0, from: session) })
            }
        }
        onLater(WaitRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.wait(request, then: answer)
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

    private func addPeers(_ endpoints: [Endpoint], to session: SessionID) -> Done {
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
        return Done()
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
        then answer: @escaping @Sendable (Result<Done, ControlError>) -> Void
    ) throws(ControlError) {
        let isTrue: () -> Bool
        let what: String
        switch request.condition {
        case .ready: return answer(.success(Done()))
        case .synced:
            let session = try session(request.session)
            isTrue = { [weak self] in self?.engine.isSynced(session) ?? false }
            what = "this device and its peers were not in sync"
        case .peers(let count):
            let session = try session(request.session)
            isTrue = { [weak self] in (self?.engine.peers(session).count ?? 0) >= count }
            what = "fewer than \(count) peers were linked"
        }
        wait(
            until: isTrue,
            milliseconds: request.timeoutMilliseconds,
            what: what,
            then: answer
        )
    }

    /// Answers once it is so, or after so many milliseconds with `timedOut`; nil waits for ever.
    func wait(
        until isTrue: @escaping () -> Bool,
        milliseconds: Int?,
        what: String,
        then answer: @escaping (Result<Done, ControlError>) -> Void
    ) {
        let watchers = watchers
        let finish: (Result<Done, ControlError>) -> Void = { result in
            watchers.forgetOver()
            answer(result)
        }
        let wait = Wait(
            until: isTrue,
            milliseconds: milliseconds,
            what: what,
            on: queue,
            then: finish
        )
        watchers.add(wait)
        wait.check()
    }
}
