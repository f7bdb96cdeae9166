import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about sessions of this device, and about joining and leaving.
@EventLoop
struct SessionCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.sessions) { _ in
            SessionListReply(sessions.latestFirst.map(summaries.summary))
        }
        router.answer(.session) { request throws(ControlError) in
            let session = try sessions.session(request.session)
            var summary = summaries.summary(of: session)
            summary.options = session.board.chosenOptions
            return SessionReply(session: summary)
        }
        router.answer(.useSession) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            try await lifecycle.use(session)
            return summaries.reply(session)
        }
        router.answer(.renameSession) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            let title = try Naming.name(request.title, of: "a title")
            try await writer.write([.title(title)], to: session)
            return summaries.reply(session)
        }
        router.answer(.finish) { request async throws(ControlError) in
            let session = try sessions.session(request.session)
            let mutations = Mutation.finished(
                request.finished,
                try verdict(request, of: session),
                replacing: session.head(.session(Field.verdict))
            )
            try await writer.write(mutations, to: session)
            var reply = summaries.reply(session)
            let missing = session.standings?.missing ?? []
            let isDecided = request.verdict != nil || request.winners != nil
            if request.finished, !isDecided, !missing.isEmpty { reply.notes = missing }
            return reply
        }
        router.answer(.invite, with: invite)
        router.answer(.leave, with: leave)
        router.answerConnection(.join) { request, connection async throws(ControlError) in
            if let knock = request.knock.flatMap({ KnockID($0) }) {
                // Nobody waits for the answer any more.
                connection.onClose { [nearby] in nearby.withdraw(knock) }
            }
            let (session, isNew) = try await joining.join(request)
            return JoinReply(session: summaries.summary(of: session)).with {
                if !isNew { $0.already = true }
            }
        }
        router.answer(.nearby) { request async throws(ControlError) in
            NearbyReply(await nearby.games(request))
        }
        router.answer(.knock) { request async throws(ControlError) in
            try await nearby.knock(request)
        }
        router.answer(.withdraw) { request in
            if let knock = KnockID(request.knock) { nearby.withdraw(knock) }
            return Done()
        }
        router.answer(.knocks) { request throws(ControlError) in
            guard let name = request.session else {
                return KnocksReply(sessions.all.flatMap { knocks.all(of: $0) })
            }
            return KnocksReply(knocks.all(of: try sessions.session(name)))
        }
        router.answer(.admit, with: admit)
    }

    /// Returns who has won, if the request says so: players, or all members of teams; with a player
    /// also the partners if a team is one scorer.
    private func verdict(
        _ request: FinishParameters,
        of session: Session
    ) throws(ControlError) -> Verdict? {
        let (words, names) = (request.verdict, request.winners ?? [])
        guard words != nil || !names.isEmpty else { return nil }
        guard request.finished, words == nil || names.isEmpty else {
            throw .usage("winners, all-won, all-lost and no-winner rule each other out")
        }
        let present = session.board.presentPlayers
        guard let words else {
            let isOfSides = (try? session.board.sheet.get())?.teams == .together
            var winners: Set<PlayerID> = []
            for name in names {
                func members(of team: String?) -> [Player] {
                    present.filter { $0.team != nil && $0.team?.lowercased() == team?.lowercased() }
                }
                var players = members(of: name)
                if players.isEmpty {
                    let player = try Naming.player(name, among: present)
                    players = [player] + (isOfSides ? members(of: player.team) : [])
                }
                winners.formUnion(players.map(\.id))
            }
            return .winners(present.map(\.id).filter(winners.contains))
        }
        guard let verdict = Verdict(words), verdict.kind == words else {
            throw .usage("“\(words)” is not all-won, all-lost or no-winner")
        }
        return verdict
    }

    private func invite(_ request: InviteParameters) async throws(ControlError) -> InviteReply {
        let session = try sessions.session(request.session)
        if request.close {
            invites.close(to: session.id)
            return InviteReply(code: nil, expires: nil)
        }
        guard session.facts.hasKey else {
            let text = "the key of this session is not here: join it again before you let others in"
            throw .refused(text)
        }
        let allowed = InviteLife.allowed
        if let minutes = request.minutes, !allowed.contains(minutes) {
            let bounds = "from \(allowed.lowerBound) to \(allowed.upperBound) minutes"
            throw .usage("an invite lasts \(bounds), not \(minutes)")
        }
        var reply = try await invites.open(session.id, minutes: request.minutes)
        var notes = network.notes
        if session.board.header.isFinished {
            notes.append(
                "This game is finished: whoever joins sees the result. For the next one: scorectl"
                    + " session new --again"
            )
        }
        reply.notes = notes.isEmpty ? nil : notes
        return reply
    }

    private func admit(_ request: AdmitParameters) throws(ControlError) -> AdmitReply {
        let named = try request.session.map { name throws(ControlError) in
            try sessions.session(name)
        }
        let waiting = (named.map { [$0] } ?? sessions.all).flatMap { knocks.all(of: $0) }
        let chosen = waiting.filter { knock in
            guard let text = request.knock else { return true }
            return knock.id == text || knock.laptop == text
        }
        guard let knock = chosen.first, let session = SessionID(knock.session.id),
            let session = sessions[session]
        else { throw .notFound("no laptop waits to be admitted") }
        guard chosen.count == 1 else {
            throw .usage("several laptops wait; name one", candidates: chosen.map(\.laptop))
        }
        try knocks.answer(knock, request.answer, of: session)
        return AdmitReply(laptop: knock.laptop, answer: request.answer)
    }

    private func leave(
        _ request: SessionParameters
    ) async throws(ControlError) -> SessionChangeReply {
        let session = try sessions.session(request.subject)
        let question = Question.aboutLeaving(
            session.title,
            session.id,
            scores: session.scoreCount,
            others: peers.devices(of: session),
            driver.engine
        )
        if let question = request.unanswered(question) {
            return SessionChangeReply(question: question)
        }
        try await lifecycle.leave(session)
        return SessionChangeReply()
    }
}

/// Summaries of sessions for lists; each needs only a few fields of the session and no scoreboard.
@EventLoop
struct SessionSummaries: DaemonPart {
    let daemon: Daemon

    func summary(of session: Session) -> SessionSummary {
        let header = session.header
        return SessionSummary(
            id: session.id.description,
            title: session.title,
            game: header.game?.description ?? "",
            status: header.isFinished ? "finished" : "open"
        ).with {
            $0.current = session.id == sessions.current
            $0.players = session.playerCount
            $0.synced = driver.engine.isSynced(session.id)
            $0.peersOnline = driver.engine.peers(session.id).count
            $0.inviteExpires = invites.expiry(of: session.id).map { Timestamp(milliseconds: $0) }
            $0.me = session.myName
        }
    }

    func reply(_ session: Session) -> SessionReply { SessionReply(session: summary(of: session)) }
}

@EventLoop
struct NewSessionCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.newSession, with: create)
    }

    private func create(_ request: NewSessionParameters) async throws(ControlError) -> SessionReply
    {
        let sheet = try userSheets.sheet(named: request.game)
        let today = "\(sheet.name) \(LocalTime.date(Int64(clamping: Clock.wallMilliseconds)))"
        let titles = Set(sessions.all.map(\.title))
        let usual =
            titles.contains(today) ? NextTitle.after(today, excluding: titles) : today
        let title = try Naming.name(request.title ?? usual, of: "a title")
        let chosen = try gameOptions.options(request.options, of: sheet)
        let recalled =
            request.fresh == true ? [] : gameOptions.recalled(of: sheet, alongside: chosen)
        let teams = request.teams ?? []
        if !teams.isEmpty { try sheet.checkTeams() }
        let typed = try Naming.newNames(
            request.players + NewSessionCalls.seats(of: teams, besides: request.players),
            differingFrom: []
        )
        let selected = typed.isEmpty ? settings.roster.selected.map(\.name) : []
        let names = typed.isEmpty ? selected : typed
        let players = try NewSessionCalls.players(names, in: teams)
        let set = (chosen + recalled).map { ($0.name, $0.value) }
        let book = Book(players: [], cells: [:], options: Dictionary(uniqueKeysWithValues: set))
        let hint =
            if !selected.isEmpty {
                "To see who is selected: scorectl people. To name others: --player NAME."
            } else if sheet.teams == .together, teams.isEmpty {
                "For teams: --team Reds=ANN,CEM --team Blues=BOB,DEE."
            } else { nil as String? }
        try sheet.checkSeats(of: players, in: book, hint: hint)
        let mutations =
            [.title(title), .finished(false)] + (try sheet.beginning())
            + Mutation.options(chosen + recalled) + Mutation.players(players)
        let me: Player? =
            switch request.me {
            case nil: usualName.flatMap { name in players.first { $0.name == name } }
            case "": nil
            case let text?: try Naming.player(text, among: players)
            }
        let new = try NewSession(mutations, by: driver.engine.device)
        let session = try await lifecycle.add(new.record, title: title, starting: new.batch)
        if let me { try await session.choose(me.id) }
        settings.record(people: typed, or: log)
        settings.remember(chosen, of: sheet, forgettingOthers: request.fresh == true)
        var reply = summaries.reply(session)
        let all =
            NewSessionCalls.notes(recalled: recalled, selected: selected)
            + (request.me == nil ? me.map { ["You are \($0.name), as last time."] } ?? [] : [])
            + (names.isEmpty ? [] : sheet.shortageNotes(of: names.count, in: book))
            + (await gameOptions.listNotes(of: session, chosen: chosen + recalled))
            + network.notes
        reply.notes = all.isEmpty ? nil : all
        return reply
    }

    /// The name under which the user of this device played last.
    private var usualName: String? {
        sessions.all.lazy.compactMap { session in
            session.facts.me.flatMap { session.board.player($0)?.name }
        }.first
    }

    /// Returns the members of teams who are not named as players, a member of each team in turn.
    private static func seats(of teams: [TeamParameters], besides named: [String]) -> [String] {
        let named = Set(named.map { $0.lowercased() })
        let members = teams.map { team in
            team.players.filter { !named.contains($0.lowercased()) }
        }
        return (0..<(members.map(\.count).max() ?? 0)).flatMap { place in
            members.compactMap { $0.dropFirst(place).first }
        }
    }

    /// Returns new players with these names, each in the team that names them.
    private static func players(
        _ names: [String],
        in teams: [TeamParameters]
    ) throws(ControlError) -> [Player] {
        var known: [String: String] = [:]
        for team in teams {
            let name = try Naming.name(team.name, of: "a team's name")
            for player in team.players {
                guard known.updateValue(name, forKey: player.lowercased()) == nil else {
                    throw .usage("\(player) is named for two teams")
                }
            }
        }
        return names.map { name in
            Player(id: PlayerID.random(), name: name, team: known[name.lowercased()])
        }
    }

    /// Returns notes on a session that starts with remembered people and options.
    private static func notes(recalled: [GameOption], selected: [String]) -> [String] {
        var notes: [String] = []
        if !selected.isEmpty {
            let names = selected.joined(separator: ", ")
            notes.append("With the selected people: \(names).")
        }
        if !recalled.isEmpty {
            let options = recalled.map { "\($0.name)=\(Scalar($0.value))" }
                .joined(separator: ", ")
            notes.append("As last time: \(options) (the usual options with --fresh).")
        }
        return notes
    }
}

extension Mutation {
    /// Returns the mutations that add players, seated in this order.
    fileprivate static func players(_ players: [Player]) -> [Mutation] {
        players.flatMap { Mutation.add($0.id, name: $0.name) }
            + players.compactMap { player in player.team.map { .team(of: player.id, $0) } }
            + (players.isEmpty ? [] : [.seats(players.map(\.id))])
    }
}

extension Sheet {
    /// Returns a warning if the game needs more players; games with moves warn at the first move.
    fileprivate func shortageNotes(of count: Int, in book: Book) -> [String] {
        guard !hasMoves, let violation = violation(ofTooFew: count, in: book) else { return [] }
        let sentence = "\(violation)"
        return [sentence.prefix(1).uppercased() + sentence.dropFirst() + "."]
    }

    /// Throws in a game without teams.
    func checkTeams() throws(ControlError) {
        guard teams == .none else { return }
        throw ControlError(RuleViolation.noTeams(game: name))
    }

    /// Throws if there are more players than the game allows; the error names options that allow
    /// more.
    func checkSeats(of players: [Player], in book: Book, hint: String?) throws(ControlError) {
        let count = seatCount(of: players)
        guard let violation = violation(ofTooMany: count, in: book) else { return }
        let sentences = ["\(violation)."] + seatingHints(for: count)
        throw .refused(sentences.joined(separator: " "), hint: hint)
    }
}

extension Question {
    /// Returns the question before a session is left, which cannot be undone.
    ///
    /// It names what the session contains, what would be lost, and the laptops that can invite this
    /// device again.
    ///
    /// `others` are the devices that have held the session, `scores` is the number of its scores;
    /// nil if its data is unreadable.
    static func aboutLeaving(
        _ title: String,
        _ session: SessionID,
        scores: Int?,
        others: [String],
        _ engine: SyncEngine
    ) -> Question {
        let held =
            switch scores {
            case nil: ""
            case 0?: "It has no scores yet. "
            case 1?: "It has 1 score. "
            case let count?: "It has \(count) scores. "
            }
        let loss = loss(with: session, isAlone: others.isEmpty, engine)
        let names = others.prefix(maxNames).joined(separator: ", ")
        let more = others.count > maxNames ? " and \(others.count - maxNames) more" : ""
        let inviters = "\(others.count > 1 ? "one of " : "")\(names)\(more)"
        let way = others.isEmpty ? "" : " To come back you need an invite by \(inviters)."
        return Question(
            asking: "Leave “\(title)”? \(held)\(loss)\(way)",
            about: session
        )
    }

    private static let maxNames = 4

    private static func loss(
        with session: SessionID,
        isAlone: Bool,
        _ engine: SyncEngine
    ) -> String {
        guard engine.replicas[session] != nil else {
            return "It cannot be read now, and perhaps no other laptop has its scores."
        }
        guard !isAlone else { return "No other laptop has it: all of it would be lost." }
        guard engine.hasUnsyncedWrites(session) else {
            return "Others have all that was entered here."
        }
        let unsynced = engine.unsyncedCells(session)
        let what =
            switch unsynced {
            case 0: "What you changed is"
            case 1: "1 of your scores is"
            default: "\(unsynced) of your scores are"
            }
        return "\(what) on no other laptop and would be lost."
    }
}

extension Question {
    /// Creates a question; its token depends on the text, the session, and these lines.
    init(asking text: String, about session: SessionID? = nil, of lines: [String] = []) {
        let all = ([text] + lines).joined(separator: "\n")
        let hash = String(SipHash.hash(Array(all.utf8)), radix: 16)
        self.init(text, token: session.map { "\($0):\(hash)" } ?? hash)
    }
}
