import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

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
        /// How long it was to stay open, in minutes.
        var minutes = InviteLife.usual
        /// When it closes, on the uptime clock in milliseconds.
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

    /// Those who wait for the key of a new code.
    struct Waiting {
        /// How long the door is to stay open, as the last of them said who said it.
        var minutes: Int?
        var answers: [Answer<InviteReply>] = []
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

    /// Lets a call wait for the session's new code; whether it is the first, who has it made.
    mutating func wait(
        for session: SessionID,
        _ minutes: Int?,
        _ answer: @escaping Answer<InviteReply>
    ) -> Bool {
        var those = waiting[session] ?? Waiting()
        those.minutes = minutes ?? those.minutes
        those.answers.append(answer)
        waiting[session] = those
        return those.answers.count == 1
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
