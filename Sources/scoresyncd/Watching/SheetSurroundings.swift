import SessionCRDT
import SyncProtocol

/// What only this device knows about a session.
struct SheetSurroundings: Hashable, Sendable {
    /// The player of this device.
    var me: PlayerID?
    /// Who else holds the session.
    var peers: [PeerSummary] = []
    /// Whether the user took this device offline.
    var isOffline = false
    /// How many writes of this device no linked peer is known to have.
    var unsynced = 0
    /// What the user should know beside what the game tells, in sentences.
    var notes: [String] = []
    /// The next game of these people.
    var next: NamedSession?
    /// The current session, where it is neither this one nor the next.
    var inUse: NamedSession?
}
