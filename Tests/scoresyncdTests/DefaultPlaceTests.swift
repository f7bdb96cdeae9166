import ControlSocket
import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

// Needs real time: the time to find a daemon is promised.

/// The daemon where it is by default, as a user has it who knows of no directory.
struct DefaultPlaceTests {
    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
    }

    /// The daemon's part of `status`.
    private func daemon(of account: Account) throws -> DaemonSummary {
        try account.attempt("status", "--no-spawn", "--json").decoded(as: StatusReply.self).daemon
    }

    @Test("State and socket are in the directories that the environment names, and nowhere else")
    func places() throws {
        let account = try Account()
        try account.start()
        #expect(try daemon(of: account).home == account.state)
        #expect(isThere(account.state + "/daemon.log"))
        #expect(isThere(account.runtime + "/scoresync/control.sock"))
        #expect(!isThere(account.state + "/control.sock"))
        let elsewhere = account.home + "/elsewhere"
        account.variables.append("XDG_STATE_HOME=\(elsewhere)")
        defer { account.variables.removeLast() }
        let outcome = try account.attempt("status", "--no-spawn")
        #expect(outcome.status == 3, "another state is another daemon: \(outcome)")
        #expect(!isThere(elsewhere))
    }

    @Test(
        "After a logout that took its socket along, the same daemon answers the next command",
        arguments: ["/scoresync/control.sock", "/scoresync", ""]
    )
    func logout(_ gone: String) throws {
        let account = try Account()
        let process = try account.start()
        try account.run("session", "new", "points", "--player", "Ann")
        try remove(account.runtime + gone)
        let start = ContinuousClock.now
        try account.run("score", "Ann", "3", "--no-spawn")
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(try daemon(of: account).pid == Int(process))
        try account.run("daemon", "stop")
        #expect(try account.attempt("status", "--no-spawn").status == 3)
    }

    @Test("Without a command it recreates its socket by itself")
    func byItself() throws {
        let account = try Account()
        try account.start()
        try remove(account.runtime + "/scoresync")
        try eventually(within: .seconds(10), "there is a socket") {
            isThere(account.runtime + "/scoresync/control.sock")
        }
    }

    @Test("It is found from a shell that has no runtime directory, or has another one")
    func otherShell() throws {
        let account = try Account()
        let process = try account.start()
        let usual = account.variables
        let others = [account.home + "/other", account.home + "/none/none"]
        try FileManager.default.createDirectory(
            atPath: others[0],
            withIntermediateDirectories: false
        )
        for variables in [["HOME=\(account.home)"]]
            + others.map({ ["HOME=\(account.home)", "XDG_RUNTIME_DIR=\($0)"] })
        {
            account.variables = variables
            #expect(try daemon(of: account).pid == Int(process), "\(variables)")
        }
        try account.run("daemon", "stop")
        account.variables = usual
        #expect(try account.attempt("status", "--no-spawn").status == 3)
    }

    @Test("Two homes with one runtime directory have a daemon each, and stop their own")
    func twoHomes() throws {
        let ann = try Account()
        let bob = try Account(runtime: ann.runtime)
        let first = try ann.start()
        try ann.run("session", "new", "points", "--player", "Ann")
        #expect(try bob.attempt("status", "--no-spawn").status == 3)
        #expect(try bob.run("daemon", "stop") == "No daemon was running.\n")
        let second = try bob.start()
        #expect(second != first)
        try bob.run("session", "new", "points", "--player", "Bob")
        try bob.run("score", "Bob", "7")
        #expect(try ann.attempt("score", "Bob", "7").status == 4)
        try bob.run("daemon", "stop")
        #expect(try daemon(of: ann).pid == Int(first))
        let third = try bob.start()
        try ann.run("daemon", "stop")
        #expect(try daemon(of: bob).pid == Int(third))
        // The usual place is free now, and taken again.
        try eventually(within: .seconds(10), "there is a socket") {
            isThere(ann.runtime + "/scoresync/control.sock")
        }
        try bob.run("daemon", "stop")
    }

    @Test("It can be stopped while its socket is missing, and is gone when the command returns")
    func busy() throws {
        let account = try Account()
        let process = try account.start()
        try account.run("session", "new", "points", "--player", "Ann")
        let socket = account.runtime + "/scoresync/control.sock"
        let waits = try (0..<ControlLimits().connections).map { _ in
            let wait = WaitParameters(condition: .peers(1))
            return try ControlClient(path: socket, client: "tests", first: .wait, wait)
        }
        let refused = try account.attempt("show")
        #expect(refused.status == 1 && refused.errors.contains("all of them busy"), "\(refused)")
        #expect(try account.run("daemon", "stop") == "Stopped the daemon.\n")
        #expect(!Self.runs(process))
        let stopped = ControlError(.noDaemon, "the daemon is stopping")
        for wait in waits { #expect(throws: stopped) { try wait.answer(to: .wait) } }
    }

    /// Whether a process has not ended; one that nobody has asked for yet has.
    private static func runs(_ process: Int32) -> Bool {
        let path = "/proc/\(process)/stat"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return !text.isEmpty && !text.contains(") Z ")
    }

    @Test("Idle connections of its own user lock no one out")
    func idle() throws {
        let account = try Account()
        try account.start()
        let socket = account.runtime + "/scoresync/control.sock"
        let idle = try (0..<ControlLimits().connections).map { _ in
            try ControlClient(path: socket, client: "tests")
        }
        try eventually(within: .seconds(5), "there is room") {
            try account.attempt("status").status == 0
        }
        try account.run("daemon", "stop")
        withExtendedLifetime(idle) {}
    }

    @Test("A home whose path is too long for a socket works like any other")
    func longHome() throws {
        let account = try Account()
        let home = account.home + "/" + String(repeating: "long/", count: 30) + "home"
        account.variables.append("SCORESYNC_HOME=\(home)")
        defer { account.variables.removeLast() }
        try account.run("session", "new", "points", "--player", "Ann")
        try account.run("score", "Ann", "5", "--no-spawn")
        #expect(try daemon(of: account).home == home)
        try account.run("daemon", "restart")
        #expect(try account.run("show", "--no-spawn").contains("5"))
        try account.run("daemon", "stop")
        #expect(try account.attempt("status", "--no-spawn").status == 3)
    }

    @Test("A restart without the daemon's program leaves the running daemon alone")
    func missingProgram() throws {
        let account = try Account()
        let process = try account.start()
        let directory = try ScratchDirectory()
        let scorectl = directory.path + "/scorectl"
        // A copy made by this process could not be started while another test forks.
        let copying = ["cp", try Programs.path(of: "scorectl"), scorectl]
        #expect(try Running(copying, .captured).outcome().status == 0)
        let variables = account.variables + ["PATH=/usr/bin:/bin"]
        let outcome = try Running([scorectl, "daemon", "restart"], adding: variables, .captured)
            .outcome()
        #expect(outcome.status != 0, "\(outcome)")
        #expect(try daemon(of: account).pid == Int(process))
        try account.run("daemon", "stop")
    }

    @Test("Commands that run while the daemon is restarted, twice at a time, all succeed")
    func restarting() throws {
        let account = try Account()
        try account.start()
        try account.run("session", "new", "points", "--player", "Ann")
        for _ in 0..<8 {
            let restarts = try (0..<2).map { _ in try account.begin("daemon", "restart") }
            let reads = try (0..<8).map { _ in try account.begin("show") }
            for command in restarts + reads {
                let outcome = try command.outcome()
                #expect(outcome.status == 0, "\(command.command): \(outcome)")
            }
        }
        _ = try account.process()
        try account.run("daemon", "stop")
    }

    @Test("A log that cannot be opened is reported, and a pipe in its place does not block")
    func log() throws {
        let account = try Account()
        try FileManager.default.createDirectory(
            atPath: account.state,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let log = account.state + "/daemon.log"
        let pipe = try Running(["mkfifo", log], .captured).outcome()
        #expect(pipe.status == 0)
        for _ in 0..<2 {
            let outcome = try account.begin("status").outcome(within: .seconds(5))
            #expect(outcome.status == 1, "\(outcome)")
            #expect(
                outcome.errors.hasPrefix("scorectl: cannot open the log \(log): "),
                "\(outcome)"
            )
            try remove(log)
            try FileManager.default.createDirectory(
                atPath: log,
                withIntermediateDirectories: false
            )
        }
    }

    @Test("Waiting for readiness also waits for a daemon that starts later")
    func ready() throws {
        let account = try Account()
        let waiting = try account.begin("wait", "--for", "ready", "--no-spawn", "--timeout", "20")
        let none = try account.attempt(
            "wait",
            "--for",
            "ready",
            "--no-spawn",
            "--timeout",
            "0.2"
        )
        #expect(none.status == 7, "\(none)")
        #expect(waiting.isRunning)
        try account.start()
        #expect(try waiting.outcome().status == 0)
        try account.run("daemon", "stop")
    }

    @Test("Its memory, which holds keys, is in no core file and readable by no other program")
    func memory() throws {
        let account = try Account()
        let process = try account.start()
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        let words = try #require(core).split(separator: " ")
        #expect(words.suffix(3) == ["0", "0", "bytes"])
        // A process that the user may not read belongs to root (proc(5)); for root it always
        // does.
        let file = try FileManager.default.attributesOfItem(atPath: "/proc/\(process)/environ")
        #expect(file[.ownerAccountID] as? Int == 0)
    }
}
