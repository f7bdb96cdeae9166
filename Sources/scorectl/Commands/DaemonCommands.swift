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
        if (try? Invocation.client(paths)) == nil {
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
            action: .run(stop)
        )
    }

    private static func stop(_ call: Invocation) throws(ControlError) {
        let paths = try call.paths()
        let client: ControlClient
        do throws(ControlError) {
            // One that was started before an update can still be stopped.
            client = try call.connect(spawning: false, speaking: Versions.stopping)
        } catch {
            guard error.kind == .noDaemon, !ControlLock.isHeld(paths) else { throw error }
            return try call.print(Done(), [Line("No daemon was running.")])
        }
        let reply = try client.call(DaemonStopRequest())
        // Whoever starts one next must find the home free.
        let end = platform_steady_milliseconds() + 10_000
        while ControlLock.isHeld(paths) {
            guard platform_steady_milliseconds() < end else {
                throw ControlError(.timedOut, "the daemon has not ended in 10 s")
            }
            _ = platform_wait(-1, false, -1, 2)
        }
        try call.print(reply, [Line("Stopped the daemon.")])
    }

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
