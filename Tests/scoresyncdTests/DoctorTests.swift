import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// Each cause on one machine is provoked with real programs, and named by `scorectl doctor`.
@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
    private func laptop() throws -> Laptop {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        return laptop
    }

    private func patch(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
        var content = try Data(contentsOf: URL(filePath: path))
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        try content.write(to: URL(filePath: path))
    }

    @Test("Without a daemon there is a warning, and nothing is started or created")
    func noDaemon() throws {
        let laptop = try Laptop("ann-laptop")
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 0)
        let found = try #require(checkup.complaint("daemon"))
        #expect(found.state == "warning")
        #expect(found.commands == ["scorectl daemon start"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.home).isEmpty)
    }

    @Test("The logged reason of a daemon that could not start is reported")
    func lastWords() throws {
        let laptop = try Laptop("ann-laptop")
        try Data("scoresyncd: a reason that it had\n".utf8)
            .write(to: URL(filePath: "\(laptop.home)/daemon.log"))
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 10)
        let cause = try #require(checkup.complaint("daemon")?.cause)
        #expect(cause == "the last one could not start: a reason that it had")
    }

    @Test("A daemon that hangs is named by its process, and doctor does not hang with it")
    func silentDaemon() throws {
        let laptop = try laptop()
        let process = try laptop.read(StatusReply.self, "status").daemon.pid
        try laptop.room.run("kill -STOP \(process)")
        let checkup = try laptop.checkUp()
        try laptop.room.run("kill -CONT \(process)")
        #expect(checkup.status == 10)
        let found = try #require(checkup.complaint("daemon"))
        #expect(found.text == "the daemon (pid \(process)) is running but does not answer")
        #expect(found.commands?.first == "kill -CONT \(process)")
        #expect(try laptop.checkUp().complaint("daemon") == nil)
    }

    @Test("A home that others may enter is named, and the command closes it")
    func openHome() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.room.run("chmod 755 '\(laptop.home)'")
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 10)
        let command = try #require(checkup.complaint("home")?.commands?.first)
        try laptop.room.run(command)
        #expect(try laptop.checkUp().complaint("home") == nil)
    }

    @Test("A home whose path is too long for a socket is no problem")
    func longPath() throws {
        let laptop = try Laptop("ann-laptop")
        let deep = laptop.home + "/" + String(repeating: "d", count: 100)
        let words = [try Programs.path(of: "scorectl"), "--home", deep, "doctor", "--json"]
        let checkup = try Checkup(try Running(words, .captured).outcome())
        #expect(checkup.complaint("socket") == nil)
    }

    @Test("A file in place of the socket is reported, and the command moves it away")
    func socketInTheWay() throws {
        let laptop = try Laptop("ann-laptop")
        try Data().write(to: URL(filePath: "\(laptop.home)/control.sock"))
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 10)
        let command = try #require(checkup.complaint("socket")?.commands?.first)
        try laptop.room.run(command)
        #expect(try laptop.checkUp().complaint("socket") == nil)
    }

    @Test(
        "A newer, foreign or damaged database is named while no daemon is running",
        arguments: [
            (60, [0, 0, 0, 99], "its schema is 99"),
            (68, [1, 2, 3, 4], "a database of another program (application id 16909060)"),
            (0, [0x5A, 0x5A], "has no database header"),
        ] as [(Int, [UInt8], String)]
    )
    func wrongStore(_ offset: Int, _ bytes: [UInt8], _ cause: String) throws {
        let laptop = try laptop()
        try laptop.stop()
        #expect(try laptop.checkUp().complaint("store") == nil)
        try patch("\(laptop.home)/scoresync.db", at: offset, with: bytes)
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 10)
        let found = try #require(checkup.complaint("store"))
        #expect(found.cause?.contains(cause) == true, "\(found)")
    }

    @Test("A repaired database is shown until the damaged file is removed")
    func mendedStore() throws {
        let laptop = try laptop()
        try laptop.stop()
        try? FileManager.default.removeItem(atPath: "\(laptop.home)/scoresync.db-wal")
        let database = "\(laptop.home)/scoresync.db"
        try Data(repeating: 0x5A, count: 40_000).write(to: URL(filePath: database))
        try laptop.start("--no-discovery")
        let running = try laptop.checkUp()
        let found = try #require(running.complaint("store"))
        #expect(found.subject == "\(database).damaged-1")
        #expect(found.state == "warning" && running.status == 0, "\(found)")
        try laptop.stop()
        #expect(try laptop.checkUp().complaint("store")?.subject == "\(database).damaged-1")
    }

    @Test("A database that was removed while the daemon is running is reported")
    func movedStore() throws {
        let laptop = try laptop()
        try laptop.room.run("mv '\(laptop.home)/scoresync.db' '\(laptop.home)/elsewhere'")
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 10)
        let found = try #require(checkup.complaint("disk"))
        #expect(found.cause?.contains("was removed or replaced") == true, "\(found)")
    }

    @Test("A member with a wrong clock is reported")
    func clockSkew() throws {
        let laptop = try laptop()
        let eve = try HostileMember(invitedTo: laptop)
        try eve.link(clockAheadMilliseconds: 3_600_000)
        try eventually(within: .seconds(5), "it is named") {
            try laptop.checkUp().complaint("clock") != nil
        }
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 0)
        let found = try #require(checkup.complaint("clock"))
        #expect(found.cause?.contains("60 min ahead of this one") == true, "\(found)")
    }

    @Test("Two daemons with copies of one home are reported")
    func clonedHome() throws {
        let laptop = try laptop()
        let device = try laptop.read(StatusReply.self, "status").daemon.device
        let eve = try HostileMember(invitedTo: laptop)
        try eve.link(as: try #require(DeviceID(device)))
        try eventually(within: .seconds(5), "it is named") {
            try laptop.checkUp().complaint("clone") != nil
        }
        #expect(try laptop.checkUp().status == 10)
    }

    @Test("Offline and without discovery are shown as choices, not as faults")
    func chosen() throws {
        let laptop = try laptop()
        #expect(
            try laptop.checkUp().complaint("interface")?.cause?.contains("--no-discovery") == true
        )
        try laptop.run("daemon", "offline")
        let checkup = try laptop.checkUp()
        #expect(checkup.status == 0)
        #expect(checkup.complaint("interface")?.commands == ["scorectl daemon online"])
        try laptop.run("session", "new", "points", "--player", "Ann")
        let code = try #require(try laptop.read(InviteReply.self, "session", "invite").code)
        let join = try laptop.attempt("join", code)
        #expect(join.status == 5 && join.errors.contains("scorectl daemon online"), "\(join)")
    }

    @Test("A typed address without a listener is shown with the result of dialling it")
    func refusedAddress() throws {
        let laptop = try laptop()
        let port = try FreePort.ofDatagrams()
        try laptop.run("peer", "add", "127.0.0.1:\(port)")
        try eventually(within: .seconds(10), "it was called") {
            try laptop.checkUp().complaint("peer")?.cause?.contains("refused") == true
        }
        let found = try #require(try laptop.checkUp().complaint("peer"))
        #expect(found.subject == "127.0.0.1:\(port)")
    }
}
