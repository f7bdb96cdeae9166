/// Who else holds the session.
package struct PeerListReply: Codable, Hashable, Sendable {
    /// The version of the JSON documents.
    package var schema: Int = 1
    /// All known peers, by name.
    package var peers: [PeerSummary]

    package init(peers: [PeerSummary]) {
        self.peers = peers
    }
}

/// Another device, as `peer list` shows it.
package struct PeerSummary: Codable, Hashable, Sendable {
    /// The device's id; null for an address that nobody has answered from.
    @ExplicitNull package var device: String?
    /// The device's name, or the address.
    package var name: String
    /// Where it was last reached.
    @ExplicitNull package var address: String?
    /// Whether it is linked now.
    package var online: Bool
    /// Whether it has seen the same as this device.
    package var synced: Bool
    /// How far its clock is ahead of this one's, in milliseconds.
    @ExplicitNull package var clockSkewMs: Int64?
    /// When it was last linked.
    @ExplicitNull package var lastSeen: Timestamp?

    package init(
        device: String? = nil,
        name: String,
        address: String? = nil,
        online: Bool,
        synced: Bool,
        clockSkewMs: Int64? = nil,
        lastSeen: Timestamp? = nil
    ) {
        self.device = device
        self.name = name
        self.address = address
        self.online = online
        self.synced = synced
        self.clockSkewMs = clockSkewMs
        self.lastSeen = lastSeen
    }
}
