package import SessionCRDT

/// This device and this run of its daemon.
package struct Device: Hashable, Sendable {
    /// The device, stable over restarts.
    package let id: DeviceID
    /// This run.
    package let instance: InstanceID
    /// What people call it.
    package internal(set) var name: String

    package init(id: DeviceID, instance: InstanceID, name: String) {
        self.id = id
        self.instance = instance
        self.name = name
    }
}
