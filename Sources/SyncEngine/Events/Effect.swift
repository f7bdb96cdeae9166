package import SessionCRDT
package import SyncProtocol

/// What the engine wants done; the only way out of it.
///
/// Whatever tells a peer or the user about a write comes only after `.persisted` for it.
package enum Effect: Hashable, Sendable {
    /// Write the batch to disk in one transaction; answer with `.persisted` or `.persistFailed`.
    case persist(BatchID, SessionID, Batch)
    /// Read the session from disk again; answer with `.opened` or `.unloadable`.
    case load(SessionID)
    /// Answer the local user's write.
    case reply(RequestID, WriteOutcome)
    /// The session's data was read from disk: what follows from it is derived anew.
    case loaded(SessionID)
    /// What is on disk of the session has changed: what follows from it takes these in.
    case changed(SessionID, [KeyChange])
    /// Who is linked, or how far they are, has changed.
    case peersChanged(SessionID)
    /// A member answered at the address: keep it.
    case remember(SessionID, Endpoint, DeviceID)
    /// Another device has all this on disk: needed to know what may be forgotten.
    case acknowledged(SessionID, VersionVector)

    /// Broadcast this, on all interfaces.
    case announce(Announcement)
    /// Connect with the session's key; answer with `.linked` or `.dialFailed`.
    case dial(SessionID, Endpoint)
    /// Say this to the peer.
    case send(LinkID, PeerMessage)
    /// Close the connection once everything said is on its way; `.unlinked` does not follow.
    case close(LinkID)

    /// Call again with `.timePassed` at this uptime, instead of the time asked for before.
    case wake(at: UInt64)
    /// Tell the user that something is wrong; one that has the same kind and subject replaces it.
    case alarm(EngineAlarm)
    /// Note for who looks for the cause of something.
    case log(LogLevel, String)
}

/// How a local write ended.
package enum WriteOutcome: Hashable, Sendable {
    /// It is on disk.
    case saved
    /// It was not made, and why.
    case failed(reason: String)
    /// It would be too much for one session.
    case full
}

/// Something that the user should know.
package enum EngineAlarm: Hashable, Sendable {
    /// A peer's clock is wrong, or this one's: by so many milliseconds.
    case clockSkew(SessionID, DeviceID, name: String, milliseconds: Int64)
    /// Two daemons run as one device: a home directory was copied.
    case clonedDevice(DeviceID, name: String)
    /// A peer had seen the same and held something else; both were united.
    case digestMismatch(SessionID, DeviceID, name: String)
    /// A peer sends more than a session may hold, so that nothing of it is taken.
    case excess(SessionID, DeviceID, name: String, of: String)
    /// A peer takes nothing more of a session, because it would hold too much.
    case refused(SessionID, DeviceID, name: String)
    /// A peer's delta breaks the rules, so that nothing of it is taken: for this reason.
    case badDelta(SessionID, DeviceID, name: String, reason: String)
    /// A peer says that a delta of this device breaks the rules: for this reason.
    case deltaRefused(SessionID, DeviceID, name: String, reason: String)
    /// The disk refused a write or a read.
    case storage(SessionID, reason: String)
    /// Somebody uses the session's id with another key.
    case wrongKey(SessionID, Endpoint)
    /// A peer speaks only other versions.
    case version(DeviceID, name: String, speaks: ClosedRange<Int>)
}

/// How much a line of the log matters.
package enum LogLevel: Int, Hashable, Comparable, Sendable, CaseIterable {
    /// Every step.
    case debug
    /// What happens to sessions and links.
    case info
    /// What should not happen and does no harm.
    case warning
    /// What went wrong.
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
