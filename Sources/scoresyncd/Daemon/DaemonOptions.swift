import ControlSocket
import SyncEngine
import SyncProtocol

struct DaemonOptions: Hashable, Sendable {
    var home: String?
    var name: String?
    var port: UInt16?
    var discoveryPort: UInt16 = Ports.discovery
    var interfaces: [String] = []
    var isDiscovering = true
    var usesLoopback = false
    var peers: [String] = []
    /// Whether to list the port in the network's services (DNS-SD).
    var usesAvahi = false
    var level = LogLevel.info
    /// The number of lines of each session's journal that are always kept, counted from the newest.
    var journalLines = 10_000
    /// Whether to write the log to a file in the home instead of standard error.
    var logsToFile = false
    var action = Action.run

    enum Action: Hashable, Sendable {
        case run
        case help
        case version
        /// Replaces the contents of the home by a backup; in a dry run only checks the backup.
        case restore(String, isDryRun: Bool)
    }

    static let help = """
        scoresyncd – keeps one score sheet on many laptops (started by scorectl)

        Usage: scoresyncd [--home DIR] [--name DEVICE] [--port N] [--discovery-port N]
                          [--interface NAME]… [--no-discovery] [--loopback]
                          [--peer HOST[:PORT]]… [--avahi]
                          [--journal-lines N] [--log-level LEVEL] [--log-to-file]
               scoresyncd --restore FILE [--check] [--home DIR]

        It runs in the foreground, logs to standard error (with the priorities of
        systemd's journal if that is there) and stops on SIGTERM or SIGINT.

        Options:
          --home DIR           where the state is kept (else SCORESYNC_HOME,
                               else ~/.local/state/scoresync)
          --name DEVICE        what others call this laptop (else its host name);
                               remembered for the next time
          --port N             the TCP port to listen on (else the first free one
                               of 47615–47634)
          --discovery-port N   the UDP port of announcements (47615)
          --interface NAME     announce on this interface only; may be repeated
          --no-discovery       neither announce nor listen to announcements
          --loopback           announce on this machine too, to other daemons on it
                               (without a network it always does)
          --peer HOST[:PORT]   an address to try for every session; may be repeated
          --avahi              list the port in the network's services (DNS-SD) as
                               _scoresync._tcp, without names; needs avahi-publish
          --journal-lines N    how many lines of each session's journal to keep; what
                               is shown and what no other laptop has is always kept
                               (10000)
          --log-level LEVEL    debug, info, warning or error (info)
          --restore FILE       put a copy made by 'scorectl backup', or one of those in
                               backups by its name, in the place of what is in the
                               home, which is set aside; print a report and end
          --check              with --restore: only look, also while a daemon is running
          --log-to-file        write to daemon.log in the state directory instead of
                               standard error, for a service manager without a log
          --version            print the version
          -h, --help           print this

        Exit status:
          0    stopped
          1    failed; with --restore: also not a copy, or damaged
          2    wrong usage
          4    with --restore: no such copy
          8    with --restore: the copy is of a later version
          75   another daemon is running here

        """

    static let usual = DaemonOptions()

    private init() {}

    /// Parses the arguments that follow the program's name.
    init(_ words: [String]) throws(ControlError) {
        var reader = ArgumentReader(words)
        var copy: String?
        var isDryRun = false
        while let argument = try reader.next() {
            switch argument {
            case "--home": home = try reader.value()
            case "--name": name = try DaemonOptions.deviceName(try reader.value())
            case "--port": port = try reader.number(in: 1 ... .max)
            case "--discovery-port": discoveryPort = try reader.number(in: 1 ... .max)
            case "--interface": interfaces.append(try reader.value())
            case "--no-discovery": isDiscovering = false
            case "--loopback": usesLoopback = true
            case "--peer": peers.append(try reader.value())
            case "--avahi": usesAvahi = true
            case "--journal-lines": journalLines = try reader.number(in: 1...10_000_000)
            case "--log-level": level = try DaemonOptions.level(try reader.value())
            case "--restore": copy = try reader.value()
            case "--check": isDryRun = true
            case "--log-to-file": logsToFile = true
            case "--help", "-h": action = .help
            case "--version": action = .version
            default: throw reader.unknown(in: "scoresyncd")
            }
        }
        if let copy, action == .run { action = .restore(copy, isDryRun: isDryRun) }
    }

    private static func level(_ text: String) throws(ControlError) -> LogLevel {
        if let level = LogLevel.allCases.first(where: { "\($0)" == text }) { return level }
        let names = LogLevel.allCases.map { "\($0)" }
        let list = names.joined(separator: ", ")
        let message = "unknown log level “\(text)”; levels: \(list)"
        throw .usage(message, candidates: names)
    }

    /// Returns a valid device name: 1–63 bytes without control characters.
    static func deviceName(_ text: String) throws(ControlError) -> String {
        guard (1...63).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw .usage("a device name must have 1 to 63 bytes and no control characters")
        }
        return text
    }
}

extension DaemonOptions {
    /// The arguments with which to restart this daemon, except the home, which the caller knows,
    /// and the name, which is stored in the home and may have changed since the start.
    var restartArguments: [String] {
        let usual = DaemonOptions.usual
        var words: [String] = []
        if let port { words += ["--port", "\(port)"] }
        if discoveryPort != usual.discoveryPort {
            words += ["--discovery-port", "\(discoveryPort)"]
        }
        words += interfaces.flatMap { ["--interface", $0] }
        if !isDiscovering { words.append("--no-discovery") }
        if usesLoopback { words.append("--loopback") }
        words += peers.flatMap { ["--peer", $0] }
        if usesAvahi { words.append("--avahi") }
        if journalLines != usual.journalLines { words += ["--journal-lines", "\(journalLines)"] }
        if level != usual.level { words += ["--log-level", "\(level)"] }
        if logsToFile { words.append("--log-to-file") }
        return words
    }
}
