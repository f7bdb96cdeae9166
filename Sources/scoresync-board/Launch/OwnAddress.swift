import CPlatform
import SyncProtocol

/// An address of this machine at which others can reach it.
struct OwnAddress: Hashable {
    /// The interface, such as `wlan0`.
    let interface: String
    /// The address as people write it.
    let text: String

    /// This machine alone.
    static let loopback: UInt32 = 0x7F00_0001
    /// Every address of this machine.
    static let any: UInt32 = 0

    /// Those of the interfaces that are up, loopback apart; first the one by which this machine
    /// reaches other networks, where the room's phones and televisions are as well.
    static func all() -> [OwnAddress] {
        var found = [platform_interface](repeating: platform_interface(), count: 64)
        let count = unsafe platform_interfaces(&found, Int32(found.count))
        let usable = found.prefix(max(0, Int(count))).filter { $0.is_up && !$0.is_loopback }
        var outgoing: UInt32 = 0
        _ = unsafe platform_outgoing_address(&outgoing)
        return (usable.filter { $0.address == outgoing } + usable.filter { $0.address != outgoing })
            .map { each in
                let host = Endpoint(address: each.address, port: 0).host
                return OwnAddress(interface: name(of: each), text: host)
            }
    }

    private static func name(of interface: platform_interface) -> String {
        unsafe withUnsafeBytes(of: interface.name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
