extension DaemonOptions {
    /// What whoever starts this daemon anew has to say: all but the home, which the caller knows,
    /// and the name, which the home remembers and which may have been changed since.
    var kept: [String] {
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
        if journalLines != usual.journalLines { words += ["--journal-lines", "\(journalLines)"] }
        if level != usual.level { words += ["--log-level", level.rawValue] }
        if logsToFile { words.append("--log-to-file") }
        return words
    }
}
