package import SessionCRDT
package import SyncProtocol

/// An action that the engine requests of the daemon; the only output of the engine.
///
/// Persist before send: an effect that reveals a write to a peer or to the user is emitted only
/// after `.persisted` for that write.
package enum Effect: Hashable, Sendable {
    /// Write the batch to disk in one transaction; answer with `.persisted` or `.persistFailed`.
    case persist(BatchID, SessionID, Batch)
    /// Read the session from disk again; answer with `.opened` or `.loadFailed`.
    case load(SessionID)
    /// Answer the call that submitted a local write.
    case reply(RequestID, WriteOutcome)
    /// The session was read from disk: rebuild everything that is derived from it.
    case loaded(SessionID)
    /// The stored state of the session has changed: update everything derived from it by these
    /// changes.
    case changed(SessionID, [KeyChange])
    /// The linked peers have changed, or what is known of their state.
    case peersChanged(SessionID)
    /// A member has answered at this address: store the address.
    case rememberAddress(SessionID, Endpoint, DeviceID)
    /// Another device has these writes on disk: store the vector, because only those may be pruned
    /// from the journal.
    case acknowledged(SessionID, VersionVector)

    /// A member has answered a laptop that waits here.
    case answerKnock(SessionID, KnockID, KnockAnswer, by: String)

    /// Announce on all interfaces.
    case announce(Announcement)
    /// Connect with the session's key; answer with `.linked` or `.dialFailed`.
    case dial(SessionID, Endpoint)
    case send(LinkID, PeerMessage)
    /// Close the connection after all queued data is sent; `.unlinked` must not follow.
    case close(LinkID)

    /// Call `handle` with `.timePassed` at this uptime, which replaces the time requested before.
    case wake(at: UInt64)
    /// Show the user a problem, in place of an earlier one of the same kind and subject.
    case alarm(EngineAlarm)
    case log(LogLevel, String)
}

package enum WriteOutcome: Hashable, Sendable {
    /// The write is on disk.
    case saved
    case failed(reason: String)
    /// The session has reached its maximum size.
    case sessionFull
}

/// A problem that the user should know about.
package enum EngineAlarm: Hashable, Sendable {
    /// The clock of a peer differs from this device's by this number of milliseconds.
    case clockSkew(SessionID, DeviceID, name: String, milliseconds: Int64)
    /// Two daemons run as the same device, because a home directory was copied.
    case clonedDevice(DeviceID, name: String)
    /// A peer had the same vector but a different state; the two states were united.
    case digestMismatch(SessionID, DeviceID, name: String)
    /// A peer sent more than a session may hold; its deltas are rejected from now on.
    case excess(SessionID, DeviceID, name: String, of: String)
    /// A peer rejects this device's deltas, because the session would grow too large.
    case refused(SessionID, DeviceID, name: String)
    /// A peer sent a malformed delta, which was rejected.
    case badDelta(SessionID, DeviceID, name: String, reason: String)
    case deltaRefused(SessionID, DeviceID, name: String, reason: String)
    case storage(SessionID, reason: String)
    /// A daemon uses the session's id with another key.
    case wrongKey(SessionID, Endpoint)
    /// A peer speaks only other versions of the protocol.
    case version(DeviceID, name: String, speaks: ClosedRange<Int>)
}

package enum LogLevel: Int, Hashable, Comparable, Sendable, CaseIterable {
    case debug, info, warning, error

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
