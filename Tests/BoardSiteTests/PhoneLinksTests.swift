import BoardSite
import SyncProtocol
import SyncTestKit
import Testing

@Suite("Links for phones")
struct PhoneLinksTests {
    private var generator = SeededGenerator(seed: 3)
    private var links = PhoneLinks()

    private mutating func update(_ players: PlayerSummary..., in session: String = "friday") {
        links.update(players, of: session, using: &generator)
    }

    private mutating func claim(
        _ player: String,
        handsOver: Bool = false
    ) throws(HTTPError)
        -> PhoneLinks.Link
    {
        try links.claim(player, handsOver: handsOver, using: &generator)
    }

    @Test("exist for each player who is present and no computer, in seat order")
    mutating func players() {
        let computer = ComputerSummary(device: "den", here: true, depth: 5)
        update(
            .sample("b", "Bob"),
            .sample("z", "Zed", computer: computer),
            .sample("a", "Ann"),
            .sample("c", "Cem", removed: true)
        )
        #expect(links.valid.map(\.player) == ["b", "a"])
        #expect(Set(links.valid.map(\.path)).count == 2)
    }

    @Test("stay with the player, in the next game and under a new name")
    mutating func stay() throws {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        let before = try #require(links.valid.first)
        update(.sample("c", "Cem"), .sample("a", "Anna"), in: "friday 2")
        let after = try #require(links.valid.last)
        #expect(after.path == before.path)
        #expect(after.name == "Anna")
        #expect(links.valid.map(\.player) == ["c", "a"])
    }

    @Test("of those who are not in the next game still enter for the one in which they took part")
    mutating func leftBehind() throws {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        let ann = try #require(links.valid.first)
        update(.sample("b", "Bob"), in: "saturday")
        var link = try #require(links.link(ann.token.text))
        #expect(!links.valid.contains(link) && link.isUsable)
        #expect(link.player(in: "friday") == "a" && link.player(in: "saturday") == nil)
        update(.sample("a", "Ann", removed: true), .sample("b", "Bob"))
        link = try #require(links.link(ann.token.text))
        #expect(!links.valid.contains(link) && !link.isUsable && link.player(in: "friday") == nil)
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        link = try #require(links.link(ann.token.text))
        #expect(links.valid.contains(link) && link.player(in: "friday") == "a")
    }

    @Test("go along to another game with the name, and still enter for the earlier player there")
    mutating func otherGame() throws {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        let before = links.valid
        update(.sample("y", "Bob"), .sample("x", "Cem"), in: "darts")
        #expect(links.valid.map(\.player) == ["y", "x"])
        let bob = try #require(links.valid.first)
        #expect(bob.path == before[1].path)
        #expect(bob.player(in: "darts") == "y")
        #expect(bob.player(in: "friday") == "b")
        #expect(bob.player(in: "never shown") == nil)
        // Who keeps an id keeps the link, even if another player now has the old name.
        update(.sample("n", "Bob"), .sample("y", "Bob B"), in: "darts")
        #expect(links.valid.map(\.path) == [links.valid[0].path, bob.path])
        #expect(links.valid[0].path != bob.path)
    }

    @Test("are claimed by one phone, and by another one only after a question")
    mutating func claims() throws {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        let first = try claim("a")
        #expect(first.isOpened)
        #expect(SeatView(first) == SeatView(try #require(links.valid.first)))
        #expect(throws: HTTPError(409, "taken", "Another phone enters for Ann.")) {
            _ = try claim("a")
        }
        for unknown in ["", "c", "Ann"] {
            #expect(throws: HTTPError.self) { _ = try claim(unknown, handsOver: true) }
        }
        #expect(links.valid.map(\.isOpened) == [true, false])
    }

    @Test("end for the phone that hands over, and for no other one")
    mutating func handOver() throws {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        let (ann, bob) = (try claim("a"), try claim("b"))
        let other = try claim("a", handsOver: true)
        #expect(other.path != ann.path)
        #expect(links.link(ann.token.text) == nil)
        #expect(throws: HTTPError.self) { try links.admit(ann.token, at: 0) }
        #expect(links.link(other.token.text)?.player == "a")
        #expect(links.link(bob.token.text)?.player == "b")
    }

    @Test("all end when they are renewed, and are free again")
    mutating func renewed() throws {
        update(.sample("a", "Ann"))
        let before = try claim("a")
        links.renew(using: &generator)
        #expect(links.link(before.token.text) == nil)
        #expect(links.valid.map(\.player) == ["a"])
        #expect(try claim("a").player == "a")
    }

    @Test("are the same after they were kept")
    mutating func kept() throws {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        _ = try claim("b")
        let copy = try ControlJSON.decode(PhoneLinks.self, from: ControlJSON.encode(links))
        #expect(copy.valid == links.valid)
        #expect(copy.session == "friday")
        #expect(copy.valid.last?.player(in: "friday") == "b")
    }

    @Test("are limited in number")
    mutating func bounded() {
        for number in 0..<PhoneLinks.maxLinks { update(.sample("\(number)", "P\(number)")) }
        #expect(links.valid.count == 1)
        update(.sample("one more", "More"), .sample("0", "P0"))
        #expect(links.valid.map(\.player) == ["0"])
    }

    @Test("remember a limited number of sessions")
    mutating func sessions() throws {
        for number in 0...PhoneLinks.maxSessions { update(.sample("a", "Ann"), in: "s\(number)") }
        let link = try #require(links.valid.first)
        #expect(link.player(in: "s0") == nil)
        #expect(link.player(in: "s1") == "a")
    }

    @Test("each admit 20 submissions at once and then two a second")
    mutating func rate() {
        update(.sample("a", "Ann"), .sample("b", "Bob"))
        let tokens = links.valid.map(\.token)
        func admitted(_ player: Int, at now: Int64) -> Bool {
            (try? links.admit(tokens[player], at: now)) != nil
        }
        let first = (0...SubmissionLimiter.capacity).map { _ in admitted(0, at: 1_000_000) }
        #expect(first == Array(repeating: true, count: SubmissionLimiter.capacity) + [false])
        #expect(!admitted(0, at: 1_000_499))
        #expect(admitted(0, at: 1_000_500))
        #expect(!admitted(0, at: 1_000_999))
        #expect(admitted(1, at: 1_000_999))
        #expect((0...SubmissionLimiter.capacity).count { _ in admitted(0, at: 2_000_000) } == 20)
    }
}

@Suite("The address that is shown to others")
struct OwnAddressTests {
    private func address(_ interface: String, _ text: String, bits: Int = 24) -> OwnAddress {
        let address = IPAddress(text) ?? .loopback
        return OwnAddress(interface: interface, address: address, prefixLength: bits)
    }

    private func order(
        _ addresses: [OwnAddress],
        peers: [String] = [],
        preferring chosen: String? = nil
    ) -> [String] {
        OwnAddress.ranked(addresses, peers: peers, preferring: chosen).map(\.interface)
    }

    @Test("is of Wi-Fi or a cable, not of a tunnel, a bridge or containers")
    func virtual() {
        let addresses = [
            address("wg0", "10.2.0.2"), address("docker0", "172.17.0.1", bits: 16),
            address("eth1", "203.0.113.9"), address("wlan0", "192.168.7.3"),
            address("br-4f", "172.18.0.1", bits: 16), address("eth0", "10.9.0.4", bits: 8),
        ]
        #expect(order(addresses) == ["wlan0", "eth0", "eth1", "wg0", "docker0", "br-4f"])
    }

    @Test("is of the network in which other laptops were heard")
    func heard() {
        let addresses = [
            address("wg0", "10.2.0.2"), address("wlan0", "192.168.7.3"),
            address("eth0", "192.168.8.3"),
        ]
        #expect(order(addresses, peers: ["192.168.8.9:47615"]) == ["eth0", "wlan0", "wg0"])
        // Laptops that play over the tunnel do not bring phones into it.
        #expect(order(addresses, peers: ["10.2.0.9:47615"]) == ["wlan0", "eth0", "wg0"])
        #expect(order(addresses, peers: ["", "x", "[::1]:9"]) == ["wlan0", "eth0", "wg0"])
    }

    @Test("is the one that the owner chose, while it exists")
    func chosen() {
        let addresses = [address("wlan0", "192.168.7.3"), address("wg0", "10.2.0.2")]
        #expect(order(addresses, preferring: "10.2.0.2") == ["wg0", "wlan0"])
        #expect(order(addresses, preferring: "10.2.0.3") == ["wlan0", "wg0"])
        #expect(order([], preferring: "10.2.0.2") == [])
    }

    @Test("is of IPv6 only on an interface without IPv4, or if it was chosen")
    func ipv6() {
        let addresses = [
            address("docker0", "172.17.0.1", bits: 16), address("eth0", "192.168.7.3"),
            address("eth0", "fd00::3", bits: 64), address("wlan0", "2001:db8::3", bits: 64),
        ]
        func shown(_ peers: String..., preferring chosen: String? = nil) -> [String] {
            OwnAddress.ranked(addresses, peers: peers, preferring: chosen).map(\.urlHost)
        }
        #expect(shown() == ["192.168.7.3", "[2001:db8::3]", "172.17.0.1"])
        #expect(shown(preferring: "fd00::3").first == "[fd00::3]")
        for peer in ["[2001:db8::9]:47615", "[fe80::9%wlan0]:47615"] {
            #expect(shown(peer) == ["[2001:db8::3]", "192.168.7.3", "172.17.0.1"])
        }
        #expect(shown("[2001:db9::9]:47615", "[fe80::9]:47615").first == "192.168.7.3")
    }
}

extension PlayerSummary {
    /// A player at the first seat.
    static func sample(
        _ id: String,
        _ name: String,
        removed: Bool = false,
        computer: ComputerSummary? = nil
    ) -> PlayerSummary {
        PlayerSummary(id: id, name: name, seat: 1).with {
            $0.removed = removed
            $0.computer = computer
        }
    }
}
