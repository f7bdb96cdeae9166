/// A long series of frames that is made while it is sent: a resync of a whole session.
///
/// It waits in a link's queue as one item and is asked for the next payload when the socket has
/// taken the last, so that a large session needs little memory on the way.
package protocol FrameSource: AnyObject {
    /// The payload of the next frame, or nil when there is none left.
    ///
    /// Called on the link's queue; it must not call the link.
    func nextFrame() -> [UInt8]?
}
