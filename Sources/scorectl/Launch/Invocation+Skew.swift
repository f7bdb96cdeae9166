import ControlSocket
import SyncProtocol

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
