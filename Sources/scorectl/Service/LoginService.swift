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
