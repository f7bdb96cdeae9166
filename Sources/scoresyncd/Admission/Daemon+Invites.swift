import Dispatch
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The door to a session, from the inside.
extension Daemon {
    static let usualMinutes = 30
    static let mostMinutes = 24 * 60

    /// Opens the door; an open one stays the same and closes later.
    func invite(
        to session: SessionID,
        minutes: Int,
        then completion: @escaping @Sendable (Result<InviteReply, ControlError>) -> Void
    ) {
        let now = Clock.now
        let lasts = UInt64(minutes) * 60_000
        if var invite = invites.invite(to: session, at: now.uptime) {
            invite.closesAt = now.uptime + lasts
            invite.expires = now.wall + lasts
            return completion(.success(open(invite)))
        }
        // A second call while the key is being made gets the same code.
        guard invites.wait(for: session, completion) else { return }
        var code = JoinCode.random(using: &generator)
        while invites.isTaken(code.hint) { code = JoinCode.random(using: &generator) }
        CodeKey.derive(code, on: queue) { @Sendable [weak self, code] result in
            guard let self else { return }
            let waiting = invites.stopWaiting(for: session)
            let reply = result.map { key in
                let now = Clock.now
                return InviteDesk.Invite(
                    session: session,
                    code: code,
                    key: key,
                    closesAt: now.uptime + lasts,
                    expires: now.wall + lasts
                )
            }
            // Nobody waits when the door was closed or the session left meanwhile.
            guard !waiting.isEmpty else { return }
            let opened = reply.map { self.open($0) }
            for completion in waiting { completion(opened) }
        }
    }

    private func open(_ invite: InviteDesk.Invite) -> InviteReply {
        invites.open(invite)
        handle(.inviteChanged(invite.session, isOpen: true))
        queue.asyncAfter(deadline: .now() + .milliseconds(invite.remaining)) {
            @Sendable [weak self] in self?.closeExpiredInvites()
        }
        return InviteReply(
            code: invite.code.text,
            expires: Timestamp(milliseconds: invite.expires)
        )
    }

    /// Closes the doors whose time is over.
    func closeExpiredInvites() {
        for session in invites.closeExpired(at: Clock.now.uptime) {
            log.write(.info, "the invite to \(title(of: session)) is over")
            handle(.inviteChanged(session, isOpen: false))
        }
    }

    /// Closes the door to a session.
    func closeInvite(to session: SessionID) {
        let closed = ControlError(.refused, "the invite was closed meanwhile")
        for completion in invites.stopWaiting(for: session) { completion(.failure(closed)) }
        invites.close(session)
        handle(.inviteChanged(session, isOpen: false))
    }

    /// A guest proved to know the code: hands over the session and its key, and nothing else.
    func welcome(_ transport: TransportLink, _ hint: String) {
        guard let invite = invites.invite(for: hint, at: Clock.now.uptime),
            let held = held[invite.session]
        else { return transport.abort() }
        let remote = transport.remote
        log.write(.info, "a guest at \(remote) joins \(title(of: invite.session))")
        transport.onEvent = { _ in }
        let document = document(invite.session)
        PeerLink(transport).send(
            .welcome(
                Welcome(
                    session: invite.session,
                    key: held.key,
                    title: title(of: invite.session),
                    game: document.game?.description ?? "",
                    inviter: device.name,
                    port: listener?.endpoint.port ?? 0
                )
            )
        )
        transport.close()
    }
}

extension InviteDesk.Invite {
    /// How long the door stays open from now, in milliseconds.
    fileprivate var remaining: Int {
        let now = Clock.now.uptime
        return closesAt > now ? Int(min(closesAt - now + 1, 1 << 40)) : 0
    }
}
