/// The address of a peer: an IPv4 or IPv6 address and a port.
///
/// Host names that the user typed are resolved to endpoints before they are used.
package struct Endpoint: Hashable, Comparable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package init(address: IPAddress, port: UInt16) { (self.address, self.port) = (address, port) }

    /// Creates an endpoint from the number of an IPv4 address: 192.168.0.7 is `0xC0A8_0007`.
    package init(address: UInt32, port: UInt16) {
        self.init(address: IPAddress(ipv4: address), port: port)
    }

    package static func < (left: Endpoint, right: Endpoint) -> Bool {
        (left.address, left.port) < (right.address, right.port)
    }
}

extension Endpoint: LosslessStringConvertible {
    /// `192.168.0.7:47615` or `[fe80::7%eth0]:47615`.
    package var description: String {
        address.ipv4 == nil ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// Parses a numeric address with a port.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = bytes[..<colon]
        let isIPv6 = host.contains(UInt8(ascii: ":"))
        if isIPv6 {
            guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else {
                return nil
            }
            host = host.dropFirst().dropLast()
        }
        guard let address = IPAddress(host),
            let port = Endpoint.number(bytes[(colon + 1)...], limit: 65_535), port > 0
        else { return nil }
        self.init(address: address, port: UInt16(port))
    }

    /// Parses a decimal number without leading zeros.
    static func number(_ digits: ArraySlice<UInt8>, limit: Int) -> Int? {
        guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1
        else { return nil }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number <= limit ? number : nil
    }
}

/// An address as the user types it: `HOST` or `HOST:PORT`, where an IPv6 address is in brackets if a
/// port follows.
///
/// The host is a name, which is resolved when the address is used, or a numeric address.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name in lower case, or the numeric address in canonical form.
    package let host: String
    package let port: UInt16

    /// The canonical form, which always includes the port.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The endpoint if the host is numeric, otherwise nil.
    package var endpoint: Endpoint? { IPAddress(host).map { Endpoint(address: $0, port: port) } }

    /// Parses user input; the port defaults to `Ports.standard`.
    package init(parsing text: String) throws(PeerAddressError) {
        let typed = Array(text.utf8).trimmingSpaces
        let colon = UInt8(ascii: ":")
        if typed.first == UInt8(ascii: "[") {
            guard let end = typed.firstIndex(of: UInt8(ascii: "]")) else { throw .badIPv6 }
            host = try PeerAddress.ipv6(typed[..<end].dropFirst())
            let rest = typed[(end + 1)...]
            guard rest.isEmpty || rest.first == colon else { throw .badIPv6 }
            port = try rest.isEmpty ? Ports.standard : PeerAddress.port(rest.dropFirst())
        } else if typed.count(where: { $0 == colon }) > 1 {
            host = try PeerAddress.ipv6(typed)
            port = Ports.standard
        } else {
            let halves = typed.split(separator: colon, omittingEmptySubsequences: false)
            host = try PeerAddress.host(halves[0])
            port = try halves.count == 2 ? PeerAddress.port(halves[1]) : Ports.standard
        }
    }

    private static func ipv6(_ bytes: ArraySlice<UInt8>) throws(PeerAddressError) -> String {
        guard bytes.contains(UInt8(ascii: ":")), let address = IPAddress(bytes)
        else { throw .badIPv6 }
        guard !address.isLinkLocal || !address.zone.isEmpty else { throw .noInterface }
        return "\(address)"
    }

    /// Parses a host name (RFC 1123, plus underscores, which home routers use) or an IPv4 address.
    private static func host(_ bytes: ArraySlice<UInt8>) throws(PeerAddressError) -> String {
        guard (1...253).contains(bytes.count) else { throw .badHost }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        for label in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard (1...63).contains(label.utf8.count), label.utf8.first != UInt8(ascii: "-"),
                label.utf8.last != UInt8(ascii: "-"), label.utf8.allSatisfy(isAllowed)
            else { throw .badHost }
        }
        let isNumeric = text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
        guard !isNumeric || IPAddress(text) != nil else { throw .badHost }
        return text
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(PeerAddressError) -> UInt16 {
        guard digits.allSatisfy(isDigit),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { throw .badPort }
        return port
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

package enum PeerAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case badIPv6
    /// The address is link-local, and lacks the interface.
    case noInterface
    case badHost, badPort

    package var description: String {
        switch self {
        case .badIPv6: "not an IPv6 address like 2001:db8::7 or, with a port, [2001:db8::7]:47615"
        case .noInterface:
            "a link-local address needs the interface that leads to it, as in fe80::7%wlan0"
        case .badHost: "the host is neither a name nor an address like 192.168.0.7 or 2001:db8::7"
        case .badPort: "the port is not a number from 1 to 65535"
        }
    }
}

extension [UInt8] {
    fileprivate var trimmingSpaces: ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }
}

package enum Ports {
    package static let discovery: UInt16 = 47_615
    /// The TCP port that a daemon tries first, and the default of typed addresses.
    package static let standard: UInt16 = 47_615
    /// The TCP ports that a daemon tries in order.
    package static let listening: ClosedRange<UInt16> = 47_615...47_634

    /// Whether a port that another device announced may be dialled; typed ports are always dialled.
    ///
    /// The check keeps forged announcements from making daemons connect to a printer or a web
    /// server.
    package static func mayDial(named port: UInt16) -> Bool { listening.contains(port) }
}
