internal import SyncProtocol

/// An IPv4 address of this machine that other machines can reach.
package struct OwnAddress: Encodable, Hashable, Sendable {
    /// The interface, such as `wlan0`.
    package let interface: String
    /// The address in dotted form.
    package let text: String

    private let number: UInt32
    private let netmask: UInt32

    private enum CodingKeys: String, CodingKey {
        case interface
        case text = "address"
    }

    /// Creates an address of an interface, with both numbers in host byte order.
    package init(interface: String, address: UInt32, netmask: UInt32) {
        (self.interface, number, self.netmask) = (interface, address, netmask)
        text = Endpoint(address: address, port: 0).host
    }

    /// Beginnings of the names of interfaces that lead to no other people: tunnels, bridges and
    /// networks of containers and virtual machines.
    private static let virtualPrefixes = [
        "tun", "tap", "wg", "tailscale", "zt", "utun", "ppp", "ipsec", "docker", "br-", "veth",
        "virbr", "vmnet", "vboxnet", "lxc", "lxdbr", "cni", "flannel", "podman",
    ]

    /// Whether one of these machines is in the network of the address.
    private func hears(_ peers: [UInt32]) -> Bool {
        peers.contains { $0 & netmask == number & netmask }
    }

    private var isVirtual: Bool {
        OwnAddress.virtualPrefixes.contains { interface.hasPrefix($0) }
    }

    /// Whether the address is for private networks (RFC 1918).
    private var isPrivate: Bool {
        number >> 24 == 10 || number >> 20 == 0xAC1 || number >> 16 == 0xC0A8
    }

    /// Sorts addresses, the one that phones and televisions most likely reach first: in a network
    /// where other laptops were heard, then of Wi-Fi or a cable at home, then others, then virtual
    /// ones, which often carry the default route.
    package static func ranked(
        _ addresses: [OwnAddress],
        peers: [String],
        preferring chosen: String? = nil
    ) -> [OwnAddress] {
        let heard = peers.compactMap { Endpoint($0)?.address }
        func rank(_ address: OwnAddress) -> Int {
            if address.text == chosen { return 0 }
            if address.isVirtual { return address.hears(heard) ? 3 : 4 }
            return address.hears(heard) ? 1 : address.isPrivate ? 2 : 3
        }
        let ranks = addresses.map { ($0, rank($0)) }
        // Stable: the system's order decides between equals.
        return (0...4).flatMap { wanted in ranks.filter { $0.1 == wanted }.map(\.0) }
    }
}
