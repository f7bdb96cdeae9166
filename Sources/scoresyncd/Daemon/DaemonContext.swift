import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The rooms of the daemon, built in the order in which they need each other: owns them all.
///
/// It is where to see who knows whom; only the shell sees it.
struct Rooms {
    let ground: Ground
    let watchers: Watchers
    let notes: DeviceNotes
    let sessions: SessionCatalog
    let commits: Commits
    let writer: SessionWriter
    let intake: SessionIntake
    let successors: Successors
    let results: Results
    let games: GameRooms
    let peers: PeerRooms

    init(_ home: OpenedHome, _ options: DaemonOptions, _ ground: Ground) {
        self.ground = ground
        let (queue, log, alarms) = (ground.queue, ground.log, ground.alarms)
        let (disk, loop) = (ground.disk, ground.loop)
        watchers = Watchers(on: queue)
        notes = DeviceNotes(home.roster, home.memory, disk)
        sessions = SessionCatalog(loop, alarms, current: home.current)
        commits = Commits(sessions, disk, loop, alarms)
        writer = SessionWriter(loop)
        let shelf = SheetShelf(home.games, unreadable: home.unreadableGames)
        results = Results(sessions, shelf, disk, on: queue)
        games = GameRooms(shelf, sessions, notes, writer, ground)
        let addresses = PeerAddresses(options.peers, sessions, watchers, loop, alarms, on: queue)
        let invites = Invites(sessions, loop, log, on: queue)
        intake = SessionIntake(
            sessions,
            addresses,
            invites,
            watchers,
            notes,
            shelf,
            disk,
            loop,
            alarms,
            journalLines: options.journalLines
        )
        successors = Successors(sessions, intake, notes, watchers, alarms, log, on: queue)
        peers = PeerRooms(options, sessions, intake, addresses, invites, watchers, ground)
    }

    /// Lets the engine run, and opens the network and the sessions of the home.
    func start(_ home: OpenedHome) {
        for notice in home.notices { ground.alarms.raise(.storage, notice, notice) }
        let loop = ground.loop
        let runner = EffectRunner(
            sessions: sessions,
            commits: commits,
            writer: writer,
            successors: successors,
            computers: games.computers,
            watchers: watchers,
            network: peers.network,
            links: peers.links,
            timer: EngineTimer(on: ground.queue) { loop.handle(.timePassed) },
            alarms: ground.alarms,
            log: ground.log
        )
        loop.runs(runner.run)
        peers.network.open()
        for session in home.sessions { intake.adopt(session) }
        for session in home.unreadable { intake.hold(session) }
        loop.handle(.timePassed)
    }
}

/// What every room stands on: the queue, the engine on it, the disk, and what is told to people.
struct Ground {
    let queue: EventQueue
    let log: Log
    let alarms: Alarms
    let disk: Disk
    let loop: EngineLoop

    /// The ground over a home, with an engine that holds nothing yet.
    init(_ home: OpenedHome, _ log: Log, on queue: EventQueue) {
        self.queue = queue
        self.log = log
        alarms = Alarms(log)
        disk = Disk(home.store, alarms)
        var generator = SystemRandomNumberGenerator()
        let device = Device(
            id: home.device,
            instance: .random(using: &generator),
            name: home.name
        )
        loop = EngineLoop(SyncEngine(device: device, generator: generator), on: queue)
    }

    /// This device and this run.
    var device: Device { loop.engine.device }
}

/// The rooms about games: which there are, how they are set, and who moves.
struct GameRooms {
    let shelf: SheetShelf
    let options: GameOptions
    let moves: Moves
    let computers: ComputerPlayers

    init(
        _ shelf: SheetShelf,
        _ sessions: SessionCatalog,
        _ notes: DeviceNotes,
        _ writer: SessionWriter,
        _ ground: Ground
    ) {
        let device = ground.device.id
        self.shelf = shelf
        options = GameOptions(notes, on: ground.queue)
        moves = Moves(options: options, writer: writer)
        computers = ComputerPlayers(
            sessions,
            moves,
            of: device,
            ground.log,
            on: ground.queue
        )
    }
}

/// The rooms about other devices: where they are, how they are linked, and who is let in.
struct PeerRooms {
    let addresses: PeerAddresses
    let invites: Invites
    let joining: Joining
    let links: Links
    let network: PeerNetwork

    init(
        _ options: DaemonOptions,
        _ sessions: SessionCatalog,
        _ intake: SessionIntake,
        _ addresses: PeerAddresses,
        _ invites: Invites,
        _ watchers: Watchers,
        _ ground: Ground
    ) {
        let (queue, log, loop) = (ground.queue, ground.log, ground.loop)
        self.addresses = addresses
        self.invites = invites
        joining = Joining(sessions, intake, addresses, watchers, loop, log, on: queue)
        links = Links(sessions, loop, log, on: queue)
        network = PeerNetwork(
            options,
            links,
            invites,
            joining,
            loop,
            ground.alarms,
            log,
            on: queue
        )
    }
}

extension Rooms {
    /// Which call is answered by whom; `stop` ends the daemon once the answer is on its way.
    func router(home: String, stop: @escaping @Sendable () -> Void) -> ControlRouter {
        var router = ControlRouter()
        registerSessions(on: &router)
        registerPlay(on: &router)
        registerFiles(on: &router)
        let catalog = GameCatalog(shelf: games.shelf)
        GameCalls(
            sessions: sessions,
            games: catalog,
            shelf: games.shelf,
            disk: ground.disk,
            watchers: watchers
        )
        .register(on: &router)
        PeopleCalls(notes: notes).register(on: &router)
        ResultCalls(results: results, shelf: games.shelf, notes: notes).register(on: &router)
        PeerCalls(
            sessions: sessions,
            peers: peerList,
            addresses: peers.addresses,
            network: peers.network
        )
        .register(on: &router)
        BackupCalls(disk: ground.disk, home: home).register(on: &router)
        DaemonCalls(
            sessions: sessions,
            summaries: summaries,
            network: peers.network,
            loop: ground.loop,
            alarms: ground.alarms,
            disk: ground.disk,
            home: home,
            stop: stop
        )
        .register(on: &router)
        DiagnosisCalls(
            sessions: sessions,
            peers: peers,
            loop: ground.loop,
            disk: ground.disk,
            alarms: ground.alarms,
            home: home
        )
        .register(on: &router)
        return router
    }

    private func registerFiles(on router: inout ControlRouter) {
        ExportCalls(sessions, ground.disk, by: ground.device, on: ground.queue)
            .register(on: &router)
        ImportCalls(Importer(sessions, intake, writer, ground.disk, ground.loop), ground.queue)
            .register(on: &router)
    }

    /// What is done where the disk is damaged or gone.
    func mending(
        _ damaged: [(file: String, text: String)],
        home: String,
        whenReplaced: @escaping () -> Void
    ) -> Mending {
        let (disk, loop, alarms) = (ground.disk, ground.loop, ground.alarms)
        return Mending(
            sessions,
            disk,
            loop,
            alarms,
            damaged,
            home: home,
            whenReplaced: whenReplaced
        )
    }

    /// The copies that are kept of a home by themselves.
    func weeklyCopies(home: String) -> WeeklyCopies {
        WeeklyCopies(BackupDirectory(home: home), ground.disk, ground.alarms, ground.log)
    }

    private var summaries: SessionSummaries {
        SessionSummaries(sessions: sessions, invites: peers.invites, loop: ground.loop)
    }

    private var peerList: PeerList { PeerList(sessions: sessions, loop: ground.loop) }

    private func registerSessions(on router: inout ControlRouter) {
        SessionCalls(
            sessions: sessions,
            summaries: summaries,
            intake: intake,
            invites: peers.invites,
            joining: peers.joining,
            peers: peerList,
            writer: writer,
            loop: ground.loop
        )
        .register(on: &router)
        NewSessionCalls(
            intake: intake,
            summaries: summaries,
            games: GameCatalog(shelf: games.shelf),
            options: games.options,
            notes: notes,
            loop: ground.loop,
            log: ground.log
        )
        .register(on: &router)
        NextGameCalls(
            sessions,
            intake,
            summaries,
            games.options,
            notes,
            writer,
            by: ground.loop
        )
        .register(on: &router)
        RestoreCalls(
            sessions: sessions,
            summaries: summaries,
            shelf: games.shelf,
            writer: writer,
            disk: ground.disk
        )
        .register(on: &router)
        OptionCalls(sessions: sessions, options: games.options, notes: notes, writer: writer)
            .register(on: &router)
        PlayerCalls(
            sessions: sessions,
            computers: games.computers,
            watchers: watchers,
            notes: notes,
            writer: writer,
            log: ground.log
        )
        .register(on: &router)
    }

    private func registerPlay(on router: inout ControlRouter) {
        let device = ground.device.id
        let scores = ScoreCalls(
            sessions: sessions,
            computers: games.computers,
            writer: writer,
            device: device
        )
        let undos = UndoCalls(
            sessions: sessions,
            writer: writer,
            computers: games.computers,
            disk: ground.disk,
            device: device
        )
        let plays = PlayCalls(
            sessions: sessions,
            moves: games.moves,
            options: games.options,
            computers: games.computers,
            replies: PlayReplies(
                computers: games.computers,
                watchers: watchers,
                loop: ground.loop,
                queue: ground.queue,
                device: device
            ),
            writer: writer
        )
        scores.register(on: &router)
        undos.register(on: &router)
        plays.register(on: &router)
        PhoneCalls(
            sessions: sessions,
            scores: scores,
            plays: plays,
            undos: undos,
            options: games.options
        )
        .register(on: &router)
        let sheets = SheetReader(
            sessions: sessions,
            successors: successors,
            peers: peerList,
            loop: ground.loop,
            alarms: ground.alarms
        )
        SheetCalls(sessions: sessions, sheets: sheets, watchers: watchers).register(on: &router)
        ChartCalls(sessions: sessions, queue: ground.queue).register(on: &router)
        HistoryCalls(sessions: sessions, disk: ground.disk).register(on: &router)
        WaitCalls(
            sessions: sessions,
            watchers: watchers,
            loop: ground.loop,
            queue: ground.queue
        )
        .register(on: &router)
    }
}

/// Answers a call, once, on the daemon's queue.
typealias Answer<Reply> = @Sendable (Result<Reply, ControlError>) -> Void

extension ControlRouter {
    /// Answers a method at once; an error that is thrown becomes the answer.
    mutating func answer<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        with reply: @escaping @Sendable (Parameters) throws(ControlError) -> Reply
    ) {
        on(method) { parameters, call in
            do throws(ControlError) { call.respond(try reply(parameters)) } catch {
                call.fail(error)
            }
        }
    }

    /// Answers a method when the last argument of `body` is called; an error that is thrown
    /// becomes the answer.
    mutating func answerLater<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        with body:
            @escaping @Sendable (Parameters, @escaping Answer<Reply>) throws(ControlError) -> Void
    ) {
        on(method) { parameters, call in
            do throws(ControlError) { try body(parameters) { call.respond($0) } } catch {
                call.fail(error)
            }
        }
    }
}
