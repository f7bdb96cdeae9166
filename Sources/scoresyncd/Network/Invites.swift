import CPlatform
import Descriptors
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The open invites of this device: gives a session's key to guests that know the join code.
///
/// Invites are only in memory, so restarting the daemon closes them.
@EventLoop
final class Invites: DaemonPart {
    private struct Invite {
        let session: SessionID
        let code: JoinCode
        /// The 32-byte key that is derived from the join code.
        let key: Secret
        var minutes = InviteLife.usual
        /// The uptime at which the invite expires, in milliseconds.
        var closesAt: UInt64 = 0
        /// The wall-clock time at which the invite expires, in milliseconds since 1970.
        var expires: UInt64 = 0

        /// Extends the invite from now by this number of minutes; nil means its previous lifetime.
        mutating func extend(_ asked: Int?) {
            let now = Clock.now
            minutes = asked ?? minutes
            let milliseconds = UInt64(max(0, minutes)) * 60_000
            closesAt = now.uptime + milliseconds
            expires = now.wall + milliseconds
        }
    }

    /// The calls that wait until the key of a session's new code is derived.
    private struct Waiting {
        /// The lifetime that the latest of these calls requested.
        var minutes: Int?
        var calls: [CheckedContinuation<Result<InviteReply, ControlError>, Never>] = []
    }

    let daemon: Daemon
    private var byHint: [String: Invite] = [:]
    private var waiting: [SessionID: Waiting] = [:]

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// Returns the wall-clock time at which the open invite of a session expires, in milliseconds.
    func expiry(of session: SessionID) -> UInt64? { invite(to: session)?.expires }

    /// Returns the key for the hint of a code; nil if no such invite is open.
    func key(for hint: String) -> Secret? { invite(for: hint)?.key }

    /// Whether an invite to a session is open.
    func isOpen(_ session: SessionID) -> Bool { invite(to: session) != nil }

    private func invite(for hint: String) -> Invite? {
        byHint[hint].flatMap { $0.closesAt > Clock.now.uptime ? $0 : nil }
    }

    private func invite(to session: SessionID) -> Invite? {
        let now = Clock.now.uptime
        return byHint.values.first { $0.session == session && $0.closesAt > now }
    }

    /// Opens an invite.
    ///
    /// An invite that is open already keeps its code and is extended by the given number of
    /// minutes, or else by its lifetime.
    func open(_ session: SessionID, minutes: Int?) async throws(ControlError) -> InviteReply {
        if let invite = invite(to: session) { return open(invite, minutes: minutes) }
        return try await withCheckedContinuation { continuation in
            // A call that arrives while the key is being derived gets the same code.
            let isFirst = waiting[session] == nil
            var waiting = waiting[session] ?? Waiting()
            waiting.minutes = minutes ?? waiting.minutes
            waiting.calls.append(continuation)
            self.waiting[session] = waiting
            if isFirst { EventLoop.start { [self] in await makeCode(for: session) } }
        }.get()
    }

    private func makeCode(for session: SessionID) async {
        var generator = SystemRandomNumberGenerator()
        var code = JoinCode.random(using: &generator)
        while byHint[code.hint] != nil { code = JoinCode.random(using: &generator) }
        let key: Result<Secret, ControlError>
        do throws(ControlError) {
            key = .success(try await InviteKeyDerivation.derive(code, on: queue))
        } catch {
            key = .failure(error)
        }
        // No calls are left if the invite was closed or the session was left meanwhile.
        guard let waiting = waiting.removeValue(forKey: session) else { return }
        let reply = key.map { key in
            open(Invite(session: session, code: code, key: key), minutes: waiting.minutes)
        }
        for call in waiting.calls { call.resume(returning: reply) }
    }

    private func open(_ invite: Invite, minutes: Int?) -> InviteReply {
        var invite = invite
        invite.extend(minutes)
        byHint[invite.code.hint] = invite
        driver.handle(.inviteChanged(invite.session, isOpen: true))
        let pause = min(invite.closesAt - min(Clock.now.uptime, invite.closesAt) + 1, 1 << 40)
        queue.async(after: .milliseconds(Int(pause))) { [self] in closeExpired() }
        return InviteReply(
            code: invite.code.text,
            expires: Timestamp(milliseconds: invite.expires)
        )
    }

    func closeExpired() {
        let now = Clock.now.uptime
        let expired = byHint.values.filter { $0.closesAt <= now }.map(\.session)
        for session in expired.sorted() {
            log.write(.info, "the invite to \(sessions[session]?.title ?? "") has expired")
            remove(session)
        }
    }

    func close(to session: SessionID) {
        let closed = ControlError(.refused, "the invite was closed meanwhile")
        for call in waiting.removeValue(forKey: session)?.calls ?? [] {
            call.resume(returning: .failure(closed))
        }
        remove(session)
    }

    private func remove(_ session: SessionID) {
        byHint = byHint.filter { $0.value.session != session }
        daemon.knocks.end(of: session)
        driver.handle(.inviteChanged(session, isOpen: false))
    }

    /// Admits a guest that has proven to know the join code.
    func welcome(_ transport: TransportLink, _ hint: String) {
        guard let session = invite(for: hint).flatMap({ sessions[$0.session] }) else {
            return transport.abort()
        }
        log.write(.info, from: .others, "a guest at \(transport.remote) joins \(session.title)")
        admit(transport, to: session)
    }

    /// Sends a session and its key to a guest, and nothing else of the session.
    ///
    /// The two laptops also agree on a key by which they know each other at their next game; it is
    /// stored once the guest has introduced itself.
    func admit(_ transport: TransportLink, to session: Session) {
        let pair = try? SecureRandom.bytes(Int(InviteKey.keyBytes))
        transport.onEvent = { [settings] event in
            guard case .frame(let payload) = event else { return }
            var decoder = PeerMessageDecoder()
            if case .guest(let guest)? = try? decoder.receive(payload), let pair {
                settings.remember(KnownLaptop(guest.device, guest.name, key: pair))
            }
            transport.close()
        }
        queue.async(after: KnockLink.limit) { transport.close() }
        PeerLink(transport).send(
            .welcome(
                Welcome(
                    session: session.id,
                    key: session.facts.key.bytes,
                    title: session.title,
                    game: session.header.game?.description ?? "",
                    inviter: device.name,
                    port: network.port,
                    pair: pair.map { Welcome.Pair(device: device.id, key: $0) }
                )
            )
        )
    }
}

/// Derives the key of a join code, which is slow on purpose.
enum InviteKeyDerivation {
    private static let thread = WorkerThread()

    @EventLoop
    static func derive(
        _ code: JoinCode,
        on target: EventQueue
    ) async throws(ControlError) -> Secret {
        try await target.run(on: thread) {
            Result { () throws(CryptoFailure) in
                try Scrypt.derive(
                    password: InviteKey.password(of: code),
                    salt: InviteKey.salt(of: code),
                    n: cost,
                    r: Int(InviteKey.blockSize),
                    p: Int(InviteKey.parallelism),
                    length: InviteKey.keyBytes
                )
            }
        }.mapError { ControlError(.failed, "the join code: \($0)") }.get()
    }

    #if DEBUG
    /// The cost of scrypt.
    ///
    /// A smaller cost makes tests faster; both sides must use the same one.
    ///
    /// Released programs must not allow it, because it would silently weaken keys.
    private static var cost: Int {
        let chosen = platform_environment("SCORESYNC_TEST_SCRYPT_N")
        return chosen.flatMap { Int(String(cString: $0)) } ?? Int(InviteKey.cost)
    }
    #else
    private static var cost: Int { Int(InviteKey.cost) }
    #endif
}
