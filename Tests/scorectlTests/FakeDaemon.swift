import ControlSocket
import Dispatch
import QueueKit
import SessionCRDT
import SyncProtocol
import Synchronization

/// A daemon that answers every call with a canned document and records the calls.
final class FakeDaemon: Sendable {
    let listener: ControlListener
    private let thread = QueueThread()
    /// Signalled when the listener was told to stop, by a call or after a watcher's last event.
    let stopped = DispatchSemaphore(value: 0)
    private let asked = Asked()

    /// The calls so far.
    final class Asked: Sendable {
        let calls = Mutex<[String]>([])

        func note<Parameters, Reply>(
            _ method: Method<Parameters, Reply>,
            _ parameters: Parameters
        ) {
            let json = (try? ControlJSON.encode(parameters)) ?? []
            let text = String(decoding: json, as: UTF8.self)
            calls.withLock { $0.append(method.name + " " + text) }
        }
    }

    /// A daemon of a home; with an error it answers every call with that, and a watcher gets the
    /// events.
    init(
        home: TemporaryHome,
        error: ControlError? = nil,
        players: PlayersReply = FakeDaemon.lobby,
        events: [WatchEvent] = [WatchEvent(seq: 1, .snapshot(Sample.friday))],
        stopAfterEvents: Bool = false,
        program: String = Versions.program,
        build: ProgramBuild? = nil,
        options: [String] = [],
        speaking versions: ClosedRange<Int> = Versions.control
    ) throws {
        let paths = try Harness.paths(home.path)
        var router = ControlRouter()
        let asked = asked
        Self.register(&router, home: home, asked, players, error)
        let stopper = Stopper()
        let stopped = stopped
        router.on(.stopDaemon) { request, call in
            asked.note(.stopDaemon, request)
            call.respond(Done())
            stopper.stop()
            stopped.signal()
        }
        router.on(.watch) { request, call in
            asked.note(.watch, request)
            if let error { return call.fail(error) }
            call.respond(Done())
            for event in events {
                let frame = try? RPCEncoding.notification(WatchEvent.method, event)
                if let frame { call.connection.send(frame) }
            }
            guard stopAfterEvents else { return }
            stopper.stop()
            stopped.signal()
        }
        listener = try ControlListener(
            paths: paths,
            lock: ControlLock(paths),
            queue: thread.queue,
            router: router,
            program: program,
            build: build,
            options: options,
            speaking: versions
        )
        stopper.listener.withLock { [listener] in $0 = listener }
        listener.start()
    }

    deinit { listener.stop() }

    /// The calls so far, a line each: the method and its parameters.
    var calls: [String] { asked.calls.withLock { $0 } }

    /// Lets a call stop the listener that it came through.
    private final class Stopper: Sendable {
        let listener = Mutex<ControlListener?>(nil)

        func stop() {
            listener.withLock { listener in
                listener?.stop()
                listener = nil
            }
        }
    }

    /// Lets every call be answered with its canned document, or with the error.
    private static func register(
        _ router: inout ControlRouter,
        home: TemporaryHome,
        _ asked: Asked,
        _ players: PlayersReply,
        _ error: ControlError?
    ) {
        func on<Parameters, Reply>(_ method: Method<Parameters, Reply>, _ reply: Reply) {
            router.on(method) { request, call in
                asked.note(method, request)
                if let error { call.fail(error) } else { call.respond(reply) }
            }
        }
        let session = SessionReply(session: Sample.session)
        router.on(.newSession) { request, call in
            asked.note(.newSession, request)
            if let error { return call.fail(error) }
            // The daemon knows who plays here, unless the players are named without saying it.
            var reply = session
            if !request.players.isEmpty, request.me == nil { reply.session.me = nil }
            call.respond(reply)
        }
        on(.session, session)
        on(.useSession, session)
        on(.renameSession, session)
        on(.finish, session)
        var joined = JoinReply(session: Sample.session)
        joined.session.me = players.items.first(where: \.me)?.name
        on(.join, joined)
        on(.nearby, NearbyReply([Sample.nearby]))
        on(.knock, Sample.knock)
        on(.knocks, KnocksReply(Sample.knocks))
        on(.admit, AdmitReply(laptop: "bob-laptop", answer: .yes))
        on(.sessions, SessionListReply([Sample.session]))
        on(.invite, invite)
        on(.options, Sample.options)
        let games = [Sample.hearts, Sample.points, Sample.tichu]
        on(.games, GameListReply(games))
        router.on(.searchGames) { request, call in
            asked.note(.searchGames, request)
            if let error { return call.fail(error) }
            call.respond(GameListReply(request.words == ["nothing"] ? [] : Sample.found))
        }
        on(.game, GameReply(game: Sample.tichu, sheet: Sample.tichuSheet))
        on(.addGame, GameChangeReply(game: Sample.tichu, before: 1))
        on(.players, players)
        on(.addPlayers, lobby)
        on(.removePlayers, lobby)
        on(.restorePlayers, lobby)
        on(.renamePlayer, lobby)
        on(.orderPlayers, lobby)
        on(.shufflePlayers, lobby)
        on(.chooseMe, lobby)
        on(.setTeam, lobby)
        registerPeople(&router, asked, error)
        on(.score, written)
        on(.clear, written)
        on(.undo, written)
        on(.resolve, written)
        on(.play, Sample.played)
        on(.show, Sample.friday)
        on(.wait, Done())
        on(.conflicts, conflicts)
        on(.history, history)
        on(.peers, PeerListReply(Sample.peers))
        on(.addPeer, Done())
        on(.removePeer, Done())
        on(.status, status(home.path))
        on(.setOffline, Done())
        on(.renameDaemon, DaemonRenameReply(name: "kitchen", before: "cleo-laptop"))
    }

    /// The calls about people and finished games; some ask until they are confirmed.
    private static func registerPeople(
        _ router: inout ControlRouter,
        _ asked: Asked,
        _ error: ControlError?
    ) {
        func on<Parameters, Reply>(
            _ method: Method<Parameters, Reply>,
            _ reply: @escaping @Sendable (Parameters) -> Reply
        ) {
            router.on(method) { request, call in
                asked.note(method, request)
                if let error { call.fail(error) } else { call.respond(reply(request)) }
            }
        }
        let people = Sample.people
        on(.people) { _ in people }
        on(.addPeople) { _ in people }
        on(.removePeople) { _ in people }
        on(.renamePerson) { _ in people }
        on(.selectPeople) { _ in people }
        on(.shufflePeople) { _ in people }
        on(.results) { _ in Sample.results }
        on(.addResults) { AddedResultsReply(added: $0.plays.count, known: 0) }
        on(.leaders) { _ in Sample.leaders }
        on(.statistics) { _ in Sample.statistics }
        on(.resetStatistics) { request in
            let text = "Let leaders and statistics of Darts start anew on this laptop?"
            let question = request.unanswered(Question(text, token: "t"))
            return StatsResetReply(forgotten: 12, question: question)
        }
        on(.removeGame) { request in
            var reply = GameChangeReply(game: Sample.tichu, before: 2)
            reply.question = request.unanswered(Question("Remove “Tichu”?", token: "t"))
            return reply
        }
        on(.leave) { request in
            let text =
                "2 of your scores are on no other laptop and would be lost. Leave all the same?"
            return SessionChangeReply(question: request.unanswered(Question(text, token: "t")))
        }
        on(.restoreSheet) { request in
            let question = request.unanswered(Question("Put it back?", token: "t"))
            return SessionChangeReply(question: question)
        }
        on(.reset) { request in
            ResetReply(question: request.unanswered(Question("Clear it?", token: "t")), cells: 2)
        }
        on(.nextGame) { request in
            let question = Question("The leg in progress will not count. Go on?", token: "t")
            return request.token == "t"
                ? SessionChangeReply(session: Sample.session).with { $0.notes = ["Mind the step."] }
                : SessionChangeReply(question: question)
        }
    }

    private static let invite = InviteReply(
        code: "7K3MQ-ZX2RV-9WTPA",
        expires: Sample.time(minutesAgo: -30)
    )

    static let lobby = PlayersReply([
        PlayerSummary(id: "a", name: "Ann", seat: 1),
        PlayerSummary(id: "b", name: "Bob", seat: 2).with { $0.me = true },
        PlayerSummary(id: "d", name: "Dan", seat: 3).with { $0.removed = true },
    ])

    /// The players of `lobby`, none of whom plays at this laptop.
    static let strangers = PlayersReply(lobby.items.map { $0.with { $0.me = false } })

    private static let written = WrittenReply(
        player: "Ann",
        cells: [
            WrittenCell(row: "round", label: "Round 3", round: 3, value: .integer(15)).with {
                $0.replaced = [.integer(12), .null]
            }
        ],
        total: 60,
        notes: ["Ann was removed elsewhere and is back."]
    )

    private static let conflicts = ConflictsReply([
        ConflictSummary(
            player: "Cleo O'Hara",
            row: "round",
            round: 1,
            values: [
                AttributedValue(value: .integer(12), by: "ann-laptop", at: Sample.time()),
                AttributedValue(value: .null, by: "bob-laptop", at: Sample.time(minutesAgo: 90)),
            ]
        ),
        ConflictSummary(
            player: "Bob",
            row: "letter",
            round: 2,
            values: [
                AttributedValue(value: .text("da open"), by: "ann-laptop", at: Sample.time()).with {
                    $0.text = "A (DA…)"
                    $0.typed = "a"
                },
                AttributedValue(value: .text("x"), by: "bob-laptop", at: Sample.time()),
            ]
        ),
    ])

    private static let history = HistoryReply([
        HistoryEntry(
            player: "Ann",
            row: "round",
            value: .integer(15),
            by: "ann-laptop",
            at: Sample.time(minutesAgo: 2)
        ).with {
            $0.round = 3
            $0.replaced = [.integer(12)]
            $0.winner = true
        },
        HistoryEntry(
            player: "Bob",
            row: "note",
            value: .text("late"),
            by: "bob-laptop",
            at: Sample.time(minutesAgo: 60 * 30)
        ),
    ])

    private static func status(_ home: String) -> StatusReply {
        StatusReply(
            daemon: DaemonSummary(
                version: "0.1.0",
                device: "d0",
                name: "cleo-laptop",
                instance: "i0"
            ).with {
                $0.home = home
                $0.port = 47_615
                $0.pid = 4711
                $0.offline = true
            },
            sessions: [Sample.session],
            alarms: [Alarm(kind: "clock-skew", text: "the clock of bob-laptop is 90 s behind")]
        )
    }
}
