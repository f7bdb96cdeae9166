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
    func call<Request: ControlRequest>(
        _ request: Request,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Request.Reply {
        let paths = try paths()
        let client = try mending { () throws(ControlError) in
            try connect(paths) { (path) throws(ControlError) in
                try ControlClient(path: path, client: Self.name, home: paths.home, first: request)
            }
        }
        tellCalls(of: client)
        let skew = skew(of: client)
        let reply: Request.Reply
        do throws(ControlError) {
            let limit = timeoutMilliseconds
            reply = try client.answer(to: Request.self, timeoutMilliseconds: limit)
        } catch {
            guard error.kind == .versionMismatch, let skew else { throw error }
            // It was not carried out: another daemon may know it.
            guard try offerRestart(skew, of: client.agreement) else {
                throw ControlError(.versionMismatch, error.message, hint: skew.advice)
            }
            return try Self.client(paths).call(request, timeoutMilliseconds: timeoutMilliseconds)
        }
        // What was asked for is done, however the new start goes.
        do throws(ControlError) { try settle(skew, of: client.agreement) } catch {
            tell("scorectl: \(error.text)")
        }
        return reply
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
