import CPlatform
import ControlSocket
import SyncProtocol

/// Starts `scoresyncd` and waits until it accepts calls.
///
/// The daemon inherits the writing end of a pipe as descriptor 3, named in `SCORESYNC_READY_FD`. It
/// writes a byte when it listens, or an exclamation mark and the reason when it cannot start,
/// because its log cannot be written on a full disk. If the pipe ends without a byte, the daemon
/// has exited or does not know the protocol; then its exit status and its socket decide.
struct DaemonLauncher {
    static let limitMilliseconds: Int64 = 5000
    private static let pollMilliseconds: Int32 = 5
    /// The maximum number of attempts to start a program that an update is still writing.
    private static let busyAttempts = 100

    let paths: ControlPaths
    var arguments: [String] = []
    var program: String?

    /// Returns the program to start: a replacement, or the installed daemon.
    static func installed(
        or program: String? = nil,
        orThrow kind: ControlError.Kind = .failed
    ) throws(ControlError) -> String {
        if let program { return program }
        guard let program = InstalledProgram("scoresyncd") else {
            throw ControlError(kind, "scoresyncd is neither next to scorectl nor in PATH")
        }
        return program.path
    }

    /// Starts the daemon, unless another caller has just done so.
    ///
    /// - Throws: `noDaemon`, with the last lines of its log, if it exited.
    func launch() throws(ControlError) {
        let program = try Self.installed(or: program, orThrow: .noDaemon)
        let log: DaemonLog
        do throws(ControlSocketError) {
            log = DaemonLog(path: try paths.preparingLog().log)
        } catch { throw error.controlError }
        log.rotateIfLong()
        let deadline = platform_steady_milliseconds() + Self.limitMilliseconds
        while platform_steady_milliseconds() < deadline {
            if try attempt(program, log, until: deadline) { return }
            // The daemon that holds the home may be about to exit: then the next attempt succeeds.
            repeat {
                _ = platform_wait(-1, false, -1, Self.pollMilliseconds)
                if (try? Invocation.client(paths)) != nil { return }
            } while ControlLock.isHeld(paths) && platform_steady_milliseconds() < deadline
        }
        let tail = Self.tail(of: log, after: 0)
        throw ControlError(.timedOut, "the daemon was started but does not answer" + tail)
    }

    /// Starts the daemon once; false if another one holds the home and does not answer.
    private func attempt(
        _ program: String,
        _ log: DaemonLog,
        until deadline: Int64
    ) throws(ControlError) -> Bool {
        let before = log.bytes
        let logEnd = platform_open_log(log.path)
        try Files.check(logEnd, "open the log \(log.path)")
        defer { platform_close(logEnd) }
        let (process, pipe) = try Self.spawn(program, arguments, for: paths, log: logEnd)
        defer { platform_close(pipe) }
        let remaining = Int32(clamping: max(0, deadline - platform_steady_milliseconds()))
        let message = Self.message(from: pipe, within: remaining)
        let failure = message.flatMap { $0.hasPrefix("!") ? ": " + $0.dropFirst() : nil }
        if message != nil, failure == nil { return true }
        while platform_steady_milliseconds() < deadline {
            var status: Int32 = 0
            let hasEnded = platform_child_status(process, &status) != 0
            if (try? Invocation.client(paths)) != nil { return true }
            if hasEnded {
                if status == ControlLimits.alreadyRunningStatus { return false }
                let text = "the daemon exited while starting (status \(status))"
                throw ControlError(.noDaemon, text + (failure ?? Self.tail(of: log, after: before)))
            }
            _ = platform_wait(-1, false, -1, Self.pollMilliseconds)
        }
        return false
    }

    /// Reads the daemon's message about its start; nil if the pipe ends without one.
    static func message(from pipe: Int32, within milliseconds: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        guard platform_wait(pipe, false, -1, milliseconds) == 1 else { return nil }
        let count = platform_read(pipe, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }

    /// Starts the daemon's program with a pipe that it writes to, and `log` as standard error.
    static func spawn(
        _ program: String,
        _ arguments: [String],
        for paths: ControlPaths,
        log: Int32
    ) throws(ControlError) -> (process: Int32, pipe: Int32) {
        var ends: [Int32] = [-1, -1]
        try Files.check(platform_pipe(&ends), "create a pipe")
        let words = [program] + (paths.isChosen ? ["--home", paths.home] : []) + arguments
        var variables = InstalledProgram.environment.filter {
            !$0.hasPrefix("SCORESYNC_HOME=") && !$0.hasPrefix("SCORESYNC_READY_FD=")
        }
        variables.append("SCORESYNC_READY_FD=3")
        var process: Int32 = 0
        for _ in 0..<busyAttempts {
            process = InstalledProgram.withPointers(words) { words in
                InstalledProgram.withPointers(variables) { variables in
                    platform_spawn_daemon(program, words, variables, log, ends[1])
                }
            }
            // An update may be writing the program at this moment.
            guard platform_is_busy_program(process) else { break }
            _ = platform_wait(-1, false, -1, pollMilliseconds * 2)
        }
        platform_close(ends[1])
        if process < 0 { platform_close(ends[0]) }
        try Files.check(process, "start \(program)")
        return (process, ends[0])
    }

    private static func tail(of log: DaemonLog, after start: Int64) -> String {
        let lines = log.tail(lines: 5, after: start) ?? []
        return lines.isEmpty ? "; see \(log.path)" : ": " + lines.joined(separator: " | ")
    }
}

/// A run of the daemon's program for one task, such as `--restore`.
///
/// The program writes its result into the pipe, after a line feed for each percent of progress. It
/// has a process session of its own, so that Ctrl-C does not interrupt it.
struct DaemonTask {
    private static let progressMilliseconds: Int32 = 100

    let paths: ControlPaths
    let arguments: [String]
    var program: String?

    /// Runs the task and returns its result.
    ///
    /// `progress` receives the share that is done, from 0 to 1, or nil while it is unknown.
    ///
    /// - Throws: the program's error, of the kind of its exit status; `noDaemon` if the home is in
    ///   use.
    func run(progress: (Double?) -> Void) throws(ControlError) -> [UInt8] {
        let program = try DaemonLauncher.installed(or: program)
        do throws(ControlSocketError) { try PrivateDirectory.prepare(paths.home) } catch {
            throw error.controlError
        }
        let started = try DaemonLauncher.spawn(program, arguments, for: paths, log: 2)
        let output = Self.output(of: started.pipe, progress: progress)
        platform_close(started.pipe)
        let status = Self.exitStatus(of: started.process)
        guard status != 0 else { return output }
        let text = String(decoding: output.drop { $0 == UInt8(ascii: "!") }, as: UTF8.self)
        let kind = ControlError.Kind.allCases.first { ControlError($0, "").exitCode == status }
        throw ControlError(
            status == ControlLimits.alreadyRunningStatus ? .noDaemon : kind ?? .failed,
            text.isEmpty ? "scoresyncd exited with status \(status)" : text
        )
    }

    private static func output(of pipe: Int32, progress: (Double?) -> Void) -> [UInt8] {
        var percent = 0
        var output: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let ready = platform_wait(pipe, false, -1, progressMilliseconds)
            if ready == 1 {
                let count = platform_read(pipe, &bytes, bytes.count)
                guard count > 0 else { return output }
                let read = bytes.prefix(Int(count))
                let text = output.isEmpty ? read.drop { $0 == 0x0A } : read
                percent += read.count - text.count
                output += text
            }
            guard ready >= 0 else { return output }
            progress(percent > 0 ? Double(percent) / 100 : nil)
        }
    }

    private static func exitStatus(of process: Int32) -> Int32 {
        let descriptor = platform_watch_process(process)
        defer { if descriptor >= 0 { platform_close(descriptor) } }
        var status: Int32 = 0
        while platform_child_status(process, &status) == 0 {
            _ = platform_wait(descriptor, false, -1, descriptor >= 0 ? -1 : 5)
        }
        return status
    }
}
