/// An event, and when it happens.
package struct Happening: Hashable, Codable, Sendable {
    /// Milliseconds of virtual time.
    package let at: UInt64
    /// What happens.
    package let event: Event

    /// An event at a time.
    package init(at: UInt64, _ event: Event) {
        self.at = at
        self.event = event
    }
}
