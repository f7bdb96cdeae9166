import LaptopKit
import SyncProtocol
import Testing

extension LAN {
    struct KnockTests {
        /// Starts laptops, a session on the first, and its invite.
        private func invitingLab(_ names: String...) throws -> Lab {
            let lab = try Lab(names: names)
            for laptop in lab.laptops { try laptop.start() }
            try lab[0].run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
            try lab[0].run("session", "invite")
            return lab
        }

        /// Returns the laptop that waits to be let in.
        private func waiting(at laptop: Laptop) throws -> KnockSummary {
            var knocks: [KnockSummary] = []
            try eventually(within: .seconds(10), "a knock") {
                knocks = try laptop.read(KnocksReply.self, "session", "admit", "--list").knocks
                return !knocks.isEmpty
            }
            return try #require(knocks.first)
        }

        @Test("One yes lets a laptop in, and both screens show the same symbols")
        func admitted() throws {
            let lab = try invitingLab("ann-laptop", "bob-laptop")
            try eventually(within: .seconds(5), "a game nearby") {
                let games = try lab[1].read(NearbyReply.self, "join", "--nearby").games
                return games.map(\.laptop) == ["ann-laptop"] && games[0].title == "Friday"
            }
            let joining = try lab[1].begin(["join", "--from", "ann-laptop"])
            let knock = try waiting(at: lab[0])
            #expect(knock.laptop == "bob-laptop" && knock.symbols.count == KnockSymbol.shown)
            try lab[0].run("session", "admit", "--yes")
            let outcome = try joining.outcome()
            #expect(outcome.status == 0, "\(outcome)")
            for symbol in knock.symbols { #expect(outcome.errors.contains(symbol.name)) }
            for laptop in lab.laptops { try laptop.waitForPeers(1) }
            try lab[1].run("score", "Ann", "12")
            try lab.agree()
        }

        @Test("Any member answers, for all")
        func member() throws {
            let lab = try invitingLab("ann-laptop", "bob-laptop", "cem-laptop")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            try lab[1].run("join", code)
            for laptop in lab.laptops.prefix(2) { try laptop.waitForPeers(1) }
            let joining = try lab[2].begin(["join", "--from", "ann-laptop"])
            let (here, there) = (try waiting(at: lab[0]), try waiting(at: lab[1]))
            #expect(here.symbols == there.symbols && there.at == "ann-laptop")
            try lab[1].run("session", "admit", "cem-laptop", "--yes")
            #expect(try joining.outcome().status == 0)
            for laptop in lab.laptops {
                try laptop.waitForPeers(2)
                let left = try laptop.read(KnocksReply.self, "session", "admit", "--list").knocks
                #expect(left.isEmpty)
            }
        }

        @Test("A no and a closed invite hand nothing over")
        func refused() throws {
            let lab = try invitingLab("ann-laptop", "bob-laptop", "cem-laptop")
            let bob = try lab[1].begin(["join", "--from", "ann-laptop"])
            _ = try waiting(at: lab[0])
            // A second one of the same laptop is not heard while the first one waits.
            #expect(try lab[1].attempt("join", "--from", "ann-laptop").status == 5)
            try lab[0].run("session", "admit", "--no")
            #expect(try bob.outcome().status == 5)
            let cem = try lab[2].begin(["join", "--from", "ann-laptop"])
            _ = try waiting(at: lab[0])
            try lab[0].run("session", "invite", "--close")
            #expect(try cem.outcome().status == 5)
            for laptop in lab.laptops.dropFirst() {
                #expect(try laptop.read(SessionListReply.self, "session", "list").items.isEmpty)
            }
        }

        @Test("Silence is a no")
        func silence() throws {
            let lab = try Lab(names: ["ann-laptop", "bob-laptop"])
            lab[0].preparation = "export SCORESYNC_TEST_KNOCK_SECONDS=1"
            for laptop in lab.laptops { try laptop.start() }
            try lab[0].run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
            try lab[0].run("session", "invite")
            #expect(try lab[1].attempt("join", "--from", "ann-laptop").status == 5)
            #expect(try lab[1].read(SessionListReply.self, "session", "list").items.isEmpty)
            let left = try lab[0].read(KnocksReply.self, "session", "admit", "--list").knocks
            #expect(left.isEmpty && lab[0].log.contains("bob-laptop at"))
        }

        @Test("Without an open invite there is no door")
        func closed() throws {
            let lab = try invitingLab("ann-laptop", "bob-laptop")
            try eventually(within: .seconds(5), "a game nearby") {
                try !lab[1].read(NearbyReply.self, "join", "--nearby").games.isEmpty
            }
            try lab[0].run("session", "invite", "--close")
            try eventually(within: .seconds(15), "no game nearby") {
                try lab[1].read(NearbyReply.self, "join", "--nearby").games.isEmpty
            }
            #expect(try lab[1].attempt("join", "--from", "ann-laptop").status == 4)
        }

        @Test("A laptop that is not wanted is muted by one answer")
        func muted() throws {
            let lab = try invitingLab("ann-laptop", "bob-laptop")
            let first = try lab[1].begin(["join", "--from", "ann-laptop"])
            _ = try waiting(at: lab[0])
            try lab[0].run("session", "admit", "bob-laptop", "--mute")
            #expect(try first.outcome().status == 5)
            #expect(try lab[1].attempt("join", "--from", "ann-laptop").status == 5)
            let left = try lab[0].read(KnocksReply.self, "session", "admit", "--list").knocks
            #expect(left.isEmpty)
        }

        @Test("Laptops that have played together join by one yes, until they are forgotten")
        func known() throws {
            let lab = try invitingLab("ann-laptop", "bob-laptop")
            let code = try lab[0].read(InviteCode.self, "session", "invite").code
            try lab[1].run("join", code)
            // Next time the other one invites.
            try lab[1].run("session", "new", "rounds", "--title", "Sunday", "--player", "Bob")
            try lab[1].run("session", "invite")
            let joining = try lab[0].begin(["join", "--from", "bob-laptop"])
            let knock = try waiting(at: lab[1])
            #expect(knock.symbols.isEmpty && knock.lastPlayed != nil)
            try lab[1].run("session", "admit", "--yes")
            #expect(try joining.outcome().status == 0)
            try lab[0].run("session", "leave", "--yes", "--session", "Sunday")
            try lab[1].run("peer", "forget", "ann-laptop")
            let again = try lab[0].begin(["join", "--from", "bob-laptop"])
            #expect(try waiting(at: lab[1]).symbols.count == KnockSymbol.shown)
            try lab[1].run("session", "admit", "--yes")
            #expect(try again.outcome().status == 0)
        }
    }
}
