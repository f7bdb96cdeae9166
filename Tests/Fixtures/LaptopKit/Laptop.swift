import CPlatform
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Needs real time: durations of real daemons are shown.

/// A laptop: a home, a daemon that can be started and killed, and the command line.
package final class Laptop {
    /// The device name.
    package let name: String
    /// The state directory of its daemon.
    package let home: String
    /// The environment of its processes.
    package let room: Room
    /// The file of the daemon's standard error.
    package var logPath: String
    /// The offset of the daemon's clock, as an argument of faketime(1); if it is set before the
    /// start, it can be changed while the daemon runs.
    package var clock: String? {
        didSet { try? clock?.write(toFile: clockPath, atomically: true, encoding: .utf8) }
    }
    /// Shell commands that the daemon's process runs first, such as `ulimit -n 32`.
    package var preparation = ":"
    /// The daemon's program; by default the one that was built with the tests.
    package var program: String?
    private var clockPath: String { "\(directory.path)/clock" }
    private let directory: ScratchDirectory
    private var daemon: Running?

    /// Creates a laptop in a room that `makingRoom` makes for the path of its home.
    ///
    /// The daemon is not started.
    package init(_ name: String, makingRoom: (String) throws -> Room) throws {
        self.name = name
        directory = try ScratchDirectory()
        home = try directory.directory("home")
        logPath = "\(directory.path)/daemon.log"
        room = try makingRoom(home)
    }

    /// Creates a laptop that is only another home on this machine.
    package convenience init(_ name: String) throws {
        try self.init(name) { _ in try Room() }
    }

    deinit { kill() }

    // MARK: The daemon

    /// Starts the daemon, waits until it is ready, and returns the time that took.
    @discardableResult
    package func start(_ flags: String...) throws -> Duration {
        let start = ContinuousClock.now
        let ready = try Channel()
        let daemon = try Running(
            daemonWords + ["--name", name, "--log-level", "debug"] + flags,
            adding: ["SCORESYNC_READY_FD=3", "SCORESYNC_TEST_SCRYPT_N=1024"],
            .logging(to: logPath, ready: ready.writing)
        )
        room.guardAgainstLeaving(daemon.process)
        self.daemon = daemon
        ready.closeWriting()
        let word = platform_wait(ready.reading, false, -1, 10_000) == 1 ? ready.read() : nil
        guard let word, word.first != UInt8(ascii: "!") else {
            let said = String(decoding: word ?? [], as: UTF8.self)
            throw Failure("the daemon of \(name) did not start: \(said)\n\(log.suffix(2_000))")
        }
        return ContinuousClock.now - start
    }

    private var daemonWords: [String] {
        get throws {
            let clock = """
                export LD_PRELOAD="$(faketime -m -f +0 printenv LD_PRELOAD)"
                export FAKETIME_TIMESTAMP_FILE='\(clockPath)' FAKETIME_CACHE_DURATION=1
                export FAKETIME_DONT_FAKE_MONOTONIC=1
                # The library changes the environment of the first program that has it, and Swift
                # then finds no arguments.
                set -- env "$@"
                """
            let script = "\(self.clock == nil ? "" : clock)\n\(preparation)\nexec \"$@\""
            let program = try program ?? Programs.path(of: "scoresyncd")
            return room.entrance + ["/bin/sh", "-ec", script, "sh", program, "--home", home]
        }
    }

    /// Starts another daemon on the same home, which must exit by itself.
    package func attemptDaemon(_ flags: String...) throws -> Outcome {
        try Running(daemonWords + flags, .captured).outcome(within: .seconds(10))
    }

    package var isRunning: Bool { daemon?.isRunning ?? false }

    /// Kills the daemon, as a power cut would.
    package func kill() {
        daemon?.kill()
        room.guardAgainstLeaving(nil)
    }

    /// Sends a signal to the daemon.
    package func signal(_ number: Int32) { daemon?.signal(number) }

    /// Sends SIGTERM to the daemon, and returns its process id.
    @discardableResult
    package func terminate() -> Int32? {
        daemon?.signal(SIGTERM)
        return daemon?.process
    }

    /// Stops the daemon by SIGTERM, and returns its exit status.
    @discardableResult
    package func stop() throws -> Int32 {
        guard let daemon else { return 0 }
        terminate()
        defer { room.guardAgainstLeaving(nil) }
        return try daemon.outcome(within: .seconds(5)).status
    }

    /// The log of all runs of the daemon.
    package var log: String {
        (try? directory.bytes(of: "daemon.log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: The command line

    /// Starts a command, without waiting for it.
    package func begin(_ words: [String], adding variables: [String] = []) throws -> Running {
        let program = [try Programs.path(of: "scorectl"), "--no-spawn", "--home", home]
        return try Running(
            room.fileEntrance + program + words,
            adding: variables + ["SCORESYNC_TEST_SCRYPT_N=1024"],
            .captured
        )
    }

    /// Runs a command, which may fail.
    package func attempt(_ words: String...) throws -> Outcome { try begin(words).outcome() }

    /// Runs a command, which must succeed, and returns its output.
    @discardableResult
    package func run(_ words: String...) throws -> String { try run(words) }

    /// Runs a command, which must succeed, and returns its output.
    @discardableResult
    package func run(_ words: [String]) throws -> String {
        let outcome = try begin(words).outcome()
        guard outcome.status == 0 else { throw Failure("on \(name): \(outcome)") }
        return outcome.output
    }

    /// Runs a command with `--json`, and decodes its output.
    package func read<Value: Decodable>(_ type: Value.Type, _ words: String...) throws -> Value {
        try read(type, words)
    }

    /// Runs a command with `--json`, and decodes its output.
    package func read<Value: Decodable>(_ type: Value.Type, _ words: [String]) throws -> Value {
        let outcome = try begin(words + ["--json"]).outcome()
        guard outcome.status == 0 else { throw Failure("on \(name): \(outcome)") }
        return try outcome.decoded(as: type)
    }
}

/// The environment of a laptop's processes: this machine, or network and mount namespaces of its
/// own.
///
/// A shell holds the namespaces. It ends with this process, even after a crash, and then kills the
/// daemon whose id it received last.
package final class Room {
    /// The command prefix that runs a program in this room.
    package let entrance: [String]
    /// The command prefix that runs a program with only the files of this room.
    package let fileEntrance: [String]
    /// The process that holds the namespaces.
    package var holder: Int32 { shell.process }
    private let shell: Running

    /// Creates a room without namespaces: this machine.
    package convenience init() throws {
        try self.init(holdingBy: [], enteringBy: { _ in [] }, files: { _ in [] })
    }

    /// Creates a room whose shell starts with a command prefix, and the prefixes that enter it by
    /// process id.
    package init(
        holdingBy words: [String],
        enteringBy entrance: (Int32) -> [String],
        files: (Int32) -> [String],
        first: String = ":"
    ) throws {
        let script = """
            \(first) || exit 1
            echo ready
            while read -r line; do last=$line; done
            case $last in '' | -) ;; *) kill -9 "$last" ;; esac
            """
        shell = try Running(words + ["/bin/sh", "-c", script], .conversing)
        guard try shell.firstLine() == "ready" else { throw Failure("no room: \(words)") }
        self.entrance = entrance(shell.process)
        fileEntrance = files(shell.process)
    }

    deinit {
        // The shell is not killed, because the namespaces end when it exits.
        _ = try? shell.outcome(within: .seconds(5))
    }

    /// Sets the process that is killed when this one ends; nil for none.
    package func guardAgainstLeaving(_ process: Int32?) {
        shell.write(process.map(String.init) ?? "-")
    }

    /// Runs a shell script in this room, and returns its output.
    @discardableResult
    package func run(_ script: String) throws -> String {
        let words = entrance + ["/bin/sh", "-ec", script]
        let outcome = try Running(words, .captured).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }
}

/// A user with the default state directory, whose daemon `scorectl` starts.
package final class Account {
    package let home: String
    /// The state directory of its daemon.
    package var state: String { home + "/.local/state/scoresync" }
    /// The environment variables.
    package var variables: [String]
    private let entrance: [String]
    /// Kills the daemon if this process ends before it.
    private let guardian: Room
    private let directory: ScratchDirectory

    /// Creates a user in a room, by default on this machine; the runtime directory may be another
    /// user's.
    package init(in room: Room? = nil, runtime: String? = nil) throws {
        entrance = room?.entrance ?? []
        guardian = try Room()
        directory = try ScratchDirectory()
        home = try directory.directory("home")
        let runtime = try runtime ?? directory.directory("run")
        variables = ["HOME=\(home)", "XDG_RUNTIME_DIR=\(runtime)"]
    }

    deinit {
        // If the daemon does not stop in time, the guardian kills it.
        if (try? attempt("daemon", "stop"))?.status == 0 { guardian.guardAgainstLeaving(nil) }
    }

    package var runtime: String { directory.path + "/run" }

    /// Starts the daemon without discovery, and returns its process id.
    @discardableResult
    package func start() throws -> Int32 {
        try run("daemon", "start", "--", "--no-discovery")
        return try process()
    }

    /// Returns the process id of the running daemon, which is then killed when this process ends.
    package func process() throws -> Int32 {
        let status = try attempt("status", "--json").decoded(as: Status.self)
        guardian.guardAgainstLeaving(status.daemon.pid)
        return status.daemon.pid
    }

    private struct Status: Decodable {
        let daemon: Daemon

        struct Daemon: Decodable { let pid: Int32 }
    }

    /// Starts a command, without waiting for it.
    package func begin(_ words: String...) throws -> Running { try begin(words) }

    private func begin(_ words: [String]) throws -> Running {
        let program = try Programs.path(of: "scorectl")
        return try Running(entrance + [program] + words, adding: variables, .captured)
    }

    /// Runs a command, which may fail.
    package func attempt(_ words: String...) throws -> Outcome { try begin(words).outcome() }

    /// Runs a command, which must succeed, and returns its output.
    @discardableResult
    package func run(_ words: String...) throws -> String {
        let outcome = try begin(words).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }
}
