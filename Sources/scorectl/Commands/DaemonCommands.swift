import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl status` and `scorectl daemon …`.
enum DaemonCommands {
    static var group: Command {
        Command(
            name: "daemon",
            summary: "the program that keeps the scores in sync",
            action: .group([start, stop, daemonStatus, logs, offline, online])
        )
    }

    static var status: Command {
        Command(
            name: "status",
            summary: "this laptop, its sessions and what is wrong",
            action: .run { call throws(ControlError) in
                try printStatus(call, try call.call(StatusRequest()))
            }
        )
    }

    private static var daemonStatus: Command {
        Command(
            name: "status",
            summary: "the same as 'scorectl status'",
            details: ["It never starts a daemon: it exits 3 when none runs."],
            action: .run { call throws(ControlError) in
                try printStatus(call, try call.connect(spawning: false).call(StatusRequest()))
            }
        )
    }

    private static func printStatus(
        _ call: Invocation,
        _ reply: StatusReply
    ) throws(ControlError) {
        try call.print(reply, StatusPage.lines(reply))
    }

    private static var start: Command {
        Command(
            name: "start",
            summary: "start the daemon, if none runs",
            words: "[-- SCORESYNCD-OPTION...]",
            count: 0...64,
            details: [
                "Other commands start it by themselves. It goes on after the terminal is closed,"
                    + " and writes to daemon.log in its state directory."
            ],
            examples: [("daemon start -- --name kitchen", "with a name for this laptop")],
            action: .run(start)
        )
    }

    private static func start(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        var verb = "A daemon runs already:"
        if try Invocation.running(paths) == nil {
            guard call.maySpawn else { throw ControlError(.noDaemon, "no daemon runs") }
            try call.console.launch(paths, call.words)
            verb = "Started the daemon:"
        }
        let reply = try Invocation.client(paths).call(StatusRequest())
        try call.print(reply, [Line("\(verb) pid \(reply.daemon.pid), \(reply.daemon.home)")])
    }

    private static var stop: Command {
        Command(
            name: "stop",
            summary: "stop the daemon, after it has said goodbye to the others",
            details: ["Where it does not answer, it is told to end by the system."],
            action: .run(stop)
        )
    }

    private static func stop(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        // Seen before it is told, so that its end is seen too.
        let process = DaemonProcess(holding: paths)
        do throws(ControlError) {
            // One that was started before an update can still be stopped.
            let client = try call.connect(spawning: false, speaking: Versions.stopping)
            _ = try client.call(DaemonStopRequest(), timeoutMilliseconds: 5000)
        } catch {
            if error.kind == .noDaemon, !ControlLock.isHeld(paths) {
                return try call.print(Done(), [Line("No daemon was running.")])
            }
            guard let process else { throw error }
            do throws(ControlSocketError) { try process.terminate() } catch {
                throw error.controlError
            }
        }
        try waitForEnd(of: process, paths)
        try call.print(Done(), [Line("Stopped the daemon.")])
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

    private static var logs: Command {
        Command(
            name: "logs",
            summary: "the last lines that the daemon wrote",
            options: [CommandOption(name: "lines", value: "N", summary: "how many (50)")],
            action: .run(logs)
        )
    }

    private static func logs(_ call: Invocation) throws(ControlError) {
        let count = try call.number("lines", in: 1...100_000) ?? 50
        let path = try call.paths().log
        guard let lines = DaemonLog(path).tail(lines: count) else {
            let text =
                "there is no \(path); a daemon that you start yourself writes to its terminal"
            throw ControlError(.notFound, text)
        }
        try call.print(LogDocument(lines: lines), lines.map { Line($0) })
    }

    private struct LogDocument: Encodable {
        let schema = 1
        let lines: [String]
    }

    private static var offline: Command {
        Command(
            name: "offline",
            summary: "pause links and announcements",
            details: ["Scores are kept, and sent when the laptop is online again."],
            action: .run { call throws(ControlError) in
                let reply = try call.call(DaemonOfflineRequest(offline: true))
                try call.print(reply, [Line("Offline until: scorectl daemon online")])
            }
        )
    }

    private static var online: Command {
        Command(
            name: "online",
            summary: "link with the others again",
            action: .run { call throws(ControlError) in
                let reply = try call.call(DaemonOfflineRequest(offline: false))
                try call.print(reply, [Line("Online.")])
            }
        )
    }
}
