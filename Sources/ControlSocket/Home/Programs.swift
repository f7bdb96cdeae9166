internal import CPlatform
internal import Descriptors

/// An installed program, which can be started in several ways.
package struct InstalledProgram {
    package let path: String

    /// Searches the directory of the running program, then the directories of PATH; nil if not
    /// found.
    package init?(_ name: String) {
        var places: [String] = []
        let own = InstalledProgram.ownPath
        if let slash = own?.lastIndex(of: "/"), let own { places.append(String(own[..<slash])) }
        let directories = platform_environment("PATH").map { String(cString: $0) } ?? ""
        // A relative directory could lead to an untrusted program in the current directory.
        places += directories.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        let programs: [String] = places.map { "\($0)/\(name)" }
        guard let found = programs.first(where: { platform_is_executable($0) }) else { return nil }
        path = found
    }

    /// The program that opens a page in the user's browser; nil if it is missing.
    package static var browser: InstalledProgram? {
        #if os(macOS)
        InstalledProgram("open")
        #else
        InstalledProgram("xdg-open")
        #endif
    }

    package static var ownPath: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            buffer.baseAddress.flatMap { start in
                platform_own_path(start, buffer.count) > 0 ? String(cString: start) : nil
            }
        }
    }

    /// Replaces this process by the program; returns only on failure, with the negated errno.
    package func become(_ arguments: [String]) -> Int32 {
        // A launch pipe of this process is closed, and its number may be another file's.
        let variables = InstalledProgram.environment.filter {
            !$0.hasPrefix(LaunchPipe.variable + "=")
        }
        return InstalledProgram.withPointers([path] + arguments) { words in
            InstalledProgram.withPointers(variables) { platform_become(path, words, $0) }
        }
    }

    /// Starts the program in the background, without input and output.
    package func startDetached(_ arguments: [String]) {
        _ = spawn(arguments)
    }

    /// Starts the program without input and output, for as long as the result exists and this
    /// process runs; nil if that is not possible.
    package func startCompanion(_ arguments: [String]) -> Companion? {
        // It ends the program also when this process is killed.
        guard let guardian = InstalledProgram("setpriv") else { return nil }
        let words = ["--pdeathsig", "TERM", path] + arguments
        let process = guardian.spawn(words)
        return process > 0 ? WatchedProcess(process).map(Companion.init) : nil
    }

    /// A program that this process has started, and that ends with it or when this is released.
    package final class Companion {
        private let process: WatchedProcess

        init(_ process: WatchedProcess) { self.process = process }

        deinit {
            try? process.terminate()
            _ = InstalledProgram.status(of: process.id, within: 1_000)
        }

        package var hasEnded: Bool { process.hasEnded(withinMilliseconds: 0) }
    }

    /// Runs the program without input and output; returns its exit status, or nil if it cannot be
    /// started or does not end within half a minute.
    package func status(of arguments: [String]) -> Int32? {
        let process = spawn(arguments)
        return process > 0 ? InstalledProgram.status(of: process) : nil
    }

    /// Runs the program without input, and returns its exit status and what it printed, with its
    /// errors if wanted; nil if it cannot be started or does not end within half a minute.
    package func output(
        of arguments: [String],
        withErrors: Bool = false
    ) -> (status: Int32, output: String)? {
        var text: [UInt8] = []
        let limit = InstalledProgram.timeoutMilliseconds
        let status = follow(arguments, withErrors: withErrors, silentFor: limit) { text += $0 }
        return status.map { ($0, String(decoding: text, as: UTF8.self)) }
    }

    /// Runs the program without input until it ends, or prints nothing for `silence` milliseconds,
    /// and passes on its output as it comes; returns its exit status, or nil if it cannot be started
    /// or does not end then.
    package func follow(
        _ arguments: [String],
        withErrors: Bool = false,
        silentFor silence: Int32 = -1,
        _ receive: ([UInt8]) -> Void
    ) -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard platform_pipe(&ends) >= 0 else { return nil }
        let process = withCommand(arguments) {
            platform_spawn_silent(path, $0, $1, ends[1], withErrors ? ends[1] : -1)
        }
        platform_close(ends[1])
        defer { platform_close(ends[0]) }
        guard process > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while platform_wait(ends[0], false, -1, silence) == 1 {
            let count = platform_read(ends[0], &buffer, buffer.count)
            guard count > 0 else { break }
            receive(Array(buffer[..<count]))
        }
        return InstalledProgram.status(of: process)
    }

    /// Runs a shell command on this terminal with a text as its standard input, and returns its exit
    /// status; nil if it cannot be started.
    package static func runShell(
        _ command: String,
        input: [UInt8],
        adding variables: [String]
    ) -> Int32? {
        let shell = "/bin/sh"
        let status = withPointers([shell, "-c", command]) { words in
            withPointers(environment + variables) {
                platform_run_with_input(shell, words, $0, input, input.count)
            }
        }
        return status < 0 ? nil : status
    }

    private static let timeoutMilliseconds: Int32 = 30_000

    /// Waits for the end of a process for at most `limit` milliseconds, and returns its exit status.
    private static func status(
        of process: Int32,
        within limit: Int32 = timeoutMilliseconds
    ) -> Int32? {
        _ = WatchedProcess(process)?.hasEnded(withinMilliseconds: limit)
        var status: Int32 = 0
        return platform_child_status(process, &status) == 1 ? status : nil
    }

    /// Starts the program without input and output; returns its process id, or the negated errno.
    private func spawn(_ arguments: [String]) -> Int32 {
        withCommand(arguments) { platform_spawn_silent(path, $0, $1, -1, -1) }
    }

    private func withCommand(
        _ arguments: [String],
        _ body: (_ words: CStrings, _ variables: CStrings) -> Int32
    ) -> Int32 {
        InstalledProgram.withPointers([path] + arguments) { words in
            InstalledProgram.withPointers(InstalledProgram.environment) { body(words, $0) }
        }
    }

    package typealias CStrings = UnsafePointer<UnsafeMutablePointer<CChar>?>

    /// The environment of this process, as texts of the form `NAME=VALUE`.
    package static var environment: [String] {
        var result: [String] = []
        guard var next = platform_whole_environment() else { return result }
        // The list ends with NULL.
        while let variable = next.pointee {
            result.append(String(cString: variable))
            next += 1
        }
        return result
    }

    /// Calls `body` with the texts as C strings, followed by NULL, which are valid only during the
    /// call.
    package static func withPointers<Result>(
        _ texts: [String],
        _ body: (CStrings) -> Result
    ) -> Result {
        let copies = texts.map { text in
            let bytes = Array(text.utf8CString)
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        let pointers = copies.map(\.baseAddress) + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else {
                preconditionFailure("a list with NULL at its end is never empty")
            }
            return body(start)
        }
    }
}

/// Identifies a build of a program, since two builds of one version may differ.
///
/// It consists of the length and modification time of the file, which one system call returns; each
/// installation changes the time.
package struct ProgramBuild: Hashable, Sendable {
    package let bytes: Int64
    /// The modification time, in nanoseconds since 1970.
    package let changed: Int64

    package init(bytes: Int64, changed: Int64) { (self.bytes, self.changed) = (bytes, changed) }

    /// Reads the build of the file at a path; nil if there is none.
    package init?(at path: String) {
        var file = platform_file()
        guard platform_target_status(path, &file) == 0, file.is_regular else { return nil }
        self.init(bytes: file.bytes, changed: file.changed)
    }

    /// Parses the text form; nil for any other form, which a later version may use.
    package init?(_ text: String) {
        let parts = text.split(separator: "-").map { Int64($0) }
        guard parts.count == 2, let bytes = parts[0], let changed = parts[1] else { return nil }
        self.init(bytes: bytes, changed: changed)
    }

    /// The build of the running program; wrong if its file was replaced since the start.
    package static var ofThisProcess: ProgramBuild? {
        InstalledProgram.ownPath.flatMap { ProgramBuild(at: $0) }
    }

    /// The text form, as sent in the negotiation.
    package var text: String { "\(bytes)-\(changed)" }
}

/// A process that is known by a descriptor, because its id may be reused once it has ended.
package final class WatchedProcess {
    package let id: Int32
    private let descriptor: Int32

    /// Watches a process; nil if it does not exist.
    init?(_ id: Int32) {
        self.id = id
        descriptor = platform_watch_process(id)
        guard descriptor >= 0 else { return nil }
    }

    /// Finds the daemon of a home; nil if none is running or the system does not report it.
    package convenience init?(holding paths: ControlPaths) { self.init(holding: paths.locks) }

    /// Finds the process that holds the first of some locks that is held.
    ///
    /// The system reports the holder, so a stale or reused process id is never signalled.
    convenience init?(holding locks: [String]) {
        let holder = locks.lazy.map { platform_lock_holder($0) }.first { $0 > 0 }
        guard let holder else { return nil }
        self.init(holder)
        // The process was watched before it was confirmed as holder, so its id was not reused.
        guard locks.contains(where: { platform_lock_holder($0) == holder }) else { return nil }
    }

    deinit { if descriptor >= 0 { platform_close(descriptor) } }

    /// Sends SIGTERM; succeeds also if the process has ended.
    package func terminate() throws(ControlSocketError) {
        let result = platform_signal_process(descriptor, id, platform_signal_terminate())
        guard !hasEnded(withinMilliseconds: 0) else { return }
        try ControlSocketError.check(result, "stop process \(id)")
    }

    /// Asks a daemon to check its socket and recreate it if needed.
    package func requestSocketCheck() {
        _ = platform_signal_process(descriptor, id, platform_signal_user())
    }

    /// Waits for the process to end; returns whether it has ended in time.
    package func hasEnded(withinMilliseconds limit: Int32) -> Bool {
        platform_wait(descriptor, false, -1, limit) == 1
    }
}

/// Times in the local time zone, for people; programs get UTC.
package enum LocalTime {
    /// Returns the time of day, `20:34`, of milliseconds since 1970.
    package static func timeOfDay(_ milliseconds: Int64) -> String {
        TimeText.format(milliseconds, "%H:%M", isLocal: true)
    }

    /// Returns the date, `2026-11-20`, of milliseconds since 1970.
    package static func date(_ milliseconds: Int64) -> String {
        TimeText.format(milliseconds, "%Y-%m-%d", isLocal: true)
    }
}

/// The pipe to `scorectl` of a program that it has started and waits for.
package enum LaunchPipe {
    /// The environment variable with the number of the writing end.
    static let variable = "SCORESYNC_READY_FD"

    /// The writing end; nil if `scorectl` did not start this program.
    private static var pipe: Int32? {
        guard let number = platform_environment(variable),
            let descriptor = Int32(String(cString: number)), descriptor > 2
        else { return nil }
        return descriptor
    }

    /// Sends bytes to `scorectl`, and closes the pipe unless `isMore`.
    ///
    /// A line feed means that the program is ready. An exclamation mark begins the reason why it
    /// cannot start. Before a document, the number of line feeds is the progress in per cent.
    ///
    /// - Returns: whether there is a pipe.
    @discardableResult
    package static func send(_ bytes: [UInt8], isMore: Bool = false) -> Bool {
        guard let pipe else { return false }
        _ = platform_write_all(pipe, bytes, bytes.count)
        if !isMore { platform_close(pipe) }
        return true
    }
}
