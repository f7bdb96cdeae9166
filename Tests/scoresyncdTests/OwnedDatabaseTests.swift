import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import SyncTestKit
import Testing

@testable import SessionStore

/// The database of a daemon: no other program can open it, and it survives the loss of its log.
@Suite(.timeLimit(.minutes(10)))
struct OwnedDatabaseTests {
    /// The alarm about an older database, if it is raised.
    private func missing(on laptop: Laptop) throws -> String? {
        try laptop.read(StatusReply.self, "status").alarms.map(\.text)
            .first { $0.contains("older than what this laptop had") }
    }

    /// Kills a laptop and removes its log, at once.
    private func lose(_ laptop: Laptop) throws {
        laptop.kill()
        try FileManager.default.removeItem(atPath: laptop.home + "/scoresync.db-wal")
        try laptop.start("--no-discovery")
    }

    private func totals(on laptop: Laptop) throws -> [Points] {
        try laptop.read(ShowDocument.self, "show").players.map(\.total)
    }

    @Test("Another program can neither lock the database nor delay a score")
    func otherProgram() throws {
        let laptop = try Laptop("ann-laptop")
        do {
            let other = try Connection(path: laptop.home + "/scoresync.db", creating: true)
            try other.run("PRAGMA user_version")
            let refused = try laptop.attemptDaemon("--no-discovery")
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("another program has the database open"))
        }
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        for access in [Connection.Access.readWrite, .readOnly] {
            let error = #expect(throws: StoreError.self) {
                let other = try Connection(path: laptop.home + "/scoresync.db", access)
                try other.run("SELECT count(*) FROM session")
            }
            guard case .busy = error else {
                Issue.record("\(access): \(String(describing: error))")
                continue
            }
        }
        try laptop.run("score", "Ann", "7")
        #expect(try totals(on: laptop) == [7])
        #expect(!FileManager.default.fileExists(atPath: laptop.home + "/scoresync.db-shm"))
    }

    @Test("After a kill and without its log, a laptop has its session and gets its scores back")
    func lostLog() throws {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "rounds", "--player", "Ann", "--player", "Bob")
        try lose(ann)
        #expect(try ann.sessions.count == 1)
        let code = try ann.read(InviteReply.self, "session", "invite").code
        let port = try ann.read(StatusReply.self, "status").daemon.port
        try bob.run("join", try #require(code), "--peer", "127.0.0.1:\(port)")
        try lose(bob)
        #expect(try bob.sessions.count == 1)
        try bob.call(ann)
        for round in 1...20 {
            try ann.run("score", "Ann", "round.\(round)=\(round)")
            try bob.run("score", "Bob", "round.\(round)=\(round)")
        }
        for laptop in [ann, bob] { try laptop.run("wait", "--for", "synced") }
        try lose(ann)
        try ann.call(bob)
        try eventually(within: .seconds(15), "the scores are back") {
            try totals(on: ann) == [210, 210]
        }
        try eventually(within: .seconds(10), "nothing is missing") { try missing(on: ann) == nil }
    }

    @Test("A next game and an imported session survive a kill without the log, too")
    func otherSessions() throws {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        let place = try ScratchDirectory()
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "points", "--player", "Ann")
        try ann.run("score", "Ann", "7")
        try ann.run("session", "new", "--again", "--yes")
        try lose(ann)
        #expect(try ann.sessions.count == 2)
        try ann.run("export", "--all", "--with-key", place.path + "/export")
        try bob.run("import", place.path + "/export")
        try lose(bob)
        #expect(try bob.sessions.count == 2)
        #expect(try bob.read(StatusReply.self, "status").alarms == [])
    }

    @Test("A database older than what the laptop had is reported until the scores have come back")
    func olderDatabase() throws {
        let table = try Companions("Ann", "Bob")
        let (ann, bob) = (table[0], table[1])
        let database = ann.home + "/scoresync.db"
        try ann.run("score", "Ann", "round.1=1")
        try ann.stop()
        let older = try #require(FileManager.default.contents(atPath: database))
        try ann.start("--no-discovery")
        try ann.call(bob)
        for round in 2...21 { try ann.run("score", "Ann", "round.\(round)=1") }
        try ann.run("wait", "--for", "synced")
        try bob.run("daemon", "offline")
        try ann.stop()
        try older.write(to: URL(filePath: database))
        try ann.start("--no-discovery")
        let alarm = try #require(try missing(on: ann))
        // Each score is the cell and the player's membership.
        #expect(alarm.contains("40 changes may be missing"), "\(alarm)")
        #expect(alarm.contains("come back from the other laptops of “Friday”"), "\(alarm)")
        // It is not forgotten while nobody else is there.
        ann.kill()
        try ann.start("--no-discovery")
        #expect(try missing(on: ann) == alarm)
        try ann.run("score", "Ann", "round.22=1")
        try bob.run("daemon", "online")
        try ann.call(bob)
        try eventually(within: .seconds(15), "the scores are back") {
            try totals(on: ann) == [22, 0]
        }
        try eventually(within: .seconds(15), "nothing is missing") { try missing(on: ann) == nil }
        try ann.stop()
        // Without its session it cannot ask anyone.
        try FileManager.default.removeItem(atPath: database)
        try? FileManager.default.removeItem(atPath: database + "-wal")
        try ann.start("--no-discovery")
        let lost = try #require(try missing(on: ann))
        #expect(lost.contains("1 session and ") && lost.contains("join it"), "\(lost)")
    }

    @Test("A session that was left before a kill is not missing")
    func left() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        try laptop.run("score", "Ann", "7")
        let state = laptop.home + "/scoresync.db.last-known"
        try eventually(within: .seconds(10), "the state is saved") {
            FileManager.default.fileExists(atPath: state)
        }
        try laptop.run("session", "leave", "--yes")
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try laptop.read(StatusReply.self, "status").alarms == [])
    }

    @Test("When it is idle, the database has everything without its log")
    func idle() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        try laptop.run("score", "Ann", "7")
        try eventually(within: .seconds(20), "the score is in the database itself") {
            let scratch = try ScratchDirectory()
            let bytes = FileManager.default.contents(atPath: laptop.home + "/scoresync.db")
            try (bytes ?? Data()).write(to: URL(filePath: scratch.path + "/scoresync.db"))
            var generator = SeededGenerator(seed: 1)
            let store = try SessionStore(directory: scratch.path, using: &generator)
            guard let session = try store.sessions().first else { return false }
            return try store.load(session.id).entries.contains { $0.entry.value == .integer(7) }
        }
    }
}

extension Connection {
    /// Opens the database of a home that may have none yet.
    fileprivate convenience init(path: String, creating: Bool) throws {
        if creating { try StoreFiles(directory: PrivateFile.directory(of: path)).createDatabase() }
        try self.init(path: path)
    }
}
