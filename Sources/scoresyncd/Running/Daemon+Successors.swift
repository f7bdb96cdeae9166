import Dispatch
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Sessions that other devices began as the next game of one that is held here.
///
/// Whoever holds the session before is let into the next one: its id and key stand in the field
/// `next`, which only members can read. All that are live there are taken up, because two devices
/// may begin the next game while they are apart.
extension Daemon {
    /// Looks whether a session that has changed names a next one.
    func lookForSuccessors(of session: SessionID) {
        guard engine.replicas[session]?.committed[.session(Field.next)] != nil else { return }
        // Later, when all sessions are loaded and what happens now is over.
        queue.async { @Sendable [weak self] in self?.takeUpSuccessors(of: session) }
    }

    private func takeUpSuccessors(of session: SessionID) {
        guard let live = engine.replicas[session]?.committed[.session(Field.next)],
            (held[session]?.successors.count ?? .max) < Successor.most
        else { return }
        let named = Successor.all(in: live)
        for next in named {
            guard let before = held[session], before.successors.count < Successor.most,
                isNew(next.session, to: before)
            else { continue }
            takeUp(next, of: session, before, isWinner: next == named.first)
        }
    }

    /// Whether a session is neither here nor was: one that was left does not come back by itself.
    private func isNew(_ next: SessionID, to before: HeldSession) -> Bool {
        held[next] == nil && !takingUp.contains(next) && !before.successors.contains(next)
            && !memory.hasLeft(next)
    }

    private func takeUp(
        _ next: Successor,
        of session: SessionID,
        _ before: HeldSession,
        isWinner: Bool
    ) {
        let id = next.session
        let record = SessionRecord(id: id, key: next.key, joinedAt: Clock.wallMilliseconds)
        let heritage = Heritage(of: session, before, for: id)
        // The last writer's game goes on where the one before, or one that lost to it, is current.
        let rival = before.successors.first { $0 == current }
        let makesCurrent = isWinner && (current == session || rival != nil)
        held[session]?.successors = heritage.successors
        takingUp.insert(id)
        take(
            record,
            greeting: NextTitle.after(title(of: session)),
            heritage: heritage,
            makingCurrent: makesCurrent
        ) { @Sendable [weak self] result in
            guard let self else { return }
            takingUp.remove(id)
            switch result {
            case .success:
                log.write(.info, "took up the next game after \(title(of: session))")
                if makesCurrent, let rival { tellOfRival(id, rival, of: session) }
                watchers.changed(session)
            case .failure(let error):
                held[session]?.successors.removeAll { $0 == id }
                let text = "the next game after \(title(of: session)) could not be taken up: "
                alarms.raise(kind: "storage", subject: "\(id)", text: text + error.message)
                log.write(.error, text + error.message)
            }
        }
    }

    /// Two devices began the next game while they were apart, and the one of this device is not the
    /// one that goes on.
    private func tellOfRival(_ winner: SessionID, _ loser: SessionID, of session: SessionID) {
        let text =
            "another laptop began the next game after “\(title(of: session))” too: that one is "
            + "current now; to go on with the other: scorectl session use "
            + "\(loser.description.prefix(8))"
        alarms.raise(kind: "two-next-games", subject: "\(session)", text: text)
        log.write(.warning, text)
    }

    /// What is told on the sheet of a session that has a next one here.
    func successorNotes(of session: SessionID) -> [String] {
        (held[session]?.successors ?? []).filter { held[$0] != nil }.map { next in
            "The next game is “\(title(of: next))”"
                + (next == current ? "." : ": scorectl session use \(next.description.prefix(8))")
        }
    }
}
