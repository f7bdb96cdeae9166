import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

/// Older and newer versions, with real daemons: one clear line each, where people
/// look.
@Suite(.timeLimit(.minutes(10)))
struct VersionSkewTests {
    @Test("A peer with another protocol version is shown in 'status' and 'show' with advice")
    func peer() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let eve = try HostileMember(invitedTo: laptop)
        try eve.link(speaking: 99...99)
        let line = "eve-laptop speaks protocol 99–99, this device 1–1: update this device"
        try eventually(within: .seconds(10), "the alarm") {
            try laptop.read(StatusReply.self, "status").alarms
                == [Alarm(kind: "version", text: line)]
        }
        #expect(try laptop.run("status").contains("! " + line))
        #expect(try laptop.run("show").contains(line))
        try laptop.run("score", "Ann", "5")
    }

    @Test("A store of a later version is not touched, and the start reports why")
    func store() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        try laptop.stop()
        let path = laptop.home + "/scoresync.db"
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // The user version of a database (SQLite, "Database File Format", section 1.3).
        bytes.replaceSubrange(60..<64, with: [0, 0, 3, 231])
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try? FileManager.default.removeItem(atPath: path + "-wal")
        let outcome = try laptop.attemptDaemon()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("written by a later version of ScoreSync"), "\(outcome)")
        #expect(outcome.errors.contains("its schema is 999"), "\(outcome)")
        #expect(outcome.errors.contains("update ScoreSync on this device"), "\(outcome)")
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }
}
