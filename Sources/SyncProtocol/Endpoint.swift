/// Where a peer can be reached: an IPv4 address and a TCP port.
///
/// Broadcast, by which devices find each other, exists in IPv4 only; a name that the user typed is
/// resolved to one before it becomes an endpoint.
package struct Endpoint: Hashable, Comparable, Sendable {
    /// The address in host byte order: 192.168.0.1 is `0xC0A8_0001`.
    package let address: UInt32
    /// The TCP or UDP port.
    package let port: UInt16

    /// The endpoint at an address (host byte order) and a port.
    package init(address: UInt32, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The address in dotted form, without the port.
    package var host: String {
        "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
    }

    /// Whether the address can be that of one machine: neither "this network" (0.0.0.0/8), nor that
    /// of many (224.0.0.0/4), nor reserved (240.0.0.0/4, 255.255.255.255 in it; RFC 6890).
    package var isOfOneMachine: Bool { (1..<224).contains(address >> 24) }

    /// Whether the address is one of this machine's own loopback range, 127.0.0.0/8.
    package var isLoopback: Bool { address >> 24 == 127 }

    package static func < (left: Endpoint, right: Endpoint) -> Bool {
        (left.address, left.port) < (right.address, right.port)
    }
}

extension Endpoint: LosslessStringConvertible {
    /// The form that people type and read: `192.168.0.7:47615`.
    package var description: String { "\(host):\(port)" }

    /// The endpoint that a numeric `A.B.C.D:PORT` names; nothing else is accepted.
    package init?(_ text: String) {
        let halves = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard halves.count == 2, let address = Endpoint.address(of: Substring(halves[0])),
            let port = Endpoint.number(Substring(halves[1]), limit: 65_535), port > 0
        else { return nil }
        self.init(address: address, port: UInt16(port))
    }

    /// The address in host byte order that a dotted form names.
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

    /// A decimal number of digits only, without a leading zero, up to `limit`.
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
