import JSONCoding
import SessionCRDT

/// Every bound of the wire, in one place (`Documentation/PROTOCOL.md` lists them for other
/// clients).
package enum Limits {
    /// The longest frame that is read, in bytes, its four bytes of length left out.
    ///
    /// The longest text of an entry fits even where each of its bytes takes six in JSON.
    package static let frameBytes = 2 << 20
    /// The longest frame that a daemon sends to its own user on the control socket, in bytes: the
    /// sheet of a session of many thousand cells, or a long history.
    package static let controlFrameBytes = 16 << 20
    /// The length at which a delta is cut into a further part, in bytes.
    package static let deltaPartBytes = 64 << 10
    /// The longest announcement, in bytes: one datagram that no network fragments.
    package static let announcementBytes = 512
    /// The deepest nesting of JSON arrays and objects that is decoded.
    package static let jsonDepth = JSONText.maxDepth
    /// The largest integer that every JSON reader keeps exactly: 2⁵³ − 1.
    package static let largestInteger = Value.largestInteger
    /// The longest text of one value, in bytes of UTF-8.
    package static let textBytes = 4 << 10
    /// The longest sheet that a session carries, in bytes of UTF-8.
    package static let sheetBytes = 256 << 10
    /// The longest text form of a key, in bytes of UTF-8.
    package static let keyBytes = 512
    /// The size past which a session takes no further writes, in encoded bytes.
    package static let sessionBytes = 32 << 20
    /// The most that a session comes to by what members send, in canonical bytes: two halves that
    /// each grew to `sessionBytes` while they were apart.
    package static let mergedBytes = 2 * sessionBytes
    /// The most of it that one author has written.
    ///
    /// An honest one stops at `sessionBytes` and the reserves of some runs.
    package static let authorBytes = mergedBytes * 3 / 4
    /// What a run of a daemon may still write in a session that is past `sessionBytes`, so that
    /// nobody can take the room of all others.
    package static let reserveBytes = 1 << 20
    /// How far a session grows past `mergedBytes` and `authorBytes`: by what its own users write
    /// into the reserves of some runs, and so for who has nothing yet and is sent all of it.
    package static let spareBytes = 8 * reserveBytes
    /// The most that a session comes to at all, in canonical bytes.
    package static let heldBytes = mergedBytes + spareBytes
    /// The last bytes of `heldBytes`, in which a user only ends the game.
    package static let endingBytes = 64 << 10
    /// The longest delta that is put together, in canonical bytes: all that a session may hold, so
    /// that who has nothing can be sent it.
    package static let deltaBytes = heldBytes
    /// The longest name of a device, in bytes of UTF-8.
    package static let nameBytes = 128
    /// The most features in a hello.
    package static let features = 32
    /// The longest code of an error message, in bytes of UTF-8.
    package static let errorCodeBytes = 64
    /// The longest text of an error message, in bytes of UTF-8.
    package static let errorTextBytes = 512
    /// The most bytes that may wait for one peer before its link is given up.
    package static let queuedBytes = 1 << 20
    /// The most messages that may wait for one peer before its link is given up.
    package static let queuedMessages = 256
    /// The most addresses in one message, and kept for one session.
    package static let addresses = 64
    /// The most runs of daemons in one message about who is linked, or has something.
    package static let linkedInstances = 256
    /// The most actors in one version vector.
    package static let actors = 4608
    /// The most actors that one delta of more than `actorsAtOnce` new ones may lead to.
    package static let crowdedActors = 4096
    /// How many new actors may come at once to the last places.
    package static let actorsAtOnce = 64
}
