import LaptopKit
import SyncProtocol
import Testing

/// Laptops of a session that are not linked, or join it a second time.
@Suite("Laptops that are not linked", .timeLimit(.minutes(10)))
struct AbsentLaptopTests {
    private func peers(_ laptop: Laptop) throws -> [PeerSummary] {
        try laptop.read(PeerListReply.self, "peer", "list").items
    }

    @Test("A laptop is taken off the list by its name or id, unless it is linked")
    func removed() throws {
        let table = try Companions("Ann", "Bob")
        let (ann, bob) = (table[0], table[1])
        let linked = try ann.attempt("peer", "remove", "bob")
        #expect(linked.status == 5 && linked.errors.contains("Bob is online"), "\(linked)")
        try bob.stop()
        try eventually(within: .seconds(10), "Bob is away") { try !peers(ann)[0].online }
        let unknown = try ann.attempt("peer", "remove", "Bobb")
        #expect(unknown.status == 4 && unknown.errors.contains("Did you mean: Bob?"), "\(unknown)")
        #expect(try ann.run("peer", "remove", "bob") == "Removed bob.\n")
        #expect(try peers(ann).isEmpty)
        // It is a member as before.
        try bob.start("--no-discovery")
        try bob.call(ann)
        try table.settle()
        #expect(try peers(ann).map(\.name) == ["Bob"])
        try bob.stop()
        try eventually(within: .seconds(10), "Bob is away") { try !peers(ann)[0].online }
        try ann.run("peer", "remove", try #require(try peers(ann)[0].device))
        #expect(try peers(ann).isEmpty)
    }

    @Test("Laptops that have everything of a finished game are not shown as away")
    func finished() throws {
        let table = try Companions("Ann", "Bob")
        try table[1].run("score", "12")
        try table[0].run("session", "finish")
        try table.settle()
        for laptop in table.laptops {
            try eventually(within: .seconds(10), "the link is closed") {
                try peers(laptop).allSatisfy { !$0.online && $0.synced }
            }
            for words in [["show"], ["peer"]] {
                let page = try laptop.run(words)
                #expect(page.contains("has the final scores") && !page.contains("last seen"))
            }
            let session = try #require(try laptop.sessions.first)
            #expect(session.synced && session.peersOnline == 0)
            #expect(try laptop.run("session", "list").contains("synced"))
        }
        // That is still known after a restart, when the other one is away.
        try table[1].stop()
        table[0].kill()
        try table[0].start("--no-discovery")
        #expect(try table[0].run("peer").contains("has the final scores"))
        #expect(try table[0].run("show").contains("has the final scores"))
        // After a change the other one has to be reached again.
        try table[0].run("session", "reopen")
        #expect(try peers(table[0]).allSatisfy { !$0.synced })
        #expect(try table[0].run("show").contains("last seen"))
    }

    @Test("Whoever joins again is told that they are in already")
    func again() throws {
        let table = try Companions("Ann", "Bob")
        let code = try table[0].read(InviteReply.self, "session", "invite").code
        let port = try table[0].read(StatusReply.self, "status").daemon.port
        let words = ["join", try #require(code), "--peer", "127.0.0.1:\(port)"]
        let again = try table[1].run(words)
        #expect(again.hasPrefix("This laptop is already in Friday (rounds, open"), "\(again)")
        #expect(!again.contains("player me"))
        #expect(try table[1].read(JoinReply.self, words).already == true)
        #expect(try table[1].sessions.count == 1)
    }
}
