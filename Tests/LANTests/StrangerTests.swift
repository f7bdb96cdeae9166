import FoundationEssentials
import LaptopKit
import SessionStore
import SyncProtocol
import SyncTestKit
import Testing

// Needs real time: the time to converge is shown.

extension LAN {
    struct StrangerTests {
        @Test("No score can be read on the wire")
        func capture() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop")
            let scratch = try ScratchDirectory()
            let probe = try Running(
                lab.hub.entrance
                    + [Programs.path(of: "lan-probe"), "capture", "\(scratch.path)/frames"],
                .conversing
            )
            #expect(try probe.firstLine() == "ready")
            let code = try lab.play("Zebulon", "Bob", title: "Quizabend").code
            try lab[1].run("score", "Zebulon", "round.1=918273645")
            try lab[2].run("player", "rename", "Bob", "Bartholomew")
            try lab.agree()
            let id = try lab[0].read(ShowDocument.self, "show").session.id
            #expect(try probe.outcome().status == 0)
            try lab[0].stop()
            let frames = try scratch.bytes(of: "frames")
            func isThere(_ bytes: some Collection<UInt8>) -> Bool { frames.contains(bytes) }
            // Data that it may send, so that the search is known to find things.
            #expect(isThere(id.utf8))
            var secrets = ["Zebulon", "Quizabend", "Bartholomew", "918273645", "ann-laptop"]
            secrets += ["rounds", code, String(code.filter { $0 != "-" })]
            for secret in secrets { #expect(!isThere(secret.utf8), "\(secret) is in the clear") }
            let key = try Self.key(of: lab[0])
            #expect(key.count == SessionStore.keyBytes)
            let hex = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(!isThere(key) && !isThere(hex.utf8))
            #expect(!isThere(Data(key).base64EncodedString().utf8))
        }

        /// The secret of the only session of a laptop whose daemon has stopped.
        private static func key(of laptop: Laptop) throws -> [UInt8] {
            var generator = SeededGenerator(seed: 1)
            let store = try SessionStore(directory: laptop.home, using: &generator)
            return try #require(try store.sessions().first?.key)
        }

        @Test("A stranger's daemon learns nothing, and a flood of garbage stops no one")
        func flood() throws {
            let lab = try Lab("ann-laptop", "bob-laptop", "cem-laptop", "eve-laptop")
            let eve = lab[3]
            try lab.play("Ann", "Bob", "Cem", laptops: 3)
            try eve.start()
            try eve.run("session", "new", "points", "--player", "Eve")
            let id = try lab[0].read(ShowDocument.self, "show").session.id
            let targets = (0..<3).map(Lab.address)
            let probe = try Running(
                eve.room.entrance
                    + [Programs.path(of: "lan-probe"), "flood", Lab.broadcast, id] + targets,
                .conversing
            )
            #expect(try probe.firstLine() == "ready")
            let friends = Array(lab.laptops.prefix(3))
            for round in 1...20 {
                for (laptop, player) in zip(friends, ["Ann", "Bob", "Cem"]) {
                    try laptop.run("score", player, "round.\(round)=\(round)")
                }
            }
            print("equal in a flood: \(try lab.agree(friends))")
            // A laptop that was away comes back in the middle of it.
            friends[2].kill()
            try friends[0].run("score", "Ann", "round.21=21")
            let start = ContinuousClock.now
            try friends[2].start()
            try lab.agree(friends)
            print("back in a flood: \(ContinuousClock.now - start)")
            let outcome = try probe.outcome()
            print(outcome.output)
            #expect(outcome.status == 0)
            for friend in friends {
                let peers = try friend.read(PeerListReply.self, "peer", "list").items
                #expect(peers.filter(\.online).count == 2)
                #expect(friend.isRunning)
            }
            #expect(try eve.read(PeerListReply.self, "peer", "list").items.isEmpty)
            let sessions = try eve.read(SessionListReply.self, "session", "list").items
            #expect(sessions.map(\.game) == ["points"])
        }
    }
}
