package import SessionCRDT
package import SyncProtocol

/// What the engine knows about a peer, for people to look at.
package struct PeerStatus: Hashable, Sendable {
    /// The device.
    package let device: DeviceID
    /// What people call it.
    package let name: String
    /// Where it listens.
    package let endpoint: Endpoint
    /// How far its clock is ahead, in milliseconds.
    package let skew: Int64
    /// On which side of the link this device is.
    package let side: LinkSide
    /// When it was opened, by the uptime of this run.
    package let linkedAt: UInt64
    /// Whether it has on disk what this device has on disk, and nothing else.
    package let isSynced: Bool
}
