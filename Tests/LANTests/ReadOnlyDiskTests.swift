import CPlatform
import ControlSocket
import FoundationEssentials
import LaptopKit
import SessionCRDT
import SyncProtocol
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension LAN {
    /// A laptop whose home cannot be written.
    struct ReadOnlyDiskTests {
        /// The ways in which a disk takes no file.
        enum Failing: CaseIterable {
            case readOnly
            case noInodes

            /// A script that makes the disk fail, and one that repairs it.
            func scripts(_ home: String) -> (fail: String, repair: String) {
                let ballast = "'\(home)'/ballast"
                return switch self {
                case .readOnly:
                    (
                        "mount -o remount,ro none '\(home)'",
                        "mount -o remount,rw none '\(home)'"
                    )
                case .noInodes:
                    (
                        """
                        mount -o remount,nr_inodes=64 none '\(home)'
                        n=0
                        while (: > \(ballast)$n) 2>/dev/null; do n=$((n + 1)); done
                        """,
                        "rm \(ballast)*"
                    )
                }
            }
        }

        /// A laptop with a game and a score on a disk that fails from now on; its daemon is stopped.
        private func lab(_ failing: Failing) throws -> Lab {
            let lab = try Lab("ann-laptop", diskBytes: 16 << 20)
            let laptop = lab[0]
            try laptop.start()
            try laptop.run("session", "new", "points", "--player", "Ann")
            try laptop.run("score", "Ann", "7")
            // A database without a log, for which SQLite would have to create one.
            let directory = try ScratchDirectory()
            try laptop.run("backup", directory.path + "/backup.db")
            #expect(try laptop.stop() == 0)
            let database = "'\(laptop.home)'/scoresync.db"
            try laptop.room.run("rm \(database)*; cp '\(directory.path)'/backup.db \(database)")
            try laptop.room.run(failing.scripts(laptop.home).fail)
            return lab
        }

        private func substitute(_ laptop: Laptop) throws -> String {
            // The programs of a laptop have no runtime directory by name.
            try ControlPaths(
                chosen: laptop.home,
                in: ControlPaths.Environment(
                    variable: { _ in nil },
                    currentDirectory: "/",
                    userID: getuid(),
                    isPrivateDirectory: { (try? PrivateDirectory.check($0)) != nil }
                )
            ).substitute
        }

        private func removeSubstitute(of laptop: Laptop) {
            let path = try? substitute(laptop)
            if let path { try? FileManager.default.removeItem(atPath: path) }
        }

        @Test(
            "Scores can be read, exported and backed up, and nothing else, until it is repaired",
            arguments: Failing.allCases
        )
        func reading(failing: Failing) throws {
            let lab = try lab(failing)
            let laptop = lab[0]
            defer { removeSubstitute(of: laptop) }
            try laptop.start()
            let total = try laptop.read(ShowDocument.self, "show").players.first?.total
            #expect(total == 7)
            let status = try laptop.read(StatusReply.self, "status")
            #expect(status.daemon.offline && status.daemon.port == 0)
            #expect(status.daemon.home == laptop.home)
            let alarm = status.alarms.first { $0.kind == "storage" }
            #expect(alarm?.text.contains("only be read") == true, "\(status.alarms)")
            // The copy is as private as the home.
            var modes = try laptop.room.run("stat -c %a '\(substitute(laptop))'/copy/scoresync.db")
            modes += try laptop.room.run("stat -c %a '\(substitute(laptop))'")
            #expect(modes == "600\n700\n")
            let directory = try ScratchDirectory()
            let (export, backup) = (directory.path + "/export", directory.path + "/backup.db")
            try laptop.run("export", export)
            try laptop.run("backup", backup)
            #expect(try !directory.bytes(of: "export").isEmpty)
            #expect(try !directory.bytes(of: "backup.db").isEmpty)
            let writes = [
                ["score", "Ann", "8"], ["session", "new", "points", "--player", "Bob"], ["undo"],
                ["player", "add", "Cem"], ["session", "invite"], ["daemon", "online"],
            ]
            for words in writes {
                let outcome = try laptop.begin(words).outcome()
                #expect(outcome.status == 1, "\(outcome)")
                #expect(outcome.errors.contains("nothing can be saved"), "\(outcome)")
            }
            #expect(try laptop.stop() == 0)
            let copy = try substitute(laptop) + "/copy"
            #expect(!FileManager.default.fileExists(atPath: copy))
            try laptop.room.run(failing.scripts(laptop.home).repair)
            try laptop.start()
            #expect(try laptop.read(StatusReply.self, "status").alarms.isEmpty)
            try laptop.run("score", "Ann", "8")
            #expect(try laptop.read(ShowDocument.self, "show").players.first?.total == 8)
        }

        @Test(
            "A daemon that only reads its home writes again by itself once it can",
            arguments: Failing.allCases
        )
        func recovery(failing: Failing) throws {
            let lab = try lab(failing)
            let laptop = lab[0]
            defer { removeSubstitute(of: laptop) }
            try laptop.start()
            let before = try laptop.read(StatusReply.self, "status").daemon
            #expect(before.offline)
            try laptop.room.run(failing.scripts(laptop.home).repair)
            var polls = 0
            try eventually(within: .seconds(20), everyMilliseconds: 1, "it writes again") {
                // As from a client that does not find the control socket.
                kill(pid_t(before.pid), platform_signal_user())
                polls += 1
                guard polls.isMultiple(of: 50) else { return false }
                let status = try laptop.attempt("status", "--json")
                guard status.status == 0 else { return false }
                let reply = try status.decoded(as: StatusReply.self)
                return !reply.daemon.offline && reply.alarms.isEmpty
            }
            let after = try laptop.read(StatusReply.self, "status").daemon
            #expect(after.pid == before.pid && after.instance != before.instance)
            try laptop.run("score", "Ann", "8")
            #expect(try laptop.read(ShowDocument.self, "show").players.first?.total == 8)
            let copy = try substitute(laptop) + "/copy"
            #expect(!FileManager.default.fileExists(atPath: copy))
            #expect(try laptop.attemptDaemon().status == ControlLimits.alreadyRunningStatus)
            #expect(try laptop.stop() == 0)
        }

        @Test("Commands start, find, restart and stop the daemon", arguments: Failing.allCases)
        func commands(failing: Failing) throws {
            let lab = try lab(failing)
            let laptop = lab[0]
            defer { removeSubstitute(of: laptop) }
            let scorectl = "'\(try Programs.path(of: "scorectl"))' --home '\(laptop.home)'"
            defer { _ = try? laptop.attempt("daemon", "stop") }
            let shown = try laptop.room.run("\(scorectl) show; \(scorectl) show --no-spawn")
            #expect(shown.contains("Ann"))
            // Another daemon is not started next to it.
            #expect(try laptop.attemptDaemon().status == ControlLimits.alreadyRunningStatus)
            let before = try laptop.read(StatusReply.self, "status").daemon
            try laptop.room.run("\(scorectl) daemon restart")
            let after = try laptop.read(StatusReply.self, "status").daemon
            #expect(after.pid != before.pid && after.offline)
            try laptop.room.run(failing.scripts(laptop.home).repair)
            try laptop.room.run("\(scorectl) daemon restart")
            #expect(try laptop.read(StatusReply.self, "status").daemon.offline == false)
            try laptop.run("score", "Ann", "8")
            try laptop.run("daemon", "stop")
        }

        @Test("Without a database there is nothing to read, and the reason is reported")
        func empty() throws {
            let lab = try Lab("ann-laptop", diskBytes: 1 << 20)
            defer { removeSubstitute(of: lab[0]) }
            try lab[0].room.run("mount -o remount,ro none '\(lab[0].home)'")
            let failure = #expect(throws: Failure.self) { try lab[0].start() }
            let said = try #require(failure?.description.split(separator: "\n").first)
            #expect(said.contains("daemon.lock: Read-only file system"), "\(said)")
        }
    }
}
