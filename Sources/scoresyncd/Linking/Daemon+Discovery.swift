import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Announcements and addresses.
extension Daemon {
    /// Broadcasts an announcement, in as many datagrams as it needs.
    func announce(_ announcement: Announcement) {
        beacon?.send(AnnouncementCoding.encode(announcement))
    }

    /// Takes in a datagram; what is not an announcement is no business of ours.
    func hear(_ datagram: [UInt8], from source: Endpoint) {
        guard let announcement = try? AnnouncementCoding.decode(datagram) else {
            return log.write(.debug, "a datagram from \(source) is not an announcement")
        }
        guard announcement.instance != device.instance else { return }
        let peer = Endpoint(address: source.address, port: announcement.port)
        if announcement.sessions.contains(where: \.isInviting), Ports.mayDial(named: peer.port) {
            inviters[peer] = Clock.now.uptime
            forgetOldInviters()
            for join in joins.values { join.tryPeer(peer) }
        }
        handle(.announced(announcement, source: peer))
    }

    private func forgetOldInviters() {
        guard inviters.count > Limits.addresses else { return }
        let oldest = inviters.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (endpoint, _) in oldest.prefix(inviters.count - Limits.addresses) {
            inviters[endpoint] = nil
        }
    }

    /// Finds the address of `HOST[:PORT]`.
    func resolve(
        _ text: String,
        then completion: @escaping @Sendable (Result<[Endpoint], ControlError>) -> Void
    ) {
        let address: PeerAddress
        do throws(PeerAddressError) { address = try PeerAddress(parsing: text) } catch {
            return completion(.failure(ControlError(.usage, "“\(text)”: \(error)")))
        }
        HostLookup.resolve(host: address.host, port: address.port, on: queue) { @Sendable result in
            completion(result.mapError { ControlError(.notFound, "\($0)") })
        }
    }

    /// Finds the addresses of the command line, for every session; what is not found is tried
    /// again.
    func findPeers() {
        for text in unresolvedPeers.sorted() {
            resolve(text) { @Sendable [weak self] result in
                guard let self else { return }
                switch result {
                case .success(let endpoints): foundPeer(text, endpoints)
                case .failure(let error):
                    let isNew = alarms.raise(
                        kind: "network",
                        subject: text,
                        text: error.message
                    )
                    if isNew { log.write(.warning, error.message) }
                }
            }
        }
    }

    private func foundPeer(_ text: String, _ endpoints: [Endpoint]) {
        guard unresolvedPeers.remove(text) != nil else { return }
        alarms.clear(kind: "network", subject: text)
        startPeers += endpoints
        for session in held.keys.sorted() {
            for endpoint in endpoints { handle(.addressTyped(session, endpoint)) }
        }
    }
}
