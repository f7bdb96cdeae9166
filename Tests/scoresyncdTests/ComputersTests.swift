import LaptopKit
import SyncProtocol
import Testing

/// Which laptop moves for a computer player, on real daemons.
@Suite(.timeLimit(.minutes(2)))
struct ComputersTests {
    /// Ann's laptop, which moves for Robo, and Bob's, whose player begins, in a game of Reversi.
    private func table() throws -> (ann: Laptop, bob: Laptop) {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "reversi", "--title", "Friday", "--player", "Bob")
        try ann.run("player", "add", "--computer", "Robo", "--depth", "2")
        let code = try #require(try ann.read(InviteReply.self, "session", "invite").code)
        let port = try ann.read(StatusReply.self, "status").daemon.port
        try bob.run("join", code, "--peer", "127.0.0.1:\(port)")
        try bob.run("player", "me", "Bob")
        try bob.run("wait", "--for", "synced", "--timeout", "10")
        return (ann, bob)
    }

    private func show(_ laptop: Laptop) throws -> ShowDocument {
        try laptop.read(ShowDocument.self, "show")
    }

    private func awaitCurrent(_ title: String, on laptop: Laptop) throws {
        try eventually(within: .seconds(15), "\(title) is current on \(laptop.name)") {
            try laptop.current?.title == title
        }
    }

    @Test("A computer moves in a next game that another laptop began, and goes on in it")
    func takenUp() throws {
        let (ann, bob) = try table()
        try bob.run("session", "new", "--again", "--yes")
        // Nobody looks at Ann's laptop until Robo has moved.
        try bob.run("wait", "--for", "peers=1", "--timeout", "10")
        try bob.run("wait", "--for", "synced", "--timeout", "10")
        try bob.run("play", "d3")
        try bob.run("wait", "--for", "turn", "--timeout", "20")
        let robo = try show(bob).players.first { $0.name == "Robo" }
        #expect(robo?.cells.map(\.by) == ["ann-laptop"])
    }
}
