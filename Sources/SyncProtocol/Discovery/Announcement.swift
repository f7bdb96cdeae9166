package import SessionCRDT

/// What a daemon broadcasts so that others find it: who, where, and which sessions.
///
/// Anybody on the network reads it, so it has no names and nothing derived from a key or a join
/// code. It is a hint: what it claims is checked on the link.
package struct Announcement: Hashable, Sendable {
    /// The lowest and the highest protocol version that the sender speaks.
    package var versions: ClosedRange<Int>
    /// The sender's device.
    package var device: DeviceID
    /// The sender's run.
    package var instance: InstanceID
    /// The TCP port on which the sender listens.
    package var port: UInt16
    /// The sessions that the sender holds, or as many of them as fit.
    package var sessions: [AnnouncedSession]

    package init(
        versions: ClosedRange<Int>,
        device: DeviceID,
        instance: InstanceID,
        port: UInt16,
        sessions: [AnnouncedSession]
    ) {
        self.versions = versions
        self.device = device
        self.instance = instance
        self.port = port
        self.sessions = sessions
    }
}

/// A session in an announcement.
package struct AnnouncedSession: Hashable, Sendable {
    /// The session's public id.
    package let id: SessionID
    /// Whether somebody can join here with a code now.
    package let isInviting: Bool
    /// Whether the sender has just lost somebody without a goodbye: who is linked with it sees to
    /// it that the link is alive.
    package let isSearching: Bool
    /// For a finished session the upper 32 bits of the digest: a peer that holds the same need not
    /// link.
    package let finishedDigest: UInt32?

    package init(
        id: SessionID,
        isInviting: Bool = false,
        isSearching: Bool = false,
        finishedDigest: UInt32? = nil
    ) {
        self.id = id
        self.isInviting = isInviting
        self.isSearching = isSearching
        self.finishedDigest = finishedDigest
    }
}
