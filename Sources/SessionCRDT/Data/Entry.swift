/// One thing that was written, once and for all: an entry never changes, it is only replaced.
package struct Entry: Hashable, Sendable {
    /// The name of this write.
    package let dot: Dot
    /// When it was written, by the writer's hybrid clock.
    package let stamp: Stamp
    /// The device that wrote it.
    package let author: DeviceID
    /// What it says.
    package let value: Value

    package init(dot: Dot, stamp: Stamp, author: DeviceID, value: Value) {
        self.dot = dot
        self.stamp = stamp
        self.author = author
        self.value = value
    }
}
