import CPlatform
import Foundation
import Synchronization

/// The environment of benchmarks: temporary homes, free ports, and the programs under test.
final class Stage: Sendable {
    let directory: String
    /// A directory with a short path, for sockets: a socket's path has at most 103 bytes.
    let runtimeDirectory: String
    let ownProgram: String
    var daemonProgram: String { folder + "/scoresyncd" }
    var commandProgram: String { folder + "/scorectl" }
    var boardProgram: String { folder + "/scoresync-board" }
    /// A program that does nothing, to measure the cost of starting one.
    let floorProgram = "/usr/bin/true"
    let idleSeconds: Int
    let isQuick: Bool

    private let folder: String
    private let samples: Int?

    /// Makes a directory, which is removed when the program ends.
    init(_ options: BenchOptions) throws(BenchError) {
        var path = [CChar](repeating: 0, count: 4096)
        let count = platform_own_path(&path, path.count)
        guard count > 0 else { throw BenchError("cannot find the path of this program") }
        ownProgram = String(decoding: path.prefix(count).map(UInt8.init), as: UTF8.self)
        folder = URL(filePath: ownProgram).deletingLastPathComponent().path(percentEncoded: false)
        directory = try Stage.makeDirectory((options.directory ?? folder) + "/scoresync-bench.")
        Cleanup.shared.removeAtExit(directory)
        runtimeDirectory = try Stage.makeDirectory("/tmp/scoresync-bench.")
        Cleanup.shared.removeAtExit(runtimeDirectory)
        // The daemons and this program look for sockets there if the path of a home is too long.
        setenv("XDG_RUNTIME_DIR", runtimeDirectory, 1)
        samples = options.samples
        isQuick = options.isQuick
        idleSeconds = options.isQuick ? 3 : options.idleSeconds
        Cleanup.shared.watch()
        for program in [daemonProgram, commandProgram, boardProgram]
        where !platform_is_executable(program) {
            throw BenchError("\(program) is missing. Build it first with make build")
        }
    }

    /// Milliseconds since 1970.
    static var wall: UInt64 { UInt64(max(0, platform_wall_milliseconds())) }

    /// Returns the option's number of samples, else `count`, or a tenth of it in quick runs.
    func samples(_ count: Int) -> Int { samples ?? (isQuick ? max(3, count / 10) : count) }

    func newDirectory() throws(BenchError) -> String { try Stage.makeDirectory(directory + "/") }

    private static func makeDirectory(_ prefix: String) throws(BenchError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("cannot make a directory \(prefix)… (errno \(errno))")
        }
        return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    /// Returns a free port outside of the range of ephemeral ports.
    func freePort() throws(BenchError) -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            guard let (listener, _) = try? Network.listen(on: port) else { continue }
            platform_close(listener)
            return port
        }
        throw BenchError("no port is free")
    }
}

/// The processes and the directories that must be gone when the program ends, however it ends.
final class Cleanup: Sendable {
    static let shared = Cleanup()
    private static let timeoutMilliseconds: Int32 = 30 * 60 * 1000

    private struct State {
        var processes: Set<Int32> = []
        var directories: [String] = []
    }

    private let state = Mutex(State())

    func removeAtExit(_ path: String) { state.withLock { $0.directories.append(path) } }

    /// Ends the program on a signal or after the timeout.
    func watch() {
        let signals = [platform_signal_interrupt(), platform_signal_terminate()]
        let pipe = platform_signal_pipe(signals, Int32(signals.count))
        Thread.detachNewThread { [self] in
            let wasSignal = platform_wait(pipe, false, -1, Self.timeoutMilliseconds) == 1
            BenchProgram.log(wasSignal ? "interrupted" : "timed out")
            // The lock is held until the exit, so that no other thread starts a process.
            state.withLock { state in
                Self.finish(&state)
                platform_exit(wasSignal ? 130 : 1)
            }
        }
    }

    /// Starts a process that is ended at exit; a result below 1 is an error.
    func start(_ spawn: () -> Int32) -> Int32 {
        state.withLock { state in
            let process = spawn()
            if process > 0 { state.processes.insert(process) }
            return process
        }
    }

    /// Waits for a process that is ending, and returns its raw status.
    ///
    /// It is forgotten in the same step, because its number may soon belong to another process.
    func reap(_ process: Int32) -> Int32 {
        state.withLock { state in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            state.processes.remove(process)
            return status
        }
    }

    func run() { state.withLock { Self.finish(&$0) } }

    private static func finish(_ state: inout State) {
        for process in state.processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        for directory in state.directories {
            try? FileManager.default.removeItem(atPath: directory)
        }
        state = State()
    }
}

/// A child process.
///
/// Its descriptor 3 is one end of a pipe: a daemon writes a byte there when it is ready, and the
/// pipe ends when the process does, so that neither needs polling.
struct Child: Sendable {
    let process: Int32
    private let pipe: Int32
    private let name: String
    private let log: String

    /// Starts a program, without standard output, and with standard error in a file.
    init(_ program: String, _ arguments: [String], home: String) throws(BenchError) {
        name = URL(filePath: program).lastPathComponent
        log = "\(home)/bench.log"
        let output = platform_open_log(log)
        guard output >= 0 else { throw BenchError("cannot open \(log) (errno \(-output))") }
        defer { platform_close(output) }
        var ends: [Int32] = [-1, -1]
        guard platform_pipe(&ends) == 0 else { throw BenchError("cannot make a pipe") }
        var variables = ProcessInfo.processInfo.environment
        variables["SCORESYNC_HOME"] = home
        variables["SCORESYNC_READY_FD"] = "3"
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for copy in words + environment { free(copy) } }
        process = Cleanup.shared.start {
            platform_spawn_daemon(program, words, environment, output, ends[1])
        }
        pipe = ends[0]
        platform_close(ends[1])
        guard process > 0 else {
            platform_close(pipe)
            throw BenchError("cannot start \(program) (errno \(-process))")
        }
    }

    func waitUntilReady() throws(BenchError) {
        var byte: UInt8 = 0
        guard platform_wait(pipe, false, -1, 30_000) == 1, platform_read(pipe, &byte, 1) == 1,
            byte != UInt8(ascii: "!")
        else { throw failure("did not become ready") }
    }

    /// Waits for the end of the process, which must succeed.
    func waitUntilEnded() throws(BenchError) {
        var byte: UInt8 = 0
        guard platform_wait(pipe, false, -1, 30_000) == 1, platform_read(pipe, &byte, 1) == 0
        else { throw failure("did not end") }
        platform_close(pipe)
        let status = Cleanup.shared.reap(process)
        guard status == 0 else { throw failure("failed (wait status \(status))") }
    }

    /// An error with the last lines that the process printed.
    private func failure(_ problem: String) -> BenchError {
        let words = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        let last = words.split(separator: "\n").suffix(5).map { "\n    \($0)" }.joined()
        return BenchError("\(name) \(problem)\(last)")
    }

    func stop() throws(BenchError) {
        kill(process, SIGTERM)
        try waitUntilEnded()
    }
}
