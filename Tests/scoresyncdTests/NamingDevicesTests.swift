import CPlatform
import LaptopKit
import SyncProtocol
import Testing

/// Names of laptops, with real daemons.
@Suite(.timeLimit(.minutes(10)))
struct NamingDevicesTests {
    /// Two laptops of one host name in a session, each with a player.
    private func table() throws -> [Laptop] {
        let laptops = [try Laptop("vm"), try Laptop("vm")]
        for laptop in laptops { try laptop.start("--no-discovery") }
        try laptops[0].run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        let code = try laptops[0].read(InviteReply.self, "session", "invite").code
        let port = try laptops[0].read(StatusReply.self, "status").daemon.port
        try laptops[1].run("join", try #require(code), "--peer", "127.0.0.1:\(port)")
        try laptops[1].run("wait", "--for", "synced", "--timeout", "10")
        return laptops
    }

    private func writers(_ laptop: Laptop) throws -> Set<String> {
        Set(try laptop.read(HistoryReply.self, "history").items.map(\.by))
    }

    /// Whom the sheet names as those who wrote what it shows.
    private func cellWriters(_ laptop: Laptop) throws -> Set<String> {
        let players = try laptop.read(ShowDocument.self, "show").players
        return Set(players.flatMap { $0.cells.map(\.by) })
    }

    private func peers(_ laptop: Laptop) throws -> [String] {
        try laptop.read(PeerListReply.self, "peer", "list").items.map(\.name)
    }

    @Test("Laptops with one host name have different names from the start, the same on both")
    func apart() throws {
        let laptops = try table()
        // Also before the second one has written.
        #expect(try peers(laptops[0]) == ["vm 2"])
        #expect(try peers(laptops[1]) == ["vm"])
        try laptops[0].run("score", "Ann", "1")
        try laptops[1].run("score", "Bob", "2")
        for laptop in laptops {
            try eventually(within: .seconds(10), "both write under their names") {
                try writers(laptop) == ["vm", "vm 2"]
            }
            #expect(try cellWriters(laptop) == ["vm", "vm 2"])
        }
        #expect(try peers(laptops[0]) == ["vm 2"])
        #expect(try peers(laptops[1]) == ["vm"])
    }

    @Test("The new name of a laptop is shown at once by the others, and after a restart")
    func renamed() throws {
        let laptops = try table()
        try laptops[1].run("score", "Bob", "2")
        let reply = try laptops[1].read(DaemonRenameReply.self, "daemon", "rename", "kitchen")
        #expect(reply == DaemonRenameReply(name: "kitchen", before: "vm"))
        try eventually(within: .seconds(10), "the other has heard of it") {
            try writers(laptops[0]) == ["kitchen"] && peers(laptops[0]) == ["kitchen"]
        }
        #expect(try laptops[1].run("daemon", "rename", "kitchen").contains("(was kitchen)"))
        #expect(try laptops[1].attempt("daemon", "rename", "").status == 2)
        #expect(
            try laptops[1].attempt("daemon", "rename", String(repeating: "x", count: 64)).status
                == 2
        )
        // The running daemon uses the new name, too.
        let refused = try laptops[1].attempt("daemon", "start", "--name", "attic")
        #expect(refused.status == 5 && refused.errors.contains("daemon rename attic"), "\(refused)")
        #expect(try laptops[1].read(StatusReply.self, "status").daemon.name == "kitchen")
        // Nothing is left to take back by it.
        #expect(try laptops[1].run("undo").contains("Bob"))
        let started = try laptops[1].run("session", "new", "points", "--player", "Ann")
        #expect(started.contains("Started"))
    }

    @Test("People are renamed in their place, and not to the name of another one")
    func people() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("people", "add", "Ann", "Bob")
        try laptop.run("people", "select", "Bob", "Ann")
        let people = try laptop.read(PeopleReply.self, "people", "rename", "Bo", "Robert").items
        #expect(
            people == [PersonSummary(name: "Robert", seat: 1), PersonSummary(name: "Ann", seat: 2)]
        )
        #expect(try laptop.attempt("people", "rename", "Ann", "ROBERT").status == 5)
        #expect(try laptop.attempt("people", "rename", "Cem", "Dan").status == 4)
        #expect(
            try laptop.read(PeopleReply.self, "people", "rename", "robert", "ROBERT").items[0].name
                == "ROBERT"
        )
    }

    @Test("A second invite keeps the duration of the first, unless another one is given")
    func minutes() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        func minutesLeft(_ words: String...) throws -> Int {
            let reply = try laptop.read(InviteReply.self, ["session", "invite"] + words)
            let left = (reply.expires?.milliseconds ?? 0) - platform_wall_milliseconds()
            return Int((left + 30_000) / 60_000)
        }
        #expect(try minutesLeft() == InviteLife.usual)
        #expect(try minutesLeft("--for", "2h") == 120)
        #expect(try minutesLeft() == 120)
        #expect(try minutesLeft("--for", "5m") == 5)
        try laptop.run("session", "invite", "--close")
        #expect(try minutesLeft() == InviteLife.usual)
    }
}
