package import SessionCRDT
package import SyncProtocol

/// An action that the engine requests of the daemon; the only output of the engine.
///
/// Persist before send: an effect that reveals a write to a peer or to the user comes only after
/// `.persisted` for that write.
package enum Effect: Hashable, Sendable {
    /// Write the batch to disk in one transaction; answer with `.persisted` or `.persistFailed`.
    case persist(BatchID, SessionID, Batch)
    /// Read the session from disk again; answer with `.opened` or `.loadFailed`.
    case load(SessionID)
    /// Answer the local user's write.
    case reply(RequestID, WriteOutcome)
    /// The session was read from disk: everything derived from it must be rebuilt.
    case loaded(SessionID)
    /// The stored state of the session has changed: apply these changes to what is derived from it.
    case changed(SessionID, [KeyChange])
    /// The linked peers, or how much they hold, have changed.
    case peersChanged(SessionID)
    /// A member answered at the address: store it.
    case rememberAddress(SessionID, Endpoint, DeviceID)
    /// Another device has these writes on disk: store the vector, which limits journal pruning.
    case acknowledged(SessionID, VersionVector)

    /// Broadcast on all interfaces.
    case announce(Announcement)
    /// Connect with the session's key; answer with `.linked` or `.dialFailed`.
    case dial(SessionID, Endpoint)
    case send(LinkID, PeerMessage)
    /// Close the connection once all queued data is sent; `.unlinked` does not follow.
    case close(LinkID)

    /// Call `handle` with `.timePassed` at this uptime, instead of at the time requested before.
    case wake(at: UInt64)
    /// Show the user a problem; it replaces an alarm of the same kind and subject.
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
    /// The clocks of a peer and of this device differ by this number of milliseconds.
    case clockSkew(SessionID, DeviceID, name: String, milliseconds: Int64)
    /// Two daemons run as one device: a home directory was copied.
    case clonedDevice(DeviceID, name: String)
    /// A peer had seen the same writes and held a different state; the states were united.
    case digestMismatch(SessionID, DeviceID, name: String)
    /// A peer sends more than a session may hold; all of it is rejected.
    case excess(SessionID, DeviceID, name: String, of: String)
    /// A peer rejects what this device sends, because the session would grow too large.
    case refused(SessionID, DeviceID, name: String)
    /// A peer's delta breaks the rules and was rejected.
    case badDelta(SessionID, DeviceID, name: String, reason: String)
    /// A peer says that a delta of this device breaks the rules.
    case deltaRefused(SessionID, DeviceID, name: String, reason: String)
    /// A write to disk or a read failed.
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
