import SyncProtocol
import Testing

struct AddressTests {
    private func read(_ text: String) -> Result<PeerAddress, PeerAddressError> {
        Result { () throws(PeerAddressError) in try PeerAddress(parsing: text) }
    }

    @Test(
        "an address is a host and perhaps a port",
        arguments: [
            ("192.168.0.7", "192.168.0.7:47615"), ("192.168.0.7:5", "192.168.0.7:5"),
            (" ann-laptop.local:47620\t", "ann-laptop.local:47620"), ("ANN", "ann:47615"),
            ("a_b.c:65535", "a_b.c:65535"), ("1e100.net", "1e100.net:47615"),
            ("2001:DB8::7", "[2001:db8::7]:47615"), ("[2001:db8::7]", "[2001:db8::7]:47615"),
            ("[2001:db8:0:0::7]:5", "[2001:db8::7]:5"), ("::1", "[::1]:47615"),
            ("fe80::1%Eth0", "[fe80::1%Eth0]:47615"),
            ("[fe80::1%wlp2s0.4]:5", "[fe80::1%wlp2s0.4]:5"),
            ("::ffff:192.168.0.7", "192.168.0.7:47615"), ("2001:db8::7:5", "[2001:db8::7:5]:47615"),
        ]
    )
    func accepted(_ text: String, _ address: String) throws {
        #expect(try PeerAddress(parsing: text).description == address)
        #expect(try PeerAddress(parsing: address).description == address)
    }

    @Test(
        "invalid addresses are rejected with a reason",
        arguments: [
            ("", .badHost), (" ", .badHost), (":1", .badHost), ("a b", .badHost), ("é", .badHost),
            ("a..b", .badHost), (".a", .badHost), ("a.", .badHost), ("-a", .badHost),
            ("a-", .badHost), ("192.168.0", .badHost), ("192.168.0.256", .badHost),
            ("1", .badHost), ("a/b", .badHost), ("a:", .badPort), ("a:0", .badPort),
            ("a:65536", .badPort), ("a:-1", .badPort), ("a:+1", .badPort), ("a:x", .badPort),
            ("a:99999999999999999999", .badPort), ("a:1:2", .badIPv6), ("[::1", .badIPv6),
            ("[::1]5", .badIPv6), ("[::1]:", .badPort), ("[::1]:0", .badPort), ("[]", .badIPv6),
            ("[192.168.0.7]:5", .badIPv6), ("[ann]:5", .badIPv6), ("::1%eth0", .badIPv6),
            ("fe80::1", .noInterface), ("[fe80::1]:5", .noInterface), ("fe80::1%", .badIPv6),
            ("::ffff:192.168.0.7:5", .badIPv6), (":::", .badIPv6),
        ] as [(String, PeerAddressError)]
    )
    func refused(_ text: String, _ error: PeerAddressError) {
        #expect(read(text) == .failure(error))
    }

    @Test("a host name has at most 253 bytes and its parts at most 63")
    func lengths() {
        let part = String(repeating: "a", count: 63)
        let longest = [part, part, part, String(part.dropLast(2))].joined(separator: ".")
        #expect(longest.utf8.count == 253)
        #expect((try? read(longest).get()) != nil)
        #expect(read(longest + "a") == .failure(.badHost))
        #expect(read(part + "a") == .failure(.badHost))
    }

    @Test("a numeric host is an endpoint, a name is not")
    func endpoint() throws {
        let numeric = try PeerAddress(parsing: "192.168.0.7:5")
        #expect(numeric.endpoint == Endpoint(address: 0xC0A8_0007, port: 5))
        #expect(try PeerAddress(parsing: "ann").endpoint == nil)
    }

    @Test("reserved and multicast addresses are not those of one machine")
    func machines() {
        func isOfOne(_ host: String) -> Bool? { IPAddress(host)?.isOfOneMachine }
        for host in [
            "1.0.0.0", "127.0.0.1", "192.168.0.7", "223.255.255.255", "::1", "fe80::1%eth0",
            "2001:db8::",
        ] {
            #expect(isOfOne(host) == true, "\(host)")
        }
        for host in [
            "0.0.0.0", "0.255.255.255", "224.0.0.1", "239.9.9.9", "255.255.255.255", "::",
            "ff02::1%eth0", "ff0e::1",
        ] {
            #expect(isOfOne(host) == false, "\(host)")
        }
    }

    @Test("of announced ports only those of the program are dialled")
    func ports() {
        for port in [47_615, 47_620, 47_634] as [UInt16] { #expect(Ports.mayDial(named: port)) }
        for port in [0, 22, 47_614, 47_635, 65_535] as [UInt16] {
            #expect(!Ports.mayDial(named: port))
        }
    }

    @Test(
        "an endpoint is an address and a port in canonical spelling",
        arguments: [
            ("0.0.0.0:1", Endpoint(address: 0, port: 1)),
            ("255.255.255.255:65535", Endpoint(address: .max, port: 65_535)),
            ("192.168.0.7:47615", Endpoint(address: 0xC0A8_0007, port: 47_615)),
            ("[::]:1", Endpoint(address: IPAddress(high: 0, low: 0), port: 1)),
            (
                "[fe80::7%eth0]:5",
                Endpoint(address: IPAddress(high: 0xFE80 << 48, low: 7, zone: "eth0"), port: 5)
            ),
            ("", nil), ("192.168.0.7", nil), ("192.168.0.7:", nil), ("192.168.0.7:0", nil),
            ("192.168.0.7:65536", nil), ("192.168.0.7:01", nil), ("192.168.0.07:1", nil),
            ("192.168.0.256:1", nil), ("192.168.0:1", nil), ("1.2.3.4.5:1", nil),
            ("1.2.3.4:1:2", nil), (" 1.2.3.4:1", nil), ("1.2.3.4:1 ", nil), ("1.2.3.-4:1", nil),
            ("1.2.3.4:+1", nil), ("a.b.c.d:1", nil), ("1..3.4:1", nil), ("１.2.3.4:1", nil),
            ("1.2.3.99999999999999999999:1", nil), ("::1:1", nil), ("[::1]", nil), ("[::1]:0", nil),
            ("[1.2.3.4]:1", nil), ("[::1:1", nil), ("::1]:1", nil), ("[]:1", nil), ("[:]:1", nil),
        ] as [(String, Endpoint?)]
    )
    func endpoints(_ text: String, _ endpoint: Endpoint?) {
        #expect(Endpoint(text) == endpoint)
        if let endpoint { #expect(endpoint.description == text) }
    }

    @Test("endpoints are ordered by address, then by port")
    func order() {
        #expect(Endpoint(address: 1, port: 9) < Endpoint(address: 2, port: 1))
        #expect(Endpoint(address: 1, port: 1) < Endpoint(address: 1, port: 2))
    }

    @Test("the common version is the highest that both speak")
    func versions() {
        #expect(Versions.common(1...3, 2...5) == 3)
        #expect(Versions.common(2...5, 1...3) == 3)
        #expect(Versions.common(1...1, 1...1) == 1)
        #expect(Versions.common(1...2, 3...4) == nil)
        #expect(Versions.common(3...4, 1...2) == nil)
    }
}
