import FoundationEssentials

/// A user whose daemon is where it is by default: no `--home`, and started by `scorectl`.
package final class Account {
    /// Its home directory.
    package let home: String
    /// The state directory of its daemon.
    package var state: String { home + "/.local/state/scoresync" }
    /// The variables that its shells have.
    package var variables: [String]
    private let entrance: [String]
    /// What kills the daemon if this process ends before it.
    private let guardian: Room
    private let directory: ScratchDirectory

    /// A user in a room, by default on this machine, whose runtime directory may be somebody
    /// else's.
    package init(in room: Room? = nil, runtime: String? = nil) throws {
        entrance = room?.entrance ?? []
        guardian = try Room()
        directory = try ScratchDirectory()
        home = try directory.directory("home")
        let runtime = try runtime ?? directory.directory("run")
        variables = ["HOME=\(home)", "XDG_RUNTIME_DIR=\(runtime)"]
    }

    deinit {
        // In time it has stopped; else the guardian kills it.
        if (try? attempt("daemon", "stop"))?.status == 0 { guardian.guardAgainstLeaving(nil) }
    }

    /// Its runtime directory.
    package var runtime: String { directory.path + "/run" }

    /// Starts the daemon, which neither announces nor is found, and returns its process.
    @discardableResult
    package func start() throws -> Int32 {
        try run("daemon", "start", "--", "--no-discovery")
        return try process()
    }

    /// The process of the daemon that answers, which then does not outlive this one.
    package func process() throws -> Int32 {
        let status = try attempt("status", "--json").decoded(as: Status.self)
        guardian.guardAgainstLeaving(status.daemon.pid)
        return status.daemon.pid
    }

    private struct Status: Decodable {
        let daemon: Daemon

        struct Daemon: Decodable { let pid: Int32 }
    }

    /// Starts a command and does not wait for it.
    package func begin(_ words: String...) throws -> Running { try begin(words) }

    private func begin(_ words: [String]) throws -> Running {
        let program = try Programs.path(of: "scorectl")
        return try Running(entrance + [program] + words, adding: variables, .captured)
    }

    /// Runs a command, which may fail.
    package func attempt(_ words: String...) throws -> Outcome { try begin(words).outcome() }

    /// Runs a command, which must succeed; what it printed.
    @discardableResult
    package func run(_ words: String...) throws -> String {
        let outcome = try begin(words).outcome()
        guard outcome.status == 0 else { throw Failure("\(outcome)") }
        return outcome.output
    }
}
