/// Asks who else holds the session, online or not.
package struct PeerListRequest: ReadingRequest, Hashable {
    package typealias Reply = PeerListReply
    package static let method = "peer.list"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?

    package init(session: String? = nil) {
        self.session = session
    }
}

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

/// Adds an address to those of a session, for networks without broadcast.
package struct PeerAddRequest: ControlRequest, Hashable {
    package typealias Reply = Done
    package static let method = "peer.add"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// `HOST` or `HOST:PORT`.
    package var address: String

    package init(session: String? = nil, address: String) {
        self.session = session
        self.address = address
    }
}

/// Removes an address from those of a session.
package struct PeerRemoveRequest: ControlRequest, Hashable {
    package typealias Reply = Done
    package static let method = "peer.remove"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?
    /// The address as `peer list` shows it.
    package var address: String

    package init(session: String? = nil, address: String) {
        self.session = session
        self.address = address
    }
}
