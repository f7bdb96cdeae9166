import SyncProtocol
import SyncTestKit
import Testing

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "are printed in the form of RFC 5952",
        arguments: [
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:0DB8::0001", "2001:db8::1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("0:0:0:0:0:0:0:0", "::"),
            ("0:0:0:0:0:0:0:1", "::1"), ("1:0:0:0:0:0:0:0", "1::"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("1::2:0:0:3", "1::2:0:0:3"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("::ffff:c0a8:7", "192.168.0.7"),
            ("::FFFF:1.2.3.4", "1.2.3.4"), ("::1.2.3.4", "::102:304"),
            ("fe80::1%wlan0", "fe80::1%wlan0"), ("febf::1%a", "febf::1%a"), ("fe80::1", "fe80::1"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ]
    )
    func canonical(_ text: String, _ printed: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == printed)
        #expect(IPAddress(printed) == address)
    }

    @Test(
        "have eight groups, of which :: stands for one or more",
        arguments: [
            "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3",
            "1:2:3:4:5:6:7:8::",
            "::1:2:3:4:5:6:7:8", "12345::", "g::", "+1::", "-1::", "1:::2", ":1::2", "1::2:",
            " ::1",
            "1.2.3.4::", "::1.2.3", "::1.2.3.4:5", "::1.2.3.04", "1:2:3:4:5:6:7:1.2.3.4",
            "fec0::1%a",
            "::1%lo", "fe80::1%", "fe80::1%a/b", "fe80::1%a%b", "fe80::1%a b", "%eth0", "1.2.3.4%a",
            "fe80::1%0123456789abcdef", "::\u{661}",
        ]
    )
    func refused(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("are read as they are printed, and in every longer form")
    func roundTrips() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var samples = WireSamples(seed: seed)
        for _ in 0..<5_000 {
            let zone = samples.flip() ? "\(samples.symbol())" : ""
            let address = samples.address().inZone(zone)
            #expect(IPAddress(address.description) == address, "seed \(seed)")
            let endpoint = Endpoint(address: address, port: UInt16(samples.number(1...65_535)))
            #expect(Endpoint(endpoint.description) == endpoint, "seed \(seed)")
            let groups = [address.high, address.low].flatMap { half in
                [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) }
            }
            let long = groups.map { String(repeating: "0", count: 4 - $0.count) + $0 }
            let text = (samples.flip() ? groups : long).joined(separator: ":").uppercased()
            #expect(IPAddress(text) == address.inZone(""), "seed \(seed)")
        }
    }

    @Test("of one machine, a link and private networks are told apart")
    func kinds() throws {
        func all(_ texts: String...) throws -> [IPAddress] {
            try texts.map { try #require(IPAddress($0)) }
        }
        let loopback = try all("127.0.0.1", "127.255.255.255", "::1")
        let home = try all("10.0.0.1", "172.31.0.1", "192.168.0.1", "fc00::1", "fdff::1")
        let link = try all("fe80::1%eth0", "febf::1%eth0", "ff02::1%eth0")
        let other = try all("128.0.0.1", "172.32.0.1", "::2", "fec0::1", "2001:db8::1", "fe00::1")
        for address in loopback + home + link + other {
            #expect(address.isLoopback == loopback.contains(address), "\(address)")
            #expect(address.isPrivate == home.contains(address), "\(address)")
            #expect(address.isLinkLocal == link.contains(address), "\(address)")
            #expect(address.inZone("a").zone == (link.contains(address) ? "a" : ""))
        }
    }

    @Test(
        "have a network of as many bits as their kind counts",
        arguments: [
            ("192.168.7.9", 24, "192.168.7.0"), ("192.168.7.9", 32, "192.168.7.9"),
            ("192.168.7.9", 0, "0.0.0.0"), ("192.168.7.9", 99, "192.168.7.9"),
            ("10.9.8.7", 9, "10.0.0.0"), ("2001:db8:1:2:3::4", 64, "2001:db8:1:2::"),
            ("2001:db8:1:2:3::4", 33, "2001:db8::"), ("2001:db8::4", 127, "2001:db8::4"),
            ("2001:db8::5", 127, "2001:db8::4"), ("2001:db8::5", 0, "::"),
            ("fe80::9%a", 64, "fe80::%a"),
        ]
    )
    func networks(_ text: String, _ bits: Int, _ network: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.network(prefixLength: bits).description == network)
    }

    @Test("count as one for limits where a machine has as many as it likes")
    func limits() throws {
        func group(_ text: String) -> String? { IPAddress(text)?.limitGroup.description }
        #expect(group("192.168.0.7") == "192.168.0.7")
        #expect(group("2001:db8:1:2:3::4") == "2001:db8:1:2::")
        #expect(group("fe80::3:4%eth0") == "fe80::3:4%eth0")
        #expect(group("::1") == "::1")
    }

    @Test("of a link are sent only over that link, without the zone, and get that of the receiver")
    func ofLinks() throws {
        func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
        let cem = try address("fe80::c%eth0")
        #expect(cem.sent(to: try address("fe80::b%eth0")) == (try address("fe80::c")))
        for elsewhere in ["fe80::b%eth1", "fe80::b", "192.168.0.2", "2001:db8::b"] {
            #expect(cem.sent(to: try address(elsewhere)) == nil)
        }
        for sent in ["fe80::c", "fe80::c%eth0"] {
            let received = try address(sent).received(from: try address("fe80::a%wlan0"))
            #expect(received == (try address("fe80::c%wlan0")))
            #expect(try address(sent).received(from: try address("192.168.0.1")) == nil)
        }
        for routed in ["192.168.0.3", "2001:db8::c"] {
            let routed = try address(routed)
            for remote in ["192.168.0.2", "fe80::b%eth0"] {
                #expect(routed.sent(to: try address(remote)) == routed)
                #expect(routed.received(from: try address(remote)) == routed)
            }
        }
    }
}
