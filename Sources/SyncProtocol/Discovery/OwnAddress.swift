/// An address of this machine, and how likely other machines reach it there.
package struct OwnAddress: Encodable, Hashable, Sendable {
    /// The interface, such as `wlan0`.
    package let interface: String
    /// The address as `IPAddress` prints it.
    package let text: String

    private let address: IPAddress
    private let prefixLength: Int

    private enum CodingKeys: String, CodingKey {
        case interface
        case text = "address"
    }

    package init(interface: String, address: IPAddress, prefixLength: Int) {
        (self.interface, self.address, self.prefixLength) = (interface, address, prefixLength)
        text = "\(address)"
    }

    /// The address as the host of a URL (RFC 3986, section 3.2.2).
    package var urlHost: String { isIPv6 ? "[\(text)]" : text }

    /// The address as people type it on another laptop, for a daemon that listens on this port.
    ///
    /// The interface of a link-local address is that of the other laptop.
    package func typed(port: UInt16) -> String {
        let host = address.isLinkLocal ? "\(address.inZone(""))%INTERFACE" : text
        guard port != Ports.standard else { return host }
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private var isIPv6: Bool { address.ipv4 == nil }

    /// Beginnings of the names of interfaces that lead to no other people: tunnels, and the bridges
    /// and networks of containers and virtual machines.
    private static let tunnelPrefixes = [
        "tun", "tap", "wg", "tailscale", "zt", "utun", "ppp", "ipsec", "nordlynx", "proton",
    ]
    private static let containerPrefixes = [
        "docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "lxdbr", "cni", "flannel",
        "podman",
    ]

    /// Whether an interface belongs to containers or virtual machines of this machine.
    package static func isOfContainers(_ interface: String) -> Bool {
        containerPrefixes.contains { interface.hasPrefix($0) }
    }

    /// Whether an interface belongs to a private network over others (VPN).
    package static func isOfTunnel(_ interface: String) -> Bool {
        tunnelPrefixes.contains { interface.hasPrefix($0) }
    }

    private var isVirtual: Bool {
        OwnAddress.isOfTunnel(interface) || OwnAddress.isOfContainers(interface)
    }

    /// Whether one of these machines is in the network of the address, or on its interface.
    private func hears(_ peers: [IPAddress]) -> Bool {
        let network = address.network(prefixLength: prefixLength)
        return peers.contains { peer in
            guard !peer.isLinkLocal else { return peer.zone == interface }
            return (peer.ipv4 == nil) == isIPv6
                && peer.network(prefixLength: prefixLength) == network
        }
    }

    /// Sorts addresses, the one that phones and televisions most likely reach first.
    ///
    /// First come those in a network where other laptops were heard, then those of Wi-Fi or a cable
    /// at home, then others, then virtual ones, which often carry the default route. IPv6 addresses
    /// are left out where the interface has an IPv4 address, which people can type.
    package static func ranked(
        _ addresses: [OwnAddress],
        peers: [String],
        preferring chosen: String? = nil
    ) -> [OwnAddress] {
        let heard = peers.compactMap { Endpoint($0)?.address }
        let withIPv4 = Set(addresses.filter { !$0.isIPv6 }.map(\.interface))
        func rank(_ address: OwnAddress) -> Int {
            if address.text == chosen { return 0 }
            if address.isVirtual { return address.hears(heard) ? 3 : 4 }
            return address.hears(heard) ? 1 : address.address.isPrivate ? 2 : 3
        }
        let ranks = addresses.filter {
            !$0.isIPv6 || $0.text == chosen || !withIPv4.contains($0.interface)
        }.map { ($0, rank($0)) }
        // Stable: the system's order decides between equals, which has IPv4 first.
        return (0...4).flatMap { wanted in ranks.filter { $0.1 == wanted }.map(\.0) }
    }
}
