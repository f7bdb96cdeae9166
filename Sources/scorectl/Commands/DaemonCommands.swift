import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl status` and `scorectl daemon …`.
enum DaemonCommands {
    static let group = Command(
        name: "daemon",
        summary: "the program that keeps the scores in sync",
        details: ["Without a command it shows the status."],
        alone: "status",
        action: .group([
            start, stop, ServiceCommands.restart, daemonStatus, rename, logs, offline, online,
            ServiceCommands.enable, ServiceCommands.disable,
        ])
    )

    static let status = Command(
        name: "status",
        summary: "this laptop, its sessions and what is wrong",
        action: .run { call throws(ControlError) in
            try printStatus(call, try call.call(.status))
        }
    )

    private static let daemonStatus = Command(
        name: "status",
        summary: "the same as 'scorectl status'",
        details: ["It never starts a daemon: it exits 3 when none runs."],
        action: .run { call throws(ControlError) in
            try printStatus(call, try call.connect(spawning: false).call(.status))
        }
    )

    private static func printStatus(
        _ call: Invocation,
        _ reply: StatusReply
    ) throws(ControlError) {
        try call.print(reply, StatusPage.lines(reply))
    }

    private static let start = Command(
        name: "start",
        summary: "start the daemon, if none runs",
        words: "[-- SCORESYNCD-OPTION...]",
        arity: 0...64,
        details: [
            "Other commands start it by themselves. It goes on after the terminal is closed,"
                + " and writes to daemon.log in its state directory. One at a time holds that"
                + " directory: beside a service ('daemon enable') this one starts nothing, and"
                + " a service that comes second ends without a word."
        ],
        options: [
            CommandOption("name NAME", "what to call this laptop")
        ],
        examples: [("daemon start --name kitchen", "with a name for this laptop")],
        action: .run(start)
    )

    private static let rename = Command(
        name: "rename",
        summary: "give this laptop another name",
        words: "NAME",
        arity: 1...64,
        details: [
            "The others see it at once in open sessions; a finished one keeps the name that it"
                + " was played by. Where two laptops of a session have one name, the later one"
                + " is shown with a number."
        ],
        action: .run { call throws(ControlError) in
            let name = call.words.joined(separator: " ")
            let reply = try call.call(.renameDaemon, .init(name: name))
            let line = Line("This laptop is now ") + Line(reply.name, .strong)
            try call.confirm(reply, [line + Line(" (was \(reply.before)).")])
        }
    )

    private static func start(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        let name = call.value("name").map { ["--name", $0] } ?? []
        var verb = "A daemon runs already:"
        if let client = try Invocation.running(paths) {
            try refuseOptions(call, client)
            try call.handle(call.skew(of: client))
        } else {
            guard call.maySpawn else { throw ControlError(.noDaemon, "no daemon runs") }
            try call.console.launch(paths, name + call.words)
            verb = "Started the daemon:"
        }
        let reply = try Invocation.client(paths).call(.status)
        try call.confirm(reply, [Line("\(verb) pid \(reply.daemon.pid), \(reply.daemon.home)")])
    }

    /// A daemon that runs takes no options: what was asked for must not look done.
    private static func refuseOptions(
        _ call: Invocation,
        _ client: ControlClient
    ) throws(ControlError) {
        let name = call.value("name")
        guard name != nil || !call.words.isEmpty else { return }
        let daemon = try client.call(.status).daemon
        if name == daemon.name, call.words.isEmpty { return }
        var way = "to start it with them, first: scorectl daemon stop"
        if let name, call.words.isEmpty {
            let word = ShellWord.quoted(name)
            way = "to give this laptop another name: scorectl daemon rename \(word)"
        }
        throw ControlError(
            .refused,
            "a daemon runs already (pid \(daemon.pid)) and takes no options now; \(way)"
        )
    }

    private static let stop = Command(
        name: "stop",
        summary: "stop the daemon, after it has said goodbye to the others",
        details: ["Where it does not answer, it is told to end by the system."],
        action: .run { call throws(ControlError) in
            let wasRunning = try end(try call.paths()) != nil
            let text = wasRunning ? "Stopped the daemon." : "No daemon was running."
            try call.confirm(Done(), [Line(text)])
        }
    )

    /// A daemon that was stopped.
    struct Stopped {
        /// The words with which it was started, as far as it tells.
        let options: [String]
    }

    /// Stops the daemon of a home, and waits until it is no more; nil where none was running.
    @discardableResult
    static func end(_ paths: ControlPaths) throws(ControlError) -> Stopped? {
        // Seen before it is told, so that its end is seen too.
        let process = DaemonProcess(holding: paths)
        var options: [String] = []
        do throws(ControlError) {
            // One that was started before an update can still be stopped.
            guard let client = try Invocation.running(paths, speaking: Versions.stopping) else {
                throw ControlError(.noDaemon, "no daemon runs (\(paths.socket))")
            }
            options = client.agreement.options ?? []
            _ = try client.call(.stopDaemon, timeoutMilliseconds: 5000)
        } catch {
            if error.kind == .noDaemon, !ControlLock.isHeld(paths) { return nil }
            guard let process else { throw error }
            do throws(ControlSocketError) { try process.terminate() } catch {
                throw error.controlError
            }
        }
        try waitForEnd(of: process, paths)
        return Stopped(options: options)
    }

    /// Waits until the daemon is no more: whoever starts one next must find the home free.
    private static func waitForEnd(
        of process: DaemonProcess?,
        _ paths: ControlPaths
    ) throws(ControlError) {
        let end = platform_steady_milliseconds() + stopMilliseconds
        guard process?.hasEnded(withinMilliseconds: Int32(stopMilliseconds)) ?? true else {
            let id = process?.id ?? 0
            let text =
                "the daemon has not ended in \(stopMilliseconds / 1000) s; to end it by force:"
            throw ControlError(.timedOut, "\(text) kill -9 \(id)")
        }
        // The only news of one that the system does not tell of.
        while ControlLock.isHeld(paths) {
            guard platform_steady_milliseconds() < end else {
                throw ControlError(.timedOut, "a daemon still holds \(paths.home)")
            }
            _ = platform_wait(-1, false, -1, 2)
        }
    }

    /// How long a daemon may take to end.
    private static let stopMilliseconds: Int64 = 10_000

    private static let logs = Command(
        name: "logs",
        summary: "the last lines that the daemon wrote",
        details: ["-n N and -f are short for --lines N and --follow."],
        options: [
            CommandOption("lines N", "how many (50)", letter: "n"),
            CommandOption("follow", "and all that follow, until Ctrl-C", letter: "f"),
        ],
        examples: [("daemon logs --follow", "while something goes wrong")],
        action: .run { call throws(ControlError) in
            let count = try call.number("lines", in: 0...100_000) ?? 50
            let path = try call.paths().log
            var follower = LogFollower(path)
            guard let lines = DaemonLog(path).tail(lines: count) else {
                let text =
                    "there is no \(path); a daemon that you start yourself writes to its terminal"
                throw ControlError(.notFound, text)
            }
            try call.print(LogDocument(lines: lines), lines.map { Line($0) })
            while call.has("follow") {
                let more = follower.next()
                if !more.isEmpty { try call.print(LogDocument(lines: more), more.map { Line($0) }) }
                _ = platform_wait(-1, false, -1, 200)
            }
        }
    )

    private struct LogDocument: Encodable {
        let schema = 1
        let lines: [String]
    }

    private static let offline = Command(
        name: "offline",
        summary: "pause links and announcements",
        details: ["Scores are kept, and sent when the laptop is online again."],
        action: .run { call throws(ControlError) in
            let reply = try call.call(.setOffline, .init(offline: true))
            try call.confirm(reply, [Line("Offline until: scorectl daemon online")])
        }
    )

    private static let online = Command(
        name: "online",
        summary: "link with the others again",
        action: .run { call throws(ControlError) in
            let reply = try call.call(.setOffline, .init(offline: false))
            try call.confirm(reply, [Line("Online.")])
        }
    )
}

/// What `status` prints: the daemon, its sessions, and what somebody should look at.
enum StatusPage {
    static func lines(_ status: StatusReply) -> [Line] {
        let daemon = status.daemon
        var network = daemon.port > 0 ? "port \(daemon.port)" : "not listening"
        if daemon.offline { network += ", offline (scorectl daemon online)" }
        let facts = SessionList.facts([
            ("Laptop", daemon.name), ("Device", daemon.device), ("Network", network),
            ("Daemon", "\(daemon.version), pid \(daemon.pid)"), ("Home", daemon.home),
        ])
        var blocks = [facts, SessionList.lines(status.sessions)]
        blocks.append(status.alarms.map { Line("! \($0.text)", .bad) })
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }
}
