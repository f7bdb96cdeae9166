import CPlatform
import ControlSocket
import SyncProtocol

/// What starts the daemon when somebody logs in, and again when it has crashed: systemd, or launchd
/// on macOS.
struct LoginService {
    private let console: Console

    /// The manager of this user.
    ///
    /// - Throws: `failed` where there is none.
    init(_ console: Console) throws(ControlError) {
        self.console = console
        guard isThere else {
            let what = console.isMac ? "launchctl" : "systemctl --user"
            let text =
                "no service manager answers here (\(what)); scorectl starts the daemon by itself"
                + " when it is needed"
            throw ControlError(.failed, text)
        }
    }

    private var isThere: Bool {
        console.isMac
            ? console.runProgram(["launchctl", "print", domain]) == 0
            : systemctl("show-environment") == 0
    }

    private var domain: String { "gui/\(platform_own_user())" }

    /// Whether it keeps the daemon running now.
    var isActive: Bool {
        console.isMac
            ? console.runProgram(["launchctl", "print", "\(domain)/\(ServiceFile.label)"]) == 0
            : systemctl("is-active", "--quiet", ServiceFile.unit) == 0
    }

    /// Starts the daemon now and at every login; `program` is that of the daemon.
    ///
    /// The file of a package is taken where there is one.
    func enable(starting program: String) throws(ControlError) {
        let path = try file
        if console.isMac {
            try write(ServiceFile.launchd(starting: program), to: path)
            try done(["launchctl", "bootstrap", domain, path])
            return
        }
        if isOwn(path) || systemctl("cat", ServiceFile.unit) != 0 {
            let mark = "# This file was \(ServiceFile.mark), which also removes it.\n"
            try write(mark + ServiceFile.systemd(starting: program), to: path)
            try done(["systemctl", "--user", "daemon-reload"])
        }
        try done(["systemctl", "--user", "enable", "--now", ServiceFile.unit])
    }

    /// Stops the daemon, and starts it at no login any more.
    func disable() throws(ControlError) {
        let path = try file
        if console.isMac {
            if isActive { try done(["launchctl", "bootout", "\(domain)/\(ServiceFile.label)"]) }
            _ = platform_unlink(path)
            return
        }
        guard isOwn(path) || systemctl("cat", ServiceFile.unit) == 0 else { return }
        try done(["systemctl", "--user", "disable", "--now", ServiceFile.unit])
        if isOwn(path) {
            _ = platform_unlink(path)
            try done(["systemctl", "--user", "daemon-reload"])
        }
    }

    /// Ends the daemon and starts it anew.
    func restart() throws(ControlError) {
        try done(
            console.isMac
                ? ["launchctl", "kickstart", "-k", "\(domain)/\(ServiceFile.label)"]
                : ["systemctl", "--user", "restart", ServiceFile.unit]
        )
    }

    // MARK: Files and programs

    /// Where `enable` writes what no package has put in place.
    private var file: String {
        get throws(ControlError) {
            guard let home = console.variable("HOME"), home.hasPrefix("/") else {
                throw ControlError(.failed, "HOME is not set")
            }
            if console.isMac {
                return "\(home)/Library/LaunchAgents/\(ServiceFile.label).plist"
            }
            let chosen = console.variable("XDG_CONFIG_HOME") ?? ""
            let configuration = chosen.hasPrefix("/") ? chosen : "\(home)/.config"
            return "\(configuration)/systemd/user/\(ServiceFile.unit)"
        }
    }

    private func isOwn(_ path: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        guard count > 0 else { return false }
        return String(decoding: bytes.prefix(count), as: UTF8.self).contains(ServiceFile.mark)
    }

    private func write(_ text: String, to path: String) throws(ControlError) {
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            _ = platform_make_directory(directory)
        }
        let bytes = Array(text.utf8)
        let result = platform_write_file(path, bytes, bytes.count)
        guard result >= 0 else {
            throw ControlSocketError.system("write \(path)", code: -result).controlError
        }
    }

    private func systemctl(_ words: String...) -> Int32? {
        console.runProgram(["systemctl", "--user"] + words)
    }

    private func done(_ words: [String]) throws(ControlError) {
        let status = console.runProgram(words)
        guard status != 0 else { return }
        let line = words.map(ShellWord.quoted).joined(separator: " ")
        let what = status.map { "ended with status \($0)" } ?? "could not be run"
        throw ControlError(.failed, "'\(line)' \(what); run it to see why")
    }
}

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
        let reply = try Invocation.client(try call.paths()).call(.status)
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

/// The files by which a service manager keeps the daemon running: a user unit of systemd, an agent
/// of launchd.
///
/// `scorectl __service KIND PROGRAM` prints one for packages.
enum ServiceFile {
    /// What systemd calls the daemon.
    static let unit = "scoresyncd.service"
    /// What launchd calls it.
    static let label = "org.scoresync.scoresyncd"
    /// What a file holds that `daemon enable` has written, and may therefore remove.
    static let mark = "written by scorectl daemon enable"

    /// The lines for `__service`; nil where the words make no sense.
    static func lines(_ words: [String]) -> [String]? {
        guard words.count == 2, let text = text(words[0], starting: words[1]) else { return nil }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .dropLast()
    }

    private static func text(_ kind: String, starting program: String) -> String? {
        switch kind {
        case "systemd": systemd(starting: program)
        case "launchd": launchd(starting: program)
        default: nil
        }
    }

    /// The user unit.
    ///
    /// What hardens it needs no namespaces, which not every system gives its users. A daemon that
    /// `scorectl` has started holds the lock: then this one ends with 75, which is no failure.
    static func systemd(starting program: String) -> String {
        """
        [Unit]
        Description=ScoreSync, one score sheet on many laptops
        Documentation=man:scoresyncd(1) man:scorectl(1)

        [Service]
        Type=notify
        ExecStart="\(systemdQuoted(program))" --log-to-file
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

    /// The agent of a user.
    static func launchd(starting program: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>Label</key><string>\(label)</string>
          <key>ProgramArguments</key>
          <array><string>\(xml(program))</string><string>--log-to-file</string></array>
          <key>RunAtLoad</key><true/>
          <key>KeepAlive</key><dict><key>Crashed</key><true/></dict>
          <key>ThrottleInterval</key><integer>5</integer>
          <key>ProcessType</key><string>Interactive</string>
        </dict>
        </plist>

        """
    }

    /// A path within double quotes of a unit (systemd.service, "Command lines"; systemd.unit,
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

    private static func xml(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(character)
            }
        }.joined()
    }
}
