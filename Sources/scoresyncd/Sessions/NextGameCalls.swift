import ControlSocket
import Descriptors
import PeerTransport
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The call that starts the next game of the same people; owns the set of starts in progress.
@EventLoop
final class NextGameCalls: CallGroup {
    /// The previous session, with its board and the sheet by which it is played.
    private struct Before {
        let session: Session
        let board: Scoreboard
        let sheet: Sheet
    }

    let daemon: Daemon
    private var starting: Set<SessionID> = []

    init(_ daemon: Daemon) { self.daemon = daemon }

    func register(on router: inout ControlRouter) {
        router.answer(.nextGame) { [self] request async throws(ControlError) in
            try await startNext(request)
        }
    }

    private func startNext(
        _ request: NextGameParameters
    ) async throws(ControlError) -> SessionChangeReply {
        guard !(request.rotate && request.shuffle) else {
            throw .usage("--rotate and --shuffle exclude each other")
        }
        let session = try sessions.session(request.subject)
        let board = session.nextBoard
        let before = Before(session: session, board: board, sheet: try board.playedSheet())
        if request.replay { try checkReplay(before) }
        guard starting.insert(session.id).inserted else {
            throw .refused("the next game is already being started")
        }
        defer { starting.remove(session.id) }
        if let next = unannounced(session) { return try await announce(next, in: session) }
        let asked = question(before).map { Question(asking: $0, about: session.id) }
        if let question = asked.flatMap(request.unanswered) {
            return SessionChangeReply(question: question)
        }
        let titles = Set(sessions.all.map(\.title))
        let title = try Naming.name(
            request.title ?? NextTitle.after(session.title, excluding: titles),
            of: "a title"
        )
        let chosen = try gameOptions.options(request.options, of: before.sheet)
        let mutations = try mutations(before, request, chosen, title)
        let new = try NewSession(mutations, by: device)
        sessions.add(successor: new.record.id, to: session)
        let next: Session
        do throws(ControlError) {
            // Becomes the current session last, so that an earlier failure changes nothing for the
            // user.
            next = try await lifecycle.add(
                new.record,
                title: title,
                inheriting: InheritedSettings(of: session),
                starting: new.batch,
                makingCurrent: false
            )
        } catch {
            sessions.remove(successor: new.record.id, from: session)
            throw error
        }
        settings.remember(chosen, of: before.sheet)
        return try await announce(next, in: session)
    }

    /// Returns the next session that is on this device but not named in the previous one, because
    /// the laptop or its disk failed in between; nil if there is none.
    private func unannounced(_ session: Session) -> Session? {
        let live = session.head(.session(Field.next))
        guard live.map({ Successor.all(in: $0).isEmpty }) ?? true else { return nil }
        return sessions.sessions(after: session).first { $0.header.game != nil }
    }

    /// Finishes the previous session and writes the next one into it, in one commit, so that every
    /// device that holds it adds the next one.
    private func announce(
        _ next: Session,
        in session: Session
    ) async throws(ControlError) -> SessionChangeReply {
        guard let successor = Successor(session: next.id, key: next.facts.key.bytes) else {
            throw .failed("the next game has no key")
        }
        do throws(ControlError) {
            try await writer.write([.finished(true), .next(successor)], to: session)
        } catch {
            let text = "the next game was started here, but not announced to the others: "
            throw error.with(message: text + error.message)
        }
        try await lifecycle.use(next)
        return SessionChangeReply(session: summaries.summary(of: next))
    }

    /// Throws if a replay is requested and the previous game has nothing to replay.
    private func checkReplay(_ before: Before) throws(ControlError) {
        if let carried = before.board.game?.carriedOver(from: before.board.book),
            !carried.writes.isEmpty || !carried.options.isEmpty
        {
            return
        }
        throw .refused(
            "“\(before.session.title)” has no deal that could be played again; "
                + "leave out --replay"
        )
    }

    /// Returns the question to ask before the next game is started; nil if there is no need.
    private func question(_ before: Before) -> String? {
        let name = "“\(before.session.title)”"
        if let next = sessions.sessions(after: before.session).first {
            return "\(name) already has a next game, “\(next.title)”. Start another one?"
        }
        // Only players who are still in take part in the next game.
        guard !before.board.presentPlayers.isEmpty else {
            return "No one plays in \(name) any more. Start the next game without players?"
        }
        guard !before.board.isBlank else {
            return "Nothing has been entered in \(name) yet. Start another game anyway?"
        }
        guard let now = before.board.standings, !now.isFinished else { return nil }
        let ended = before.session.simulating([.finished(true)], on: before.board).standings
        let counts = ended?.outcomes.count ?? 0 > now.outcomes.count
        let rules = before.sheet.rules
        return counts
            ? "\(name) is not finished. End it with these totals and start the next game?"
            : "The \(rules.partName ?? rules.outcomeName) in progress will not count. Go on?"
    }

    private func mutations(
        _ before: Before,
        _ request: NextGameParameters,
        _ chosen: [GameOption],
        _ title: String
    ) throws(ControlError) -> [Mutation] {
        let rules = before.sheet.rules
        let board = before.board
        var mutations: [Mutation] = [.title(title), .finished(false)]
        mutations += try before.sheet.beginning()
        let carried = request.replay ? board.game?.carriedOver(from: board.book) : nil
        var options = board.header.options.filter { rules.isChoice($0.key) }
        for (name, value) in chosen { options[name] = value }
        for (name, value) in carried?.options ?? [:] { options[name] = value }
        mutations += Mutation.options(
            options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        )
        let players = seated(board.presentPlayers, request)
        for player in players {
            mutations += Mutation.add(player.id, name: player.name)
            if let team = player.team { mutations.append(.team(of: player.id, team)) }
            // A handicap stays; what somebody got who came late does not.
            if player.since == 1, let start = player.start {
                mutations.append(.start(player.id, start))
            }
            if let computer = player.computer {
                mutations.append(.computer(player.id, computer))
            }
        }
        if !players.isEmpty { mutations.append(.seats(players.map(\.id))) }
        for score in carried?.writes ?? [] {
            mutations.append(Mutation(.cell(score.cell), score.value))
        }
        return mutations
    }

    private func seated(_ players: [Player], _ request: NextGameParameters) -> [Player] {
        if request.shuffle { return players.shuffled() }
        return request.rotate ? Array(players.dropFirst() + players.prefix(1)) : players
    }
}
