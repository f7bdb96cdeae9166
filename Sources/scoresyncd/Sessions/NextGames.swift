import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// Adds the sessions that other devices started as the next game of a session on this device; owns
/// those on their way to disk, and those that will become the current session.
///
/// Every holder of the previous session is a member of the next one: its id and key are in the
/// field `next`, which only members can read. All live values of the field are added, because two
/// devices may start the next game while they are disconnected.
@EventLoop
final class NextGames: DaemonPart {
    /// The maximum number of next games added until a user chooses one, because members can name
    /// many.
    nonisolated static let maxUnattended = 32

    let daemon: Daemon
    /// The next sessions on their way to disk, each with its origin.
    private var adding: [SessionID: SessionID] = [:]
    /// The next sessions that become the current one when their game has arrived, each with the
    /// previous session: any member can name sessions that do not exist.
    private var awaited: [SessionID: SessionID] = [:]

    init(_ daemon: Daemon) { self.daemon = daemon }

    /// Allows further next games of an origin, after a user chose one that was added automatically.
    func wasChosen(_ session: Session, of origin: SessionID) {
        alarms.clear(.manyNextGames, "\(origin)")
        check(after: session.id)
    }

    /// Checks whether a changed session names a next one, or is an awaited one that has arrived.
    func check(after session: SessionID) {
        if awaited[session] != nil {
            queue.async { [self] in makeCurrent(session) }
        }
        guard sessions[session]?.committed(.session(Field.next)) != nil else { return }
        // Runs later, when all sessions are loaded and the current event is handled.
        queue.async { [self] in
            if let session = sessions[session] { addNext(after: session) }
        }
    }

    private func addNext(after session: Session) {
        guard let live = session.committed(.session(Field.next)) else { return }
        let named = Successor.all(in: live)
        let origin = session.facts.origin ?? session.id
        for next in named {
            let isWinner = next == named.first
            if let held = sessions[next.session] {
                // This session was added before a restart, and its data has not arrived yet.
                if isWinner, held.facts.origin != nil, held.header.game == nil {
                    awaited[next.session] = session.id
                }
                continue
            }
            guard session.facts.successors.count < Successor.maxCount else { return }
            // A session that was left is not added automatically again.
            guard adding[next.session] == nil,
                !session.facts.successors.contains(next.session),
                !settings.memory.hasLeft(next.session)
            else { continue }
            guard isAttended(origin) else { return }
            add(next, after: session, of: origin, isWinner: isWinner)
        }
    }

    /// Whether one more next game of an origin may be added automatically; raises an alarm if not.
    private func isAttended(_ origin: SessionID) -> Bool {
        let added = sessions.all.count { $0.facts.origin == origin }
        let pending = adding.values.count { $0 == origin }
        guard added + pending >= NextGames.maxUnattended else { return true }
        let name = sessions[origin]?.title ?? String(origin.description.prefix(8))
        alarms.raise(
            .manyNextGames,
            "\(origin)",
            "\(NextGames.maxUnattended) next games after “\(name)” were added automatically, and "
                + "none of them was used: no more are accepted until you use one",
            .warning
        )
        return false
    }

    private func add(
        _ next: Successor,
        after session: Session,
        of origin: SessionID,
        isWinner: Bool
    ) {
        let id = next.session
        let record = SessionRecord(id: id, key: next.key, joinedAt: Clock.wallMilliseconds)
        if isWinner { awaited[id] = session.id }
        sessions.add(successor: id, to: session)
        adding[id] = origin
        let inherited = InheritedSettings(of: session, from: origin)
        EventLoop.start { [self] in
            do throws(ControlError) {
                try await lifecycle.add(
                    record,
                    title: NextTitle.after(session.title),
                    inheriting: inherited,
                    makingCurrent: false
                )
                adding[id] = nil
                log.write(.info, from: .others, "added the next game after \(session.title)")
                watchers.changed(session.id)
            } catch {
                adding[id] = nil
                awaited[id] = nil
                sessions.remove(successor: id, from: session)
                let text = "the next game after \(session.title) could not be added: "
                alarms.raise(.storage, "\(id)", text + error.message)
            }
        }
    }

    /// Makes a next game that has arrived the current session, if the current one is the previous
    /// game or a rival next game.
    private func makeCurrent(_ id: SessionID) {
        guard let next = sessions[id], next.header.game != nil,
            let before = awaited.removeValue(forKey: id).flatMap({ sessions[$0] })
        else { return }
        watchers.changed(before.id)
        let rival = before.facts.successors.first { $0 == sessions.current && $0 != id }
        guard sessions.current == before.id || rival != nil else {
            return reportOther(next, after: before)
        }
        EventLoop.start { [self] in
            do throws(ControlError) {
                try await lifecycle.use(next)
                if let rival { report(rival, lostTo: next, after: before) }
                watchers.changed(before.id)
            } catch {
                let text = "the next game after \(before.title) could not become current: "
                alarms.raise(.storage, "\(id)", text + error.message)
            }
        }
    }

    /// Reports that two devices started the next game while disconnected, and that the one started
    /// here is not the one that is continued.
    private func report(_ loser: SessionID, lostTo winner: Session, after session: Session) {
        let lost = sessions[loser].map { "“\($0.title)” (\($0.shortID))" } ?? "the one"
        alarms.raise(
            .twoNextGames,
            "\(session.id)",
            "another laptop started the next game after “\(session.title)”, too: its "
                + "“\(winner.title)” is current now; \(lost) of this laptop is still here",
            .warning
        )
    }

    /// Reports that this laptop plays a later game than a rival of a next game that has arrived.
    ///
    /// It stays in that game, because more than one evening's scores may be in it.
    private func reportOther(_ next: Session, after before: Session) {
        guard let current = sessions.current.flatMap({ sessions[$0] }) else { return }
        var visited: Set<SessionID> = []
        var open = [current.id]
        while let later = open.popLast(), visited.insert(later).inserted {
            open += sessions.sessions(before: later).map(\.id)
        }
        visited.formIntersection(before.facts.successors)
        guard !visited.isEmpty, !visited.contains(next.id) else { return }
        alarms.raise(
            .twoNextGames,
            "\(before.id)",
            "another laptop started the next game after “\(before.title)”, too: “\(next.title)” "
                + "(\(next.shortID)) there, and here “\(current.title)” (\(current.shortID)) is "
                + "played by now: agree on one, and use it on all laptops",
            .warning
        )
    }

    /// Returns the next game to which clients of this session should switch, once its data has
    /// arrived: the current session if it is one of several, or a rival that has won.
    ///
    /// Only sessions that were added after this one count, so there is no cycle.
    func next(after session: Session) -> Session? {
        let named = session.committed(.session(Field.next)).map { Successor.all(in: $0) } ?? []
        let held = sessions.sessions(after: session).filter { $0.header.game != nil }
        let known = named.compactMap { next in held.first { $0.id == next.session } }
        let rivals = sessions.sessions(before: session.id).flatMap { sessions.sessions(after: $0) }
        let successors = session.id == sessions.current ? [] : rivals
        return (known + successors).first { $0.id == sessions.current } ?? known.first
    }

    /// Returns notes on a session that has a next game here, or a rival.
    func notes(on session: Session) -> [String] {
        let rivals = sessions.sessions(before: session.id)
            .flatMap { sessions.sessions(after: $0) }
            .filter { $0.id != session.id }
        let next = sessions.sessions(after: session)
        func name(_ one: Session) -> String {
            let isShared = ([session] + rivals + next).count { $0.title == one.title } > 1
            return "“\(one.title)”" + (isShared ? " (\(one.shortID))" : "")
        }
        return rivals.map { "The game before this one has another next game, too: \(name($0))." }
            + next.map { "The next game is \(name($0))." }
    }
}

enum NextTitle {
    /// The highest number that is incremented; a higher number counts as part of the title.
    private static let maxNumber = 999

    /// Returns the next title: `Friday`, `Friday 2`, `Friday 3`; titles already used are skipped.
    static func after(_ title: String, excluding taken: Set<String> = []) -> String {
        let words = title.split(separator: " ", omittingEmptySubsequences: false)
        let last = words.last.flatMap { word in
            word.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(word) : nil
        }
        var name = title
        var number = 2
        if words.count > 1, let last, (1..<maxNumber).contains(last) {
            name = words.dropLast().joined(separator: " ")
            number = last + 1
        }
        // Leaves room for the number, since a title may have 200 bytes.
        while name.utf8.count > 190 { name.removeLast() }
        while taken.contains("\(name) \(number)") { number += 1 }
        return "\(name) \(number)"
    }
}
