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
    /// How many next games after one session are taken up while nobody uses one of them: a member
    /// could name them without end.
    static let mostUnattended = 32

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
            guard isAttended(before.origin ?? session) else { return }
            takeUp(next, of: session, before, isWinner: next == named.first)
        }
    }

    /// Whether one more next game may come of an origin by itself; if not, it is told.
    private func isAttended(_ origin: SessionID) -> Bool {
        let followers = held.filter { $0.value.origin == origin }
        let pending = takingUp.values.count { $0 == origin }
        guard followers.count + pending >= Daemon.mostUnattended else { return true }
        let latest = followers.max { ($0.value.joinedAt, $0.key) < ($1.value.joinedAt, $1.key) }
        let name = latest.map { "\($0.key.description.prefix(8))" } ?? "SESSION"
        let text =
            "\(Daemon.mostUnattended) next games after “\(title(of: origin))” came by themselves "
            + "and nobody used one: no more come until somebody does: "
            + "scorectl session use \(name)"
        if alarms.raise(kind: "many-next-games", subject: "\(origin)", text: text) {
            log.write(.warning, text)
        }
        return false
    }

    /// Somebody uses a session: what comes after it is counted anew.
    func noteUse(of session: SessionID) {
        guard let origin = held[session]?.origin else { return }
        held[session]?.origin = nil
        note("that a session is used could not be noted") { store throws(StoreError) in
            try store.set(Setting.origin, of: session, to: nil)
        }
        alarms.clear(kind: "many-next-games", subject: "\(origin)")
        lookForSuccessors(of: session)
    }

    /// Whether a session is neither here nor was: one that was left does not come back by itself.
    private func isNew(_ next: SessionID, to before: HeldSession) -> Bool {
        held[next] == nil && takingUp[next] == nil && !before.successors.contains(next)
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
        let origin = before.origin ?? session
        let heritage = Heritage(of: session, before, for: id, from: origin)
        // The last writer's game goes on where the one before, or one that lost to it, is current.
        let rival = before.successors.first { $0 == current }
        let makesCurrent = isWinner && (current == session || rival != nil)
        held[session]?.successors = heritage.successors
        takingUp[id] = origin
        take(
            record,
            greeting: NextTitle.after(title(of: session)),
            heritage: heritage,
            makingCurrent: makesCurrent
        ) { @Sendable [weak self] result in
            guard let self else { return }
            takingUp[id] = nil
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
            "another laptop began the next game after “\(title(of: session))”, too: its "
            + "“\(title(of: winner))” is current now; to go on with what this laptop knew: "
            + "scorectl session use \(loser.description.prefix(8))"
        alarms.raise(kind: "two-next-games", subject: "\(session)", text: text)
        log.write(.warning, text)
    }

    /// What is told on the sheet of a session that has a next one here, or a rival.
    func successorNotes(of session: SessionID) -> [String] {
        let rivals = held.sorted { $0.key < $1.key }
            .filter { $0.value.successors.contains(session) }
            .flatMap { $0.value.successors.filter { $0 != session && held[$0] != nil } }
            .map { rival in
                "The game before this one has another next game, too: "
                    + "scorectl session use \(rival.description.prefix(8))"
            }
        return rivals
            + (held[session]?.successors ?? []).filter { held[$0] != nil }.map { next in
                "The next game is “\(title(of: next))”"
                    + (next == current
                        ? "." : ": scorectl session use \(next.description.prefix(8))")
            }
    }
}
