import CPlatform
import ControlSocket
import SyncProtocol

/// The way to the daemon, and what is done where none runs: it is started, unless `--no-spawn` or
/// the command itself forbids that; then the call fails with `noDaemon`.
extension Invocation {
    /// How this program calls itself to the daemon.
    private static let name = "scorectl " + Versions.program

    /// Opens a connection at a path of the file system.
    private typealias Opening = (String) throws(ControlError) -> ControlClient

    /// Where the daemon is.
    func paths() throws(ControlError) -> ControlPaths { try console.paths(value("home")) }

    /// Calls the daemon, in one round trip with the agreement on a version.
    func call<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        let paths = try paths()
        let client = try mending { () throws(ControlError) in
            try connect(paths) { (path) throws(ControlError) in
                try ControlClient(
                    path: path,
                    client: Self.name,
                    home: paths.home,
                    first: method,
                    parameters
                )
            }
        }
        tellCalls(of: client)
        let skew = skew(of: client)
        let reply: Reply
        do throws(ControlError) {
            let limit = timeoutMilliseconds
            reply = try client.answer(to: method, timeoutMilliseconds: limit)
        } catch {
            guard error.kind == .versionMismatch, let skew else { throw error }
            // It was not carried out: another daemon may know it.
            guard try offerRestart(skew, of: client.agreement) else {
                throw ControlError(.versionMismatch, error.message, hint: skew.advice)
            }
            let client = try Self.client(paths)
            return try client.call(method, parameters, timeoutMilliseconds: timeoutMilliseconds)
        }
        // What was asked for is done, however the new start goes.
        do throws(ControlError) { try settle(skew, of: client.agreement) } catch {
            tell("scorectl: \(error.text)")
        }
        return reply
    }

    /// Calls a method without parameters.
    func call<Reply>(
        _ method: Method<NoParameters, Reply>,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        try call(method, NoParameters(), timeoutMilliseconds: timeoutMilliseconds)
    }

    /// A connection to the daemon, which is started when none runs and that is allowed.
    func connect(
        spawning: Bool? = nil,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient {
        let paths = try paths()
        var client = try mending { () throws(ControlError) in
            try connect(paths, spawning: spawning, Self.opening(paths, versions))
        }
        if versions == Versions.control, try settle(skew(of: client), of: client.agreement) {
            client = try Self.client(paths)
        }
        tellCalls(of: client)
        return client
    }

    /// Opens a connection; where the daemon is too old for that, offers to start it anew.
    private func mending(
        _ open: () throws(ControlError) -> ControlClient
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try open() } catch {
            guard error.kind == .versionMismatch,
                let daemon = Self.olderDaemon(try paths()),
                try offerRestart(.older(daemon.version), of: daemon)
            else { throw error }
            return try open()
        }
    }

    /// What a daemon tells that runs and speaks only older versions of the control interface.
    private static func olderDaemon(_ paths: ControlPaths) -> NegotiateReply? {
        try? opened(paths, opening(paths, Versions.stopping)).agreement
    }

    /// Tells what the daemon is asked and how long it takes, where somebody wants to know.
    private func tellCalls(of client: ControlClient) {
        guard isVerbose else { return }
        tell("daemon \(client.agreement.version), interface \(client.agreement.api)")
        client.onAnswer = { call in
            let parameters = call.parameters.map { String(decoding: $0, as: UTF8.self) } ?? "{…}"
            // In whole numbers: rounding others takes a library that this program does without.
            let (seconds, attoseconds) = call.duration.components
            let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
            let milliseconds = "\(tenths / 10).\(tenths % 10)"
            let end = call.error.map { "failed (\($0.kind.rawValue))" } ?? "answered"
            tell("\(call.method) \(parameters): \(end) after \(milliseconds) ms")
        }
    }

    /// A connection to the daemon, if one runs.
    static func running(
        _ paths: ControlPaths,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient? {
        try running(paths, opening(paths, versions))
    }

    /// A connection to a daemon that answers now.
    static func client(_ paths: ControlPaths) throws(ControlError) -> ControlClient {
        try opened(paths, opening(paths, Versions.control))
    }

    private static func opening(
        _ paths: ControlPaths,
        _ versions: ClosedRange<Int>
    ) -> Opening {
        { (path) throws(ControlError) in
            try ControlClient(path: path, client: name, home: paths.home, speaking: versions)
        }
    }

    private func connect(
        _ paths: ControlPaths,
        spawning: Bool? = nil,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        if let client = try Self.running(paths, open) { return client }
        guard spawning ?? maySpawn else {
            throw ControlError(.noDaemon, "no daemon runs (\(paths.socket))")
        }
        try console.launch(paths, [])
        return try Self.opened(paths, open)
    }

    /// A connection to the daemon if one runs, also one whose socket has just gone: it makes that
    /// anew when it is asked to.
    private static func running(
        _ paths: ControlPaths,
        _ open: Opening
    ) throws(ControlError) -> ControlClient? {
        do { return try opened(paths, open) } catch {
            guard error.kind == .noDaemon else { throw error }
        }
        guard let process = DaemonProcess(holding: paths) else { return nil }
        process.lookAfterSocket()
        let end = platform_steady_milliseconds() + DaemonLauncher.limitMilliseconds
        repeat {
            if process.hasEnded(withinMilliseconds: 5) { return nil }
            do { return try opened(paths, open) } catch {
                guard error.kind == .noDaemon else { throw error }
            }
        } while platform_steady_milliseconds() < end
        let text = "the daemon (pid \(process.id)) runs and does not answer; to end it:"
        throw ControlError(.timedOut, "\(text) scorectl daemon stop")
    }

    /// Opens a connection where the daemon should be called, else where its lock says that it is.
    private static func opened(
        _ paths: ControlPaths,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try opened(at: paths.socket, open) } catch {
            guard error.kind == .noDaemon, let told = ControlLock.socket(paths),
                told != paths.socket
            else { throw error }
            return try opened(at: told, open)
        }
    }

    /// Opens a connection; where the daemon is of another version, says which and what to do.
    private static func opened(
        at path: String,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try open(path) } catch {
            guard error.kind == .versionMismatch,
                let older = try? ControlClient(
                    path: path,
                    client: name,
                    speaking: Versions.stopping
                )
            else { throw error }
            let skew = DaemonSkew.older(older.agreement.version)
            throw ControlError(.versionMismatch, "\(skew.text); \(skew.advice)")
        }
    }
}

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

/// Something that the daemon's program does and ends, as `--restore`: it says what came of it
/// through the pipe by which a daemon says that it is ready, after a line feed for each hundredth
/// that is done.
///
/// It has a session of its own: who presses Ctrl-C meanwhile goes, and it comes to its end.
struct DaemonErrand {
    /// How long nobody is told that it goes on.
    private static let tellMilliseconds: Int32 = 100

    private let paths: ControlPaths
    private let words: [String]
    private let program: String?

    /// An errand of these words in a home; `program` replaces the one that is found.
    init(_ paths: ControlPaths, _ words: [String], program: String? = nil) {
        self.paths = paths
        self.words = words
        self.program = program
    }

    /// Runs it; what it said.
    ///
    /// Meanwhile it tells how much is done, from 0 to 1, or nil as long as nobody knows.
    ///
    /// - Throws: what it says against it, of the kind that its exit status tells; `noDaemon` with
    ///   the status of a home that is in use.
    func run(telling tell: (Double?) -> Void) throws(ControlError) -> [UInt8] {
        guard let program = program ?? InstalledProgram("scoresyncd")?.path else {
            throw ControlError(.failed, "scoresyncd is neither beside scorectl nor in PATH")
        }
        do throws(ControlSocketError) {
            try PrivateDirectory.prepare(paths.home)
        } catch {
            throw error.controlError
        }
        let started = try DaemonLauncher.spawn(program, words, for: paths, log: 2)
        let said = Self.everything(from: started.pipe, telling: tell)
        platform_close(started.pipe)
        let status = Self.end(of: started.process)
        guard status != 0 else { return said }
        let text = String(decoding: said.drop { $0 == UInt8(ascii: "!") }, as: UTF8.self)
        let kind = ControlError.Kind.allCases.first { ControlError($0, "").exitCode == status }
        throw ControlError(
            status == ControlLimits.alreadyRunningStatus ? .noDaemon : kind ?? .failed,
            text.isEmpty ? "scoresyncd ended with status \(status)" : text
        )
    }

    private static func everything(from pipe: Int32, telling tell: (Double?) -> Void) -> [UInt8] {
        var hundredths = 0
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let ready = platform_wait(pipe, false, -1, tellMilliseconds)
            if ready == 1 {
                let count = platform_read(pipe, &bytes, bytes.count)
                guard count > 0 else { return all }
                let said = bytes.prefix(Int(count))
                let text = all.isEmpty ? said.drop { $0 == 0x0A } : said
                hundredths += said.count - text.count
                all += text
            }
            guard ready >= 0 else { return all }
            tell(hundredths > 0 ? Double(hundredths) / 100 : nil)
        }
    }

    private static func end(of process: Int32) -> Int32 {
        let descriptor = platform_watch_process(process)
        defer { if descriptor >= 0 { platform_close(descriptor) } }
        var status: Int32 = 0
        while platform_child_status(process, &status) == 0 {
            _ = platform_wait(descriptor, false, -1, descriptor >= 0 ? -1 : 5)
        }
        return status
    }
}
