import ControlSocket
import SyncProtocol

/// The way to the daemon, and what is done where none runs: it is started, unless `--no-spawn` or
/// the command itself forbids that; then the call fails with `noDaemon`.
extension Invocation {
    /// Where the daemon is.
    func paths() throws(ControlError) -> ControlPaths { try console.paths(value("home")) }

    /// Calls the daemon.
    func call<Request: ControlRequest>(
        _ request: Request,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Request.Reply {
        try connect().call(request, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// A connection to the daemon, which is started when none runs and that is allowed.
    func connect(
        spawning: Bool? = nil,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient {
        let paths = try paths()
        do {
            return try Self.client(paths, speaking: versions)
        } catch {
            guard error.kind == .noDaemon else { throw error }
            guard spawning ?? maySpawn else {
                throw ControlError(.noDaemon, "no daemon runs (\(paths.socket))")
            }
        }
        try console.launch(paths, [])
        return try Self.client(paths)
    }

    /// A connection to a running daemon.
    static func client(
        _ paths: ControlPaths,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient {
        let name = "scorectl " + Versions.program
        do throws(ControlError) {
            return try ControlClient(path: paths.socket, client: name, speaking: versions)
        } catch {
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
