import CPlatform
import ControlSocket
import SyncProtocol

/// Connections to the daemon, which is started if none runs, unless `--no-spawn` or the command
/// itself forbids that; then the call fails with `noDaemon`.
extension Invocation {
    private static let clientName = "scorectl " + Versions.program

    /// Opens a connection to a socket.
    private typealias Opening = (String) throws(ControlError) -> ControlClient

    func paths() throws(ControlError) -> ControlPaths { try console.paths(value("home")) }

    /// Calls the daemon, in one round trip with the negotiation of a version.
    func call<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        let paths = try paths()
        let client = try restartingIfOutdated { () throws(ControlError) in
            try connect(paths) { (path) throws(ControlError) in
                try ControlClient(
                    path: path,
                    client: Self.clientName,
                    home: paths.home,
                    first: method,
                    parameters
                )
            }
        }
        logCalls(of: client)
        let skew = skew(of: client)
        let reply: Reply
        do throws(ControlError) {
            let limit = timeoutMilliseconds
            reply = try client.answer(to: method, timeoutMilliseconds: limit)
        } catch {
            guard error.kind == .versionMismatch, let skew else { throw error }
            // The request was not carried out: a restarted daemon may know it.
            guard try offerRestart(skew) else {
                throw ControlError(.versionMismatch, error.message, hint: skew.hint)
            }
            let client = try Self.client(paths)
            return try client.call(method, parameters, timeoutMilliseconds: timeoutMilliseconds)
        }
        // The request was carried out, even if the restart fails.
        do throws(ControlError) { try handle(skew) } catch { inform("scorectl: \(error.text)") }
        return reply
    }

    /// Calls a method without parameters.
    func call<Reply>(
        _ method: Method<NoParameters, Reply>,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        try call(method, NoParameters(), timeoutMilliseconds: timeoutMilliseconds)
    }

    /// A connection to the daemon, which is started if none runs and that is allowed.
    func connect(
        spawning: Bool? = nil,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient {
        let paths = try paths()
        var client = try restartingIfOutdated { () throws(ControlError) in
            try connect(paths, spawning: spawning, Self.opening(paths, versions))
        }
        if versions == Versions.control, try handle(skew(of: client)) {
            client = try Self.client(paths)
        }
        logCalls(of: client)
        return client
    }

    /// Opens a connection; offers a restart if the daemon is too old to be called.
    private func restartingIfOutdated(
        _ open: () throws(ControlError) -> ControlClient
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try open() } catch {
            let paths = try paths()
            guard error.kind == .versionMismatch,
                let daemon = try? Self.opened(paths, Self.opening(paths, Versions.stopping)),
                try offerRestart(.older(daemon.agreement.version))
            else { throw error }
            return try open()
        }
    }

    /// Logs the requests to the daemon and their durations, with `--verbose`.
    private func logCalls(of client: ControlClient) {
        guard isVerbose else { return }
        inform("daemon \(client.agreement.version), interface \(client.agreement.api)")
        client.onAnswer = { call in
            let parameters = call.parameters.map { String(decoding: $0, as: UTF8.self) } ?? "{…}"
            // Rounding floating-point numbers would need Foundation.
            let (seconds, attoseconds) = call.duration.components
            let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
            let milliseconds = "\(tenths / 10).\(tenths % 10)"
            let end = call.error.map { "failed (\($0.kind.rawValue))" } ?? "answered"
            inform("\(call.method) \(parameters): \(end) after \(milliseconds) ms")
        }
    }

    /// A connection to the daemon; nil if none runs.
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

    private static func opening(_ paths: ControlPaths, _ versions: ClosedRange<Int>) -> Opening {
        { (path) throws(ControlError) in
            let name = clientName
            return try ControlClient(path: path, client: name, home: paths.home, speaking: versions)
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

    /// A connection to the daemon, if one runs.
    ///
    /// A daemon whose socket file was removed is asked to create it again.
    private static func running(
        _ paths: ControlPaths,
        _ open: Opening
    ) throws(ControlError) -> ControlClient? {
        do { return try opened(paths, open) } catch {
            guard error.kind == .noDaemon else { throw error }
        }
        guard let process = DaemonProcess(holding: paths) else { return nil }
        process.requestSocketCheck()
        let end = platform_steady_milliseconds() + DaemonLauncher.limitMilliseconds
        repeat {
            if process.hasEnded(withinMilliseconds: 5) { return nil }
            do { return try opened(paths, open) } catch {
                guard error.kind == .noDaemon else { throw error }
            }
        } while platform_steady_milliseconds() < end
        throw ControlError(
            .timedOut,
            "the daemon (pid \(process.id)) runs and does not answer",
            hint: "to end it: scorectl daemon stop"
        )
    }

    /// Opens a connection at the usual socket, or at the one that the daemon's lock names.
    private static func opened(
        _ paths: ControlPaths,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try opened(at: paths.socket, open) } catch {
            guard error.kind == .noDaemon, let socket = ControlLock.socket(paths),
                socket != paths.socket
            else { throw error }
            return try opened(at: socket, open)
        }
    }

    /// Opens a connection; the error about an older daemon names its version and the remedy.
    private static func opened(
        at path: String,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        do throws(ControlError) { return try open(path) } catch {
            let versions = Versions.stopping
            guard error.kind == .versionMismatch,
                let older = try? ControlClient(path: path, client: clientName, speaking: versions)
            else { throw error }
            let skew = DaemonSkew.older(older.agreement.version)
            throw ControlError(.versionMismatch, skew.text, hint: skew.hint)
        }
    }
}
