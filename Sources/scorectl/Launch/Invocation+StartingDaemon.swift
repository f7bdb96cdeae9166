import ControlSocket
import SyncProtocol

/// The way to the daemon, and what is done where none runs: it is started, unless `--no-spawn` or
/// the command itself forbids that; then the call fails with `noDaemon`.
extension Invocation {
    /// How this program calls itself to the daemon.
    private static let name = "scorectl " + Versions.program

    /// Where the daemon is.
    func paths() throws(ControlError) -> ControlPaths { try console.paths(value("home")) }

    /// Calls the daemon, in one round trip with the agreement on a version.
    func call<Request: ControlRequest>(
        _ request: Request,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Request.Reply {
        let client = try connect { (path) throws(ControlError) in
            try ControlClient(path: path, client: Self.name, first: request)
        }
        return try client.answer(to: Request.self, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// A connection to the daemon, which is started when none runs and that is allowed.
    func connect(
        spawning: Bool? = nil,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient {
        try connect(spawning: spawning) { (path) throws(ControlError) in
            try ControlClient(path: path, client: Self.name, speaking: versions)
        }
    }

    /// A connection to a running daemon.
    static func client(_ paths: ControlPaths) throws(ControlError) -> ControlClient {
        try opened(paths) { (path) throws(ControlError) in
            try ControlClient(path: path, client: name)
        }
    }

    private func connect(
        spawning: Bool? = nil,
        _ open: (String) throws(ControlError) -> ControlClient
    ) throws(ControlError) -> ControlClient {
        let paths = try paths()
        do {
            return try Self.opened(paths, open)
        } catch {
            guard error.kind == .noDaemon else { throw error }
            guard spawning ?? maySpawn else {
                throw ControlError(.noDaemon, "no daemon runs (\(paths.socket))")
            }
        }
        try console.launch(paths, [])
        return try Self.opened(paths, open)
    }

    /// Opens a connection; where the daemon is of another version, says which and what to do.
    private static func opened(
        _ paths: ControlPaths,
        _ open: (String) throws(ControlError) -> ControlClient
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try open(paths.socket) } catch {
            guard error.kind == .versionMismatch,
                let older = try? ControlClient(
                    path: paths.socket,
                    client: name,
                    speaking: Versions.stopping
                )
            else { throw error }
            let text =
                "the daemon that runs (\(older.agreement.version)) is older than this scorectl "
                + "(\(Versions.program)); stop it, and call again: scorectl daemon stop"
            throw ControlError(.versionMismatch, text)
        }
    }
}
