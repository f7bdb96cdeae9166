import CPlatform
import Descriptors
import Dispatch
import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The door to a session, from the inside: owns the invites that are open, and hands the key to
/// whoever proves to know a code.
@EventLoop
final class Invites: DaemonPart {
    private var doors = OpenInvites()

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// The wall-clock time at which the open invite of a session expires, in milliseconds.
    func expiry(of session: SessionID) -> UInt64? {
        doors.invite(to: session, at: Clock.now.uptime)?.expires
    }

    /// The key for the hint of a code, while its invite is open.
    func key(for hint: String) -> Secret? { doors.key(for: hint, at: Clock.now.uptime) }

    /// Opens an invite; an open one keeps its code and closes later: after the given minutes, else
    /// those that it was opened with.
    func open(_ session: SessionID, minutes: Int?) async throws(ControlError) -> InviteReply {
        if var invite = doors.invite(to: session, at: Clock.now.uptime) {
            invite.stayOpen(minutes, from: Clock.now)
            return open(invite)
        }
        return try await withCheckedContinuation { continuation in
            // A second call while the key is derived gets the same code.
            guard doors.wait(for: session, minutes, continuation) else { return }
            EventLoop.start { [self] in await makeCode(for: session) }
        }.get()
    }

    private func makeCode(for session: SessionID) async {
        var generator = SystemRandomNumberGenerator()
        var code = JoinCode.random(using: &generator)
        while doors.isTaken(code.hint) { code = JoinCode.random(using: &generator) }
        let key: Result<Secret, ControlError>
        do throws(ControlError) { key = .success(try await CodeKey.derive(code, on: queue)) } catch
        {
            key = .failure(error)
        }
        // No call waits if the invite was closed or the session left meanwhile.
        guard let waiting = doors.stopWaiting(for: session) else { return }
        let opened = key.map { key in
            var invite = OpenInvites.Invite(session: session, code: code, key: key)
            invite.stayOpen(waiting.minutes, from: Clock.now)
            return open(invite)
        }
        for call in waiting.calls { call.resume(returning: opened) }
    }

    private func open(_ invite: OpenInvites.Invite) -> InviteReply {
        doors.open(invite)
        driver.handle(.inviteChanged(invite.session, isOpen: true))
        queue.async(after: .milliseconds(invite.remaining)) {
            [self] in closeExpired()
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
            driver.handle(.inviteChanged(session, isOpen: false))
        }
    }

    /// Closes the door to a session.
    func close(to session: SessionID) {
        let closed = ControlError(.refused, "the invite was closed meanwhile")
        for call in doors.stopWaiting(for: session)?.calls ?? [] {
            call.resume(returning: .failure(closed))
        }
        doors.close(session)
        driver.handle(.inviteChanged(session, isOpen: false))
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
                    inviter: driver.engine.device.name,
                    port: port
                )
            )
        )
        transport.close()
    }
}

extension OpenInvites.Invite {
    /// The remaining time in milliseconds.
    fileprivate var remaining: Int {
        let now = Clock.now.uptime
        return closesAt > now ? Int(min(closesAt - now + 1, 1 << 40)) : 0
    }
}

/// The invites that are open on this device: owns their codes, and who waits for one.
///
/// They live in memory only: a daemon that was restarted has closed its doors.
struct OpenInvites {
    /// One open door.
    struct Invite {
        let session: SessionID
        let code: JoinCode
        /// The key that the code gives, 32 bytes.
        let key: Secret
        /// The lifetime in minutes.
        var minutes = InviteLife.usual
        /// The uptime at which it expires, in milliseconds.
        var closesAt: UInt64 = 0
        /// The same on the wall clock.
        var expires: UInt64 = 0

        /// Moves its end so many minutes away; nil is as many as it was given.
        mutating func stayOpen(_ asked: Int?, from now: Moment) {
            minutes = asked ?? minutes
            let lasts = UInt64(max(0, minutes)) * 60_000
            closesAt = now.uptime + lasts
            expires = now.wall + lasts
        }
    }

    typealias Call = CheckedContinuation<Result<InviteReply, ControlError>, Never>

    /// The calls that wait for the key of a new code.
    struct Waiting {
        /// The lifetime that the last of them asked for.
        var minutes: Int?
        var calls: [Call] = []
    }

    private var byHint: [String: Invite] = [:]
    private var waiting: [SessionID: Waiting] = [:]

    /// The key for a hint, while its invite is open.
    func key(for hint: String, at uptime: UInt64) -> Secret? {
        invite(for: hint, at: uptime)?.key
    }

    /// The invite of a hint, while it is open.
    func invite(for hint: String, at uptime: UInt64) -> Invite? {
        byHint[hint].flatMap { $0.closesAt > uptime ? $0 : nil }
    }

    /// The open invite of a session.
    func invite(to session: SessionID, at uptime: UInt64) -> Invite? {
        byHint.values.first { $0.session == session && $0.closesAt > uptime }
    }

    /// Whether a code with this hint would be mistaken for another one of this device.
    func isTaken(_ hint: String) -> Bool { byHint[hint] != nil }

    /// Lets a call wait for the session's new code, and returns whether it is the first.
    mutating func wait(for session: SessionID, _ minutes: Int?, _ call: Call) -> Bool {
        var those = waiting[session] ?? Waiting()
        those.minutes = minutes ?? those.minutes
        those.calls.append(call)
        waiting[session] = those
        return those.calls.count == 1
    }

    /// Ends the waiting for the session's new code; returns who waited.
    mutating func stopWaiting(for session: SessionID) -> Waiting? {
        waiting.removeValue(forKey: session)
    }

    /// Opens a door, or moves the time at which it closes.
    mutating func open(_ invite: Invite) { byHint[invite.code.hint] = invite }

    /// Closes the door to a session.
    mutating func close(_ session: SessionID) {
        byHint = byHint.filter { $0.value.session != session }
    }

    /// Closes what is over; returns the sessions whose door closed.
    mutating func closeExpired(at uptime: UInt64) -> [SessionID] {
        let expired = byHint.values.filter { $0.closesAt <= uptime }.map(\.session)
        for session in expired { close(session) }
        return expired.sorted()
    }
}

/// Makes the key of a join code, which is slow on purpose.
enum CodeKey {
    private static let queue = DispatchQueue(label: "scoresync.code-key", qos: .userInitiated)

    /// Derives the key in parallel to everything else.
    @EventLoop
    static func derive(
        _ code: JoinCode,
        on target: EventQueue
    ) async throws(ControlError) -> Secret {
        try await target.run(on: queue) {
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
    /// A smaller cost, so that tests need not wait; both sides must have the same.
    ///
    /// No program that is released has it: it would make keys weak without a word.
    private static var cost: Int {
        let chosen = platform_environment("SCORESYNC_TEST_SCRYPT_N")
        return chosen.flatMap { Int(String(cString: $0)) } ?? Int(InviteKey.cost)
    }
    #else
    private static var cost: Int { Int(InviteKey.cost) }
    #endif
}
