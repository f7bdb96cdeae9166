import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct NetworkShapeTests {
        @Test(
            "Laptops find each other regardless of their netmasks",
            arguments: [
                ["10.77.0.1/16", "10.77.0.2/24"], ["10.77.0.1/24", "10.77.0.2/16"],
                ["10.77.0.0/31", "10.77.0.1/31"], ["10.77.0.1/8", "10.77.0.2/30"],
            ]
        )
        func netmasks(_ addresses: [String]) throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            for (laptop, address) in zip(lab.laptops, addresses) {
                try laptop.room.run("ip addr flush dev eth0; ip addr add \(address) dev eth0")
            }
            try lab.play("Ann", "Bob")
            try lab[0].run("score", "Ann", "round.1=1")
            try lab[1].run("score", "Bob", "round.1=2")
            try lab.agree()
            // Without the invite, too.
            try lab[1].stop()
            try lab[1].start()
            try lab[1].waitForPeers(1)
        }

        @Test("Scores pass a path that drops long packets without a word")
        func shortPackets() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            try lab.play("Ann", "Bob")
            try lab.cables[1].pull()
            for laptop in lab.laptops {
                for round in 1...30 { try laptop.run("score", "Ann", "round.\(round)=1") }
                try laptop.room.run("ip link set eth0 gso_max_segs 1")
            }
            // A switch drops frames that are too long for a port.
            try lab.hub.run("ip link set port1 mtu 576")
            try lab.cables[1].plug()
            try lab.agree(within: .seconds(60))
        }

        @Test(
            "Scores pass a cable on which packets overtake one another and some come twice",
            .enabled(if: Wire.isPossible, "\(Wire.need)")
        )
        func untidyCable() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            let wire = try Wire(.untidy, of: 1, in: lab)
            try lab.play("Ann", "Bob")
            for round in 1...30 {
                for (laptop, player) in zip(lab.laptops, ["Ann", "Bob"]) {
                    try laptop.run("score", player, "round.\(round)=\(round)")
                }
            }
            try lab.agree()
            let sheet = try lab.sheet()
            for player in ["Ann", "Bob"] {
                let values = sheet.values(of: player, in: "round")
                #expect(values == (1...30).map(Scalar.integer))
            }
            withExtendedLifetime(wire) {}
        }

        @Test(
            "Behind a router that translates addresses, a laptop joins by an address and plays",
            .enabled(if: Wire.isPossible, "\(Wire.need)")
        )
        func translatedAddress() throws {
            let lab = try Lab("ann-laptop", "bob-laptop")
            let wire = try Wire(.nat, of: 1, in: lab)
            for laptop in lab.laptops { try laptop.start() }
            try lab[0].run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            try lab[1].run("join", code, "--peer", Lab.address(of: 0))
            try lab[0].run("score", "Ann", "round.1=1")
            try lab[1].run("score", "Bob", "round.1=2")
            try lab.agree()
            // It is not called from outside, but calls again itself, whoever restarts.
            for index in [1, 0] {
                try lab[index].stop()
                try lab[index].start()
                try lab[0].waitForPeers(1)
            }
            try lab[0].run("score", "Ann", "round.2=3")
            try lab.agree()
            let found = try #require(try lab[0].checkUp().complaint("peer"))
            #expect(found.text.contains("cannot be called from here"), "\(found)")
            withExtendedLifetime(wire) {}
        }

        @Test("Users of one machine without a network play together, each with their own daemon")
        func oneMachine() throws {
            let lab = try Lab("any-laptop")
            try lab[0].room.run("ip link del eth0")
            let accounts = try (0..<3).map { _ in try Account(in: lab[0].room) }
            // Nobody has started anything: the first command of each does.
            try accounts[0].run(
                "session",
                "new",
                "points",
                "--player",
                "Ann",
                "--player",
                "Bob",
                "--player",
                "Cem"
            )
            for account in accounts { _ = try account.process() }
            let invite = try accounts[0].attempt("session", "invite", "--json")
            let code = try invite.decoded(as: InviteCode.self).code
            for account in accounts.dropFirst() { try account.run("join", code) }
            for (account, name) in zip(accounts, ["Ann", "Bob", "Cem"]) {
                try account.run("wait", "--for", "peers=2", "--timeout", "10")
                try account.run("score", name, "7")
            }
            for account in accounts {
                try account.run("wait", "--for", "synced", "--timeout", "10")
            }
            let shown = try accounts.map { try $0.run("show", "--json") }
            #expect(Set(shown).count == 1)
            for account in accounts { try account.run("daemon", "stop") }
        }
    }
}
