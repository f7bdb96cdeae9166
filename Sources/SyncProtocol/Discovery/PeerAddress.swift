/// An address as the user types it: `HOST` or `HOST:PORT`.
///
/// The host is a name or an IPv4 address; who dials it resolves it. IPv6 has no broadcast and so no
/// place here.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name or the numeric address, in lower case.
    package let host: String
    /// The TCP port.
    package let port: UInt16

    /// The address in its only spelling, always with the port.
    package var description: String { "\(host):\(port)" }

    /// The numeric endpoint, where the host is an IPv4 address.
    package var endpoint: Endpoint? {
        Endpoint.address(of: Substring(host)).map { Endpoint(address: $0, port: port) }
    }

    /// Reads what the user typed; without a port it means `Ports.standard`.
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

    /// A host name (RFC 1123, underscores allowed because home routers hand them out), or digits
    /// and dots that are an IPv4 address.
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

/// Why what the user typed is no address.
package enum PeerAddressError: Error, Hashable, Sendable {
    /// Two colons or more: an IPv6 address perhaps.
    case tooManyColons
    /// No host, or one with characters that no host has.
    case badHost
    /// Not a number from 1 to 65535.
    case badPort
}

extension PeerAddressError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooManyColons: "an address is HOST or HOST:PORT; IPv6 addresses are not supported"
        case .badHost: "the host is neither a name nor an IPv4 address like 192.168.0.7"
        case .badPort: "the port is not a number from 1 to 65535"
        }
    }
}

extension [UInt8] {
    /// The bytes without spaces and tabs at both ends.
    fileprivate var trimmingSpaces: ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }
}
