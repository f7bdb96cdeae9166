import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process that runs the program `store-writer` on a list of commands.
///
/// Output through a named pipe and commands from a file, so that processes of other tests cannot
/// inherit descriptors. Killed at the end if it still runs.
final class StoreProcess {
    private let process: pid_t
    private let output: Int32
    private let files: ScratchDirectory
    private var waiting: [UInt8] = []
    private var isEnded = false

    convenience init(on directory: String, _ commands: [String]) throws {
        try self.init([try StoreProcess.program(), directory], commands)
    }

    /// Starts a shell script that may mount; `$1` is a directory and `$2` the program.
    convenience init(mounting script: String, on directory: String, _ commands: [String]) throws {
        let shell = ["/bin/sh", "-c", script, "sh", directory, try StoreProcess.program()]
        try self.init((StoreProcess.namespace ?? []) + shell, commands)
    }

    private init(_ arguments: [String], _ commands: [String]) throws {
        files = try ScratchDirectory()
        let pipe = files.path + "/output"
        try files.write(commands.map { $0 + "\n" }.joined().utf8, to: "commands")
        guard mkfifo(pipe, 0o600) == 0 else { throw SystemError(number: errno) }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, files.path + "/commands", O_RDONLY, 0)
        // Read-write, so that opening does not wait for the other end.
        posix_spawn_file_actions_addopen(&actions, 1, pipe, O_RDWR, 0)
        // Open before the process starts, so that its end is not missed.
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard reader >= 0 else { throw SystemError(number: errno) }
        var spawned: pid_t = 0
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var nothing: [UnsafeMutablePointer<CChar>?] = [
            strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil,
        ]
        defer { free(nothing[0]) }
        let result = posix_spawn(&spawned, arguments[0], &actions, nil, &words, &nothing)
        guard result == 0 else {
            close(reader)
            throw SystemError(number: result)
        }
        _ = fcntl(reader, F_SETFL, fcntl(reader, F_GETFL) & ~O_NONBLOCK)
        output = reader
        process = spawned
    }

    deinit {
        kill()
        close(output)
    }

    /// The next line of output; nil after its end.
    func line() -> String? {
        while true {
            if let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: waiting[..<end], as: UTF8.self)
                waiting.removeFirst(end + 1)
                return line
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &bytes, bytes.count)
            if count > 0 {
                waiting += bytes.prefix(count)
            } else if count == 0 || errno != EINTR {
                return nil
            }
        }
    }

    /// All lines of output up to its end.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Kills the process and waits for its end.
    func kill() {
        guard !isEnded else { return }
        isEnded = true
        #if canImport(Glibc)
        Glibc.kill(process, SIGKILL)
        #elseif canImport(Musl)
        Musl.kill(process, SIGKILL)
        #else
        Darwin.kill(process, SIGKILL)
        #endif
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// The command that runs another with its own mounts; nil if that is not permitted.
    static let namespace: [String]? = [["-m"], ["-U", "-r", "-m"]].lazy
        .map { ["/usr/bin/unshare"] + $0 }
        .first { unshare in
            let probe = "mount -t tmpfs none /tmp && echo mounted"
            let process = try? StoreProcess(unshare + ["/bin/sh", "-c", probe], [])
            return process?.line() == "mounted"
        }

    /// The program, which is next to the tests.
    private static func program() throws -> String {
        for argument in CommandLine.arguments {
            var directory = URL(filePath: argument).deletingLastPathComponent()
            for _ in 0..<4 {
                let program = directory.appending(path: "store-writer").path
                if FileManager.default.isExecutableFile(atPath: program) { return program }
                directory = directory.deletingLastPathComponent()
            }
        }
        throw SystemError(number: ENOENT)
    }
}
