import PeerTransport
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The limits of knocks: how many wait, how often an address knocks, and who is muted.
///
/// The users of a machine share its loopback address, so only their laptops are limited. Addresses
/// count by their `IPAddress.limitGroup`.
struct KnockLimits {
    /// The number of knocks of an address within a minute.
    static let perMinute = 2

    /// A laptop that knocks, and its address.
    struct Source {
        let device: DeviceID
        let address: IPAddress

        init(device: DeviceID, address: IPAddress) {
            (self.device, self.address) = (device, address.limitGroup)
        }
    }

    /// The uptimes of the latest knocks by address, in milliseconds.
    private var latest = BoundedTable<IPAddress, [UInt64]>(maxCount: 256)
    private var mutedDevices: [DeviceID: SessionID] = [:]
    private var mutedAddresses: [IPAddress: SessionID] = [:]

    /// Whether a laptop may knock while others wait; counts the attempt.
    mutating func allow(
        _ source: Source,
        beside waiting: [Source],
        at now: UInt64 = Clock.now.uptime
    ) -> Bool {
        guard waiting.count < Limits.knocks, mutedDevices[source.device] == nil,
            !waiting.contains(where: { $0.device == source.device })
        else { return false }
        guard !source.address.isLoopback else { return true }
        let address = source.address
        let recent = (latest[address] ?? []).filter { $0 + 60_000 > now }
        latest[address] = recent.suffix(KnockLimits.perMinute - 1) + [now]
        return recent.count < KnockLimits.perMinute && mutedAddresses[address] == nil
            && !waiting.contains { $0.address == address }
    }

    /// Refuses the knocks of a laptop as long as the session's invite is open.
    mutating func mute(_ source: Source, in session: SessionID) {
        mutedDevices[source.device] = session
        if !source.address.isLoopback { mutedAddresses[source.address] = session }
    }

    /// Forgets the muted laptops of a session.
    mutating func unmute(in session: SessionID) {
        mutedDevices = mutedDevices.filter { $0.value != session }
        mutedAddresses = mutedAddresses.filter { $0.value != session }
    }
}
