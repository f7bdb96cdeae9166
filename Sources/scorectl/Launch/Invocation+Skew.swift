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
    /// On a terminal it offers to start an older one anew, else it says what to do. Programs that
    /// read JSON are told nothing beside their documents.
    ///
    /// - Returns: whether the daemon was started anew.
    @discardableResult
    func settle(_ skew: DaemonSkew?) throws(ControlError) -> Bool {
        guard let skew, !notice.isGiven, !isJSON else { return false }
        if skew.isMendedByRestart, mayAskToRestart { return try offerRestart(skew) }
        notice.isGiven = true
        tell("scorectl: \(skew.text); \(skew.advice)")
        return false
    }

    /// Offers once, on a terminal, to start an older daemon anew; whether that was done.
    func offerRestart(_ skew: DaemonSkew) throws(ControlError) -> Bool {
        guard !notice.isGiven, skew.isMendedByRestart, mayAskToRestart else { return false }
        notice.isGiven = true
        let question = "The" + skew.text.dropFirst(3) + ". Start it anew now? Nothing is lost."
        guard has("yes") || isAgreed(question) else { return false }
        try ServiceCommands.startAnew(self)
        return true
    }

    /// Whether somebody is there to be asked about a daemon that may be started.
    private var mayAskToRestart: Bool {
        console.isInputTerminal && console.isOutputTerminal && maySpawn && !isJSON && !isQuiet
    }

    private func isAgreed(_ question: String) -> Bool {
        console.writeError(Array((Line(question).text + " [Y/n] ").utf8))
        guard let answer = console.readLine() else { return false }
        return ["", "y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }
}
