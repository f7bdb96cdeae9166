import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The door to a session, from the inside: owns the invites that are open, and hands the key to
/// whoever proves to know a code.
///
/// Invariant for `@unchecked Sendable`: used on the daemon's queue only.
final class Invites: @unchecked Sendable {
    private var doors = OpenInvites()
    private let sessions: SessionCatalog
    private let loop: EngineLoop
    private let log: Log
    private let queue: EventQueue

    init(_ sessions: SessionCatalog, _ loop: EngineLoop, _ log: Log, on queue: EventQueue) {
        self.sessions = sessions
        self.loop = loop
        self.log = log
        self.queue = queue
    }

    /// When the open invite of a session closes, on the wall clock in milliseconds.
    func expiry(of session: SessionID) -> UInt64? {
        doors.invite(to: session, at: Clock.now.uptime)?.expires
    }

    /// The key for the hint of a code, while its invite is open.
    func key(for hint: String) -> Secret? { doors.key(for: hint, at: Clock.now.uptime) }

    /// Opens the door; an open one stays the same and closes later, after the minutes that are
    /// asked for this time, else those that it was given.
    func open(
        _ session: SessionID,
        minutes: Int?,
        then answer: @escaping Answer<InviteReply>
    ) {
        let now = Clock.now
        if var invite = doors.invite(to: session, at: now.uptime) {
            invite.stayOpen(minutes, from: now)
            return answer(.success(open(invite)))
        }
        // A second call while the key is being made gets the same code.
        guard doors.wait(for: session, minutes, answer) else { return }
        var generator = SystemRandomNumberGenerator()
        var code = JoinCode.random(using: &generator)
        while doors.isTaken(code.hint) { code = JoinCode.random(using: &generator) }
        CodeKey.derive(code, on: queue) { [self, code] result in
            // Nobody waits when the door was closed or the session left meanwhile.
            guard let waiting = doors.stopWaiting(for: session) else { return }
            let opened = result.map { key in
                var invite = OpenInvites.Invite(session: session, code: code, key: key)
                invite.stayOpen(waiting.minutes, from: Clock.now)
                return open(invite)
            }
            for answer in waiting.answers { answer(opened) }
        }
    }

    private func open(_ invite: OpenInvites.Invite) -> InviteReply {
        doors.open(invite)
        loop.handle(.inviteChanged(invite.session, isOpen: true))
        queue.async(after: .milliseconds(invite.remaining)) {
            @Sendable [self] in closeExpired()
        }
        return InviteReply(
            code: invite.code.text,
            expires: Timestamp(milliseconds: invite.expires)
        )
    }

    /// Closes the doors whose time is over.
    func closeExpired() {
        for session in doors.closeExpired(at: Clock.now.uptime) {
            log.write(.info, "the invite to \(sessions[session]?.title ?? "") is over")
            loop.handle(.inviteChanged(session, isOpen: false))
        }
    }

    /// Closes the door to a session.
    func close(to session: SessionID) {
        let closed = ControlError(.refused, "the invite was closed meanwhile")
        for answer in doors.stopWaiting(for: session)?.answers ?? [] { answer(.failure(closed)) }
        doors.close(session)
        loop.handle(.inviteChanged(session, isOpen: false))
    }

    /// A guest proved to know the code: hands over the session and its key, and nothing else.
    ///
    /// `port` is where this daemon listens; 0 for nowhere.
    func welcome(_ transport: TransportLink, _ hint: String, port: UInt16) {
        guard let invite = doors.invite(for: hint, at: Clock.now.uptime),
            let session = sessions[invite.session]
        else { return transport.abort() }
        log.write(.info, from: .others, "a guest at \(transport.remote) joins \(session.title)")
        transport.onEvent = { _ in }
        PeerLink(transport).send(
            .welcome(
                Welcome(
                    session: session.id,
                    key: session.facts.key.bytes,
                    title: session.title,
                    game: session.header.game?.description ?? "",
                    inviter: loop.engine.device.name,
                    port: port
                )
            )
        )
        transport.close()
    }
}

extension OpenInvites.Invite {
    /// How long the door stays open from now, in milliseconds.
    fileprivate var remaining: Int {
        let now = Clock.now.uptime
        return closesAt > now ? Int(min(closesAt - now + 1, 1 << 40)) : 0
    }
}
