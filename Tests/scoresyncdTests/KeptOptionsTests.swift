import ControlSocket
import FoundationEssentials
import LaptopKit
import SyncProtocol
import Testing

@testable import scoresyncd

/// The options of a daemon that starts after another one.
@Suite(.timeLimit(.minutes(10)))
struct KeptOptionsTests {
    @Test("A daemon reports all its options but its home and its name")
    func words() throws {
        let words = [
            "--port", "5", "--discovery-port", "6", "--interface", "a b", "--interface", "c",
            "--no-discovery", "--loopback", "--peer", "ann", "--peer", "bob:7", "--avahi",
            "--journal-lines", "8", "--log-level", "debug", "--log-to-file",
        ]
        let others = ["--home", "/x", "--name", "kitchen"]
        #expect(try DaemonOptions(others + words).restartArguments == words)
        let usual = ["--port=5", "--log-level=info", "--journal-lines", "10000"]
        #expect(try DaemonOptions(others + usual).restartArguments == ["--port", "5"])
        let actions = ["--restore", "--check", "--version", "--help"]
        let known = Set((words + others + actions).filter { $0.hasPrefix("--") })
        let flags = DaemonOptions.help.matches(of: /--[a-z-]+/).map { String($0.output) }
        #expect(Set(flags) == known)
    }

    /// The options that the daemon of a laptop tells.
    private func options(of laptop: Laptop) throws -> [String]? {
        let path = try ControlPaths.current(chosen: laptop.home).socket
        return try ControlClient(path: path, client: "tests 0").agreement.options
    }

    /// Runs a command that may start a daemon.
    private func run(_ laptop: Laptop, _ words: String...) throws {
        let program = [try Programs.path(of: "scorectl"), "--home", laptop.home]
        let outcome = try Running(program + words, .captured).outcome()
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("They survive a restart and a restore until others are given, and so does a new name")
    func kept() throws {
        let laptop = try Laptop("Ann")
        try laptop.start("--no-discovery")
        defer { _ = try? laptop.run("daemon", "stop") }
        let words = ["--no-discovery", "--log-level", "debug"]
        #expect(try options(of: laptop) == words)
        try laptop.run("daemon", "rename", "kitchen")
        let place = try ScratchDirectory()
        try laptop.run("backup", place.path + "/copy")
        try run(laptop, "daemon", "restart")
        #expect(!laptop.isRunning)
        #expect(try options(of: laptop) == words)
        #expect(try laptop.read(StatusReply.self, "status").daemon.name == "kitchen")
        try run(laptop, "restore", place.path + "/copy", "--yes")
        #expect(try options(of: laptop) == words)
        let others = ["--no-discovery", "--journal-lines", "7"]
        try run(laptop, "daemon", "restart", "--", "--journal-lines=7", "--no-discovery")
        #expect(try options(of: laptop) == others)
        // With an option that it does not know, it starts again as it was.
        let restart = ["--home", laptop.home, "daemon", "restart", "--", "--zzz"]
        let program = try Programs.path(of: "scorectl")
        let unknown = try Running([program] + restart, .captured).outcome()
        #expect(unknown.status != 0 && unknown.errors.contains("runs again"), "\(unknown)")
        #expect(try options(of: laptop) == others)
        try run(laptop, "restore", place.path + "/copy", "--yes", "--", "--no-discovery")
        #expect(try options(of: laptop) == ["--no-discovery"])
    }
}
