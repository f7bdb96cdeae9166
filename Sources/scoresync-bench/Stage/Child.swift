import CPlatform
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
