import JSONCoding
import SessionCRDT

/// The limits of messages and sessions (`Documentation/PROTOCOL.md` lists them for other clients).
///
/// Lengths of texts are in bytes of UTF-8, sizes of sessions in canonical bytes.
package enum Limits {
    /// The maximum payload of a frame between peers.
    ///
    /// Even the longest text of an entry fits if each of its bytes takes six in JSON.
    package static let frameBytes = 2 << 20
    /// The maximum payload of a frame on the control socket, enough for the sheet of a session of
    /// thousands of cells, or a long history.
    package static let controlFrameBytes = 16 << 20
    /// The length at which a part of a delta is ended.
    package static let deltaPartBytes = 64 << 10
    /// The maximum length of a datagram, small enough for no network to fragment it.
    package static let announcementBytes = 512
    package static let jsonDepth = JSONText.maxDepth
    /// The largest integer that every JSON reader represents exactly: 2⁵³ − 1.
    package static let largestInteger = Value.largestInteger
    package static let textBytes = 4 << 10
    package static let sheetBytes = 256 << 10
    package static let keyBytes = 512
    /// The size at which a device stops writing to a session, apart from its reserve.
    package static let sessionBytes = 32 << 20
    /// The size that every peer accepts: two replicas that each grew to `sessionBytes` while
    /// offline.
    package static let mergedBytes = 2 * sessionBytes
    /// The maximum size of one author's entries; an honest author stops at `sessionBytes` plus the
    /// reserve of each of its runs.
    package static let authorBytes = mergedBytes * 3 / 4
    /// The reserve of each run of a daemon: the bytes that it may write to a session beyond
    /// `sessionBytes`, so that no peer can use up the space of the others.
    package static let reserveBytes = 1 << 20
    /// The maximum growth beyond `mergedBytes` and `authorBytes`, by local writes from the reserve.
    ///
    /// An empty replica accepts that much as well, because it is sent the whole session at once.
    package static let spareBytes = 8 * reserveBytes
    /// The maximum size of a session.
    package static let heldBytes = mergedBytes + spareBytes
    /// The last part of `heldBytes`, in which a user can only finish the game.
    package static let endingBytes = 64 << 10
    /// The maximum size of an assembled delta, which for an empty replica is the whole session.
    package static let deltaBytes = heldBytes
    package static let nameBytes = 128
    package static let features = 32
    package static let errorCodeBytes = 64
    package static let errorTextBytes = 512
    /// The maximum number of bytes queued for a peer; beyond it the link is closed.
    package static let queuedBytes = 1 << 20
    /// The maximum number of messages queued for a peer; beyond it the link is closed.
    package static let queuedMessages = 256
    /// The maximum number of addresses in a message, and of addresses stored for a session.
    package static let addresses = 64
    /// The maximum number of instances in the messages `links` and `reached`.
    package static let linkedInstances = 256
    /// The maximum number of laptops that wait at one laptop to be admitted.
    package static let knocks = 8
    /// The maximum number of actors in a version vector.
    package static let actors = 4608
    /// The maximum number of actors after a delta that has more than `actorsAtOnce` new ones.
    package static let crowdedActors = 4096
    /// The number of new actors up to which a delta may exceed `crowdedActors`.
    package static let actorsAtOnce = 64
}
