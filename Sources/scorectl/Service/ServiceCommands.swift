import CPlatform
import ControlSocket
import SyncProtocol

/// `scorectl daemon enable`, `disable` and `restart`.
enum ServiceCommands {
    static var enable: Command {
        Command(
            name: "enable",
            summary: "start the daemon at every login, and now",
            details: [
                "By systemd's user manager, or launchd on macOS, which also start it again when it"
                    + " has crashed. A daemon that scorectl has started is stopped first: one at a"
                    + " time holds the state directory, whoever starts it. After 'daemon stop' the"
                    + " next command starts one as ever, and the next login the service.",
                "Before anybody has logged in it starts only with: loginctl enable-linger",
            ],
            action: .run(enable)
        )
    }

    private static func enable(_ call: Invocation) throws(ControlError) {
        let service = try service(call)
        guard let program = InstalledProgram("scoresyncd")?.path else {
            throw ControlError(.failed, "scoresyncd is neither beside scorectl nor in PATH")
        }
        if !service.isActive { try DaemonCommands.end(try call.paths()) }
        try service.enable(starting: program)
        try call.print(Done(), [Line("The daemon runs, and starts at every login.")])
    }

    static var disable: Command {
        Command(
            name: "disable",
            summary: "start the daemon at no login any more, and stop it",
            details: ["Other commands start it when it is needed, as they do without a service."],
            action: .run(disable)
        )
    }

    private static func disable(_ call: Invocation) throws(ControlError) {
        try service(call).disable()
        try call.print(Done(), [Line("The daemon starts when a command needs it.")])
    }

    static var restart: Command {
        Command(
            name: "restart",
            summary: "stop the daemon and start it anew, as after an update",
            words: "[-- SCORESYNCD-OPTION...]",
            count: 0...64,
            details: [
                "By the service manager where that runs it ('daemon enable'). Else it has the"
                    + " options of the daemon that is stopped, unless others are given: these take"
                    + " the place of all. To start it without any: daemon stop, then daemon start."
            ],
            action: .run(restart)
        )
    }

    private static func restart(_ call: Invocation) throws(ControlError) {
        guard call.maySpawn else {
            throw ControlError(.usage, "'daemon restart' starts one: not with --no-spawn")
        }
        let kept = try startAnew(call, options: call.words)
        let reply = try Invocation.client(try call.paths()).call(StatusRequest())
        let daemon = reply.daemon
        var lines = [Line("Restarted the daemon: pid \(daemon.pid), \(daemon.home)")]
        if !kept.isEmpty {
            let words = kept.map(ShellWord.quoted).joined(separator: " ")
            lines.append(Line("It has the options that it had: \(words)"))
        }
        try call.report(reply, lines)
    }

    /// Ends the daemon and starts the one that is installed: by the service manager, where that
    /// runs it, else with these options or, where there are none, with those that it had.
    ///
    /// - Returns: the options that it had and has again.
    @discardableResult
    static func startAnew(
        _ call: Invocation,
        options: [String] = []
    ) throws(ControlError) -> [String] {
        let paths = try call.paths()
        if !paths.isChosen, let service = try? LoginService(call.console), service.isActive {
            guard options.isEmpty else {
                let text = "the service manager starts the daemon, and takes no options of it here"
                throw ControlError(.usage, text)
            }
            try service.restart()
            return []
        }
        let stopped = try DaemonCommands.end(paths)
        let kept = options.isEmpty ? stopped?.options ?? [] : []
        try call.console.launch(paths, options + kept)
        return kept
    }

    private static func service(_ call: Invocation) throws(ControlError) -> LoginService {
        guard try !call.paths().isChosen else {
            let text = "the service keeps the usual state directory: not with --home"
            throw ControlError(.usage, text + " or SCORESYNC_HOME")
        }
        return try LoginService(call.console)
    }
}
