import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    /// Each cause on the network is provoked, and named by `scorectl doctor`.
    struct DoctorTests {
        @Test("If all is well, doctor reports so for the network and the other laptop")
        func well() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            for laptop in lab.laptops {
                let checkup = try laptop.checkUp()
                let checks = checkup.checks.filter { $0.id != "firewall" }
                #expect(checks.allSatisfy { $0.state == "ok" }, "\(checks)")
                let ids = Set(checks.map(\.id))
                let network: Set = ["sessions", "port", "interface", "echo", "peer", "clock"]
                #expect(ids.isSuperset(of: network), "\(ids)")
                #expect(checkup.checks.contains { $0.id == "echo" && $0.subject == "eth0" })
            }
        }

        /// One laptop with a session, which nobody has joined.
        private func alone(diskBytes: Int? = nil) throws -> Lab {
            let lab = try Lab("ann-laptop", diskBytes: diskBytes)
            try lab[0].start()
            try lab[0].run("session", "new", "points", "--player", "Ann")
            return lab
        }

        @Test("Without an interface, doctor names the network as the problem")
        func noInterface() throws {
            let lab = try alone()
            try lab[0].room.run("ip link set eth0 down")
            let checkup = try lab[0].checkUp()
            #expect(checkup.status == 10)
            let found = try #require(checkup.complaint("interface"))
            #expect(found.state == "problem")
            #expect(found.cause?.contains("no interface is up") == true, "\(found)")
            // The cable again: it is well by itself.
            try lab[0].room.run("ip link set eth0 up")
            try eventually(within: .seconds(5), "the interface is used again") {
                try lab[0].checkUp().complaint("interface") == nil
            }
        }

        @Test("A laptop without a network says so when a session starts and when it invites")
        func notes() throws {
            let lab = try Lab("ann-laptop")
            try lab[0].start()
            func notes() throws -> [String] {
                let new = try lab[0].read(
                    SessionReply.self,
                    "session",
                    "new",
                    "points",
                    "--player",
                    "Ann"
                )
                let invite = try lab[0].read(InviteReply.self, "session", "invite")
                return (new.notes ?? []) + (invite.notes ?? [])
            }
            #expect(try notes() == [])
            try lab[0].room.run("ip link set eth0 down")
            let alone = try notes()
            #expect(alone.count == 2, "\(alone)")
            #expect(alone.allSatisfy { $0.hasPrefix("Not connected to a network") })
            // A bridge of containers is none, either.
            try lab[0].room.run(
                """
                ip link set eth0 name docker0
                ip link set docker0 up
                """
            )
            #expect(try notes() == alone)
            let found = try #require(try lab[0].checkUp().complaint("interface"))
            #expect(found.cause?.hasPrefix("only docker0 is up") == true, "\(found)")
            try lab[0].run("daemon", "offline")
            #expect(try notes().allSatisfy { $0.contains("scorectl daemon online") })
        }

        @Test("Where there is only IPv6, all is well too", arguments: [Lab.Network.ipv6, .both])
        func ipv6(_ network: Lab.Network) throws {
            let lab = try Lab("ann-laptop", "bob-laptop", network: network)
            try lab.play("Ann", "Bob")
            let checks = try lab[0].checkUp().checks
            let echoes = checks.filter { $0.id == "echo" }
            #expect(echoes.map(\.text) == ["announcements on eth0 come back"], "\(checks)")
            #expect(checks.filter { $0.id != "firewall" }.allSatisfy { $0.state == "ok" })
            let interfaces = checks.filter { $0.id == "interface" }.map(\.text)
            #expect(interfaces.last == "eth0 (fe80::77:1%eth0) carries announcements")
            #expect(interfaces.count == (network == .both ? 2 : 1))
        }

        @Test("If an interface cannot send, doctor names it with the errno")
        func refusedSending() throws {
            let lab = try alone()
            try lab[0].room.run(Self.blocking("out", "dst 255.255.255.255/32 proto udp"))
            let checkup = try lab[0].checkUp()
            let found = try #require(checkup.complaint("interface"), "\(checkup)")
            #expect(found.subject == "eth0")
            #expect(found.cause?.contains("(errno 1)") == true, "\(found)")
            #expect(checkup.status == 10)
        }

        /// Drops packets like a firewall, by policies of IPsec: the kernel of the tests
        /// may have no filter.
        private static func blocking(_ direction: String, _ packets: String) -> String {
            "ip xfrm policy add dir \(direction) src 0.0.0.0/0 \(packets) action block"
        }

        @Test("A firewall that drops announcements is detected by the missing echo")
        func droppedAnnouncements() throws {
            let lab = try alone()
            try lab[0].room.run(Self.blocking("in", "dst 255.255.255.255/32 proto udp"))
            let checkup = try lab[0].checkUp()
            let found = try #require(checkup.complaint("echo"), "\(checkup)")
            #expect(found.subject == "eth0" && found.state == "problem")
            #expect(checkup.status == 10)
            try lab[0].room.run("ip xfrm policy flush")
            #expect(try lab[0].checkUp().complaint("echo") == nil)
        }

        @Test("Doctor announces three times before it blames a firewall")
        func lostAnnouncements() throws {
            let lab = try alone()
            /// How many packets were dropped so far.
            func dropped() throws -> Int {
                let words = try lab[0].room.run("grep XfrmInPolBlock /proc/net/xfrm_stat")
                return words.split { " \t\n".contains($0) }.last.flatMap { Int($0) } ?? 0
            }
            try lab[0].room.run(Self.blocking("in", "dst 255.255.255.255/32 proto udp"))
            let before = try dropped()
            #expect(try lab[0].checkUp().complaint("echo") != nil)
            #expect(try dropped() >= before + 3)
            // One that arrives is enough.
            let start = try dropped()
            let doctor = try lab[0].begin(["doctor", "--json"])
            try eventually(within: .seconds(5), everyMilliseconds: 10, "one is lost") {
                try dropped() > start
            }
            try lab[0].room.run("ip xfrm policy flush")
            let checkup = try Checkup(doctor.outcome())
            #expect(checkup.complaint("echo") == nil, "\(checkup)")
        }

        @Test("A laptop that announces itself but accepts no connection differs from an absent one")
        func closedPeer() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab[1].stop()
            let tcp = "dst 0.0.0.0/0 proto tcp dport 47615"
            try lab[1].room.run(Self.blocking("in", tcp))
            // Nor may it call, or the two are linked all the same.
            try lab[1].room.run(Self.blocking("out", tcp))
            try lab[1].start()
            var checkup = try lab[0].checkUp()
            try eventually(within: .seconds(20), everyMilliseconds: 200, "\(checkup)") {
                checkup = try lab[0].checkUp()
                return checkup.complaint("peer")?.state == "problem"
            }
            let found = try #require(checkup.complaint("peer"))
            #expect(found.cause?.hasPrefix("it announces itself, and does not answer") == true)
            #expect(checkup.status == 10)
        }

        @Test("Filtered broadcasts are reported, with a command that connects without them")
        func filteredBroadcasts() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            for (index, laptop) in lab.laptops.enumerated() {
                let (own, other) = (index + 1, 2 - index)
                let address = Lab.address(of: 1 - index)
                try laptop.room.run(
                    """
                    ip link set eth0 address 02:00:00:00:00:0\(own)
                    ip neigh replace \(address) lladdr 02:00:00:00:00:0\(other) dev eth0
                    """
                )
                try lab.cables[index].filterBroadcasts()
                try laptop.start()
            }
            try lab[0].run("session", "new", "points", "--player", "Ann")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            try lab[1].run("join", code, "--peer", Lab.address(of: 0))
            try lab[0].waitForPeers(1)
            try eventually(within: .seconds(40), everyMilliseconds: 500, "it is named") {
                try lab[0].checkUp().complaint("broadcast") != nil
            }
            let checkup = try lab[0].checkUp()
            let found = try #require(checkup.complaint("broadcast"))
            #expect(found.subject == "bob-laptop")
            #expect(found.commands == ["scorectl peer add \(Lab.address(of: 1))"])
            #expect(checkup.status == 0, "they are linked")
            // The advice helps.
            let words = try #require(found.commands?.first).split(separator: " ").dropFirst()
            try lab[0].run(words.map(String.init))
            #expect(try lab[0].checkUp().complaint("broadcast") == nil)
        }

        @Test("A port in use by another program is reported")
        func portInUse() throws {
            let lab = try Lab("ann-laptop")
            let other = try Account(in: lab[0].room)
            try other.run("daemon", "start", "--", "--port", "47620")
            _ = try other.process()
            try lab[0].start("--port", "47620")
            let checkup = try lab[0].checkUp()
            let found = try #require(checkup.complaint("port"), "\(checkup)")
            #expect(found.cause?.contains("47620") == true, "\(found)")
            #expect(checkup.status == 10)
        }

        @Test("A laptop that connects here but cannot be reached from here is reported")
        func oneDirection() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab[1].stop()
            try lab[1].room.run("ip rule add pref 100 ipproto tcp dport 47615 unreachable")
            try lab[1].start()
            try lab[1].waitForPeers(1)
            let checkup = try lab[1].checkUp()
            let found = try #require(checkup.complaint("peer"))
            #expect(found.subject == "ann-laptop")
            #expect(found.text.contains("cannot be called from here"), "\(found)")
            #expect(checkup.status == 0, "they are linked")
        }

        @Test("A laptop without a running daemon differs from one that is away")
        func missingPeers() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            try lab.play("Ann", "Bob", "Cem")
            try lab[1].stop()
            try lab.cables[2].pull()
            func cause(_ name: String) throws -> String {
                let checks = try lab[0].checkUp().checks
                return checks.first { $0.subject == name }?.cause ?? ""
            }
            var causes: [String] = []
            try eventually(within: .seconds(40), everyMilliseconds: 300, "\(causes)") {
                causes = [try cause("bob-laptop"), try cause("cem-laptop")]
                return causes[0].contains("Connection refused")
                    && (causes[1].contains("No route to host") || causes[1].contains("timed out"))
            }
        }

        @Test("A copied home is reported, with the remedy")
        func clonedHome() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab[1].stop()
            let copy = try Laptop("cem-laptop") { home in
                try lab[1].room.run("cp -a '\(lab[1].home)/.' '\(home)'")
                return try Room(
                    holdingBy: lab.hub.entrance,
                    enteringBy: { _ in lab.hub.entrance },
                    files: { _ in [] }
                )
            }
            try lab.hub.run("ip addr add 10.77.0.50/24 brd + dev br0")
            try copy.start("--name", "bob-laptop")
            try lab[1].start()
            try eventually(within: .seconds(20), everyMilliseconds: 200, "it is named") {
                try lab[1].checkUp().complaint("clone") != nil
            }
            let checkup = try lab[1].checkUp()
            #expect(checkup.status == 10)
            let found = try #require(checkup.complaint("clone"))
            #expect(found.commands?.first == "scorectl daemon stop")
        }

        @Test("A wrong clock is reported on both sides, with the laptop that has it")
        func clocks() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            lab[0].clock = "+2h"
            try lab.play("Ann", "Bob", "Cem")
            let own = try lab[0].checkUp()
            #expect(own.complaint("clock")?.text == "the clock of this laptop is wrong", "\(own)")
            let other = try #require(try lab[1].checkUp().complaint("clock"))
            #expect(other.text == "two clocks differ")
            #expect(other.cause?.contains("ann-laptop") == true, "\(other)")
        }

        @Test("A full disk is reported")
        func fullDisk() throws {
            let lab = try alone(diskBytes: 6 << 20)
            let found = try #require(try lab[0].checkUp().complaint("disk"))
            #expect(found.text == "the disk is nearly full")
            try lab[0].room.run("head -c 10000000 /dev/zero > '\(lab[0].home)/ballast' || true")
            let full = try lab[0].checkUp()
            #expect(full.status == 10)
            #expect(full.complaint("disk")?.state == "problem", "\(full)")
        }
    }
}
