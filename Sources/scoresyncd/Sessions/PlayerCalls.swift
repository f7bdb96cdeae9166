import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncProtocol

@EventLoop
struct PlayerCalls: CallGroup {
    let daemon: Daemon

    func register(on router: inout ControlRouter) {
        router.answer(.players) { request throws(ControlError) in
            reply(try sessions.session(request.session))
        }
        answer(.addPlayers, \.session, on: &router, with: add)
        answer(.restorePlayers, \.session, on: &router, with: restore)
        answer(.setTeam, \.session, on: &router, with: team)
        answer(.setStart, \.session, on: &router, with: start)
        // Unlike seats and teams, a name does not affect who has won.
        answer(.renamePlayer, \.session, on: &router, mayBeFinished: true, with: rename)
        answer(.removePlayers, \.session, on: &router) {
            request,
            board throws(ControlError) in
            try Naming.players(request.players, among: board.presentPlayers)
                .map { .membership(of: $0.id, isPresent: false) }
        }
        answer(.orderPlayers, \.session, on: &router) {
            request,
            board throws(ControlError) in
            let first = try Naming.players(request.players, among: board.players)
            let rest = board.players.filter { !first.contains($0) }
            return [.seats((first + rest).map(\.id))]
        }
        answer(.shufflePlayers, \.session, on: &router) { _, board in
            [.seats(board.players.map(\.id).shuffled())]
        }
        router.answer(.chooseMe, with: chooseMe)
    }

    /// Registers a call that changes players: `change` returns the mutations.
    private func answer<Parameters: Sendable>(
        _ method: Method<Parameters, PlayersReply>,
        _ name: @escaping @Sendable (Parameters) -> String?,
        on router: inout ControlRouter,
        mayBeFinished: Bool = false,
        with change:
            @escaping @EventLoop (Parameters, Scoreboard) throws(ControlError) -> [Mutation]
    ) {
        router.answer(method) { request async throws(ControlError) in
            let session = try sessions.session(name(request))
            let board = session.nextBoard
            guard mayBeFinished || !board.header.isFinished else {
                throw .refused("the session is finished; reopen it to change who plays")
            }
            let mutations = try change(request, board)
            session.recordComputers(in: mutations)
            try await writer.write(mutations, to: session)
            return reply(session)
        }
    }

    private func reply(_ session: Session) -> PlayersReply {
        let players = session.board.players.enumerated().map { place, player in
            PlayerSummary(id: player.id.description, name: player.name, seat: place + 1).with {
                $0.removed = !player.isPresent
                $0.me = player.id == session.facts.me
                $0.team = player.team
                $0.since = player.since > 1 ? Int(player.since) : nil
                $0.start = player.start
                $0.computer = player.computer.map { computer in
                    ComputerSummary(
                        device: sessions.name(of: computer.device, in: session),
                        here: computers.own(player.id, in: session) != nil,
                        depth: computer.depth
                    )
                }
            }
        }
        return PlayersReply(players)
    }

    private func add(
        _ request: AddPlayersParameters,
        to board: Scoreboard
    ) throws(ControlError) -> [Mutation] {
        let texts = request.names
        let computer = try computers.computer(of: request, on: board)
        guard !texts.isEmpty else { throw .usage("no player given") }
        let removed = board.players.filter { !$0.isPresent }.map { $0.name.lowercased() }
        if let again = texts.first(where: { removed.contains($0.lowercased()) }) {
            throw .refused(
                "“\(again)” was removed",
                hint: "to restore the player and the scores: scorectl player restore \(again)"
            )
        }
        let names = try Naming.newNames(texts, differingFrom: board.players)
        let team = try request.team.map { text throws(ControlError) in
            try self.team(named: text, on: board)
        }
        // A partner of somebody who plays already shares a column that has begun.
        let isPartner = team.map { hasPartners(in: $0, on: board) } ?? false
        let open = isPartner ? 1 : board.game?.openRound(in: board.book) ?? 1
        let since = try request.round.map { round throws(ControlError) in
            try first(round, on: board)
        }
        let start = try request.start.map { text throws(ControlError) in
            try points(text, on: board)
        }
        let added = names.map { Player(id: PlayerID.random(), name: $0, team: team) }
        try checkSeats(adding: added, to: board)
        if request.computer == nil { settings.record(people: names, or: log) }
        var mutations = added.flatMap { Mutation.add($0.id, name: $0.name) }
        for player in added {
            if let computer { mutations.append(.computer(player.id, computer)) }
            if let team { mutations.append(.team(of: player.id, team)) }
            if case let round = since ?? open, round > 1 {
                mutations.append(.since(player.id, round))
            }
            if let start { mutations.append(.start(player.id, start)) }
        }
        return mutations + [.seats(board.players.map(\.id) + added.map(\.id))]
    }

    /// Throws if the game is known and has too few seats for that many additional players.
    private func checkSeats(adding players: [Player], to board: Scoreboard) throws(ControlError) {
        try (try? board.sheet.get())?.checkSeats(
            of: board.presentPlayers + players,
            in: board.book,
            hint: "To let someone play in another's place: scorectl player remove NAME."
        )
    }

    private func restore(
        _ request: PlayersParameters,
        to board: Scoreboard
    ) throws(ControlError) -> [Mutation] {
        let removed = board.players.filter { !$0.isPresent }
        for text in request.players where (try? Naming.player(text, among: removed)) == nil {
            guard let player = try? Naming.player(text, among: board.presentPlayers)
            else { continue }
            throw .refused("\(player.name) is already playing")
        }
        let restored = try Naming.players(request.players, among: removed)
        try checkSeats(adding: restored, to: board)
        return restored.map { .membership(of: $0.id, isPresent: true) }
    }

    private func rename(
        _ request: RenamePlayerParameters,
        on board: Scoreboard
    ) throws(ControlError) -> [Mutation] {
        let player = try Naming.player(request.player, among: board.players)
        let others = board.players.filter { $0.id != player.id }
        let name = try Naming.newNames([request.name], differingFrom: others)[0]
        return [.name(of: player.id, name)]
    }

    private func team(
        _ request: PlayersParameters,
        on board: Scoreboard
    ) throws(ControlError) -> [Mutation] {
        let team = try request.team.map { text throws(ControlError) in
            try self.team(named: text, on: board)
        }
        return try Naming.players(request.players, among: board.players)
            .map { .team(of: $0.id, team) }
    }

    /// Returns the name of a team, as its other members spell it; throws in a game without teams.
    private func team(named text: String, on board: Scoreboard) throws(ControlError) -> String {
        if let sheet = try? board.sheet.get() { try sheet.checkTeams() }
        let name = try Naming.name(text, of: "a team's name")
        let known = board.players.compactMap(\.team)
        return known.first { $0.lowercased() == name.lowercased() } ?? name
    }

    private func start(
        _ request: StartParameters,
        on board: Scoreboard
    ) throws(ControlError) -> [Mutation] {
        let player = try Naming.player(request.player, among: board.players)
        var mutations: [Mutation] = []
        if let round = request.round {
            mutations.append(.since(player.id, try first(round, on: board)))
        }
        if let text = request.start {
            mutations.append(.start(player.id, try points(text, on: board)))
        }
        guard !mutations.isEmpty else { throw .usage("neither points nor a round given") }
        return mutations
    }

    /// Whether a new member of a team shares its column with somebody who plays already.
    private func hasPartners(in team: String, on board: Scoreboard) -> Bool {
        let sheet = try? board.sheet.get()
        return sheet?.teams == .together && board.presentPlayers.contains { $0.team == team }
    }

    /// Returns the first round of a player, as typed; throws in a game without rounds of a sheet.
    private func first(_ round: Int, on board: Scoreboard) throws(ControlError) -> UInt32 {
        guard let sheet = try? board.sheet.get(), !sheet.hasMoves,
            sheet.rows.contains(where: { $0.kind == .rounds })
        else { throw .refused("this game has no rounds in which somebody can join") }
        guard let number = UInt32(exactly: round), 1...Cell.lastRound ~= number else {
            throw ControlError(RuleViolation.roundOutOfRange("\(round)"))
        }
        return number
    }

    /// Returns the points that a player starts with, as typed.
    private func points(_ text: String, on board: Scoreboard) throws(ControlError) -> Points {
        let sheet = try board.playedSheet()
        let totals = (board.standings?.players ?? []).filter { $0.rank != nil }.map(\.total)
        let points: Points?
        switch text {
        case "nothing": points = 0
        case "lowest": points = totals.min() ?? 0
        case "mean": points = PlayerCalls.mean(totals)
        default: points = Points(typed: text)
        }
        guard let points else {
            throw .usage("a player starts with nothing, lowest, mean or a number, not “\(text)”")
        }
        try byRules(try sheet.rules.check(start: points, in: board.book))
        return points
    }

    /// Returns the mean, rounding halves up; 0 of nothing.
    private static func mean(_ totals: [Points]) -> Points {
        guard !totals.isEmpty else { return 0 }
        let halves = totals.reduce(Int128(0)) { $0 + Int128($1.halves) }
        let count = Int128(totals.count)
        let (whole, rest) = (halves + count).quotientAndRemainder(dividingBy: 2 * count)
        return Points(Int64(rest < 0 ? whole - 1 : whole))
    }

    private func chooseMe(_ request: PlayerParameters) async throws(ControlError) -> PlayersReply {
        let session = try sessions.session(request.session)
        var me: PlayerID?
        var people: [String] = []
        if let text = request.player {
            let present = session.board.presentPlayers
            let player = try Naming.player(text, among: present)
            guard player.computer == nil else {
                throw .refused("\(player.name) is a computer; name a person")
            }
            me = player.id
            // All of them play with the user of this laptop, wherever their names were entered.
            people = present.filter { $0.computer == nil }.map(\.name)
        }
        try await session.choose(me)
        settings.record(people: people, or: log)
        watchers.changed(session.id)
        return reply(session)
    }
}
