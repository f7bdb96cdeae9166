import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// What this device knows of a session beside its data.
struct HeldSession: Sendable {
    /// The key, 32 bytes; whoever has it is a member.
    let key: [UInt8]
    /// When it was created or joined here, in milliseconds since 1970.
    let joinedAt: UInt64
    /// The player of this device.
    var me: PlayerID?
    /// The addresses of its members.
    var book: [Endpoint: StoredAddress] = [:]
    /// How far the next `undo` has come; nil after a write.
    var undone: UndoMark?
    /// The last acknowledged vector that is on disk.
    var savedAcknowledged = VersionVector()
    /// What a session is called until its data has come.
    var greeting: String?
}

/// How far undoing has come.
struct UndoMark: Hashable, Sendable {
    /// Only lines of the journal before this one are undone next.
    let line: Int64
}

/// A session with its data, as it was stored.
struct LoadedSession: Sendable {
    let id: SessionID
    let held: HeldSession
    let opened: OpenedSession
}
