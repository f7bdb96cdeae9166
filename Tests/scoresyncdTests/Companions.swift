import LaptopKit
import SyncProtocol
import Testing

/// Some laptops on this machine that hold one session and know each other's addresses.
struct Companions {
    let laptops: [Laptop]

    /// Laptops with these names, each with a player of the same name who is "me" there, in a
    /// session of a game with a title; the first laptops have these clocks.
    init(
        _ names: String...,
        game: String = "rounds",
        title: String = "Friday",
        clocks: [String] = []
    ) throws {
        laptops = try names.map { try Laptop($0) }
        for (laptop, clock) in zip(laptops, clocks) { laptop.clock = clock }
        for laptop in laptops { try laptop.start("--no-discovery") }
        let players = names.flatMap { ["--player", $0] }
        try laptops[0].run(["session", "new", game, "--title", title] + players)
        let code = try laptops[0].read(InviteReply.self, "session", "invite").code
        let port = try laptops[0].read(StatusReply.self, "status").daemon.port
        for laptop in laptops.dropFirst() {
            try laptop.run("join", try #require(code), "--peer", "127.0.0.1:\(port)")
        }
        for (laptop, name) in zip(laptops, names) {
            try laptop.run("player", "me", name)
            try laptop.run("wait", "--for", "peers=\(names.count - 1)", "--timeout", "10")
        }
        try settle()
    }

    subscript(index: Int) -> Laptop { laptops[index] }

    /// Waits until all show the same of a session.
    func settle(_ session: String = "Friday") throws {
        var shown: [String] = []
        try eventually(within: .seconds(15), "the same on all: \(shown)") {
            let outcomes = try laptops.filter(\.isRunning).map {
                try $0.attempt("show", session, "--json")
            }
            shown = outcomes.map { $0.output + $0.errors }
            return Set(shown).count == 1 && outcomes.allSatisfy { $0.status == 0 }
        }
    }

    /// Waits until a laptop's current session has this title.
    func awaitCurrent(_ title: String, on laptop: Laptop) throws {
        try eventually(within: .seconds(15), "\(title) is current on \(laptop.name)") {
            try laptop.current?.title == title
        }
    }
}

extension Laptop {
    /// Is told where another laptop's daemon is now: it may not get the port again that it had,
    /// because laptops of other tests look for one, too.
    func call(_ other: Laptop, in session: String? = nil) throws {
        let port = try other.read(StatusReply.self, "status").daemon.port
        let choice = session.map { ["--session", $0] } ?? []
        try run(["peer", "add", "127.0.0.1:\(port)"] + choice)
    }

    /// Its sessions, the latest first.
    var sessions: [SessionSummary] {
        get throws { try read(SessionListReply.self, "session", "list").items }
    }

    /// Its current session.
    var current: SessionSummary? {
        get throws { try sessions.first(where: \.current) }
    }
}
