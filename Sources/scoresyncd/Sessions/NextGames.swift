import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Sessions that other devices began as the next game of one that is held here: owns which of them
/// are on their way to disk, and which are to become the current one.
///
/// Whoever holds the session before is let into the next one: its id and key stand in the field
/// `next`, which only members can read. All that are live there are taken up, because two devices
/// may begin the next game while they are apart.
@EventLoop
final class NextGames: DaemonPart {
    /// The limit of next games that are taken up while nobody uses one of them: a member
    /// could name them without end.
    nonisolated static let mostUnattended = 32

    /// The next sessions that are on their way to disk, each with its origin.
    private var takingUp: [SessionID: SessionID] = [:]
    /// The next sessions that become the current one once their game has come, each with the one
    /// before: any member can name sessions that nobody has.
    private var awaited: [SessionID: SessionID] = [:]

    let daemon: Daemon

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// A user chose a session that had come by itself: more may come of its origin.
    func wasChosen(_ session: Session, of origin: SessionID) {
        alarms.clear(.manyNextGames, "\(origin)")
        check(after: session.id)
    }

    /// Checks whether a session that has changed names a next one, or is one that has come.
    func check(after session: SessionID) {
        if awaited[session] != nil {
            queue.async { [self] in makeCurrent(session) }
        }
        guard sessions[session]?.committed(.session(Field.next)) != nil else { return }
        // Later, when all sessions are loaded and what happens now is over.
        queue.async { [self] in
            if let session = sessions[session] { takeUp(after: session) }
        }
    }

    private func takeUp(after session: Session) {
        guard let live = session.committed(.session(Field.next)) else { return }
        let named = Successor.all(in: live)
        for next in named {
            let isWinner = next == named.first
            if let held = sessions[next.session] {
                // Named before a restart, and not come since.
                if isWinner, held.facts.origin != nil, held.header.game == nil {
                    awaited[next.session] = session.id
                }
                continue
            }
            guard session.facts.successors.count < Successor.maxCount else { return }
            guard isNew(next.session, to: session) else { continue }
            guard isAttended(session.facts.origin ?? session.id) else { return }
            takeUp(next, after: session, isWinner: isWinner)
        }
    }

    /// Whether one more next game may come of an origin by itself; if not, it is told.
    private func isAttended(_ origin: SessionID) -> Bool {
        let followers = sessions.latestFirst.filter { $0.facts.origin == origin }
        let pending = takingUp.values.count { $0 == origin }
        guard followers.count + pending >= NextGames.mostUnattended else { return true }
        let name = sessions[origin]?.title ?? String(origin.description.prefix(8))
        alarms.raise(
            .manyNextGames,
            "\(origin)",
            "\(NextGames.mostUnattended) next games after “\(name)” came by themselves "
                + "and nobody used one: no more come until somebody does: "
                + "scorectl session use \(followers.first?.shortID ?? "SESSION")",
            .warning
        )
        return false
    }

    /// Whether a session is neither here nor was: one that was left does not come back by itself.
    private func isNew(_ next: SessionID, to before: Session) -> Bool {
        sessions[next] == nil && takingUp[next] == nil && !before.facts.successors.contains(next)
            && !settings.memory.hasLeft(next)
    }

    private func takeUp(_ next: Successor, after session: Session, isWinner: Bool) {
        let id = next.session
        let record = SessionRecord(id: id, key: next.key, joinedAt: Clock.wallMilliseconds)
        let origin = session.facts.origin ?? session.id
        if isWinner { awaited[id] = session.id }
        sessions.add(successor: id, to: session)
        takingUp[id] = origin
        let inherited = InheritedSettings(of: session, from: origin)
        EventLoop.start { [self] in
            do throws(ControlError) {
                try await lifecycle.add(
                    record,
                    title: NextTitle.after(session.title),
                    inheriting: inherited,
                    makingCurrent: false
                )
                takingUp[id] = nil
                log.write(.info, from: .others, "took up the next game after \(session.title)")
                watchers.changed(session.id)
            } catch {
                takingUp[id] = nil
                awaited[id] = nil
                sessions.remove(successor: id, from: session)
                let text = "the next game after \(session.title) could not be taken up: "
                alarms.raise(.storage, "\(id)", text + error.message)
            }
        }
    }

    /// Goes on in a next game that has come, where the one before, or one that lost to it, is the
    /// current one.
    private func makeCurrent(_ id: SessionID) {
        guard let next = sessions[id], next.header.game != nil,
            let before = awaited.removeValue(forKey: id).flatMap({ sessions[$0] })
        else { return }
        watchers.changed(before.id)
        let rival = before.facts.successors.first { $0 == sessions.current && $0 != id }
        guard sessions.current == before.id || rival != nil else { return }
        EventLoop.start { [self] in
            do throws(ControlError) {
                try await lifecycle.use(next)
                if let rival { report(rival, beside: next, after: before) }
                watchers.changed(before.id)
            } catch {
                let text = "the next game after \(before.title) could not become current: "
                alarms.raise(.storage, "\(id)", text + error.message)
            }
        }
    }

    /// Two devices began the next game while they were apart, and the one of this device is not the
    /// one that goes on.
    private func report(_ loser: SessionID, beside winner: Session, after session: Session) {
        alarms.raise(
            .twoNextGames,
            "\(session.id)",
            "another laptop began the next game after “\(session.title)”, too: its "
                + "“\(winner.title)” is current now; to go on with what this laptop knew: "
                + "scorectl session use \(loser.description.prefix(8))",
            .warning
        )
    }

    /// The next game to which whoever shows this one goes on, once it has come: the current one
    /// where there are several; beside a game that lost to the current one, that.
    ///
    /// Only those count that came after this one was here, so nobody is led in a circle.
    func next(after session: Session) -> Session? {
        let named = session.committed(.session(Field.next)).map { Successor.all(in: $0) } ?? []
        let held = sessions.sessions(after: session).filter { $0.header.game != nil }
        let known = named.compactMap { next in held.first { $0.id == next.session } }
        let rivals = sessions.sessions(before: session.id).flatMap { sessions.sessions(after: $0) }
        let goesOn = session.id == sessions.current ? [] : rivals
        return (known + goesOn).first { $0.id == sessions.current } ?? known.first
    }

    /// Remarks on a session that has a next one here, or a rival.
    func notes(on session: Session) -> [String] {
        let rivals = sessions.sessions(before: session.id)
            .flatMap { sessions.sessions(after: $0) }
            .filter { $0.id != session.id }
            .map { rival in
                "The game before this one has another next game, too: "
                    + "scorectl session use \(rival.shortID)"
            }
        return rivals
            + sessions.sessions(after: session).map { next in
                "The next game is “\(next.title)”"
                    + (next.id == sessions.current ? "." : ": scorectl session use \(next.shortID)")
            }
    }
}

/// The title of the next game of the same people: it counts on.
enum NextTitle {
    /// The highest number that counts as one: a larger one belongs to the title.
    private static let most = 999

    /// `Friday` is followed by `Friday 2`, and that by `Friday 3`; titles that are taken are passed
    /// over.
    static func after(_ title: String, besides taken: Set<String> = []) -> String {
        let words = title.split(separator: " ", omittingEmptySubsequences: false)
        let last = words.last.flatMap { word in
            word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(word) : nil
        }
        var name = title
        var number = 2
        if words.count > 1, let last, (1..<most).contains(last) {
            name = words.dropLast().joined(separator: " ")
            number = last + 1
        }
        // Room for the number within the 200 bytes of a title.
        while name.utf8.count > 190 { name.removeLast() }
        while taken.contains("\(name) \(number)") { number += 1 }
        return "\(name) \(number)"
    }
}
