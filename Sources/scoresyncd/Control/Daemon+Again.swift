import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The next game of the same people.
extension Daemon {
    func routeAgain(_ router: inout ControlRouter) {
        onLater(SessionAgainRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.again(request, then: answer)
        }
    }

    /// A session with the sheet that it is played by.
    private struct Before {
        let session: SessionID
        let document: SessionDocument
        let book: Book
        let sheet: Sheet
    }

    private func again(
        _ request: SessionAgainRequest,
        then answer: @escaping @Sendable (Result<SessionAgainReply, ControlError>) -> Void
    ) throws(ControlError) {
        guard !(request.rotate && request.shuffle) else {
            throw ControlError(.usage, "--rotate and --shuffle exclude each other")
        }
        let session = try session(request.session)
        let (document, book) = draft(session)
        let before = Before(
            session: session,
            document: document,
            book: book,
            sheet: try sheet(of: document)
        )
        if request.replay { try checkReplay(before) }
        guard !beginningNext.contains(session) else {
            throw ControlError(.refused, "the next game is being begun already")
        }
        if let next = untold(before) { return lead(session, to: next, then: answer) }
        if !request.confirmed, let question = question(before) {
            return answer(.success(SessionAgainReply(question: question)))
        }
        let taken = Set(held.keys.map(title))
        let title = try Daemon.name(
            request.title ?? NextTitle.after(self.title(of: session), besides: taken),
            of: "a title"
        )
        let chosen = try options(request.options, of: before.sheet)
        let mutations = try mutations(before, request, chosen, title)
        try check(mutations)
        let id = SessionID.random(using: &generator)
        guard let held = held[session], let next = Successor(session: id, key: try newKey()) else {
            throw ControlError(.failed, "the session is not held here")
        }
        let record = SessionRecord(id: id, key: next.key, joinedAt: Clock.wallMilliseconds)
        let heritage = Heritage(of: session, held, for: id)
        self.held[session]?.successors = heritage.successors
        beginningNext.insert(session)
        // It becomes the current one last, so that whatever fails before leaves the user where
        // they were.
        take(
            record,
            greeting: title,
            heritage: heritage,
            beginning: firstBatch(mutations),
            makingCurrent: false
        ) { @Sendable [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result {
                beginningNext.remove(session)
                self.held[session]?.successors.removeAll { $0 == id }
                return answer(.failure(error))
            }
            remember(chosen, of: before.sheet)
            lead(session, to: next, then: answer)
        }
    }

    /// The next game that is here while the others were not told of any, because the laptop or its
    /// disk failed between the two; nil where there is none.
    private func untold(_ before: Before) -> Successor? {
        let live = engine.replicas[before.session]?.map.head(.session(Field.next))
        guard live.map({ Successor.all(in: $0).isEmpty }) ?? true else { return nil }
        for next in held[before.session]?.successors ?? [] where document(next).game != nil {
            if let held = held[next] { return Successor(session: next, key: held.key) }
        }
        return nil
    }

    /// Finishes the session before and says in it where the next one is, in one commit: whoever
    /// holds it then takes the next one up.
    private func lead(
        _ session: SessionID,
        to next: Successor,
        then answer: @escaping @Sendable (Result<SessionAgainReply, ControlError>) -> Void
    ) {
        beginningNext.insert(session)
        write([.finished(true), .next(next)], to: session) { [self] written in
            beginningNext.remove(session)
            if case .failure(let error) = written {
                let text = "the next game has begun here, but the others cannot be told: "
                return answer(.failure(ControlError(error.kind, text + error.message)))
            }
            use(next.session) { @Sendable result in
                answer(result.map { SessionAgainReply(session: $0.session) })
            }
        }
    }

    /// Refuses to play something again where the game before leaves nothing to its next one.
    private func checkReplay(_ before: Before) throws(ControlError) {
        let carried = before.sheet.rules.carriedOver(from: before.book)
        guard carried.writes.isEmpty, carried.options.isEmpty else { return }
        throw ControlError(
            .refused,
            "nothing was dealt in “\(title(of: before.session))” that could be played again; "
                + "leave out --replay"
        )
    }

    // MARK: What to ask

    /// What to ask before the next game is begun; nil when nothing is lost or doubled by it.
    private func question(_ before: Before) -> String? {
        let name = "“\(title(of: before.session))”"
        let next = held[before.session]?.successors.first { held[$0] != nil }
        if let next {
            return "\(name) has a next game already, “\(title(of: next))”. Begin another one?"
        }
        let cells = before.document.cells.map { BookCell(cell: $0.key, live: $0.value) }
        guard cells.contains(where: { !$0.isEmpty }) else {
            return "Nothing is entered in \(name) yet. Begin another game all the same?"
        }
        let rules = before.sheet.rules
        let now = rules.standings(of: before.book)
        guard !now.isFinished else { return nil }
        let finished = Book(
            players: before.book.players,
            cells: before.document.cells,
            options: before.book.options,
            isFinished: true
        )
        let counts = rules.standings(of: finished).outcomes.count > now.outcomes.count
        return counts
            ? "\(name) is not finished. End it with these totals and begin the next game?"
            : "The \(rules.outcomeWord) in progress will not count. Go on?"
    }

    // MARK: What the next game begins with

    private func mutations(
        _ before: Before,
        _ request: SessionAgainRequest,
        _ chosen: [(name: Symbol, value: Value)],
        _ title: String
    ) throws(ControlError) -> [Mutation] {
        let rules = before.sheet.rules
        let document = before.document
        var mutations: [Mutation] = [.title(title), .finished(false)]
        mutations += try beginning(of: before.sheet)
        let carried = request.replay ? rules.carriedOver(from: before.book) : nil
        var options = document.options.filter { rules.isChoice($0.key) }
        for (name, value) in chosen { options[name] = value }
        for (name, value) in carried?.options ?? [:] { options[name] = value }
        mutations += Daemon.mutations(
            options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        )
        let players = seated(document.players.filter(\.isPresent), request)
        for player in players {
            mutations += Mutation.add(player.id, name: player.name)
            if let team = player.team { mutations.append(.team(of: player.id, team)) }
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

    private func seated(_ players: [Player], _ request: SessionAgainRequest) -> [Player] {
        if request.shuffle { return players.shuffled(using: &generator) }
        return request.rotate ? Array(players.dropFirst() + players.prefix(1)) : players
    }
}
