import CPlatform

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
