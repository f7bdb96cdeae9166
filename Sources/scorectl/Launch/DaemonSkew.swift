import ControlSocket
import SyncProtocol

/// The difference between the running daemon and this program, if they were not installed together.
enum DaemonSkew: Hashable {
    case older(String)
    /// The same version, whose program was replaced after the daemon was started.
    case replaced(String)
    case newer(String)

    /// Compares a daemon with this program, and its build with the installed one.
    init?(_ agreement: NegotiateReply, installed: () -> ProgramBuild?) {
        let (theirs, ours) = (agreement.version, Versions.program)
        guard theirs == ours else {
            // Numerically part by part (semver.org, section 11, as far as releases go).
            func parts(_ version: String) -> [Int] {
                let parts = version.split(separator: ".").map {
                    Int($0.prefix { $0.isNumber }) ?? 0
                }
                return parts + Array(repeating: 0, count: max(0, 4 - parts.count))
            }
            let isOlder = parts(theirs).lexicographicallyPrecedes(parts(ours))
            self = isOlder ? .older(theirs) : .newer(theirs)
            return
        }
        guard let running = agreement.build.flatMap({ ProgramBuild($0) }),
            let installed = installed(),
            installed != running, running.changed < installed.changed
        else { return nil }
        self = .replaced(theirs)
    }

    /// Whether a restart of the daemon removes the difference.
    var isFixedByRestart: Bool {
        if case .newer = self { false } else { true }
    }

    /// The difference, as the beginning of a sentence.
    var text: String {
        switch self {
        case .older(let version):
            "the running daemon (\(version)) is older than this scorectl (\(Versions.program))"
        case .replaced(let version):
            "the running daemon is an older build of \(version) than the installed one"
        case .newer(let version):
            "the running daemon (\(version)) is newer than this scorectl (\(Versions.program))"
        }
    }

    var hint: String {
        isFixedByRestart
            ? "restart it with: scorectl daemon restart" : "install the same version of both"
    }
}

extension Invocation {
    /// The version skew of a connection's daemon; usually nil.
    func skew(of client: ControlClient) -> DaemonSkew? {
        DaemonSkew(client.agreement) { console.installedDaemon() }
    }

    /// Reports a skew once: on a terminal by offering to restart an older daemon, otherwise by a
    /// message, and not at all to programs that read JSON.
    ///
    /// - Returns: whether the daemon was restarted.
    @discardableResult
    func handle(_ skew: DaemonSkew?) throws(ControlError) -> Bool {
        guard let skew, !skewNotice.isGiven, !isJSON else { return false }
        if skew.isFixedByRestart, canOfferRestart { return try offerRestart(skew) }
        skewNotice.isGiven = true
        inform("scorectl: \(skew.text); \(skew.hint)")
        return false
    }

    /// Offers once, on a terminal, to restart an older daemon; returns whether it was restarted.
    func offerRestart(_ skew: DaemonSkew) throws(ControlError) -> Bool {
        guard !skewNotice.isGiven, skew.isFixedByRestart, canOfferRestart else { return false }
        skewNotice.isGiven = true
        if !has("yes") {
            let question = "The" + skew.text.dropFirst(3) + ". Restart it now? Nothing is lost."
            console.writeError(Array((Line(question).text + " [Y/n] ").utf8))
            let answer = console.readLine()?.lowercased().filter { !$0.isWhitespace }
            guard let answer, ["", "y", "yes"].contains(answer) else { return false }
        }
        try ServiceCommands.restartDaemon(self)
        return true
    }

    private var canOfferRestart: Bool {
        console.isInputTerminal && console.isOutputTerminal && maySpawn && !isJSON && !isQuiet
    }
}

/// Whether this run of the program has reported a version skew.
final class SkewNotice {
    var isGiven = false
}
