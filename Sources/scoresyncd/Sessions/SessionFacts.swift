import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// What this device knows of a session beside its data, as it stands in the store.
struct SessionFacts: Sendable {
    /// The key, 32 bytes; whoever has it is a member.
    var key: Secret
    /// When it was created or joined here, in milliseconds since 1970.
    let joinedAt: UInt64
    /// The player of this device.
    var me: PlayerID?
    /// The addresses of its members.
    var addresses: [Endpoint: StoredAddress] = [:]
    /// The computer players for which this device moves.
    var computers = OwnComputers()
    /// The commands that were undone, and the undoing ones.
    var undone = UndoneCommands()
    /// What other devices have on disk, as it was last noted.
    var acknowledged = VersionVector()
    /// The next sessions that were begun or taken up here; each counts, also when it was left.
    var successors: [SessionID] = []
    /// The session from which this device came here by itself, through next games of which nobody
    /// here has used one; nil once somebody has used this one.
    var origin: SessionID?

    init(key: [UInt8], joinedAt: UInt64) {
        self.key = Secret(key)
        self.joinedAt = joinedAt
    }

    /// Whether the key is there: where damage took it, nobody can be linked until this device is
    /// let in again.
    var hasKey: Bool { key.count == SessionStore.keyBytes }

    /// The addresses of its members as the engine takes them, in their order.
    var knownAddresses: [KnownAddress] {
        addresses.sorted { $0.key < $1.key }.map { endpoint, address in
            KnownAddress(endpoint: endpoint, device: address.device, isTyped: address.isTyped)
        }
    }

    /// Notes that a device was there until now.
    mutating func see(_ device: DeviceID, at wallMilliseconds: UInt64) {
        for (endpoint, address) in addresses where address.device == device {
            addresses[endpoint] = StoredAddress(
                address: address.address,
                device: device,
                lastAuthenticated: wallMilliseconds,
                isTyped: address.isTyped
            )
        }
    }
}

/// A session that is stored here and whose data cannot be read now.
struct UnreadableSession: Sendable {
    let id: SessionID
    let facts: SessionFacts
    let reason: String
}

/// A session with its data, as it was stored.
struct LoadedSession: Sendable {
    let id: SessionID
    let facts: SessionFacts
    let opened: OpenedSession
}
