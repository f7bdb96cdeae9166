import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

@testable import SessionStore

// Needs real time: a restore is killed after various times.

/// Laptops whose state comes back from a copy, among others that went on.
@Suite(.timeLimit(.minutes(10)))
struct RestoreHomeTests {
    /// A laptop with a running daemon and a session without scores, and a copy of its home.
    private struct Stage {
        let laptop: Laptop
        let place: ScratchDirectory
        let copy: String

        init() throws {
            laptop = try Laptop("ann-laptop")
            try laptop.start("--no-discovery")
            try laptop.run("session", "new", "rounds", "--player", "Ann")
            place = try ScratchDirectory()
            copy = place.path + "/copy"
            try laptop.run("backup", copy)
        }
    }

    /// The alarms of a laptop, by their kinds.
    private func alarms(of laptop: Laptop) throws -> [String] {
        try laptop.read(StatusReply.self, "status").alarms.map(\.kind)
    }

    /// Brings a copy back and starts the daemon.
    private func restore(_ copy: String, on laptop: Laptop) throws -> RestoreReport {
        let report = try laptop.read(RestoreReport.self, "restore", copy, "--yes")
        #expect(!laptop.isRunning)
        try laptop.start("--no-discovery")
        return report
    }

    @Test("A restored laptop rejoins, receives what it had sent, and nothing is lost, also twice")
    func joinsIn() throws {
        let table = try Companions("Ann", "Bob")
        let (ann, bob) = (table[0], table[1])
        let place = try ScratchDirectory()
        try ann.run("score", "Ann", "round.1=1")
        try table.settle()
        try ann.run("backup", place.path + "/copy")
        // Changed since by both, also what is in the copy; all of it reaches Bob.
        try ann.run("score", "Ann", "round.1=100", "round.2=2")
        try bob.run("score", "Bob", "round.1=10")
        try ann.run("player", "add", "Cem")
        try table.settle()
        let before = try ann.read(StatusReply.self, "status").daemon
        for round in 1...2 {
            let report = try restore(place.path + "/copy", on: ann)
            #expect(report.restored && report.wasUsed && report.heldSessions == 1)
            #expect(report.replaced == "\(ann.home)/scoresync.db.replaced-\(round)")
            try ann.call(bob)
            try table.settle()
            // It writes as somebody new, over what it wrote before the copy came back.
            try ann.run("score", "Ann", "round.2=\(20 + round)")
            try bob.run("score", "Bob", "round.\(round + 1)=\(round)")
            try table.settle()
        }
        let after = try ann.read(StatusReply.self, "status").daemon
        #expect(after.device == before.device && after.instance != before.instance)
        let totals = try bob.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals == [122, 13, 0])
        for laptop in table.laptops {
            #expect(try alarms(of: laptop).isEmpty)
            #expect(try laptop.read(ConflictsReply.self, "conflicts").items.isEmpty)
        }
    }

    @Test("Entries of no other laptop are in the database that was set aside, and can be restored")
    func setAside() throws {
        let stage = try Stage()
        let laptop = stage.laptop
        try laptop.run("score", "Ann", "round.1=5")
        let report = try restore(stage.copy, on: laptop)
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [0])
        _ = try restore(try #require(report.replaced), on: laptop)
        #expect(try laptop.read(ShowDocument.self, "show").players.map(\.total) == [5])
    }

    @Test("A used home is asked about, and without an answer nothing happens")
    func asks() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        let place = try ScratchDirectory()
        try laptop.run("backup", place.path + "/empty")
        try laptop.run("session", "new", "rounds", "--player", "Ann")
        let refused = try laptop.attempt("restore", place.path + "/empty")
        #expect(refused.status == 2, "\(refused)")
        #expect(refused.errors.contains("This laptop has 1 session."))
        #expect(laptop.isRunning)
        #expect(try laptop.read(SessionListReply.self, "session", "list").items.count == 1)
    }

    @Test("A file that cannot be restored is rejected before the daemon is stopped")
    func refused() throws {
        let stage = try Stage()
        let (laptop, directory) = (stage.laptop, stage.place.path)
        try Connection(path: stage.copy).run("PRAGMA user_version = 99")
        try Data().write(to: URL(filePath: directory + "/empty"))
        let refusals = [
            (stage.copy, 8, "later version"), (directory + "/empty", 1, "it is empty"),
            (directory, 1, "it is a directory"), (directory + "/none", 4, "no file /"),
        ]
        for (path, status, reason) in refusals {
            let outcome = try laptop.attempt("restore", path, "--yes")
            #expect(outcome.status == Int32(status), "\(outcome)")
            #expect(outcome.errors.contains(reason), "\(outcome)")
        }
        #expect(laptop.isRunning)
        let held = try laptop.attemptDaemon("--restore", stage.copy)
        #expect(held.status == 75 && held.errors.contains("daemon stop"), "\(held)")
    }

    @Test("A killed restore leaves the old home, or the new one with the old one next to it")
    func killed() throws {
        let stage = try Stage()
        let laptop = stage.laptop
        try laptop.run("score", "Ann", "round.1=5")
        try laptop.stop()
        let program = try Programs.path(of: "scoresyncd")
        var outcomes: Set<Points> = []
        for round in 0..<12 {
            let words = [program, "--home", laptop.home, "--restore", stage.copy]
            let run = try Running(words, .captured)
            let end = ContinuousClock.now + .milliseconds(2 * round)
            while ContinuousClock.now < end {}
            run.kill()
            try laptop.start("--no-discovery")
            let total = try laptop.read(ShowDocument.self, "show").players[0].total
            outcomes.insert(total)
            #expect(try alarms(of: laptop).isEmpty)
            try laptop.run("score", "Ann", "round.1=5")
            try laptop.stop()
        }
        #expect(outcomes.isSubset(of: [0, 5]), "\(outcomes)")
        for name in try FileManager.default.contentsOfDirectory(atPath: laptop.home)
        where name.contains(".replaced-") && !name.hasSuffix("-wal") {
            #expect(try BackupContents(of: "\(laptop.home)/\(name)").sessions == 1)
        }
    }

    @Test("A home copied to two running laptops is reported, and costs no score")
    func twoAtOnce() throws {
        let table = try Companions("Ann", "Bob")
        let place = try ScratchDirectory()
        try table[0].run("backup", place.path + "/copy")
        let third = try Laptop("third")
        try third.run("restore", place.path + "/copy")
        try third.start("--no-discovery")
        try third.call(table[1])
        try third.run("score", "Ann", "round.1=3")
        try table[0].run("score", "Bob", "round.1=4")
        try table.settle()
        try eventually(within: .seconds(15), "all three show the same") {
            try third.run("show", "--json") == table[1].run("show", "--json")
        }
        #expect(try alarms(of: table[1]).contains("cloned-home"))
        let totals = try third.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals == [3, 4])
        try third.stop()
        try eventually(within: .seconds(15), "the alarm ends with the copy") {
            try !alarms(of: table[1]).contains("cloned-home")
        }
    }
}
