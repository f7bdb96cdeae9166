package import SessionCRDT

/// A session that this device is a member of.
package struct SessionRecord: Hashable, Sendable {
    /// The session.
    package let id: SessionID
    /// The session's key, 32 bytes; whoever has it is a member.
    package let key: [UInt8]
    /// When this device joined, in milliseconds since 1970 by its own clock.
    package let joinedAt: UInt64

    /// Whether the key is there; damage can have taken it, and then no member can be linked.
    package var hasKey: Bool { key.count == SessionStore.keyBytes }

    package init(id: SessionID, key: [UInt8], joinedAt: UInt64) {
        self.id = id
        self.key = key
        self.joinedAt = joinedAt
    }
}

extension SessionRecord: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without the key, which must not get into a log.
    package var description: String { "session \(id), joined at \(joinedAt) ms" }

    package var debugDescription: String { description }
}
