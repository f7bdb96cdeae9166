package import SessionCRDT
package import SyncProtocol

/// The uptimes of announcements, from which `scorectl doctor` concludes whether broadcasts work.
///
/// Anyone can announce anything, so only a few are stored. The only effect of a flood is that this
/// device may forget that it has heard other devices.
package struct HeardAnnouncements {
    package static let maxCount = 64

    /// The times at which announcements of this device came back, by source address.
    private var echoes = BoundedTable<IPAddress, UInt64>(maxCount: maxCount)
    /// The times of announcements of devices that share a session with this one.
    private var devices = BoundedTable<DeviceID, UInt64>(maxCount: maxCount)
    /// The time of the last announcement of any other device.
    package private(set) var lastOfOthers: UInt64?

    package init() {}

    /// Records that an announcement of this device came back.
    package mutating func receiveOwn(from address: IPAddress, at uptime: UInt64) {
        echoes[address] = uptime
    }

    package mutating func receive(_ device: DeviceID, sharesSession: Bool, at uptime: UInt64) {
        lastOfOthers = uptime
        if sharesSession { devices[device] = uptime }
    }

    /// Whether an announcement of this device came back from an address since an uptime.
    package func hasEcho(from address: IPAddress, since uptime: UInt64) -> Bool {
        echoes[address].map { $0 >= uptime } ?? false
    }

    package subscript(device: DeviceID) -> UInt64? { devices[device] }
}

/// A dictionary of limited size, which drops the value that was set first.
package struct BoundedTable<Key: Hashable, Value> {
    package let maxCount: Int
    private var items: [Key: (value: Value, order: UInt64)] = [:]
    private var lastOrder: UInt64 = 0

    package init(maxCount: Int) { self.maxCount = maxCount }

    package subscript(key: Key) -> Value? {
        get { items[key]?.value }
        set {
            lastOrder += 1
            items[key] = newValue.map { ($0, lastOrder) }
            guard items.count > maxCount else { return }
            let oldest = items.min { $0.value.order < $1.value.order }
            if let oldest { items[oldest.key] = nil }
        }
    }

    package var isEmpty: Bool { items.isEmpty }
    package var values: some Sequence<Value> { items.values.lazy.map(\.value) }
    package mutating func removeAll() { items = [:] }
}
