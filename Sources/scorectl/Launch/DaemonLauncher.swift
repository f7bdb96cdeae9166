import CPlatform
import ControlSocket
import SyncProtocol

/// Starts `scoresyncd` and waits until it can be called.
///
/// The daemon gets the writing end of a pipe as descriptor 3, named in `SCORESYNC_READY_FD`; it
/// writes a byte when it listens, and when it cannot start an exclamation mark and the reason,
/// which a full disk would keep out of its log. The end of the pipe without a byte means that it
/// has ended or does not know the custom; then its exit status and its socket are looked at.
struct DaemonLauncher {
    /// How long a daemon may take to listen.
    static let limitMilliseconds: Int64 = 5000
    /// The pause between two looks, where nothing else wakes.
    private static let stepMilliseconds: Int32 = 5

    /// How often a program that is being written is tried.
    private static let busyAttempts = 100

    private let paths: ControlPaths
    private let arguments: [String]
    private let program: String?
    private let log: DaemonLog

    /// The launcher of a daemon with further arguments; `program` replaces the one that is found.
    init(_ paths: ControlPaths, arguments: [String] = [], program: String? = nil) {
        self.paths = paths
        self.arguments = arguments
        self.program = program
        log = DaemonLog(paths.log)
    }

    /// Starts it, or finds that another caller has just done so.
    ///
    /// - Throws: `noDaemon`, with the last lines of its log when it ended.
    func launch() throws(ControlError) {
        guard let program = program ?? InstalledProgram("scoresyncd")?.path else {
            let text = "scoresyncd is neither beside scorectl nor in PATH"
            throw ControlError(.noDaemon, text)
        }
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.home)
        } catch {
            throw error.controlError
        }
        log.rotateIfLong()
        let end = platform_steady_milliseconds() + Self.limitMilliseconds
        while platform_steady_milliseconds() < end {
            if try attempt(program, until: end) { return }
            // The daemon that holds the home may be about to end: then the next attempt succeeds.
            repeat {
                _ = platform_wait(-1, false, -1, Self.stepMilliseconds)
                if (try? Invocation.client(paths)) != nil { return }
            } while ControlLock.isHeld(paths) && platform_steady_milliseconds() < end
        }
        throw ControlError(.timedOut, "the daemon was started but does not answer" + lastWords(0))
    }

    /// One start; false when another daemon holds the home and does not answer.
    private func attempt(_ program: String, until end: Int64) throws(ControlError) -> Bool {
        let before = log.bytes
        let (process, pipe) = try spawn(program)
        defer { platform_close(pipe) }
        let left = Int32(clamping: max(0, end - platform_steady_milliseconds()))
        let word = Self.word(from: pipe, within: left)
        let refusal = word.flatMap { $0.hasPrefix("!") ? ": " + $0.dropFirst() : nil }
        if word != nil, refusal == nil { return true }
        while platform_steady_milliseconds() < end {
            var status: Int32 = 0
            let hasEnded = platform_child_status(process, &status) != 0
            if (try? Invocation.client(paths)) != nil { return true }
            if hasEnded {
                if status == ControlLimits.alreadyRunningStatus { return false }
                let text = "the daemon ended at its start (status \(status))"
                throw ControlError(.noDaemon, text + (refusal ?? lastWords(before)))
            }
            _ = platform_wait(-1, false, -1, Self.stepMilliseconds)
        }
        return false
    }

    /// What the daemon says of its start: an exclamation mark and why it cannot, anything else when
    /// it listens; nil where it ends without a word.
    private static func word(from pipe: Int32, within milliseconds: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        guard platform_wait(pipe, false, -1, milliseconds) == 1 else { return nil }
        let count = platform_read(pipe, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }

    private func spawn(_ program: String) throws(ControlError) -> (process: Int32, pipe: Int32) {
        let logEnd = platform_open_log(log.path)
        try Self.check(logEnd, "open the log \(log.path)")
        defer { platform_close(logEnd) }
        return try Self.spawn(program, arguments, for: paths, log: logEnd)
    }

    /// Starts the daemon's program with a pipe that it writes to, and standard error where `log`
    /// leads.
    static func spawn(
        _ program: String,
        _ arguments: [String],
        for paths: ControlPaths,
        log: Int32
    ) throws(ControlError) -> (process: Int32, pipe: Int32) {
        var ends: [Int32] = [-1, -1]
        try check(platform_pipe(&ends), "make a pipe")
        let words = [program] + (paths.isChosen ? ["--home", paths.home] : []) + arguments
        let home = "SCORESYNC_HOME="
        var variables = InstalledProgram.environment.filter {
            !$0.hasPrefix(home) && !$0.hasPrefix("SCORESYNC_READY_FD=")
        }
        variables.append("SCORESYNC_READY_FD=3")
        var process: Int32 = 0
        for _ in 0..<busyAttempts {
            process = InstalledProgram.withPointers(words) { words in
                InstalledProgram.withPointers(variables) { variables in
                    platform_spawn_daemon(program, words, variables, log, ends[1])
                }
            }
            // An update is writing the program at this moment.
            guard platform_is_busy_program(process) else { break }
            _ = platform_wait(-1, false, -1, stepMilliseconds * 2)
        }
        platform_close(ends[1])
        if process < 0 { platform_close(ends[0]) }
        try check(process, "start \(program)")
        return (process, ends[0])
    }

    private func lastWords(_ start: Int64) -> String {
        let lines = log.tail(lines: 5, after: start) ?? []
        return lines.isEmpty ? "; see \(log.path)" : ": " + lines.joined(separator: " | ")
    }

    // MARK: C

    private static func check(_ result: Int32, _ operation: String) throws(ControlError) {
        guard result < 0 else { return }
        throw ControlSocketError.system(operation, code: -result).controlError
    }
}
