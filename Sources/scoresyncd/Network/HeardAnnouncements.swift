import SessionCRDT

/// When announcements were heard, for who asks whether broadcasts come through.
///
/// Anybody can announce anything, so only a few are kept; whoever floods the network can make this
/// device forget that it has heard others, and nothing else.
struct HeardAnnouncements {
    /// How many devices, and how many addresses of this one, are remembered.
    static let most = 64

    /// When this daemon's own came back, by the address that they were sent from.
    private var echoes: [UInt32: UInt64] = [:]
    /// When those of devices that hold a session of this one came.
    private var devices: [DeviceID: UInt64] = [:]
    /// When the last of anybody else came.
    private(set) var lastOfOthers: UInt64?

    /// Notes that an own announcement came back.
    mutating func hearOwn(from address: UInt32, at uptime: UInt64) {
        HeardAnnouncements.note(&echoes, address, uptime)
    }

    /// Notes that somebody else's came.
    mutating func hear(_ device: DeviceID, sharesSession: Bool, at uptime: UInt64) {
        lastOfOthers = uptime
        if sharesSession { HeardAnnouncements.note(&devices, device, uptime) }
    }

    /// Whether an own one came back from an address since then.
    func hasEcho(from address: UInt32, since uptime: UInt64) -> Bool {
        echoes[address].map { $0 >= uptime } ?? false
    }

    /// When a device that shares a session was heard last.
    subscript(device: DeviceID) -> UInt64? { devices[device] }

    private static func note<Key: Hashable & Comparable>(
        _ times: inout [Key: UInt64],
        _ key: Key,
        _ uptime: UInt64
    ) {
        times[key] = uptime
        guard times.count > most else { return }
        let oldest = times.min { ($0.value, $0.key) < ($1.value, $1.key) }
        if let oldest { times[oldest.key] = nil }
    }
}
