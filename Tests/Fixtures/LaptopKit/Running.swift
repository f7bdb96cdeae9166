import CPlatform
import Dispatch
import FoundationEssentials
package import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// Needs real time: waiting for real programs has a timeout.

/// A child process, killed with this object if it is still running.
package final class Running {
    /// The command line, for messages.
    package let command: String
    /// The process id, also after the exit.
    package let process: Int32
    private let input: Channel?
    private let output: Channel?
    private let errors: Channel?
    private var texts: (output: [UInt8], errors: [UInt8]) = ([], [])
    private var status: Int32?

    /// The destinations of the standard streams.
    package enum Streams {
        /// No input; output and errors are kept for the outcome.
        case captured
        /// The same as `captured`, but lines can be written as input.
        case conversing
        /// Standard error goes to the end of a file; `ready` becomes its descriptor 3.
        case logging(to: String, ready: Int32)
    }

    /// Starts a program with its arguments.
    package init(_ words: [String], adding variables: [String] = [], _ streams: Streams) throws {
        platform_ignore_broken_pipes()
        command = words.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            .joined(separator: " ")
        var plan = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&plan)
        defer { posix_spawn_file_actions_destroy(&plan) }
        switch streams {
        case .captured, .conversing:
            let (output, errors) = (try Channel(), try Channel())
            if case .conversing = streams { input = try Channel() } else { input = nil }
            posix_spawn_file_actions_adddup2(&plan, output.writing, 1)
            posix_spawn_file_actions_adddup2(&plan, errors.writing, 2)
            (self.output, self.errors) = (output, errors)
        case .logging(let path, let ready):
            (input, output, errors) = (nil, nil, nil)
            posix_spawn_file_actions_addopen(&plan, 1, "/dev/null", O_WRONLY, 0)
            let mode = O_WRONLY | O_APPEND | O_CREAT
            posix_spawn_file_actions_addopen(&plan, 2, path, mode, 0o600)
            posix_spawn_file_actions_adddup2(&plan, ready, 3)
        }
        if let input {
            posix_spawn_file_actions_adddup2(&plan, input.reading, 0)
        } else {
            posix_spawn_file_actions_addopen(&plan, 0, "/dev/null", O_RDONLY, 0)
        }
        process = try Running.spawn(words, Running.environment(adding: variables), &plan)
        input?.closeReading()
        output?.closeWriting()
        errors?.closeWriting()
    }

    deinit { kill() }

    private static func environment(adding variables: [String]) -> [String] {
        var kept: [String] = []
        for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] {
            if let value = platform_environment(name) {
                kept.append("\(name)=\(String(cString: value))")
            }
        }
        // The first of several variables with one name counts.
        return variables + kept + ["SWIFT_BACKTRACE=enable=no", "NO_COLOR=1", "TZ=UTC"]
    }

    private static func spawn(
        _ words: [String],
        _ environment: [String],
        _ plan: inout posix_spawn_file_actions_t
    ) throws -> Int32 {
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process ignores SIGPIPE, and a thread of Dispatch blocks nearly every signal. A
        // child would inherit both, and a tmux server could not be terminated.
        var usual = sigset_t()
        sigemptyset(&usual)
        posix_spawnattr_setsigmask(&attributes, &usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let result = posix_spawnp(&process, words[0], &plan, &attributes, &arguments, &variables)
        guard result == 0 else { throw Failure("\(words[0]) cannot be started: errno \(result)") }
        return process
    }

    package var isRunning: Bool {
        if status == nil {
            var code: Int32 = 0
            if platform_child_status(process, &code) == 1 { status = code }
        }
        return status == nil
    }

    /// Writes a line to the program's input.
    package func write(_ line: String) { input?.write(line) }

    /// Waits for the first line of the program's output.
    package func firstLine(within limit: Duration = .seconds(10)) throws -> String {
        try line(within: limit) { _ in true }
    }

    /// Waits for the first line of the program's output that fulfills a condition.
    package func line(
        within limit: Duration = .seconds(10),
        where holds: (String) -> Bool
    ) throws -> String {
        let deadline = ContinuousClock.now + limit
        while true {
            let lines = texts.output.split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            .dropLast().map { String(decoding: $0, as: UTF8.self) }
            if let line = lines.first(where: holds) { return line }
            guard try gather(until: deadline) else { throw Failure("\(command) said nothing") }
        }
    }

    /// Closes the input and waits for the exit; kills the program after the time limit.
    package func outcome(within limit: Duration = .seconds(30)) throws -> Outcome {
        input?.closeWriting()
        let deadline = ContinuousClock.now + limit
        do {
            while try gather(until: deadline) {}
        } catch {
            kill()
            throw error
        }
        while isRunning {
            guard ContinuousClock.now < deadline else {
                kill()
                throw Failure("\(command) has not ended in \(limit)")
            }
            _ = platform_wait(-1, false, -1, 1)
        }
        return Outcome(
            command: command,
            status: status ?? -1,
            output: String(decoding: texts.output, as: UTF8.self),
            errors: String(decoding: texts.errors, as: UTF8.self)
        )
    }

    /// Reads available output; returns false at the end.
    private func gather(until deadline: ContinuousClock.Instant) throws -> Bool {
        guard let output, let errors else { return false }
        let left = deadline - .now
        guard left > .zero else { throw Failure("\(command) has not ended in time") }
        let milliseconds = Int32(clamping: left.components.seconds * 1_000 + 1_000)
        switch (output.reading >= 0, errors.reading >= 0) {
        case (false, false): return false
        case (true, false): append(output, into: \.output)
        case (false, true): append(errors, into: \.errors)
        case (true, true):
            switch platform_wait(output.reading, false, errors.reading, milliseconds) {
            case 1: append(output, into: \.output)
            case 2: append(errors, into: \.errors)
            default: break
            }
        }
        return true
    }

    private func append(
        _ channel: Channel,
        into text: WritableKeyPath<(output: [UInt8], errors: [UInt8]), [UInt8]>
    ) {
        if let bytes = channel.read() {
            texts[keyPath: text] += bytes
        } else {
            channel.closeReading()
        }
    }

    /// Sends a signal if the program is still running.
    package func signal(_ number: Int32) {
        guard isRunning else { return }
        #if canImport(Glibc)
        Glibc.kill(process, number)
        #elseif canImport(Musl)
        Musl.kill(process, number)
        #else
        Darwin.kill(process, number)
        #endif
    }

    /// Kills the program and waits for its exit.
    package func kill() {
        guard isRunning else { return }
        signal(SIGKILL)
        var raw: Int32 = 0
        while waitpid(process, &raw, 0) < 0, errno == EINTR {}
        status = 128 + SIGKILL
    }
}

/// The result of a program.
package struct Outcome: Sendable {
    /// The command line, for messages.
    package let command: String
    /// The exit status; 128 + the signal if a signal ended it.
    package let status: Int32
    package let output: String
    package let errors: String

    /// Decodes the output from JSON.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(output.utf8))
        } catch {
            throw Failure("\(command): \(error) in \(output.prefix(500))")
        }
    }
}

extension Outcome: CustomStringConvertible {
    package var description: String {
        "\(command)\nexit \(status)\n\(output.suffix(2_000))\n\(errors.suffix(2_000))"
    }
}

/// Runs tests that wait for processes on a thread of their own, instead of the shared pool.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package init() {}

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(Line.shared) { try await function() }
    }

    /// A thread that runs one test at a time.
    private final class Line: TaskExecutor {
        static let shared = Line()
        private let queue = DispatchQueue(label: "tests that wait for processes")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { @Sendable [self] in
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
}

/// The programs that were built with the tests.
package enum Programs {
    /// The path of a program.
    package static func path(of name: String) throws -> String {
        for argument in CommandLine.arguments {
            var directory = URL(filePath: argument).deletingLastPathComponent()
            for _ in 0..<4 {
                let program = directory.appending(path: name).path
                if FileManager.default.isExecutableFile(atPath: program) { return program }
                directory = directory.deletingLastPathComponent()
            }
        }
        throw Failure("the program \(name) was not built beside the tests")
    }
}
