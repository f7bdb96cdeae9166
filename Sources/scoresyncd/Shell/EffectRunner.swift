import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// What the engine wants done, and which room does it: a switch, and nothing else.
struct EffectRunner {
    let sessions: SessionCatalog
    let commits: Commits
    let writer: SessionWriter
    let successors: Successors
    let computers: ComputerPlayers
    let watchers: Watchers
    let network: PeerNetwork
    let links: Links
    let timer: EngineTimer
    let alarms: Alarms
    let log: Log

    func run(_ effect: Effect) {
        switch effect {
        case .persist(let id, let session, let batch): commits.commit(batch, of: session, as: id)
        case .load(let session): commits.load(session)
        case .reply(let request, let outcome): writer.answer(request, outcome)
        case .loaded(let session):
            sessions[session]?.forgetBoard()
            tell(session, .whole)
        case .changed(let session, let changes):
            tell(session, sessions[session]?.take(changes) ?? .whole)
        case .peersChanged(let session):
            sessions.meetPeers(of: session)
            watchers.changed(session)
        case .remember(let session, let endpoint, let device):
            sessions[session]?.remember(endpoint, of: device)
        case .acknowledged(let session, let vector): sessions[session]?.acknowledged(vector)
        case .announce(let announcement): network.announce(announcement)
        case .dial(let session, let endpoint): links.dial(endpoint, for: session)
        case .send(let link, let message): links.send(message, to: link)
        case .close(let link): links.close(link)
        case .wake(let uptime): timer.wake(at: uptime)
        case .alarm(let alarm): alarms.raise(alarm)
        case .log(let level, let text):
            // Errors are those of the disk; all else comes of what peers and strangers do.
            log.write(level, from: level == .error ? .here : .others, text)
        }
    }

    /// Tells who lives by what a session comes to, each later and once per turn of the queue.
    private func tell(_ session: SessionID, _ change: ScoreboardChange) {
        watchers.changed(session, change)
        successors.look(after: session)
        computers.call(in: session)
    }
}
