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
