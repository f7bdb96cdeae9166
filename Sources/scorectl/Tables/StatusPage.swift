import SyncProtocol

/// What `status` prints: the daemon, its sessions, and what somebody should look at.
enum StatusPage {
    static func lines(_ status: StatusReply) -> [Line] {
        let daemon = status.daemon
        var network = daemon.port > 0 ? "port \(daemon.port)" : "not listening"
        if daemon.offline { network += ", offline (scorectl daemon online)" }
        let facts = SessionList.facts([
            ("Laptop", daemon.name), ("Device", daemon.device), ("Network", network),
            ("Daemon", "\(daemon.version), pid \(daemon.pid)"), ("Home", daemon.home),
        ])
        var blocks = [facts, SessionList.lines(status.sessions)]
        blocks.append(status.alarms.map { Line("! \($0.text)", .bad) })
        return Array(blocks.filter { !$0.isEmpty }.joined(separator: [Line()]))
    }
}
