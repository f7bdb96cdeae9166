import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import SessionStore

/// Daemons whose disk was damaged, filled or taken away.
struct DamageTests {
    /// Two laptops in one session, in which the second has written what the first has, and more.
    private struct Table {
        let ann: Laptop
        let bob: Laptop

        init() throws {
            (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
            for laptop in [ann, bob] { try laptop.start("--no-discovery") }
            try ann.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
            try join()
            for round in 1...20 {
                try ann.run("score", "Ann", "round.\(round)=\(round)")
                try bob.run("score", "Bob", "round.\(round)=\(round * 2)")
            }
            for laptop in [ann, bob] { try laptop.run("wait", "--for", "synced") }
        }

        /// Bob joins by a code.
        func join() throws {
            let code = try ann.read(InviteReply.self, "session", "invite").code
            let port = try ann.read(StatusReply.self, "status").daemon.port
            try bob.run("join", try #require(code), "--peer", "127.0.0.1:\(port)")
        }

        /// Waits until both show the same.
        func agree() throws {
            try eventually(within: .seconds(15), "both show the same") {
                try ann.run("show", "--json") == bob.run("show", "--json")
            }
        }
    }

    /// The storage alarms of a laptop.
    private func alarms(of laptop: Laptop) throws -> [String] {
        try laptop.read(StatusReply.self, "status").alarms.filter { $0.kind == "storage" }
            .map(\.text)
    }

    /// Damages the database of a laptop that does not run.
    private func damage(_ laptop: Laptop, _ statements: String...) throws {
        let connection = try Connection(path: "\(laptop.home)/scoresync.db")
        try connection.run("PRAGMA foreign_keys = OFF")
        for statement in statements { try connection.run(statement) }
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test("A corrupt row loses no score: a member sends it again")
    func memberGivesBack() throws {
        let table = try Table()
        try table.ann.stop()
        // This one nobody else has.
        try table.bob.run("score", "Bob", "round.21=99")
        try table.bob.stop()
        try damage(
            table.bob,
            "UPDATE entry SET kind = 77 WHERE kind = 2 AND value % 3 = 0 AND value < 99",
            "DELETE FROM line WHERE value % 3 = 0 AND value < 99"
        )
        try table.bob.start("--no-discovery")
        let told = try alarms(of: table.bob)
        #expect(told.count == 1)
        #expect(told.first?.contains("other members send what they have") == true, "\(told)")
        try table.ann.start("--no-discovery")
        let port = try table.ann.read(StatusReply.self, "status").daemon.port
        try table.bob.run("peer", "add", "127.0.0.1:\(port)")
        try table.agree()
        let totals = try table.ann.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals == [210, 420 + 99])
        #expect(try table.bob.read(ConflictsReply.self, "conflicts").items.isEmpty)
        let kinds = Set(try table.ann.read(StatusReply.self, "status").alarms.map(\.kind))
        #expect(!kinds.contains("digest-mismatch"))
        // It is told until somebody has taken the damaged file away.
        try table.bob.stop()
        try table.bob.start("--no-discovery")
        #expect(try alarms(of: table.bob) == told)
        for name in try FileManager.default.contentsOfDirectory(atPath: table.bob.home)
        where name.contains("damaged") {
            try FileManager.default.removeItem(atPath: "\(table.bob.home)/\(name)")
        }
        try eventually(within: .seconds(10), "it is told no more") {
            try alarms(of: table.bob).isEmpty
        }
    }

    @Test("A session whose key is lost can be read and written, and joining again repairs it")
    func lostKey() throws {
        let table = try Table()
        try table.bob.stop()
        try damage(table.bob, "UPDATE session SET secret = x'0102'")
        try table.bob.start("--no-discovery")
        try table.bob.run("score", "Bob", "round.21=1")
        #expect(try alarms(of: table.bob).first?.contains("the key of session") == true)
        let refused = try table.bob.attempt("session", "invite")
        #expect(refused.status == 5, "\(refused)")
        #expect(refused.errors.contains("join it again"))
        try table.join()
        try table.agree()
        #expect(try alarms(of: table.bob).isEmpty)
        let totals = try table.ann.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals == [210, 421])
        // And it stays mended.
        try table.bob.stop()
        try table.bob.start("--no-discovery")
        #expect(try alarms(of: table.bob).isEmpty)
    }

    @Test("After its files are removed nothing is acknowledged any more, and status shows it")
    func removedFiles() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        try laptop.run("score", "Ann", "1")
        for suffix in ["", "-wal"] {
            let path = "\(laptop.home)/scoresync.db\(suffix)"
            try FileManager.default.removeItem(atPath: path)
        }
        for value in 2...4 {
            let refused = try laptop.attempt("score", "Ann", "\(value)")
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("was removed or replaced"), "\(refused)")
        }
        try eventually(within: .seconds(10), "status says so") {
            try alarms(of: laptop).contains { $0.contains("was removed or replaced") }
        }
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [1])
    }

    @Test(
        "A daemon whose home was removed ends for another in its place and leaves it all"
    )
    func replacedHome() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        try laptop.run("score", "Ann", "7")
        try FileManager.default.removeItem(atPath: laptop.home)
        let other = try Running(
            [Programs.path(of: "scoresyncd"), "--home", laptop.home, "--no-discovery"],
            .captured
        )
        defer { other.kill() }
        try eventually(within: .seconds(20), "the first has ended") { !laptop.isRunning }
        #expect(laptop.log.contains("another daemon is running in this one's home"))
        #expect(other.isRunning)
        // Data that only this laptop had is lost.
        try FileManager.default.createDirectory(
            atPath: "\(laptop.home)/restored",
            withIntermediateDirectories: false
        )
        try FileManager.default.copyItem(
            atPath: "\(laptop.home)/scoresync.db.damaged-1",
            toPath: "\(laptop.home)/restored/scoresync.db"
        )
        let store = try SessionStore.openForTest("\(laptop.home)/restored")
        let session = try #require(try store.sessions().first)
        let values = try store.load(session.id).entries.map(\.entry.value)
        #expect(values.contains(.integer(7)))
    }

    /// The damaged page of a large database.
    enum Place: String, CaseIterable {
        case historyRoot = "SELECT rootpage FROM sqlite_master WHERE name = 'line'"
        case sessionRoot = "SELECT rootpage FROM sqlite_master WHERE name = 'session'"
        case firstSettings = """
            SELECT pageno FROM dbstat WHERE name = 'setting' AND pagetype = 'leaf'
            ORDER BY path LIMIT 1
            """
        case lastSettings = """
            SELECT pageno FROM dbstat WHERE name = 'setting' AND pagetype = 'leaf'
            ORDER BY path DESC LIMIT 1
            """
    }

    @Test(
        "Damage in a database too large to be checked at the start is found and repaired",
        arguments: Place.allCases
    )
    func largeDatabase(place: Place) throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        for round in 1...40 { try laptop.run("score", "Ann", "round.\(round)=1") }
        let shown = try laptop.run("show", "--json")
        try laptop.stop()
        let filling = String(repeating: "x", count: 1 << 20)
        let page: Int64
        do {
            let store = try SessionStore.openForTest(laptop.home)
            for number in 1...20 { try store.set("filling.\(number)", to: filling) }
            page = try store.connection.number(place.rawValue)
            store.truncateLog()
        }
        let path = "\(laptop.home)/scoresync.db"
        let isDamaged = try Noise.write(over: path, at: Int(page - 1) * 4_096, count: 4_096)
        #expect(isDamaged)
        try laptop.start("--no-discovery")
        try eventually(within: .seconds(20), "it is told") {
            try !alarms(of: laptop).isEmpty
        }
        let after = try laptop.read(ShowDocument.self, "show")
        #expect(after.players.map(\.total) == [40])
        if place == .historyRoot {
            #expect(try laptop.run("show", "--json") == shown)
        }
        try laptop.run("score", "Ann", "round.41=1")
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [41])
    }
}

extension SessionStore {
    /// The store of a home whose daemon does not run.
    fileprivate static func openForTest(_ home: String) throws -> SessionStore {
        var generator = SystemRandomNumberGenerator()
        return try SessionStore(directory: home, using: &generator)
    }
}

/// Files as tests damage them.
private enum Noise {
    /// Writes noise over a part of a file.
    static func write(over path: String, at offset: Int, count: Int) throws -> Bool {
        guard var bytes = FileManager.default.contents(atPath: path) else { return false }
        guard offset >= 0, offset + count <= bytes.count else { return false }
        bytes.replaceSubrange(offset..<offset + count, with: [UInt8](repeating: 0xA5, count: count))
        try bytes.write(to: URL(filePath: path))
        return true
    }
}
