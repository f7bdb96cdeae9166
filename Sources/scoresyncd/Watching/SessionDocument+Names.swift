import SessionCRDT

extension [DeviceID: String] {
    /// What a device is called; the beginning of its id until its name has come.
    func name(of device: DeviceID) -> String {
        self[device] ?? "device-\(device.description.prefix(4))"
    }
}

extension SessionDocument {
    /// What a device is called; the beginning of its id until its name has come.
    func name(of device: DeviceID) -> String { devices.name(of: device) }
}
