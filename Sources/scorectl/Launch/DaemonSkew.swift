import CPlatform
import ControlSocket
import SyncProtocol

/// How the daemon that runs and this program differ, where they were not installed together.
enum DaemonSkew: Hashable {
    /// The daemon is of an older version.
    case older(String)
    /// The daemon is of the same version, and its program was replaced since it was started.
    case replaced(String)
    /// The daemon is of a newer version.
    case newer(String)

    /// What a daemon that told its version and build is, beside the program that would be started.
    init?(_ agreement: NegotiateReply, installed: () -> ProgramBuild?) {
        let (theirs, ours) = (agreement.version, Versions.program)
        guard theirs == ours else {
            self = Self.isVersion(theirs, before: ours) ? .older(theirs) : .newer(theirs)
            return
        }
        guard let running = agreement.build.flatMap({ ProgramBuild($0) }),
            let installed = installed(),
            installed != running, running.changed < installed.changed
        else { return nil }
        self = .replaced(theirs)
    }

    /// Whether starting the daemon anew mends it.
    var isMendedByRestart: Bool {
        switch self {
        case .older, .replaced: true
        case .newer: false
        }
    }

    /// What is so, without an end of the sentence.
    var text: String {
        switch self {
        case .older(let version):
            "the daemon that runs (\(version)) is older than this scorectl (\(Versions.program))"
        case .replaced(let version):
            "the daemon that runs is an older build of \(version) than the one that is installed"
        case .newer(let version):
            "the daemon that runs (\(version)) is newer than this scorectl (\(Versions.program))"
        }
    }

    /// What to do about it.
    var advice: String {
        isMendedByRestart
            ? "start it anew with: scorectl daemon restart" : "install the same version of both"
    }

    /// Compares versions part by part, as numbers where they are (semver.org, section 11, as far as
    /// releases go).
    private static func isVersion(_ left: String, before right: String) -> Bool {
        let (left, right) = (parts(of: left), parts(of: right))
        for place in 0..<max(left.count, right.count) {
            let (one, other) = (
                place < left.count ? left[place] : 0, place < right.count ? right[place] : 0
            )
            if one != other { return one < other }
        }
        return false
    }

    private static func parts(of version: String) -> [Int] {
        version.split(separator: ".").map { part in Int(part.prefix(while: \.isNumber)) ?? 0 }
    }
}

/// What is said and done where the daemon that runs is not of this program's version.
extension Invocation {
    /// How the daemon of a connection differs; nil mostly.
    func skew(of client: ControlClient) -> DaemonSkew? {
        DaemonSkew(client.agreement) { console.installedDaemon() }
    }

    /// Says once how the daemon differs.
    ///
    /// On a terminal it offers to start an older one anew, unless that was declined, else it says
    /// what to do. Programs that read JSON are told nothing beside their documents.
    ///
    /// - Returns: whether the daemon was started anew.
    @discardableResult
    func settle(
        _ skew: DaemonSkew?,
        of daemon: NegotiateReply
    ) throws(ControlError) -> Bool {
        guard let skew, !notice.isGiven, !isJSON else { return false }
        if skew.isMendedByRestart, mayAskToRestart { return try offerRestart(skew, of: daemon) }
        notice.isGiven = true
        tell("scorectl: \(skew.text); \(skew.advice)")
        return false
    }

    /// Offers once, on a terminal, to start an older daemon anew, and never again where that was
    /// declined; whether it was done.
    func offerRestart(
        _ skew: DaemonSkew,
        of daemon: NegotiateReply
    ) throws(ControlError) -> Bool {
        guard !notice.isGiven, skew.isMendedByRestart, mayAskToRestart else { return false }
        notice.isGiven = true
        let declined = DeclinedRestart(try paths(), of: daemon, for: console.installedDaemon())
        guard !declined.isRemembered else { return false }
        let question = "The" + skew.text.dropFirst(3) + ". Start it anew now? Nothing is lost."
        switch has("yes") ? "yes" : answer(to: question) {
        case "", "y", "yes":
            try ServiceCommands.startAnew(self)
            return true
        case "n", "no":
            if declined.remember() {
                tell("Not asked again for this daemon; to start it anew: scorectl daemon restart")
            }
            return false
        default: return false
        }
    }

    /// Whether somebody is there to be asked about a daemon that may be started.
    private var mayAskToRestart: Bool {
        console.isInputTerminal && console.isOutputTerminal && maySpawn && !isJSON && !isQuiet
    }

    /// What is answered, in small letters; nil where nothing is.
    private func answer(to question: String) -> String? {
        console.writeError(Array((Line(question).text + " [Y/n] ").utf8))
        return console.readLine()?.lowercased().filter { !$0.isWhitespace }
    }
}

/// Whether this run of the program has told already that the daemon is another version.
final class SkewNotice {
    var isGiven = false
}

/// The answer of somebody who wants to keep an older daemon: so they are asked once for each build
/// of the daemon, each build that could take its place, and each home.
struct DeclinedRestart {
    private let path: String
    private let line: [UInt8]

    /// The answer about a daemon of a home, while such a build is installed.
    init(_ paths: ControlPaths, of daemon: NegotiateReply, for installed: ProgramBuild?) {
        path = paths.home + "/restart-declined"
        let builds = [
            daemon.version, daemon.build ?? "-", Versions.program, installed?.text ?? "-",
        ]
        line = Array((builds.joined(separator: " ") + "\n").utf8)
    }

    /// Whether it was given.
    var isRemembered: Bool {
        var bytes = [UInt8](repeating: 0, count: line.count + 1)
        let count = platform_read_file(path, 0, &bytes, bytes.count)
        return count == line.count && bytes.starts(with: line)
    }

    /// Remembers it, in place of one about another daemon; whether that could be done.
    func remember() -> Bool { platform_write_file(path, line, line.count) >= 0 }
}
