import JSONCoding
import SessionCRDT

/// The limits of the wire (`Documentation/PROTOCOL.md` lists them for other clients).
///
/// Lengths of texts are in bytes of UTF-8, sizes of sessions in canonical bytes.
package enum Limits {
    /// The maximum payload of a frame between peers.
    ///
    /// The longest text of an entry fits even if each of its bytes takes six in JSON.
    package static let frameBytes = 2 << 20
    /// The maximum payload of a frame on the control socket: the sheet of a session of many
    /// thousand cells, or a long history.
    package static let controlFrameBytes = 16 << 20
    /// The length at which a part of a delta ends.
    package static let deltaPartBytes = 64 << 10
    /// The maximum length of a datagram, which no network fragments.
    package static let announcementBytes = 512
    package static let jsonDepth = JSONText.maxDepth
    /// The largest integer that every JSON reader keeps exactly: 2⁵³ − 1.
    package static let largestInteger = Value.largestInteger
    package static let textBytes = 4 << 10
    package static let sheetBytes = 256 << 10
    package static let keyBytes = 512
    /// The size at which a session accepts no further writes.
    package static let sessionBytes = 32 << 20
    /// The maximum size that peers accept: two replicas that each reached `sessionBytes` offline.
    package static let mergedBytes = 2 * sessionBytes
    /// The maximum size of one author's entries; an honest author stops at `sessionBytes` plus the
    /// reserves of a few runs.
    package static let authorBytes = mergedBytes * 3 / 4
    /// The bytes that a run of a daemon may still write in a session past `sessionBytes`, so that
    /// no peer can use up the space of all others.
    package static let reserveBytes = 1 << 20
    /// The maximum growth past `mergedBytes` and `authorBytes`, by local writes that use the
    /// reserve.
    ///
    /// An empty replica accepts it, too, because it is sent the whole session.
    package static let spareBytes = 8 * reserveBytes
    /// The maximum size of a session.
    package static let heldBytes = mergedBytes + spareBytes
    /// The last bytes of `heldBytes`, in which a user can only finish the game.
    package static let endingBytes = 64 << 10
    /// The maximum size of an assembled delta: that of a session, for an empty replica.
    package static let deltaBytes = heldBytes
    package static let nameBytes = 128
    package static let features = 32
    package static let errorCodeBytes = 64
    package static let errorTextBytes = 512
    /// The maximum number of bytes queued for a peer; past it the link is closed.
    package static let queuedBytes = 1 << 20
    /// The maximum number of messages queued for a peer; past it the link is closed.
    package static let queuedMessages = 256
    /// The maximum number of addresses in a message, and of a session.
    package static let addresses = 64
    /// The maximum number of runs in `links` and `reached`.
    package static let linkedInstances = 256
    /// The maximum number of actors in a version vector.
    package static let actors = 4608
    /// The maximum number of actors after a delta with more than `actorsAtOnce` new ones.
    package static let crowdedActors = 4096
    /// The maximum number of new actors in a delta past `crowdedActors`.
    package static let actorsAtOnce = 64
}
