/// The address of a machine, IPv4 or IPv6.
///
/// An IPv4 address is kept in its IPv4-mapped form (RFC 4291, section 2.5.5.2), so that a machine
/// has one address however it was written or received. A link-local IPv6 address (`fe80::/10`)
/// exists once on each network, so it is only complete with its zone: the interface of this machine
/// that leads to that network (RFC 4007).
package struct IPAddress: Hashable, Sendable {
    /// The first and the last 64 bits.
    package let high: UInt64
    package let low: UInt64
    /// The name of the interface of a link-local IPv6 address, such as `eth0`, which has a meaning
    /// on this machine only; empty for other addresses, or if it is not known.
    package let zone: String

    /// Creates an address from its halves; the zone is kept only if the address needs one.
    package init(high: UInt64, low: UInt64, zone: String = "") {
        (self.high, self.low) = (high, low)
        self.zone = IPAddress.isOfOneLink(high) ? zone : ""
    }

    /// Creates an IPv4 address from its number: 192.168.0.7 is `0xC0A8_0007`.
    package init(ipv4 number: UInt32) {
        self.init(high: 0, low: IPAddress.ipv4Mark << 32 | UInt64(number))
    }

    /// The 32 bits before the IPv4 address in an IPv4-mapped one.
    private static let ipv4Mark: UInt64 = 0xFFFF

    /// The number of an IPv4 address; nil for IPv6.
    package var ipv4: UInt32? {
        high == 0 && low >> 32 == IPAddress.ipv4Mark ? UInt32(truncatingIfNeeded: low) : nil
    }

    /// All nodes of a link (RFC 4291, section 2.7.1): every machine with IPv6 listens there.
    package static func allNodes(of interface: String) -> IPAddress {
        IPAddress(high: 0xFF02 << 48, low: 1, zone: interface)
    }

    package static let loopback = IPAddress(ipv4: 0x7F00_0001)

    // The zone is left out, because addresses that differ only there are rare.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }

    // MARK: Kinds

    /// Whether the address is link-local (`fe80::/10`), or of a group of one link (`ff02::/16`).
    private static func isOfOneLink(_ high: UInt64) -> Bool {
        high >> 54 == 0xFE80 >> 6 || high >> 48 == 0xFF02
    }

    /// Whether the address is an IPv6 one that needs a zone.
    package var isLinkLocal: Bool { IPAddress.isOfOneLink(high) }

    /// Whether the address can belong to a single machine: it is not unspecified, of a group, or
    /// reserved (RFC 6890: for IPv4 0.0.0.0/8, 224.0.0.0/4 and 240.0.0.0/4).
    package var isOfOneMachine: Bool {
        if let ipv4 { return (1..<224).contains(ipv4 >> 24) }
        return high >> 56 != 0xFF && (high, low) != (0, 0)
    }

    /// Whether the address is of this machine itself: in 127.0.0.0/8, or `::1`.
    package var isLoopback: Bool {
        if let ipv4 { return ipv4 >> 24 == 127 }
        return (high, low) == (0, 1)
    }

    /// Whether the address is for private networks (RFC 1918, RFC 4193).
    package var isPrivate: Bool {
        guard let ipv4 else { return high >> 57 == 0xFC >> 1 }
        return ipv4 >> 24 == 10 || ipv4 >> 20 == 0xAC1 || ipv4 >> 16 == 0xC0A8
    }

    // MARK: Networks

    /// The first address of the network of this address with a prefix of so many bits, counted as
    /// usual: up to 32 for IPv4, up to 128 for IPv6.
    package func network(prefixLength: Int) -> IPAddress {
        let bits = min(max(0, prefixLength + (ipv4 == nil ? 0 : 96)), 128)
        let highMask = ~(UInt64.max >> UInt64(min(bits, 64)))
        let lowMask = ~(UInt64.max >> UInt64(max(bits - 64, 0)))
        return IPAddress(high: high & highMask, low: low & lowMask, zone: zone)
    }

    /// The addresses that count as one for limits: an address of IPv4, of a link or of loopback
    /// alone, and otherwise a whole /64, of which a machine has as many addresses as it likes.
    package var limitGroup: IPAddress {
        ipv4 != nil || isLinkLocal || isLoopback ? self : network(prefixLength: 64)
    }

    /// Returns this address with another zone, or with none.
    package func inZone(_ zone: String) -> IPAddress {
        IPAddress(high: high, low: low, zone: zone)
    }

    /// Returns this address as a machine at `remote` can use it; nil if it cannot.
    ///
    /// A link-local address is of use only on its own network, and there without this machine's
    /// name of the interface.
    package func sent(to remote: IPAddress) -> IPAddress? {
        guard isLinkLocal else { return self }
        return remote.isLinkLocal && remote.zone == zone ? inZone("") : nil
    }

    /// Returns this address, sent by a machine at `remote`, as this machine can use it; nil if it
    /// cannot.
    ///
    /// A link-local address belongs to the network that leads to the sender.
    package func received(from remote: IPAddress) -> IPAddress? {
        guard isLinkLocal else { return self }
        return remote.isLinkLocal ? inZone(remote.zone) : nil
    }
}

extension IPAddress: Comparable {
    package static func < (left: IPAddress, right: IPAddress) -> Bool {
        (left.high, left.low, left.zone) < (right.high, right.low, right.zone)
    }
}

extension IPAddress: LosslessStringConvertible {
    /// The canonical form (RFC 5952), such as `192.168.0.7`, `2001:db8::7` or `fe80::1%eth0`.
    package var description: String {
        if let ipv4 {
            return "\(ipv4 >> 24).\(ipv4 >> 16 & 255).\(ipv4 >> 8 & 255).\(ipv4 & 255)"
        }
        let groups = (0..<8).map { index in
            UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(48 - index % 4 * 16))
        }
        let text = IPAddress.text(of: groups)
        return zone.isEmpty ? text : "\(text)%\(zone)"
    }

    /// Shortens the longest run of at least two zeros, the first of several.
    private static func text(of groups: [UInt16]) -> String {
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > max(1, longest.count) { longest = start..<end }
            start = end + 1
        }
        func text(_ some: ArraySlice<UInt16>) -> String {
            some.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }

    /// Parses an address in any form of RFC 4291, with a zone only after a link-local one; IPv4 in
    /// canonical form only.
    package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

    init?(_ text: ArraySlice<UInt8>) {
        guard text.contains(UInt8(ascii: ":")) else {
            guard let number = IPAddress.ipv4(text) else { return nil }
            self.init(ipv4: number)
            return
        }
        let mark = text.firstIndex(of: UInt8(ascii: "%"))
        guard let groups = IPAddress.groups(text[..<(mark ?? text.endIndex)]) else { return nil }
        let halves = [groups[..<4], groups[4...]].map { $0.reduce(0) { $0 << 16 | UInt64($1) } }
        var zone = ""
        if let mark {
            let name = text[(mark + 1)...]
            guard IPAddress.isOfOneLink(halves[0]), (1...15).contains(name.count),
                name.allSatisfy(IPAddress.isAllowedInZone)
            else { return nil }
            zone = String(decoding: name, as: UTF8.self)
        }
        self.init(high: halves[0], low: halves[1], zone: zone)
    }

    /// Whether a byte may be in the name of an interface: what Linux allows, in ASCII, without what
    /// has a meaning in addresses.
    private static func isAllowedInZone(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"/:%[]".utf8.contains(byte)
    }

    /// Parses the eight groups of an IPv6 address, of which `::` stands for at least one.
    private static func groups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        let colon = UInt8(ascii: ":")
        let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap else { return plain(text, isLast: true).flatMap { $0.count == 8 ? $0 : nil } }
        guard let left = plain(text[..<gap], isLast: false),
            let right = plain(text[(gap + 2)...], isLast: true), left.count + right.count < 8
        else { return nil }
        return left + [UInt16](repeating: 0, count: 8 - left.count - right.count) + right
    }

    /// Parses groups without a gap, of which the last two may be an IPv4 address.
    private static func plain(_ text: ArraySlice<UInt8>, isLast: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let number = ipv4(part) else { return nil }
                groups += [UInt16(number >> 16), UInt16(truncatingIfNeeded: number)]
            } else {
                guard (1...4).contains(part.count),
                    part.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
                    let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// Parses a dotted address.
    private static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard let byte = Endpoint.number(part, limit: 255) else { return nil }
            address = address << 8 | UInt32(byte)
        }
        return address
    }
}
