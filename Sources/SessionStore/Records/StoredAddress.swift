package import SessionCRDT

/// Where members of a session have been reached, or may be.
package struct StoredAddress: Hashable, Sendable {
    /// The address, as `A.B.C.D:PORT`.
    package let address: String
    /// The device that answered there last.
    package let device: DeviceID?
    /// When it last proved that it is a member, in milliseconds since 1970 by this device's clock.
    package let lastAuthenticated: UInt64?
    /// Whether the user typed it.
    package let isTyped: Bool

    package init(
        address: String,
        device: DeviceID? = nil,
        lastAuthenticated: UInt64? = nil,
        isTyped: Bool = false
    ) {
        self.address = address
        self.device = device
        self.lastAuthenticated = lastAuthenticated
        self.isTyped = isTyped
    }
}
