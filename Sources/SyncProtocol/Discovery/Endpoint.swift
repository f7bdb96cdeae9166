/// The address of a peer: an IPv4 address and a port.
///
/// Only IPv4 is supported, because IPv6 has no broadcasts. Host names that the user typed are
/// resolved to endpoints before they are used.
package struct Endpoint: Hashable, Comparable, Sendable {
    /// The address in host byte order: 192.168.0.1 is `0xC0A8_0001`.
    package let address: UInt32
    package let port: UInt16

    package init(address: UInt32, port: UInt16) { (self.address, self.port) = (address, port) }

    /// The address in dotted form, without the port.
    package var host: String {
        "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
    }

    /// Whether the address can belong to a single machine: it is not in "this network" (0.0.0.0/8),
    /// multicast (224.0.0.0/4) or reserved (240.0.0.0/4, including 255.255.255.255; RFC 6890).
    package var isOfOneMachine: Bool { (1..<224).contains(address >> 24) }

    /// Whether the address is in 127.0.0.0/8.
    package var isLoopback: Bool { address >> 24 == 127 }

    package static func < (left: Endpoint, right: Endpoint) -> Bool {
        (left.address, left.port) < (right.address, right.port)
    }
}

extension Endpoint: LosslessStringConvertible {
    /// `192.168.0.7:47615`.
    package var description: String { "\(host):\(port)" }

    /// Parses a numeric address of the form `A.B.C.D:PORT`.
    package init?(_ text: String) {
        let halves = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard halves.count == 2, let address = Endpoint.address(of: Substring(halves[0])),
            let port = Endpoint.number(Substring(halves[1]), limit: 65_535), port > 0
        else { return nil }
        self.init(address: address, port: UInt16(port))
    }

    /// Parses a dotted address, in host byte order.
    package static func address(of text: Substring) -> UInt32? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard let byte = number(Substring(part), limit: 255) else { return nil }
            address = address << 8 | UInt32(byte)
        }
        return address
    }

    /// Parses a decimal number without leading zeros.
    private static func number(_ text: Substring, limit: Int) -> Int? {
        let digits = text.utf8
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

/// An address as the user types it: `HOST` or `HOST:PORT`.
///
/// The host is a name, which is resolved before each dial, or an IPv4 address. IPv6 is not
/// supported.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name or the numeric address, in lower case.
    package let host: String
    package let port: UInt16

    /// The canonical form, which always includes the port.
    package var description: String { "\(host):\(port)" }

    /// The endpoint if the host is an IPv4 address, otherwise nil.
    package var endpoint: Endpoint? {
        Endpoint.address(of: Substring(host)).map { Endpoint(address: $0, port: port) }
    }

    /// Parses user input; the port defaults to `Ports.standard`.
    package init(parsing text: String) throws(PeerAddressError) {
        let typed = Array(text.utf8).trimmingSpaces
        let halves = typed.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard halves.count <= 2 else { throw .tooManyColons }
        host = try PeerAddress.host(halves[0])
        port = try halves.count == 2 ? PeerAddress.port(halves[1]) : Ports.standard
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
        guard !isNumeric || Endpoint.address(of: Substring(text)) != nil else { throw .badHost }
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
    /// The address has more than one colon; it may be IPv6.
    case tooManyColons
    case badHost, badPort

    package var description: String {
        switch self {
        case .tooManyColons: "an address is HOST or HOST:PORT; IPv6 addresses are not supported"
        case .badHost: "the host is neither a name nor an IPv4 address like 192.168.0.7"
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
