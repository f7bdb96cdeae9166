import CPlatform
import ControlSocket
import SessionCRDT
import SyncProtocol
import TerminalText

/// The user's service manager, which starts the daemon at login and after a crash: systemd, or
/// launchd on macOS.
struct LoginService {
    private let console: Console

    /// - Throws: `failed` if there is none.
    init(_ console: Console) throws(ControlError) {
        self.console = console
        let isRunning =
            console.isMac
            ? console.runProgram(["launchctl", "print", domain]) == 0
            : systemctl("show-environment") == 0
        guard isRunning else {
            let program = console.isMac ? "launchctl" : "systemctl --user"
            let hint = "scorectl starts the daemon when it is needed"
            throw .failed("no service manager answers (\(program))", hint: hint)
        }
    }

    private var domain: String { "gui/\(platform_own_user())" }

    var isActive: Bool {
        console.isMac
            ? console.runProgram(["launchctl", "print", "\(domain)/\(ServiceFile.label)"]) == 0
            : systemctl("is-active", "--quiet", ServiceFile.unit) == 0
    }

    private var hasFailed: Bool { systemctl("is-failed", "--quiet", ServiceFile.unit) == 0 }

    /// Whether the latest log of a daemon is in systemd's journal: the service runs, or it has
    /// failed and no command has started a daemon since.
    static func logsToJournal(_ paths: ControlPaths, _ console: Console) -> Bool {
        guard !paths.isChosen, !console.isMac, let service = try? LoginService(console)
        else { return false }
        return service.isActive || service.hasFailed && !ControlLock.isHeld(paths)
    }

    /// Starts the daemon's program now and at every login, by the file of a package if there is one.
    func enable(starting program: String) throws(ControlError) {
        let path = try file
        if console.isMac {
            try write(ServiceFile.launchd(starting: program), to: path)
            try run(["launchctl", "bootstrap", domain, path])
            return
        }
        if isOwn(path) || systemctl("cat", ServiceFile.unit) != 0 {
            let mark = "# This file was \(ServiceFile.mark), which also removes it.\n"
            try write(mark + ServiceFile.systemd(starting: program), to: path)
            try run(["systemctl", "--user", "daemon-reload"])
        }
        try run(["systemctl", "--user", "enable", "--now", ServiceFile.unit])
    }

    func disable() throws(ControlError) {
        let path = try file
        if console.isMac {
            if isActive { try run(["launchctl", "bootout", "\(domain)/\(ServiceFile.label)"]) }
            _ = platform_unlink(path)
            return
        }
        guard isOwn(path) || systemctl("cat", ServiceFile.unit) == 0 else { return }
        try run(["systemctl", "--user", "disable", "--now", ServiceFile.unit])
        if isOwn(path) {
            _ = platform_unlink(path)
            try run(["systemctl", "--user", "daemon-reload"])
        }
    }

    func restart() throws(ControlError) {
        try run(
            console.isMac
                ? ["launchctl", "kickstart", "-k", "\(domain)/\(ServiceFile.label)"]
                : ["systemctl", "--user", "restart", ServiceFile.unit]
        )
    }

    /// The path of the file that `enable` writes if no package has installed one.
    private var file: String {
        get throws(ControlError) {
            guard let home = console.environmentVariable("HOME"), home.hasPrefix("/") else {
                throw .failed("HOME is not set")
            }
            if console.isMac { return "\(home)/Library/LaunchAgents/\(ServiceFile.label).plist" }
            let chosen = console.environmentVariable("XDG_CONFIG_HOME") ?? ""
            let configuration = chosen.hasPrefix("/") ? chosen : "\(home)/.config"
            return "\(configuration)/systemd/user/\(ServiceFile.unit)"
        }
    }

    private func isOwn(_ path: String) -> Bool {
        guard let bytes = try? Files.read(path, atMost: 4096) else { return false }
        return String(decoding: bytes, as: UTF8.self).contains(ServiceFile.mark)
    }

    private func write(_ text: String, to path: String) throws(ControlError) {
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            _ = platform_make_directory(directory)
        }
        try Files.write(text, to: path)
    }

    private func systemctl(_ words: String...) -> Int32? {
        console.runProgram(["systemctl", "--user"] + words)
    }

    private func run(_ words: [String]) throws(ControlError) {
        let status = console.runProgram(words)
        guard status != 0 else { return }
        let line = words.map(ShellWord.quoted).joined(separator: " ")
        let result = status.map { "exited with status \($0)" } ?? "could not be run"
        throw .failed("'\(line)' \(result)", hint: "run it to see why")
    }
}

enum ServiceCommands {
    static let enable = Command(
        usage: "enable",
        summary: "start the daemon at every login, and now",
        details: "Uses systemd's user manager, or launchd on macOS, which also restart it after a"
            + " crash. A daemon that scorectl has started is stopped first, since only one can use"
            + " the state directory. After 'daemon stop' the next command starts a daemon as usual,"
            + " and the next login starts the service.\n"
            + "To start it at boot, before any login: loginctl enable-linger",
        action: .run { call throws(ControlError) in
            let service = try service(call)
            let program = try DaemonLauncher.installed()
            if !service.isActive { try DaemonCommands.stopAndWait(try call.paths()) }
            try service.enable(starting: program)
            try call.print(Done(), [Line("The daemon is running, and starts at every login.")])
        }
    )

    static let disable = Command(
        usage: "disable",
        summary: "stop the daemon, and no longer start it at login",
        details: "Other commands start it when it is needed.",
        action: .run { call throws(ControlError) in
            try service(call).disable()
            try call.print(Done(), [Line("The daemon starts when a command needs it.")])
        }
    )

    static let restart = Command(
        usage: "restart [-- SCORESYNCD-OPTION...]",
        summary: "restart the daemon, for example after an update",
        arity: 0...64,
        details:
            "Uses the service manager if it runs the daemon ('daemon enable'). Otherwise the new"
            + " daemon has the options of the old one, unless you give others, which replace all of"
            + " them. To start it without options: daemon stop, then daemon start.",
        action: .run { call throws(ControlError) in
            guard call.maySpawn else {
                throw .usage("'daemon restart' and --no-spawn exclude each other")
            }
            let kept = try restartDaemon(call, options: call.words)
            let reply = try call.call(.status)
            let daemon = reply.daemon
            var lines = [Line("Restarted the daemon: pid \(daemon.pid), \(daemon.home)")]
            if !kept.isEmpty {
                let words = kept.map(ShellWord.quoted).joined(separator: " ")
                lines.append(Line("It has the same options: \(words)"))
            }
            try call.confirm(reply, lines)
        }
    )

    /// Stops the daemon and starts the installed one: by the service manager if that runs it,
    /// otherwise with the given options, or by default with those of the stopped daemon.
    ///
    /// - Returns: the options that were kept.
    @discardableResult
    static func restartDaemon(
        _ call: Invocation,
        options: [String] = []
    ) throws(ControlError) -> [String] {
        let paths = try call.paths()
        // The running daemon is stopped only if another one can be started.
        try call.console.checkProgram()
        if !paths.isChosen, let service = try? LoginService(call.console), service.isActive {
            guard options.isEmpty else {
                throw .usage("the service manager starts the daemon; options cannot be given here")
            }
            try service.restart()
            return []
        }
        let stopped = try DaemonCommands.stopAndWait(paths)
        guard !options.isEmpty else {
            let kept = stopped ?? []
            try call.console.launch(paths, kept)
            return kept
        }
        do throws(ControlError) { try call.console.launch(paths, options) } catch {
            guard let stopped else { throw error }
            try call.console.launch(paths, stopped)
            let message = "\(error.message); the daemon runs again with its earlier options"
            throw error.with(message: message)
        }
        return []
    }

    private static func service(_ call: Invocation) throws(ControlError) -> LoginService {
        guard try !call.paths().isChosen else {
            let text = "the service always uses the default state directory"
            throw .usage(text, hint: "unset SCORESYNC_HOME and leave out --home")
        }
        return try LoginService(call.console)
    }
}

/// The service files of the daemon: a user unit of systemd, and an agent of launchd.
///
/// `scorectl __service KIND PROGRAM` prints one for packages.
enum ServiceFile {
    static let unit = "scoresyncd.service"
    static let label = "org.scoresync.scoresyncd"
    /// The mark of a file that `daemon enable` has written, and may therefore remove.
    static let mark = "written by scorectl daemon enable"

    /// Returns the lines for `__service`; nil for unknown arguments.
    static func lines(_ words: [String]) -> [String]? {
        guard words.count == 2 else { return nil }
        let files = ["systemd": systemd, "launchd": launchd]
        let text = files[words[0]]?(words[1])
        return text?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .dropLast()
    }

    /// Returns the user unit.
    ///
    /// Its hardening needs no namespaces, which are not available to users on every system. If a
    /// daemon that `scorectl` has started holds the lock, the service exits with 75, which the unit
    /// does not treat as a failure.
    static func systemd(starting program: String) -> String {
        """
        [Unit]
        Description=ScoreSync, one score sheet on many laptops
        Documentation=man:scoresyncd(1) man:scorectl(1)

        [Service]
        Type=notify
        ExecStart="\(systemdQuoted(program))"
        Restart=on-failure
        RestartSec=2
        SuccessExitStatus=75
        RestartPreventExitStatus=2 75
        TimeoutStopSec=15
        UMask=0077
        NoNewPrivileges=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictNamespaces=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native

        [Install]
        WantedBy=default.target

        """
    }

    static func launchd(starting program: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>Label</key><string>\(label)</string>
          <key>ProgramArguments</key>
          <array><string>\(XMLText.escaped(program))</string><string>--log-to-file</string></array>
          <key>RunAtLoad</key><true/>
          <key>KeepAlive</key><dict><key>Crashed</key><true/></dict>
          <key>ThrottleInterval</key><integer>5</integer>
          <key>ProcessType</key><string>Interactive</string>
        </dict>
        </plist>

        """
    }

    /// Escapes a path for double quotes in a unit (systemd.service, "Command lines"; systemd.unit,
    /// "Specifiers").
    private static func systemdQuoted(_ path: String) -> String {
        path.map { character in
            switch character {
            case "\\", "\"": "\\\(character)"
            case "%": "%%"
            case "$": "$$"
            default: String(character)
            }
        }.joined()
    }
}
