import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The rooms of the daemon, built in the order in which they need each other: owns them all.
///
/// It is where to see who knows whom; only the shell sees it.
@EventLoop
struct DaemonContext {
    let ground: CoreServices
    let watchers: Watchers
    let notes: DeviceSettings
    let sessions: SessionCatalog
    let commits: SessionCommits
    let writer: SessionWriter
    let lifecycle: SessionLifecycle
    let successors: NextGames
    let results: Results
    let games: GameServices
    let peers: PeerServices

    init(_ home: OpenedHome, _ options: DaemonOptions, _ ground: CoreServices) {
        self.ground = ground
        let (queue, log, alarms) = (ground.queue, ground.log, ground.alarms)
        let (storage, driver) = (ground.storage, ground.driver)
        watchers = Watchers(on: queue)
        notes = DeviceSettings(home.roster, home.memory, storage)
        sessions = SessionCatalog(driver, alarms, current: home.current)
        commits = SessionCommits(sessions, storage, driver, alarms)
        writer = SessionWriter(driver)
        let userSheets = UserSheets(home.games, unreadable: home.unreadableGames)
        results = Results(sessions, userSheets, storage, on: queue)
        games = GameServices(userSheets, sessions, notes, writer, ground)
        let addresses = PeerAddresses(options.peers, sessions, watchers, driver, alarms, on: queue)
        let invites = Invites(sessions, driver, log, on: queue)
        lifecycle = SessionLifecycle(
            sessions,
            addresses,
            invites,
            watchers,
            notes,
            userSheets,
            storage,
            driver,
            alarms,
            journalLines: options.journalLines
        )
        successors = NextGames(sessions, lifecycle, notes, watchers, alarms, log, on: queue)
        peers = PeerServices(options, sessions, lifecycle, addresses, invites, watchers, ground)
    }

    /// Lets the engine run, and opens the network and the sessions of the home.
    func start(_ home: OpenedHome) {
        for notice in home.notices { ground.alarms.raise(.storage, notice, notice) }
        let driver = ground.driver
        let runner = EffectRunner(
            sessions: sessions,
            commits: commits,
            writer: writer,
            successors: successors,
            computers: games.computers,
            watchers: watchers,
            network: peers.network,
            links: peers.links,
            timer: EngineTimer(on: ground.queue) { driver.handle(.timePassed) },
            alarms: ground.alarms,
            log: ground.log
        )
        driver.runs(runner.run)
        peers.network.open()
        for session in home.sessions { lifecycle.adopt(session) }
        for session in home.unreadable { lifecycle.hold(session) }
        driver.handle(.timePassed)
    }
}

/// The services that all others need: the queue, the engine on it, the store, log and alarms.
@EventLoop
struct CoreServices {
    let queue: EventQueue
    let log: Log
    let alarms: Alarms
    let storage: Storage
    let driver: EngineDriver

    /// The ground over a home, with an engine that holds nothing yet.
    init(_ home: OpenedHome, _ log: Log, on queue: EventQueue) {
        self.queue = queue
        self.log = log
        alarms = Alarms(log)
        storage = Storage(home.store, alarms)
        var generator = SystemRandomNumberGenerator()
        let device = Device(
            id: home.device,
            instance: .random(using: &generator),
            name: home.name
        )
        driver = EngineDriver(SyncEngine(device: device, generator: generator), on: queue)
    }

    /// This device and this run.
    var device: Device { driver.engine.device }
}

/// The rooms about games: which there are, how they are set, and who moves.
@EventLoop
struct GameServices {
    let userSheets: UserSheets
    let options: GameOptions
    let moves: Moves
    let computers: ComputerPlayers

    init(
        _ userSheets: UserSheets,
        _ sessions: SessionCatalog,
        _ notes: DeviceSettings,
        _ writer: SessionWriter,
        _ ground: CoreServices
    ) {
        let device = ground.device.id
        self.userSheets = userSheets
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
@EventLoop
struct PeerServices {
    let addresses: PeerAddresses
    let invites: Invites
    let joining: Joining
    let links: Links
    let network: PeerNetwork

    init(
        _ options: DaemonOptions,
        _ sessions: SessionCatalog,
        _ lifecycle: SessionLifecycle,
        _ addresses: PeerAddresses,
        _ invites: Invites,
        _ watchers: Watchers,
        _ ground: CoreServices
    ) {
        let (queue, log, driver) = (ground.queue, ground.log, ground.driver)
        self.addresses = addresses
        self.invites = invites
        joining = Joining(sessions, lifecycle, addresses, watchers, driver, log, on: queue)
        links = Links(sessions, driver, log, on: queue)
        network = PeerNetwork(
            options,
            links,
            invites,
            joining,
            driver,
            ground.alarms,
            log,
            on: queue
        )
    }
}

extension DaemonContext {
    /// The handlers of all calls; `stop` ends the daemon once the answer is on its way.
    func router(home: String, stop: @escaping @EventLoop () -> Void) -> ControlRouter {
        var router = ControlRouter()
        registerSessions(on: &router)
        registerPlay(on: &router)
        registerFiles(on: &router)
        let catalog = GameCatalog(userSheets: games.userSheets)
        GameCalls(
            sessions: sessions,
            games: catalog,
            userSheets: games.userSheets,
            storage: ground.storage,
            watchers: watchers
        )
        .register(on: &router)
        PeopleCalls(notes: notes).register(on: &router)
        ResultCalls(results: results, userSheets: games.userSheets, notes: notes).register(
            on: &router
        )
        PeerCalls(
            sessions: sessions,
            peers: peerList,
            addresses: peers.addresses,
            network: peers.network
        )
        .register(on: &router)
        BackupCalls(storage: ground.storage, home: home).register(on: &router)
        DaemonCalls(
            sessions: sessions,
            summaries: summaries,
            network: peers.network,
            driver: ground.driver,
            alarms: ground.alarms,
            storage: ground.storage,
            home: home,
            stop: stop
        )
        .register(on: &router)
        DiagnosisCalls(
            sessions: sessions,
            peers: peers,
            driver: ground.driver,
            storage: ground.storage,
            alarms: ground.alarms,
            home: home
        )
        .register(on: &router)
        return router
    }

    private func registerFiles(on router: inout ControlRouter) {
        ExportCalls(sessions, ground.storage, by: ground.device, on: ground.queue)
            .register(on: &router)
        ImportCalls(
            Importer(sessions, lifecycle, writer, ground.storage, ground.driver),
            ground.queue
        )
        .register(on: &router)
    }

    func mending(
        _ damaged: [(file: String, text: String)],
        home: String,
        whenReplaced: @escaping () -> Void
    ) -> DatabaseRepair {
        let (storage, driver, alarms) = (ground.storage, ground.driver, ground.alarms)
        return DatabaseRepair(
            sessions,
            storage,
            driver,
            alarms,
            damaged,
            home: home,
            whenReplaced: whenReplaced
        )
    }

    /// The copies that are kept of a home by themselves.
    func weeklyCopies(home: String) -> WeeklyBackups {
        WeeklyBackups(BackupDirectory(home: home), ground.storage, ground.alarms, ground.log)
    }

    private var summaries: SessionSummaries {
        SessionSummaries(sessions: sessions, invites: peers.invites, driver: ground.driver)
    }

    private var peerList: PeerList { PeerList(sessions: sessions, driver: ground.driver) }

    private func registerSessions(on router: inout ControlRouter) {
        SessionCalls(
            sessions: sessions,
            summaries: summaries,
            lifecycle: lifecycle,
            invites: peers.invites,
            joining: peers.joining,
            peers: peerList,
            writer: writer,
            driver: ground.driver
        )
        .register(on: &router)
        NewSessionCalls(
            lifecycle: lifecycle,
            summaries: summaries,
            games: GameCatalog(userSheets: games.userSheets),
            options: games.options,
            notes: notes,
            driver: ground.driver,
            log: ground.log
        )
        .register(on: &router)
        NextGameCalls(
            sessions,
            lifecycle,
            summaries,
            games.options,
            notes,
            writer,
            by: ground.driver
        )
        .register(on: &router)
        RestoreCalls(
            sessions: sessions,
            summaries: summaries,
            userSheets: games.userSheets,
            writer: writer,
            storage: ground.storage
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
            storage: ground.storage,
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
                driver: ground.driver,
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
            driver: ground.driver,
            alarms: ground.alarms
        )
        SheetCalls(sessions: sessions, sheets: sheets, watchers: watchers).register(on: &router)
        ChartCalls(sessions: sessions, queue: ground.queue).register(on: &router)
        HistoryCalls(sessions: sessions, storage: ground.storage).register(on: &router)
        WaitCalls(
            sessions: sessions,
            watchers: watchers,
            driver: ground.driver,
            queue: ground.queue
        )
        .register(on: &router)
    }
}

extension ControlRouter {
    /// Answers a method at once; an error that is thrown becomes the answer.
    mutating func answer<Parameters, Reply>(
        _ method: Method<Parameters, Reply>,
        with reply: @escaping @EventLoop (Parameters) throws(ControlError) -> Reply
    ) {
        on(method) { parameters, call in
            do throws(ControlError) { call.respond(try reply(parameters)) } catch {
                call.fail(error)
            }
        }
    }

    /// Answers a method when asynchronous work is done; an error that is thrown becomes the answer.
    mutating func answer<Parameters: Sendable, Reply>(
        _ method: Method<Parameters, Reply>,
        with reply: @escaping @EventLoop (Parameters) async throws(ControlError) -> Reply
    ) {
        answerConnection(method) { parameters, _ async throws(ControlError) in
            try await reply(parameters)
        }
    }

    /// The same for methods whose work belongs to a connection.
    mutating func answerConnection<Parameters: Sendable, Reply>(
        _ method: Method<Parameters, Reply>,
        with reply:
            @escaping @EventLoop (Parameters, ControlConnection) async throws(ControlError) -> Reply
    ) {
        on(method) { parameters, call in
            EventLoop.start {
                do throws(ControlError) {
                    call.respond(try await reply(parameters, call.connection))
                } catch { call.fail(error) }
            }
        }
    }
}
