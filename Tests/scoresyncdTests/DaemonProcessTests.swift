import CPlatform
import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

/// The daemon as a process: its flags, its home and its end.
struct DaemonProcessTests {
    @Test("A home has one daemon; a second one is rejected and does no harm")
    func secondDaemon() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        let second = try laptop.attemptDaemon("--no-discovery")
        #expect(second.status == 75, "\(second)")
        #expect(second.errors.contains(laptop.home), "\(second)")
        try laptop.run("session", "new", "points", "--player", "Ann")
        #expect(try laptop.stop() == 0)
    }

    @Test(
        "A home of another user is refused with the reason, and nothing is written there",
        .enabled(if: platform_own_user() == 0, "needs root")
    )
    func foreignHome() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.room.run("chown 65534 '\(laptop.home)'")
        let scorectl = try Programs.path(of: "scorectl")
        let words = [scorectl, "--home", laptop.home, "session", "list"]
        for refused in [
            try laptop.attemptDaemon("--no-discovery"), try Running(words, .captured).outcome(),
        ] {
            #expect(refused.status == 1, "\(refused)")
            #expect(refused.errors.contains("belongs to another user (uid 65534)"), "\(refused)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.home).isEmpty)
    }

    @Test("A restart keeps every byte of what is shown, after a stop and after a kill")
    func restart() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "rounds", "--title", "Friday", "--player", "Ann")
        try laptop.run("score", "Ann", "round.1=5", "round.2=-7")
        try laptop.run("clear", "Ann", "round.2")
        let shown = try laptop.run("show", "--json")
        let history = try laptop.run("history", "--json")
        #expect(try laptop.stop() == 0)
        try laptop.start("--no-discovery")
        #expect(try laptop.run("show", "--json") == shown)
        #expect(try laptop.run("history", "--json") == history)
        laptop.kill()
        try laptop.start("--no-discovery")
        #expect(try laptop.run("show", "--json") == shown)
        #expect(try laptop.run("history", "--json") == history)
    }

    @Test("Two daemons on one machine play together by an address alone")
    func neighbours() throws {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        for laptop in [ann, bob] { try laptop.start("--no-discovery") }
        try ann.run("session", "new", "points", "--player", "Ann", "--player", "Bob")
        let code = try ann.read(InviteReply.self, "session", "invite").code
        let port = try ann.read(StatusReply.self, "status").daemon.port
        try bob.run("join", try #require(code), "--peer", "127.0.0.1:\(port)")
        try bob.run("score", "Bob", "4")
        try ann.run("score", "Ann", "3")
        for laptop in [ann, bob] { try laptop.run("wait", "--for", "synced", "--timeout", "10") }
        try eventually(within: .seconds(5), "both show the same") {
            try ann.run("show", "--json") == bob.run("show", "--json")
        }
        let totals = try ann.read(ShowDocument.self, "show").players.map(\.total)
        #expect(totals == [3, 4])
    }

    @Test("A port in use is reported, the rest works, and it is used once it is free")
    func portInUse() throws {
        let (ann, bob) = (try Laptop("ann-laptop"), try Laptop("bob-laptop"))
        // None that the laptops of other tests look for.
        let port: UInt16 = 21_615
        try ann.start("--no-discovery", "--port", "\(port)")
        try bob.start("--no-discovery", "--port", "\(port)")
        let alarms = try bob.read(StatusReply.self, "status").alarms
        #expect(alarms.map(\.kind) == ["network"])
        #expect(alarms.first?.text.contains("\(port)") == true, "\(alarms)")
        try bob.run("session", "new", "points", "--player", "Bob")
        try bob.run("score", "Bob", "1")
        try ann.stop()
        try eventually(within: .seconds(20), "the port is used once it is free") {
            let status = try bob.read(StatusReply.self, "status")
            return status.alarms.isEmpty && status.daemon.port == port
        }
    }

    @Test("With --avahi the port is listed as a service while the daemon runs and is online")
    func avahi() throws {
        let place = try ScratchDirectory()
        let program = "\(place.path)/avahi-publish"
        func makeProgram(_ script: String) throws {
            try "#!/bin/sh\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
            try laptop.room.run("chmod +x '\(program)'")
        }
        func calls() throws -> [[Substring]] {
            guard let bytes = try? place.bytes(of: "calls") else { return [] }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "\n").map { $0.split(separator: " ") }
        }
        func isRunning(_ call: [Substring]) -> Bool {
            let process = platform_watch_process(Int32(call[0]) ?? 0)
            guard process >= 0 else { return false }
            defer { platform_close(process) }
            return platform_wait(process, false, -1, 0) == 0
        }
        let laptop = try Laptop("ann-laptop")
        laptop.preparation = "PATH='\(place.path)':$PATH"
        func alarmsOnceOnline() throws -> [String] {
            try laptop.run("daemon", "online")
            return try laptop.read(StatusReply.self, "status").alarms.map(\.kind)
        }
        try makeProgram("exit 1")
        try laptop.start("--no-discovery", "--avahi")
        try eventually(within: .seconds(5), "its end is reported") {
            try alarmsOnceOnline() == ["network"]
        }
        try makeProgram("echo $$ \"$@\" >>'\(place.path)/calls'; exec sleep 60")
        try eventually(within: .seconds(5), "the port is listed") {
            try alarmsOnceOnline().isEmpty && calls().count == 1
        }
        let port = try laptop.read(StatusReply.self, "status").daemon.port
        #expect(try calls()[0].dropFirst() == ["-s", "ScoreSync", "_scoresync._tcp", "\(port)"])
        #expect(try isRunning(calls()[0]))
        try laptop.run("daemon", "offline")
        #expect(try !isRunning(calls()[0]))
        try laptop.run("daemon", "online")
        try eventually(within: .seconds(5), "it is listed again") { try calls().count == 2 }
        laptop.kill()
        try eventually(within: .seconds(5), "the program ends with the daemon") {
            try !isRunning(calls()[1])
        }
    }

    @Test("An invalid address is rejected, and a stored one can be removed")
    func noLaptop() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery", "--peer", "255.255.255.255")
        let alarms = try laptop.read(StatusReply.self, "status").alarms
        #expect(alarms.map(\.kind) == ["network"])
        try laptop.run("session", "new", "points", "--player", "Ann")
        for address in ["0.0.0.0", "255.255.255.255:47616", "224.0.0.1", "127.255.255.255"] {
            for words in [["peer", "add", address], ["join", "--peer", address, Self.code]] {
                let refused = try laptop.begin(words).outcome()
                #expect(refused.status == 2, "\(refused)")
                #expect(refused.errors.contains("“\(address)” is not the address of one laptop"))
            }
            #expect(try laptop.attempt("peer", "remove", address).status == 4)
        }
        #expect(try laptop.read(PeerListReply.self, "peer", "list").items.isEmpty)
    }

    /// A join code without a typing mistake.
    private static let code = "00000-00000-00000"

    @Test("A watcher of a session that is left learns that, and not that the daemon has stopped")
    func leftWhileWatched() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.run("session", "new", "points", "--player", "Ann")
        let watch = try laptop.begin(["watch"])
        _ = try watch.firstLine()
        try laptop.run("session", "leave", "--yes")
        let outcome = try watch.outcome()
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.errors == "scorectl: the session was left\n")
    }

    @Test("A damaged database is set aside and reported")
    func damagedDatabase() throws {
        let laptop = try Laptop("ann-laptop")
        try laptop.start("--no-discovery")
        try laptop.stop()
        let database = "\(laptop.home)/scoresync.db"
        // Pages that are still in the log only would repair it.
        try? FileManager.default.removeItem(atPath: "\(database)-wal")
        try Data(repeating: 0x5A, count: 40_000).write(to: URL(filePath: database))
        try laptop.start("--no-discovery")
        let alarms = try laptop.read(StatusReply.self, "status").alarms
        #expect(alarms.map(\.kind) == ["storage"])
        #expect(alarms.first?.text.contains("\(database).damaged") == true, "\(alarms)")
        try laptop.run("session", "new", "points", "--player", "Ann")
    }

    @Test("An impossible home is rejected with the path and the reason")
    func unusableHome() throws {
        let laptop = try Laptop("ann-laptop")
        try Data().write(to: URL(filePath: "\(laptop.home)/file"))
        let refused = try laptop.attemptDaemon("--home", "\(laptop.home)/file/home")
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.contains("\(laptop.home)/file"), "\(refused)")
    }

    @Test(
        "Wrong flags are refused, each with what is wrong",
        arguments: [
            ["--port", "0"], ["--port", "x"], ["--log-level", "loud"], ["--name", ""],
            ["--nonsense"], ["--home"],
        ]
    )
    func wrongFlags(_ flags: [String]) throws {
        let program = try Programs.path(of: "scoresyncd")
        let outcome = try Running([program] + flags, .captured).outcome()
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errors.hasPrefix("scoresyncd: "), "\(outcome)")
        #expect(outcome.output.isEmpty)
    }

    @Test("Help and version go to standard output", arguments: ["--help", "--version"])
    func help(_ flag: String) throws {
        let outcome = try Running([Programs.path(of: "scoresyncd"), flag], .captured).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("scoresyncd"))
        #expect(outcome.errors.isEmpty)
    }
}
