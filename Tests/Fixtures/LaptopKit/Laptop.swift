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

/// One laptop: a home of its own, a daemon that can be started and killed, and the command line.
package final class Laptop {
    /// What the others call it.
    package let name: String
    /// The state directory of its daemon.
    package let home: String
    /// Where its daemon runs.
    package let room: Room
    /// Where its daemon's standard error leads.
    package var logPath: String
    /// How far the clock of its daemon is from that of this machine, as faketime(1) takes it.
    package var clock: String?
    private let directory: ScratchDirectory
    private var daemon: Running?

    /// A laptop in a room, which `makingRoom` makes for the path of its home.
    ///
    /// Its daemon does not run yet.
    package init(_ name: String, makingRoom: (String) throws -> Room) throws {
        self.name = name
        directory = try ScratchDirectory()
        home = try directory.directory("home")
        logPath = "\(directory.path)/daemon.log"
        room = try makingRoom(home)
    }

    /// A laptop that is only another home on this machine.
    package convenience init(_ name: String) throws {
        try self.init(name) { _ in try Room() }
    }

    deinit { kill() }

    // MARK: The daemon

    /// Starts the daemon and waits until it says that it is ready; how long that took.
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
            // faketime(1) stays the parent of what it starts, and would leave it behind.
            let ending = ["setpriv", "--pdeathsig", "KILL"]
            let fake = clock.map { ["faketime", "-f", $0] + ending } ?? []
            return room.entrance + fake + [try Programs.path(of: "scoresyncd"), "--home", home]
        }
    }

    /// Starts another daemon on the same home, which is to end by itself.
    package func attemptDaemon(_ flags: String...) throws -> Outcome {
        try Running(daemonWords + flags, .captured).outcome(within: .seconds(10))
    }

    /// Whether the daemon runs.
    package var isRunning: Bool { daemon?.isRunning ?? false }

    /// Kills the daemon as a power cut would.
    package func kill() {
        daemon?.kill()
        room.guardAgainstLeaving(nil)
    }

    /// Tells the daemon to stop as the system does, and returns its process.
    @discardableResult
    package func terminate() -> Int32? {
        daemon?.signal(SIGTERM)
        return daemon?.process
    }

    /// Stops the daemon as the system does, and returns its exit status.
    @discardableResult
    package func stop() throws -> Int32 {
        guard let daemon else { return 0 }
        terminate()
        defer { room.guardAgainstLeaving(nil) }
        return try daemon.outcome(within: .seconds(5)).status
    }

    /// What all its daemons have logged.
    package var log: String {
        (try? directory.bytes(of: "daemon.log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: The command line

    /// Starts a command and does not wait for it.
    package func begin(_ words: [String]) throws -> Running {
        let program = [try Programs.path(of: "scorectl"), "--no-spawn", "--home", home]
        return try Running(
            room.fileEntrance + program + words,
            adding: ["SCORESYNC_TEST_SCRYPT_N=1024"],
            .captured
        )
    }

    /// Runs a command, which may fail.
    package func attempt(_ words: String...) throws -> Outcome { try begin(words).outcome() }

    /// Runs a command, which must succeed; what it printed.
    @discardableResult
    package func run(_ words: String...) throws -> String { try run(words) }

    /// Runs a command, which must succeed; what it printed.
    @discardableResult
    package func run(_ words: [String]) throws -> String {
        let outcome = try begin(words).outcome()
        guard outcome.status == 0 else { throw Failure("on \(name): \(outcome)") }
        return outcome.output
    }

    /// Runs a command with `--json` and decodes what it prints.
    package func read<Value: Decodable>(_ type: Value.Type, _ words: String...) throws -> Value {
        try read(type, words)
    }

    /// Runs a command with `--json` and decodes what it prints.
    package func read<Value: Decodable>(_ type: Value.Type, _ words: [String]) throws -> Value {
        let outcome = try begin(words + ["--json"]).outcome()
        guard outcome.status == 0 else { throw Failure("on \(name): \(outcome)") }
        return try outcome.decoded(as: type)
    }
}

/// Where processes of a laptop run: this machine, or namespaces of its own.
///
/// A shell holds the room open, and its namespaces with it. It ends when this process does, however
/// that happens, and then kills the daemon that it was told of.
package final class Room {
    /// The words before a program that is to run in this room.
    package let entrance: [String]
    /// The words before a program that needs only the files of this room.
    package let fileEntrance: [String]
    /// The process that holds the namespaces.
    package var holder: Int32 { shell.process }
    private let shell: Running

    /// An ordinary place on this machine.
    package convenience init() throws {
        try self.init(holdingBy: [], enteringBy: { _ in [] }, files: { _ in [] })
    }

    /// A room whose shell is started by some words, with words that enter it for a process id.
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
        // Not killed: it ends by itself, and the namespaces with it.
        _ = try? shell.outcome(within: .seconds(5))
    }

    /// Names the process that must not outlive this one; nil: there is none.
    package func guardAgainstLeaving(_ process: Int32?) {
        shell.tell(process.map(String.init) ?? "-")
    }

    /// Runs a shell script in this room and returns what it prints.
    @discardableResult
    package func run(_ script: String) throws -> String {
        let words = entrance + ["/bin/sh", "-ec", script]
        let outcome = try Running(words, .captured).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }
}

/// A user whose daemon is where it is by default: no `--home`, and started by `scorectl`.
package final class Account {
    /// Its home directory.
    package let home: String
    /// The state directory of its daemon.
    package var state: String { home + "/.local/state/scoresync" }
    /// The variables that its shells have.
    package var variables: [String]
    private let entrance: [String]
    /// What kills the daemon if this process ends before it.
    private let guardian: Room
    private let directory: ScratchDirectory

    /// A user in a room, by default on this machine, whose runtime directory may be somebody
    /// else's.
    package init(in room: Room? = nil, runtime: String? = nil) throws {
        entrance = room?.entrance ?? []
        guardian = try Room()
        directory = try ScratchDirectory()
        home = try directory.directory("home")
        let runtime = try runtime ?? directory.directory("run")
        variables = ["HOME=\(home)", "XDG_RUNTIME_DIR=\(runtime)"]
    }

    deinit {
        // In time it has stopped; else the guardian kills it.
        if (try? attempt("daemon", "stop"))?.status == 0 { guardian.guardAgainstLeaving(nil) }
    }

    /// Its runtime directory.
    package var runtime: String { directory.path + "/run" }

    /// Starts the daemon, which neither announces nor is found, and returns its process.
    @discardableResult
    package func start() throws -> Int32 {
        try run("daemon", "start", "--", "--no-discovery")
        return try process()
    }

    /// The process of the daemon that answers, which then does not outlive this one.
    package func process() throws -> Int32 {
        let status = try attempt("status", "--json").decoded(as: Status.self)
        guardian.guardAgainstLeaving(status.daemon.pid)
        return status.daemon.pid
    }

    private struct Status: Decodable {
        let daemon: Daemon

        struct Daemon: Decodable { let pid: Int32 }
    }

    /// Starts a command and does not wait for it.
    package func begin(_ words: String...) throws -> Running { try begin(words) }

    private func begin(_ words: [String]) throws -> Running {
        let program = try Programs.path(of: "scorectl")
        return try Running(entrance + [program] + words, adding: variables, .captured)
    }

    /// Runs a command, which may fail.
    package func attempt(_ words: String...) throws -> Outcome { try begin(words).outcome() }

    /// Runs a command, which must succeed; what it printed.
    @discardableResult
    package func run(_ words: String...) throws -> String {
        let outcome = try begin(words).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }
}
