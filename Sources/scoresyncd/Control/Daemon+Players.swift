import ControlSocket
import ScoreSheets
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The calls about players.
extension Daemon {
    /// The most players of a session: their seats must fit one value.
    static let mostPlayers = 100

    func routePlayers(_ router: inout ControlRouter) {
        on(PlayerListRequest.self, &router) { daemon, request throws(ControlError) in
            daemon.playersReply(try daemon.session(request.session))
        }
        onPlayers(PlayerAddRequest.self, &router, \.session) {
            daemon,
            request,
            document throws(ControlError) in
            let mutations = try daemon.add(request, to: document)
            if request.computer == nil {
                daemon.notePeople(try daemon.newNames(request.names, beside: []))
            }
            return mutations
        }
        onPlayers(PlayerRemoveRequest.self, &router, \.session) {
            daemon,
            request,
            document throws(ControlError) in
            let present = document.players.filter(\.isPresent)
            return try daemon.players(request.players, among: present)
                .map { .membership(of: $0.id, isPresent: false) }
        }
        onPlayers(PlayerRestoreRequest.self, &router, \.session) {
            daemon,
            request,
            document throws(ControlError) in
            try daemon.restore(request, to: document)
        }
        onPlayers(PlayerRenameRequest.self, &router, \.session) {
            daemon,
            request,
            document throws(ControlError) in
            let player = try daemon.player(request.player, among: document.players)
            let others = document.players.filter { $0.id != player.id }
            let name = try daemon.newNames([request.name], beside: others)[0]
            return [.name(of: player.id, name)]
        }
        onPlayers(PlayerOrderRequest.self, &router, \.session) {
            daemon,
            request,
            document throws(ControlError) in
            let first = try daemon.players(request.players, among: document.players)
            let rest = document.players.filter { !first.contains($0) }
            return [.seats((first + rest).map(\.id))]
        }
        onPlayers(PlayerShuffleRequest.self, &router, \.session) { daemon, _, document in
            [.seats(document.players.map(\.id).shuffled(using: &daemon.generator))]
        }
        onPlayers(PlayerTeamRequest.self, &router, \.session) {
            daemon,
            request,
            document throws(ControlError) in
            try daemon.team(request, in: document)
        }
        onLater(PlayerMeRequest.self, &router) { daemon, request, answer throws(ControlError) in
            try daemon.chooseMe(request, then: answer)
        }
    }

    /// Answers a call that changes players: `change` says what to write.
    private func onPlayers<Request: ControlRequest>(
        _ type: Request.Type,
        _ router: inout ControlRouter,
        _ session: @escaping @Sendable (Request) -> String?,
        _ change:
            @escaping @Sendable (
                Daemon, Request, SessionDocument
            ) throws(ControlError) -> [Mutation]
    ) where Request.Reply == PlayersReply {
        onLater(type, &router) { daemon, request, answer throws(ControlError) in
            let session = try daemon.session(session(request))
            let document = daemon.draft(session).document
            // Who sits where and with whom decides who has won; a name does not.
            guard !document.isFinished || type == PlayerRenameRequest.self else {
                throw ControlError(
                    .refused,
                    "the session is finished; reopen it to change who plays"
                )
            }
            let mutations = try change(daemon, request, document)
            daemon.write(mutations, to: session) { result in
                answer(result.map { daemon.playersReply(session) })
            }
        }
    }

    func playersReply(_ session: SessionID) -> PlayersReply {
        let me = held[session]?.me
        let document = document(session)
        let players = document.players.enumerated().map { place, player in
            PlayerSummary(
                id: player.id.description,
                name: player.name,
                seat: place + 1,
                removed: !player.isPresent,
                me: player.id == me,
                team: player.team,
                computer: player.computer.map { computer in
                    ComputerSummary(
                        device: name(of: computer.device, in: session),
                        here: ownComputer(player.id, in: session) != nil,
                        depth: computer.depth
                    )
                }
            )
        }
        return PlayersReply(players: players)
    }

    /// Checks the names of new players: sound, and unlike those of the others.
    func newNames(_ texts: [String], beside others: [Player]) throws(ControlError) -> [String] {
        var taken = Set(others.filter(\.isPresent).map { $0.name.lowercased() })
        var names: [String] = []
        for text in texts {
            let name = try Daemon.name(text, of: "a player's name")
            guard !EntryParser.isEntry(name) else {
                throw ControlError(
                    .refused,
                    "“\(name)” reads as a score; choose a name that does not"
                )
            }
            guard taken.insert(name.lowercased()).inserted else {
                throw ControlError(
                    .refused,
                    "there is a player “\(name)” already; add a letter to tell both apart"
                )
            }
            names.append(name)
        }
        guard others.count + names.count <= Daemon.mostPlayers else {
            throw ControlError(.refused, "a session has at most \(Daemon.mostPlayers) players")
        }
        return names
    }

    private func add(
        _ request: PlayerAddRequest,
        to document: SessionDocument
    ) throws(ControlError) -> [Mutation] {
        let texts = request.names
        let computer = try computer(of: request, in: document)
        guard !texts.isEmpty else { throw ControlError(.usage, "name a player") }
        let removed = document.players.filter { !$0.isPresent }.map { $0.name.lowercased() }
        if let again = texts.first(where: { removed.contains($0.lowercased()) }) {
            throw ControlError(
                .refused,
                "“\(again)” was removed; bring them and their scores back with: "
                    + "scorectl player restore \(again)"
            )
        }
        let names = try newNames(texts, beside: document.players)
        try refuseCrowd(adding: names.count, to: document)
        let added = names.map { (id: PlayerID.random(using: &generator), name: $0) }
        return added.flatMap { Mutation.add($0.id, name: $0.name) }
            + added.flatMap { player in computer.map { [.computer(player.id, $0)] } ?? [] }
            + [.seats((document.players.map(\.id) + added.map(\.id)))]
    }

    /// Refuses players for whom a session has no seats; of an unknown game nothing is refused.
    private func refuseCrowd(adding count: Int, to document: SessionDocument) throws(ControlError) {
        guard let sheet = try? sheet(of: document) else { return }
        try Daemon.refuseCrowd(
            of: document.players.count(where: \.isPresent) + count,
            in: Book(document),
            by: sheet,
            hint: "To let somebody play in another's place: scorectl player remove NAME."
        )
    }

    /// Refuses more players than a game is for, with what may help.
    static func refuseCrowd(
        of count: Int,
        in book: Book,
        by sheet: Sheet,
        hint: String?
    ) throws(ControlError) {
        guard let violation = sheet.violation(ofCrowd: count, in: book) else { return }
        let hints = sheet.ways(toSeat: count) + [hint].compactMap(\.self)
        throw ControlError(.refused, (["\(violation)."] + hints).joined(separator: " "))
    }

    private func restore(
        _ request: PlayerRestoreRequest,
        to document: SessionDocument
    ) throws(ControlError) -> [Mutation] {
        let removed = document.players.filter { !$0.isPresent }
        let restored = try players(request.players, among: removed)
        try refuseCrowd(adding: restored.count, to: document)
        return restored.map { .membership(of: $0.id, isPresent: true) }
    }

    private func team(
        _ request: PlayerTeamRequest,
        in document: SessionDocument
    ) throws(ControlError) -> [Mutation] {
        var team: String?
        if let text = request.team { team = try Daemon.name(text, of: "a team's name") }
        return try players(request.players, among: document.players)
            .map { .team(of: $0.id, team) }
    }

    private func chooseMe(
        _ request: PlayerMeRequest,
        then answer: @escaping @Sendable (Result<PlayersReply, ControlError>) -> Void
    ) throws(ControlError) {
        let session = try session(request.session)
        var me: PlayerID?
        var people: [String] = []
        if let text = request.player {
            let present = document(session).players.filter(\.isPresent)
            let player = try player(text, among: present)
            guard player.computer == nil else {
                throw ControlError(.refused, "\(player.name) is a computer; name a person")
            }
            me = player.id
            // Whoever sits here plays with all of them, whichever laptop has entered their names.
            people = present.filter { $0.computer == nil }.map(\.name)
        }
        store.perform(
            { [me] store throws(StoreError) in
                try store.set(Setting.me, of: session, to: me?.description)
            },
            completion: { @Sendable [weak self, me, people] result in
                guard let self else { return }
                if case .failure(let error) = result {
                    return answer(.failure(ControlError(.failed, "\(error)")))
                }
                held[session]?.me = me
                notePeople(people)
                watchers.changed(session)
                answer(.success(playersReply(session)))
            }
        )
    }
}
