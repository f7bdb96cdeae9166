/// Asks for the score sheet now, and from then on for what changes, as `watch.event` notifications.
///
/// A connection watches one session: that of its last call.
package struct WatchRequest: ReadingRequest, Hashable {
    package typealias Reply = Done
    package static let method = "watch"

    /// Which session: its id, a beginning of it, or its title; nil is the current one.
    package var session: String?

    package init(session: String? = nil) {
        self.session = session
    }
}
