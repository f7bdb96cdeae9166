import BoardKit
import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct IPv6Tests {
        /// The addresses of the other laptops as one sees them, without the port.
        private func addresses(_ laptop: Laptop) throws -> [String] {
            let peers = try laptop.read(PeerListReply.self, "peer", "list").items
            return peers.compactMap { $0.address.flatMap { Endpoint($0) }?.address.description }
        }

        @Test("Laptops with only link-local IPv6 addresses find each other, play, and meet again")
        func linkLocal() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop", network: .ipv6)
            try lab.play("Ann", "Bob", "Cem")
            let others = [1, 2].map { Lab.ipv6(of: $0) + "%eth0" }
            #expect(try addresses(lab[0]).sorted() == others)
            for (laptop, name) in zip(lab.laptops, ["Ann", "Bob", "Cem"]) {
                try laptop.run("score", name, "round.1=7")
            }
            try lab.agree()
            // Without an invite, one that was away is found again.
            try lab[1].stop()
            try lab[0].run("score", "Ann", "round.2=8")
            try lab[1].start()
            try lab[1].waitForPeers(2)
            try lab.agree()
        }

        @Test(
            "Without announcements, a link-local address is enough to join and to meet the others"
        )
        func typed() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop", network: .ipv6)
            for laptop in lab.laptops { try laptop.start("--no-discovery") }
            try lab[0].run("session", "new", "rounds", "--player", "Ann")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            let address = Lab.ipv6(of: 0)
            let outcome = try lab[1].attempt("join", code, "--peer", address)
            #expect(outcome.status == 2 && outcome.errors.contains("%wlan0"), "\(outcome)")
            for laptop in lab.laptops.dropFirst() {
                try laptop.run("join", code, "--peer", "[\(address)%eth0]:47615")
            }
            // Linked ones tell each other the addresses of the rest.
            for laptop in lab.laptops { try laptop.waitForPeers(2) }
            try lab[2].run("score", "Ann", "round.1=5")
            try lab.agree()
        }

        @Test("An address that a laptop gets while it runs is used once no other laptop has it")
        func lateAddress() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", network: .ipv6)
            try lab.play("Ann", "Bob")
            try lab[1].room.run(
                """
                ip addr flush dev eth0
                ip addr add fe80::77:99/64 dev eth0
                """
            )
            try lab[1].run("score", "Bob", "round.1=4")
            try eventually(within: .seconds(15), everyMilliseconds: 100, "it is found again") {
                try addresses(lab[0]) == ["fe80::77:99%eth0"]
            }
            try lab.agree()
            #expect(!lab[1].log.contains("announcing on eth0"), "\(lab[1].log)")
        }

        @Test("Laptops in two routed IPv6 networks play by an address")
        func routed() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", network: .ipv6)
            try lab.hub.run("sysctl -qw net.ipv6.conf.all.forwarding=1")
            for (index, laptop) in lab.laptops.enumerated() {
                let network = "2001:db8:\(index + 1):"
                try lab.hub.run(
                    """
                    ip link set port\(index) nomaster
                    ip addr add \(network):ff/64 dev port\(index) nodad
                    """
                )
                try laptop.room.run(
                    """
                    ip addr add \(network):1/64 dev eth0 nodad
                    ip route add default via \(network):ff
                    """
                )
                try laptop.start()
            }
            try lab[0].run("session", "new", "rounds", "--player", "Ann")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            try lab[1].run("join", code, "--peer", "2001:db8:1::1")
            #expect(try addresses(lab[1]) == ["2001:db8:1::1"])
            try lab[1].run("score", "Ann", "round.1=3")
            try lab.agree()
            try lab[0].stop()
            try lab[0].start()
            for laptop in lab.laptops { try laptop.waitForPeers(1) }
        }

        @Test("Laptops with both kinds of addresses have one link, and stay linked without IPv4")
        func both() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", network: .both)
            try lab.play("Ann", "Bob")
            for laptop in lab.laptops {
                #expect(try laptop.online == 1)
                try laptop.room.run("ip -4 addr flush dev eth0")
            }
            try lab[0].run("score", "Ann", "round.1=1")
            try eventually(within: .seconds(15), everyMilliseconds: 100, "linked by IPv6") {
                try addresses(lab[0]) == [Lab.ipv6(of: 1) + "%eth0"]
            }
            try lab.agree()
        }

        @Test("A board is at an IPv6 address where there is no other, for other laptops too")
        func board() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", network: .ipv6)
            for (index, laptop) in lab.laptops.enumerated() {
                try laptop.room.run("ip addr add fd00:77::\(index + 1)/64 dev eth0 nodad")
            }
            try lab[0].start()
            try lab[0].run("session", "new", "points", "--player", "Ann")
            let board = try Running(
                lab[0].room.entrance + [
                    Programs.path(of: "scorectl"), "--no-spawn", "--home", lab[0].home, "board",
                    "--lan", "--no-open", "--json",
                ],
                .captured
            )
            let line = try board.firstLine()
            let addresses = try JSONDecoder().decode(
                RunningBoard.Addresses.self,
                from: Data(line.utf8)
            )
            let url = try #require(addresses.lan.first?.url)
            #expect(addresses.lan.count == 1 && url.hasPrefix("http://[fd00:77::1]:"), "\(line)")
            let script = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).status)"
            let status = try lab[1].room.run("python3 -c '\(script)' '\(url)'")
            #expect(status == "200\n")
            board.signal(15)
        }

        @Test("Laptops whose system has IPv6 switched off play by IPv4")
        func switchedOff() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            for laptop in lab.laptops {
                try laptop.room.run("sysctl -qw net.ipv6.conf.all.disable_ipv6=1")
            }
            try lab.play("Ann", "Bob")
            try lab[1].run("score", "Bob", "round.1=2")
            try lab.agree()
        }
    }
}
