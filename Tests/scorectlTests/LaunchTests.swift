import CPlatform
import ControlSocket
import FoundationEssentials
import SyncProtocol
import Testing

@testable import scorectl

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("Starting the daemon", .timeLimit(.minutes(10)))
struct LaunchTests {
    private func log(_ home: TemporaryHome) throws -> String {
        try String(contentsOf: URL(filePath: home.path + "/daemon.log"), encoding: .utf8)
    }

    @Test("waits for the ready byte, and passes on no descriptors of this process")
    func ready() throws {
        let home = try TemporaryHome()
        let program = try home.script(
            "daemon",
            """
            echo "arguments $@" >&2
            echo "directory $(pwd) home ${SCORESYNC_HOME-unset}" >&2
            echo "descriptors" $(for d in 0 1 2 3 4 5 6 7 8 9 11 12; do \
                readlink /proc/$$/fd/$d; done) >&2
            echo "session $(cut -d' ' -f6 /proc/$$/stat) $$" >&2
            printf x >&$SCORESYNC_READY_FD
            """
        )
        // A descriptor that a child would inherit.
        let lock = platform_lock_file(home.path + "/witness")
        let witness = dup(lock)
        #expect(witness > 3)
        defer { for descriptor in [lock, witness] { platform_close(descriptor) } }
        let launcher = DaemonLauncher(
            paths: try Harness.paths(home.path),
            arguments: ["--name", "x y"],
            program: program
        )
        try launcher.launch()
        let lines = try log(home).split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[0] == "arguments --home \(home.path) --name x y")
        #expect(lines[1] == "directory / home unset")
        // In addition to its own four, the shell has its script open, and a pipe to `ls`.
        #expect(lines[2].hasPrefix("descriptors /dev/null /dev/null \(home.path)/daemon.log pipe:"))
        #expect(!lines[2].contains("socket:"), "\(lines[2])")
        #expect(!lines[2].contains("/witness"), "\(lines[2])")
        let session = lines[3].split(separator: " ")
        #expect(session[1] == session[2], "it must lead a session of its own")
        var file = platform_file()
        #expect(platform_file_status(home.path + "/daemon.log", &file) == 0 && file.mode == 0o600)
    }

    @Test("The reason of a daemon that cannot start is reported, even if its log is empty")
    func refusal() throws {
        let home = try TemporaryHome()
        let program = try home.script(
            "daemon",
            """
            printf '!no room is left on the disk' >&$SCORESYNC_READY_FD
            exit 1
            """
        )
        let launcher = DaemonLauncher(paths: try Harness.paths(home.path), program: program)
        let error = try #require(throws: ControlError.self) { try launcher.launch() }
        #expect(error.kind == .noDaemon)
        #expect(error.message.hasSuffix("(status 1): no room is left on the disk"))
    }

    @Test("reports the last log lines of a daemon that exits at once")
    func death() throws {
        let home = try TemporaryHome()
        try Data("old words\n".utf8).write(to: URL(filePath: home.path + "/daemon.log"))
        let program = try home.script("daemon", "echo 'the disk is full' >&2\nexit 1")
        let launcher = DaemonLauncher(paths: try Harness.paths(home.path), program: program)
        let error = #expect(throws: ControlError.self) { try launcher.launch() }
        #expect(
            error
                == ControlError(
                    .noDaemon,
                    "the daemon exited while starting (status 1): the disk is full"
                )
        )
    }

    @Test("finds a daemon that another caller has just started")
    func race() throws {
        let home = try TemporaryHome()
        let program = try home.script("daemon", "exit \(ControlLimits.alreadyRunningStatus)")
        let daemon = try FakeDaemon(home: home)
        try DaemonLauncher(paths: try Harness.paths(home.path), program: program).launch()
        withExtendedLifetime(daemon) {}
    }

    @Test("tries again while a daemon that is about to end holds the home")
    func patience() throws {
        let home = try TemporaryHome()
        let program = try home.script(
            "daemon",
            """
            if [ -e \(home.path)/tried ]; then printf x >&3; exit 0; fi
            touch \(home.path)/tried
            exit \(ControlLimits.alreadyRunningStatus)
            """
        )
        try DaemonLauncher(paths: try Harness.paths(home.path), program: program).launch()
    }

    @Test("is rejected in a home that others may enter")
    func openHome() throws {
        let home = try TemporaryHome()
        // An empty one would be made private.
        _ = try home.script("daemon", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
        let launcher = DaemonLauncher(paths: try Harness.paths(home.path), program: "/bin/true")
        let error = #expect(throws: ControlError.self) { try launcher.launch() }
        #expect(error?.kind == .failed && error?.message.contains("chmod 700") == true)
    }

    @Test("names a program that cannot be started")
    func missing() throws {
        let home = try TemporaryHome()
        let program = home.path + "/none"
        let launcher = DaemonLauncher(paths: try Harness.paths(home.path), program: program)
        let error = #expect(throws: ControlError.self) { try launcher.launch() }
        #expect(error?.message.hasPrefix("cannot start \(program): No such file") == true)
    }

    @Test("keeps its log short: one that reached 1 MiB is put aside")
    func rotation() throws {
        let home = try TemporaryHome()
        let path = home.path + "/daemon.log"
        for (bytes, isRotated) in [((1 << 20) - 1, false), (1 << 20, true)] {
            try Data(repeating: 0x61, count: bytes).write(to: URL(filePath: path))
            let program = try home.script("daemon", "printf x >&3")
            try DaemonLauncher(paths: try Harness.paths(home.path), program: program).launch()
            #expect(FileManager.default.fileExists(atPath: path + ".1") == isRotated)
        }
    }

    @Test("keeps a log of which the last lines are shown")
    func tail() throws {
        let home = try TemporaryHome()
        let harness = Harness(home)
        #expect(harness.run(["daemon", "logs"]).status == 4)
        try Data("one\ntwo\u{1B}[2J\nthree\n".utf8)
            .write(to: URL(filePath: home.path + "/daemon.log"))
        #expect(harness.run(["daemon", "logs"]).output == "one\ntwo␛[2J\nthree\n")
        #expect(harness.run(["daemon", "logs", "--lines", "1"]).output == "three\n")
        #expect(
            harness.run(["daemon", "logs", "--lines", "1", "--json"]).output
                == #"{"lines":["three"],"schema":1}"# + "\n"
        )
    }
}
