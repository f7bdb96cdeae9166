import CPlatform
import ControlSocket
import SyncProtocol

/// Connections to the daemon, which is started if none is running, unless `--no-spawn` or the
/// command itself forbids that; then the call fails with `noDaemon`.
extension Invocation {
    private static let clientName = "scorectl " + Versions.program

    /// The maximum number of repetitions of a call that stopping daemons did not answer.
    private static var maxRepeats: Int { 3 }

    private typealias Opening = (String) throws(ControlError) -> ControlClient

    func paths() throws(ControlError) -> ControlPaths { try console.paths(value("home")) }

    /// Calls the daemon, in one round trip with the negotiation of a version.
    func call<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        _ parameters: Parameters,
        timeoutMilliseconds: Int? = 30_000,
        repeats: Int = Self.maxRepeats
    ) throws(ControlError) -> Reply {
        let paths = try paths()
        let client = try connect { (path) throws(ControlError) in
            let name = Self.clientName
            let home = paths.home
            return try ControlClient(
                path: path,
                client: name,
                home: home,
                first: method,
                parameters
            )
        }
        logCalls(of: client)
        let skew = skew(of: client)
        let reply: Reply
        let limit = timeoutMilliseconds
        do throws(ControlError) {
            reply = try client.answer(to: method, timeoutMilliseconds: limit)
        } catch {
            // The daemon stops: the request was not carried out, or may be repeated.
            let isRepeatable = error.kind == .noDaemon || (error.kind == .lost && method.isReading)
            if isRepeatable, repeats > 0 {
                let left = repeats - 1
                return try call(method, parameters, timeoutMilliseconds: limit, repeats: left)
            }
            guard error.kind == .versionMismatch, let skew else { throw error }
            // The request was not carried out; a newer daemon may support it.
            guard try offerRestart(skew) else {
                throw ControlError(.versionMismatch, error.message, hint: skew.hint)
            }
            return try Self.client(paths).call(method, parameters, timeoutMilliseconds: limit)
        }
        // The request was carried out, so a failed restart is only reported.
        do throws(ControlError) { try handle(skew) } catch { inform("scorectl: \(error.text)") }
        return reply
    }

    func call<Reply>(
        _ method: Method<NoParameters, Reply>,
        timeoutMilliseconds: Int? = 30_000
    ) throws(ControlError) -> Reply {
        try call(method, NoParameters(), timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Returns a connection to the daemon, which is started if none is running and that is allowed.
    func connect(spawning: Bool? = nil) throws(ControlError) -> ControlClient {
        let paths = try paths()
        var client = try connect(spawning: spawning, Self.opening(paths))
        if try handle(skew(of: client)) { client = try Self.client(paths) }
        logCalls(of: client)
        return client
    }

    /// Opens a connection; offers a restart if the daemon is too old to be called.
    private func connect(
        spawning: Bool? = nil,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        let paths = try paths()
        do throws(ControlError) {
            if let client = try Self.connectIfRunning(paths, open) { return client }
        } catch {
            guard error.kind == .versionMismatch,
                let daemon = try? Self.opened(paths, Self.opening(paths, Versions.stopping)),
                try offerRestart(.older(daemon.agreement.version))
            else { throw error }
            return try Self.opened(paths, open)
        }
        guard spawning ?? maySpawn else {
            throw ControlError(.noDaemon, "no daemon is running (\(paths.socket))")
        }
        for _ in 0..<Self.maxRepeats {
            try console.launch(paths, [])
            // Another command may be stopping it already.
            if let client = try Self.connectIfRunning(paths, open) { return client }
        }
        return try Self.opened(paths, open)
    }

    /// Logs the requests to the daemon and their durations, with `--verbose`.
    private func logCalls(of client: ControlClient) {
        guard has("verbose") else { return }
        inform("daemon \(client.agreement.version), interface \(client.agreement.api)")
        client.onAnswer = { call in
            let parameters = call.parameters.map { String(decoding: $0, as: UTF8.self) } ?? "{…}"
            // Formatting floating-point numbers with a precision would need Foundation.
            let (seconds, attoseconds) = call.duration.components
            let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
            let milliseconds = "\(tenths / 10).\(tenths % 10)"
            let outcome = call.error.map { "failed (\($0.kind.rawValue))" } ?? "answered"
            inform("\(call.method) \(parameters): \(outcome) after \(milliseconds) ms")
        }
    }

    static func connectIfRunning(
        _ paths: ControlPaths,
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws(ControlError) -> ControlClient? {
        try connectIfRunning(paths, opening(paths, versions))
    }

    static func client(_ paths: ControlPaths) throws(ControlError) -> ControlClient {
        try opened(paths, opening(paths))
    }

    private static func opening(
        _ paths: ControlPaths,
        _ versions: ClosedRange<Int> = Versions.control
    ) -> Opening {
        { (path) throws(ControlError) in
            let name = clientName
            return try ControlClient(path: path, client: name, home: paths.home, speaking: versions)
        }
    }

    /// Returns a connection to the daemon; nil if none is running.
    ///
    /// A daemon whose socket file was removed is asked to create it again.
    private static func connectIfRunning(
        _ paths: ControlPaths,
        _ open: Opening
    ) throws(ControlError) -> ControlClient? {
        do { return try opened(paths, open) } catch {
            guard error.kind == .noDaemon else { throw error }
        }
        guard let process = WatchedProcess(holding: paths) else { return nil }
        process.requestSocketCheck()
        let deadline = platform_steady_milliseconds() + DaemonLauncher.limitMilliseconds
        repeat {
            if process.hasEnded(withinMilliseconds: 5) { return nil }
            do { return try opened(paths, open) } catch {
                guard error.kind == .noDaemon else { throw error }
            }
        } while platform_steady_milliseconds() < deadline
        let text = "the daemon (pid \(process.id)) is running but does not answer"
        throw ControlError(.timedOut, text, hint: "to end it: scorectl daemon stop")
    }

    /// Opens a connection at the usual socket, or at the one that the daemon's lock names.
    ///
    /// - Throws: for an older daemon, an error that names its version and the remedy.
    private static func opened(
        _ paths: ControlPaths,
        _ open: Opening
    ) throws(ControlError) -> ControlClient {
        var path = paths.socket
        while true {
            do throws(ControlError) { return try open(path) } catch {
                if error.kind == .noDaemon, path == paths.socket,
                    let socket = ControlLock.socket(paths), socket != path
                {
                    path = socket
                    continue
                }
                let versions = Versions.stopping
                guard error.kind == .versionMismatch,
                    let older = try? ControlClient(
                        path: path,
                        client: clientName,
                        speaking: versions
                    )
                else { throw error }
                let skew = DaemonSkew.older(older.agreement.version)
                throw ControlError(.versionMismatch, skew.text, hint: skew.hint)
            }
        }
    }
}

/// The difference between the running daemon and this program, if they were not installed together.
enum DaemonSkew: Hashable {
    case older(String)
    /// The same version, but its program was replaced after the daemon was started.
    case replaced(String)
    case newer(String)

    /// Compares a daemon with this program, and its build with the installed one.
    init?(_ agreement: NegotiateReply, installed: () -> ProgramBuild?) {
        let (theirs, ours) = (agreement.version, Versions.program)
        guard theirs == ours else {
            // Numerically part by part (semver.org, section 11, as far as releases go).
            func parts(_ version: String) -> [Int] {
                let parts = version.split(separator: ".").map {
                    Int($0.prefix { $0.isNumber }) ?? 0
                }
                return parts + Array(repeating: 0, count: max(0, 4 - parts.count))
            }
            let isOlder = parts(theirs).lexicographicallyPrecedes(parts(ours))
            self = isOlder ? .older(theirs) : .newer(theirs)
            return
        }
        guard let running = agreement.build.flatMap({ ProgramBuild($0) }),
            let installed = installed(),
            installed != running, running.changed < installed.changed
        else { return nil }
        self = .replaced(theirs)
    }

    var isFixedByRestart: Bool {
        if case .newer = self { false } else { true }
    }

    /// The difference, as the beginning of a sentence.
    var text: String {
        switch self {
        case .older(let version):
            "the running daemon (\(version)) is older than this scorectl (\(Versions.program))"
        case .replaced(let version):
            "the running daemon is an older build of \(version) than the installed one"
        case .newer(let version):
            "the running daemon (\(version)) is newer than this scorectl (\(Versions.program))"
        }
    }

    var hint: String {
        isFixedByRestart
            ? "restart it with: scorectl daemon restart" : "install the same version of both"
    }
}

extension Invocation {
    func skew(of client: ControlClient) -> DaemonSkew? {
        DaemonSkew(client.agreement) { console.installedDaemon() }
    }

    /// Reports a skew once: on a terminal by offering to restart an older daemon, otherwise by a
    /// message, and not at all to programs that read JSON.
    ///
    /// - Returns: whether the daemon was restarted.
    @discardableResult
    func handle(_ skew: DaemonSkew?) throws(ControlError) -> Bool {
        guard let skew, !isJSON else { return false }
        if try offerRestart(skew) { return true }
        guard !skewNotice.isGiven else { return false }
        skewNotice.isGiven = true
        inform("scorectl: \(skew.text); \(skew.hint)")
        return false
    }

    /// Offers once, on a terminal, to restart an older daemon; returns whether it was restarted.
    func offerRestart(_ skew: DaemonSkew) throws(ControlError) -> Bool {
        let canAsk = console.isInputTerminal && console.isOutputTerminal && !isJSON && !isQuiet
        guard canAsk, maySpawn, skew.isFixedByRestart, !skewNotice.isGiven else { return false }
        skewNotice.isGiven = true
        if !has("yes") {
            let question = "The" + skew.text.dropFirst(3) + ". Restart it now? Nothing is lost."
            let answer = console.answer(to: question + " [Y/n]")
            guard let answer, ["", "y", "yes"].contains(answer) else { return false }
        }
        try ServiceCommands.restartDaemon(self)
        return true
    }
}

/// Whether this run of the program has reported a version skew.
final class SkewNotice {
    var isGiven = false
}
