package import SyncProtocol

/// What happens on a link.
///
/// Events come on the link's queue, and never from within a call of its owner.
package enum LinkEvent: Sendable {
    /// Both ends have proven to hold the key of this identity; frames may follow.
    case opened(identity: String, remote: Endpoint)
    /// The payload of one frame.
    case frame([UInt8])
    /// Bytes moved although no frame was completed: the peer is alive.
    ///
    /// At most once per second.
    case heard
    /// Something had to wait, and now everything has been given to the kernel.
    case drained
    /// The link is over; always the last event, and exactly one.
    case closed(CloseReason)
}
