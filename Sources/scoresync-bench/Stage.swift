import CPlatform
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where benchmarks play: temporary homes, free ports, and the programs under test.
final class Stage: Sendable {
    /// The directory of all homes.
    let directory: String
    /// This program.
    let ownProgram: String
    /// The daemon beside this program.
    let daemonProgram: String
    /// The command line beside this program.
    let commandProgram: String
    /// The board beside this program.
    let boardProgram: String
    /// A program that does nothing, to see what starting one costs.
    let floorProgram = "/usr/bin/true"
    /// How long idle daemons are looked at, in seconds.
    let idleSeconds: Int
    /// Whether a look at everything is enough.
    let isQuick: Bool

    private let samples: Int?

    /// Makes the directory, and makes sure that it will be gone.
    init(_ options: BenchOptions) throws(BenchError) {
        ownProgram = try Self.ownPath()
        let folder = URL(filePath: ownProgram).deletingLastPathComponent()
            .path(percentEncoded: false)
        daemonProgram = folder + "/scoresyncd"
        commandProgram = folder + "/scorectl"
        boardProgram = folder + "/scoresync-board"
        let programs = [daemonProgram, commandProgram, boardProgram]
        for program in programs where !platform_is_executable(program) {
            throw BenchError("\(program) is missing: build it first (make build)")
        }
        let parent =
            options.directory ?? folder
        var template = Array((parent + "/scoresync-bench.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("no directory can be made in \(parent)")
        }
        directory = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        samples = options.samples
        isQuick = options.isQuick
        idleSeconds = options.isQuick ? 3 : options.idleSeconds
        Cleanup.shared.guardDirectory(directory)
    }

    /// Milliseconds since 1970.
    static var wall: UInt64 { UInt64(max(0, platform_wall_milliseconds())) }

    /// Measures so often, unless the user wants it otherwise.
    func samples(_ count: Int) -> Int { samples ?? (isQuick ? max(3, count / 10) : count) }

    /// A new directory that only this user may enter.
    func newDirectory() throws(BenchError) -> String {
        var template = Array((directory + "/XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("no directory can be made in \(directory)")
        }
        return String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
    }

    /// A port of this machine that nobody listens on, outside of what the system gives away.
    func freePort() throws(BenchError) -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            if Network.isFree(port) { return port }
        }
        throw BenchError("no port of this machine is free")
    }

    private static func ownPath() throws(BenchError) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = platform_own_path(&path, path.count)
        guard count > 0 else { throw BenchError("this program cannot be found") }
        return String(decoding: path.prefix(count).map(UInt8.init), as: UTF8.self)
    }
}

/// What must be gone when the program ends, however it ends: the processes that it started and the
/// directory of its homes.
final class Cleanup: Sendable {
    /// The one of this process.
    static let shared = Cleanup()
    /// After so long something hangs, in milliseconds.
    private static let patience: Int32 = 30 * 60 * 1000

    private struct Duties {
        var processes: Set<Int32> = []
        var directory: String?
    }

    private let duties = Mutex(Duties())

    /// Removes the directory at the end, and ends everything on a signal or when it takes too long.
    func guardDirectory(_ path: String) {
        duties.withLock { $0.directory = path }
        let signals = [platform_signal_interrupt(), platform_signal_terminate()]
        let pipe = platform_signal_pipe(signals, Int32(signals.count))
        Thread.detachNewThread { [self] in
            let wasSignal = platform_wait(pipe, false, -1, Self.patience) == 1
            BenchProgram.tell("scoresync-bench: \(wasSignal ? "interrupted" : "took too long")")
            // The lock is not given back: whoever measures meanwhile must neither start anything
            // nor end this program first.
            duties.withLock { duties in
                Self.finish(&duties)
                platform_exit(wasSignal ? 130 : 1)
            }
        }
    }

    /// Starts a process, which is ended at the end; a number that is not above zero is an error.
    func start(_ spawn: () -> Int32) -> Int32 {
        duties.withLock { duties in
            let process = spawn()
            if process > 0 { duties.processes.insert(process) }
            return process
        }
    }

    /// Waits for a process that is ending; its status as the system gives it.
    ///
    /// It is forgotten in the same step: its number may belong to another process soon.
    func reap(_ process: Int32) -> Int32 {
        duties.withLock { duties in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            duties.processes.remove(process)
            return status
        }
    }

    /// Ends the processes and removes the directory.
    func run() { duties.withLock { Self.finish(&$0) } }

    private static func finish(_ duties: inout Duties) {
        for process in duties.processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        if let directory = duties.directory {
            try? FileManager.default.removeItem(atPath: directory)
        }
        duties = Duties()
    }
}

/// A process that this one started.
///
/// It holds one end of a pipe as its descriptor 3: a daemon writes a byte there when it is ready,
/// and the pipe ends when the process does, so that neither has to be polled for.
struct Child: Sendable {
    /// Its process id.
    let process: Int32
    private let pipe: Int32

    /// Starts a program, its standard output going nowhere and its errors to a file.
    init(_ program: String, _ words: [String], home: String, log: String) throws(BenchError) {
        let logEnd = platform_open_log(log)
        guard logEnd >= 0 else { throw BenchError("cannot open \(log): error \(-logEnd)") }
        defer { platform_close(logEnd) }
        var ends: [Int32] = [-1, -1]
        guard platform_pipe(&ends) == 0 else { throw BenchError("cannot make a pipe") }
        var variables = ProcessInfo.processInfo.environment
        variables["SCORESYNC_HOME"] = home
        variables["SCORESYNC_READY_FD"] = "3"
        let arguments = Self.copies([program] + words)
        let environment = Self.copies(variables.map { "\($0)=\($1)" })
        defer { for copy in arguments + environment { free(copy) } }
        process = Cleanup.shared.start {
            platform_spawn_daemon(program, arguments, environment, logEnd, ends[1])
        }
        pipe = ends[0]
        platform_close(ends[1])
        guard process > 0 else {
            platform_close(pipe)
            throw BenchError("\(program) cannot be started: error \(-process)")
        }
    }

    /// Waits for the line of a daemon that is ready; one that cannot start says why instead.
    func waitUntilReady() throws(BenchError) {
        var byte: UInt8 = 0
        guard platform_wait(pipe, false, -1, 30_000) == 1, platform_read(pipe, &byte, 1) == 1,
            byte != UInt8(ascii: "!")
        else { throw BenchError("process \(process) did not become ready") }
    }

    /// Waits for the end of the process, which is then no longer known; its exit status.
    func waitUntilEnded() throws(BenchError) -> Int32 {
        var byte: UInt8 = 0
        guard platform_wait(pipe, false, -1, 30_000) == 1, platform_read(pipe, &byte, 1) == 0
        else { throw BenchError("process \(process) did not end") }
        platform_close(pipe)
        let raw = Cleanup.shared.reap(process)
        // As WIFEXITED and WEXITSTATUS, which Swift does not see.
        return raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
    }

    /// Tells it to stop, and waits until it has; a daemon that did not end well is an error.
    func stop() throws(BenchError) {
        kill(process, SIGTERM)
        let status = try waitUntilEnded()
        guard status == 0 else {
            throw BenchError("process \(process) ended with status \(status)")
        }
    }

    /// The texts as C wants them; whoever asks frees them.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
