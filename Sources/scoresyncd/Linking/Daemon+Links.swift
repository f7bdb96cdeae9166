import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// Connections that come and go.
extension Daemon {
    /// Who may come in: members by the session's key, guests by a join code.
    var admission: PeerListener.Delegate {
        PeerListener.Delegate(
            key: { [weak self] in self?.key(for: $0) },
            isKnown: { [weak self] address in self?.isInBook(address) ?? false },
            opened: { [weak self] in self?.accept($0, $1) },
            refused: { [weak self] remote, reason in
                self?.log.write(.debug, "refused a connection from \(remote): \(reason)")
            }
        )
    }

    private func key(for text: String) -> [UInt8]? {
        switch LinkIdentity(text) {
        case .member(let session): return held[session]?.key
        case .joiner(let hint): return invites.key(for: hint, at: Clock.now.uptime)
        case nil: return nil
        }
    }

    private func isInBook(_ address: UInt32) -> Bool {
        held.values.contains { $0.book.keys.contains { $0.address == address } }
    }

    private func accept(_ transport: TransportLink, _ text: String) {
        switch LinkIdentity(text) {
        case .member(let session):
            open(transport, as: nextLink(), session, transport.remote, .accepted)
        case .joiner(let hint): welcome(transport, hint)
        case nil: transport.abort()
        }
    }

    func nextLink() -> LinkID {
        lastLink += 1
        return LinkID(lastLink)
    }

    /// Connects with a session's key.
    func dial(_ endpoint: Endpoint, for session: SessionID) {
        guard let held = held[session],
            let key = PreSharedKey(
                identity: LinkIdentity.member(session).description,
                secret: held.key
            )
        else { return handle(.dialFailed(session, endpoint, .unreachable)) }
        let id = nextLink()
        dials[id] = TransportLink.dial(to: endpoint, key: key, on: queue) { [weak self] event in
            guard let self else { return }
            switch event {
            case .opened:
                guard let transport = dials.removeValue(forKey: id) else { return }
                open(transport, as: id, session, endpoint, .dialled)
            case .closed(let reason):
                guard dials.removeValue(forKey: id) != nil else { return }
                log.write(.debug, "dialling \(endpoint): \(reason)")
                handle(.dialFailed(session, endpoint, DialFailure(reason)))
            case .frame, .heard, .drained: break
            }
        }
    }

    private func open(
        _ transport: TransportLink,
        as id: LinkID,
        _ session: SessionID,
        _ remote: Endpoint,
        _ origin: LinkOrigin
    ) {
        let link = PeerLink(transport)
        links[id] = link
        transport.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .frame(let payload): handle(link.read(payload, from: id))
            case .heard: handle(.heard(id))
            case .closed(let reason):
                log.write(.debug, "link \(id.number) to \(remote): \(reason)")
                // A link that the engine closed is gone from the table and not lost.
                if links.removeValue(forKey: id) != nil { handle(.unlinked(id)) }
            case .opened, .drained: break
            }
        }
        handle(.linked(id, session, remote, origin))
    }
}

extension DialFailure {
    /// What the end of a connection says about who is there.
    init(_ reason: CloseReason) {
        switch reason {
        case .tls(.unknownIdentity): self = .unknownSession
        case .tls(.wrongKey): self = .wrongKey
        case .tls, .local, .byPeer, .cutOff, .unreachable, .broken, .timedOut, .tooMuchBeforeTLS,
            .badFrame, .peerTooSlow, .evicted:
            self = .unreachable
        }
    }
}
