import CPlatform
import ControlSocket
import SyncProtocol
import TerminalText

enum DaemonCommands {
    static let group = Command(
        usage: "daemon",
        summary: "control the background program that syncs the scores",
        details: "Without a subcommand it prints the status.",
        defaultSubcommand: "status",
        action: .group([
            start, stop, ServiceCommands.restart, daemonStatus, rename, logs, offline, online,
            ServiceCommands.enable, ServiceCommands.disable,
        ])
    )

    static let status = Command(
        usage: "status",
        summary: "print the state of this laptop, its sessions, and problems",
        details:
            "With --short it prints the current session in one line, for the prompt of a shell:"
            + " its title and how many other laptops are linked, and an exclamation mark if there"
            + " is a problem. It never starts the daemon then, and prints nothing else: it exits"
            + " 3 without a daemon, and 4 without a session.",
        options: [CommandOption("short", "one line, for prompts")],
        action: .runWithStatus { call throws(ControlError) in
            guard call.has("short") else {
                let reply = try call.call(.status)
                try call.print(reply, StatusPage.lines(reply))
                return 0
            }
            do throws(ControlError) {
                let (reply, line) = try shortStatus(call)
                try call.print(reply, [line])
                return 0
            } catch {
                guard !call.isJSON else { throw error }
                return error.exitCode
            }
        }
    )

    /// The maximum time for which a prompt waits.
    private static let shortMilliseconds = 500

    private static func shortStatus(
        _ call: Invocation
    ) throws(ControlError) -> (StatusReply, Line) {
        guard let client = try Invocation.connectIfRunning(try call.paths()) else {
            throw ControlError(.noDaemon, "no daemon is running")
        }
        let reply = try client.call(.status, timeoutMilliseconds: shortMilliseconds)
        guard let line = StatusPage.short(reply) else { throw .notFound("no current session") }
        return (reply, line)
    }

    private static let daemonStatus = Command(
        usage: "status",
        summary: "the same as 'scorectl status'",
        details: "Never starts the daemon; exits with status 3 if it is not running.",
        action: .run { call throws(ControlError) in
            let reply = try call.connect(spawning: false).call(.status)
            try call.print(reply, StatusPage.lines(reply))
        }
    )

    private static let start = Command(
        usage: "start [-- SCORESYNCD-OPTION...]",
        summary: "start the daemon, if it is not running",
        arity: 0...64,
        details: "Other commands start it when needed. It keeps running after the terminal is"
            + " closed, and logs to daemon.log in its state directory. Only one daemon can use that"
            + " directory: if the service is running ('daemon enable'), this starts nothing.",
        options: [CommandOption("name NAME", "the name of this laptop")],
        examples: [("daemon start --name kitchen", "with a name for this laptop")],
        action: .run(start)
    )

    private static let rename = Command(
        usage: "rename NAME",
        summary: "give this laptop another name",
        arity: 1...64,
        details: "The others see the new name at once in open sessions; a finished session keeps"
            + " the old one. If two laptops of a session have the same name, the later one is shown"
            + " with a number.",
        action: .confirm(.renameDaemon, { .init(name: $0.words.joined(separator: " ")) }) {
            reply,
            _ in
            let line = Line("This laptop is now ") + Line(reply.name, .strong)
            return [line + Line(" (was \(reply.before)).")]
        }
    )

    private static func start(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        let name = call.value("name").map { ["--name", $0] } ?? []
        var verb = "A daemon is already running:"
        if let client = try Invocation.connectIfRunning(paths) {
            try refuseOptions(call, client)
            try call.handle(call.skew(of: client))
        } else {
            guard call.maySpawn else { throw ControlError(.noDaemon, "no daemon is running") }
            try call.console.launch(paths, name + call.words)
            verb = "Started the daemon:"
        }
        let reply = try Invocation.client(paths).call(.status)
        try call.confirm(reply, [Line("\(verb) pid \(reply.daemon.pid), \(reply.daemon.home)")])
    }

    private static func refuseOptions(
        _ call: Invocation,
        _ client: ControlClient
    ) throws(ControlError) {
        let name = call.value("name")
        guard name != nil || !call.words.isEmpty else { return }
        let daemon = try client.call(.status).daemon
        if name == daemon.name, call.words.isEmpty { return }
        var hint = "to start it with options, first: scorectl daemon stop"
        if let name, call.words.isEmpty {
            hint = "to rename this laptop: scorectl daemon rename \(ShellWord.quoted(name))"
        }
        let message = "a daemon is already running (pid \(daemon.pid)), so options have no effect"
        throw .refused(message, hint: hint)
    }

    private static let stop = Command(
        usage: "stop",
        summary: "stop the daemon; the other laptops are notified",
        details: "A daemon that does not answer is terminated by a signal.",
        action: .run { call throws(ControlError) in
            let wasRunning = try stopAndWait(try call.paths()) != nil
            let text = wasRunning ? "Stopped the daemon." : "No daemon was running."
            try call.confirm(Done(), [Line(text)])
        }
    )

    /// Stops the daemon of a home and waits until it has exited.
    ///
    /// - Returns: its options, as far as it reports them; nil if none was running.
    @discardableResult
    static func stopAndWait(_ paths: ControlPaths) throws(ControlError) -> [String]? {
        // Found before the daemon is asked to stop, so that its exit can be observed.
        let process = WatchedProcess(holding: paths)
        var options: [String] = []
        do throws(ControlError) {
            // Accepts older versions of the API, so that a daemon from before an update can be
            // stopped.
            guard let client = try Invocation.connectIfRunning(paths, speaking: Versions.stopping)
            else {
                throw ControlError(.noDaemon, "no daemon is running (\(paths.socket))")
            }
            options = client.agreement.options ?? []
            _ = try client.call(.stopDaemon, timeoutMilliseconds: 5000)
        } catch {
            if error.isAbsence, !ControlLock.isHeld(paths) { return nil }
            guard let process = process ?? WatchedProcess(holding: paths) else { throw error }
            do throws(ControlSocketError) { try process.terminate() } catch {
                throw error.controlError
            }
        }
        try waitForExit(of: process, paths)
        return options
    }

    /// Waits until the daemon has exited, so that the home is free for the next one.
    private static func waitForExit(
        of process: WatchedProcess?,
        _ paths: ControlPaths
    ) throws(ControlError) {
        let deadline = platform_steady_milliseconds() + stopMilliseconds
        guard process?.hasEnded(withinMilliseconds: Int32(stopMilliseconds)) ?? true else {
            let text = "the daemon did not exit within \(stopMilliseconds / 1000) s"
            throw ControlError(.timedOut, text, hint: "to force it: kill -9 \(process?.id ?? 0)")
        }
        // A call that did not want to wait may have started the next one already.
        guard process == nil else { return }
        // The lock is the only sign of a daemon whose process is not visible from here.
        while ControlLock.isHeld(paths) {
            guard platform_steady_milliseconds() < deadline else {
                throw ControlError(.timedOut, "a daemon still holds \(paths.home)")
            }
            _ = platform_wait(-1, false, -1, 2)
        }
    }

    private static let stopMilliseconds: Int64 = 10_000

    private static let logs = Command(
        usage: "logs",
        summary: "print the last lines of the daemon's log",
        details: "If systemd runs the daemon ('daemon enable'), they come from its journal:"
            + " 'journalctl --user-unit scoresyncd' has more options.\n"
            + "-n N and -f are short for --lines N and --follow.",
        options: [
            CommandOption("lines N", "how many (50)", letter: "n"),
            CommandOption("follow", "also print new lines, until Ctrl-C", letter: "f"),
        ],
        examples: [("daemon logs --follow", "while you reproduce a problem")],
        action: .run { call throws(ControlError) in
            let count = try call.number("lines", in: 0...100_000) ?? 50
            let paths = try call.paths()
            if LoginService.logsToJournal(paths, call.console) {
                var journal = JournalLog(call.console)
                return try journal.read(last: count, follows: call.has("follow")) { lines in
                    try? printLog(lines, call)
                }
            }
            let path = paths.latestLog
            var follower = LogFollower(path)
            guard let lines = DaemonLog(path: path).tail(lines: count) else {
                let text =
                    "no log at \(path); a daemon that you start yourself logs to its terminal"
                throw .notFound(text)
            }
            try printLog(lines, call)
            while call.has("follow") {
                let more = follower.next()
                if !more.isEmpty { try printLog(more, call) }
                _ = platform_wait(-1, false, -1, 200)
            }
        }
    )

    private static func printLog(_ lines: [String], _ call: Invocation) throws(ControlError) {
        try call.print(["schema": 1, "lines": lines] as JSONDocument, lines.map { Line($0) })
    }

    private static let offline = Command(
        usage: "offline",
        summary: "pause links and announcements",
        details: "Scores are saved, and sent when the laptop is online again: after"
            + " 'daemon online', or when the daemon is started again.",
        action: .confirm(.setOffline, { _ in .init(offline: true) }) { _, _ in
            [Line("Offline. To go online: scorectl daemon online")]
        }
    )

    private static let online = Command(
        usage: "online",
        summary: "resume links and announcements",
        action: .confirm(.setOffline, { _ in .init(offline: false) }) { _, _ in [Line("Online.")] }
    )
}

enum StatusPage {
    /// Describes the current session in one line; nil if there is none.
    static func short(_ status: StatusReply) -> Line? {
        guard let session = status.sessions.first(where: \.current) else { return nil }
        var words = [TextWidth.truncated(session.title, to: 24)]
        if session.status == "finished" {
            words.append("finished")
        } else if status.daemon.offline {
            words.append("offline")
        } else if session.peersOnline > 0 {
            words.append("\(session.peersOnline) online" + (session.synced ? "" : ", syncing"))
        }
        let line = Line(words.joined(separator: " · "))
        return status.alarms.isEmpty ? line : line + Line(" !", .bad)
    }

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
