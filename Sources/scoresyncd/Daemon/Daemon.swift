import CPlatform
import ControlSocket
import Descriptors
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The daemon: owns its parts, starts them, runs regular checks, and stops.
///
/// Everything runs on one event queue: sockets, completions of the store, and calls of clients. The
/// parts live as long as the process, so they may retain each other; each part reaches the other
/// ones through ``DaemonPart``.
@EventLoop
final class Daemon {
    let options: DaemonOptions
    let home: String
    /// The copy that is used because the home can only be read; nil if it is writable.
    let copy: ReadOnlyCopy?
    let queue: EventQueue
    let log: Log
    let alarms: Alarms
    let storage: Storage
    let driver: EngineDriver
    let watchers: Watchers
    let settings: DeviceSettings
    let userSheets: UserSheets
    private(set) lazy var sessions = SessionCatalog(self)
    private(set) lazy var nextGames = NextGames(self)
    private(set) lazy var writer = SessionWriter(driver)
    private(set) lazy var commits = SessionCommits(self)
    private(set) lazy var gameOptions = GameOptions(settings, on: queue)
    private(set) lazy var computers = ComputerPlayers(self)
    private(set) lazy var addresses = PeerAddresses(self)
    private(set) lazy var invites = Invites(self)
    private(set) lazy var joining = Joining(self)
    private(set) lazy var knocks = Knocks(self)
    private(set) lazy var nearby = Nearby(self)
    private(set) lazy var links = Links(self)
    private(set) lazy var network = PeerNetwork(self)
    private(set) lazy var timer = EngineTimer(on: queue) { [driver] in driver.handle(.timePassed) }
    private lazy var repairMonitor = RepairMonitor(self)
    private lazy var backups = WeeklyBackups(BackupDirectory(home: home), storage, alarms, log)

    private var control: ControlListener?
    private var ticks: DescriptorEvents?
    private var lastSlept = Clock.slept
    private var tickCount = 0
    private var isStopping = false
    /// Whether the program starts again when it has stopped.
    private var isRestarting = false
    /// The last logged warning about the control socket; empty if there is none.
    private var socketWarning = ""

    /// The interval of the regular checks, in seconds.
    private static let tickSeconds = 5

    /// Creates the daemon of a home; its engine has no sessions yet.
    init(_ home: OpenedHome, _ options: DaemonOptions, _ log: Log, on queue: EventQueue) {
        self.options = options
        (self.home, copy) = (home.directory, home.copy)
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
        watchers = Watchers(on: queue)
        settings = DeviceSettings(home.roster, home.memory, storage)
        userSheets = UserSheets(home.games, unreadable: home.unreadableGames)
        sessions.current = home.current
    }

    /// Loads the sessions of the home, and starts listening and announcing.
    func start(
        _ home: OpenedHome,
        _ paths: ControlPaths,
        _ lock: ControlLock
    ) throws(ControlError) {
        for notice in home.notices + [copy?.notice].compactMap(\.self) {
            alarms.raise(.storage, notice, notice)
        }
        driver.start(running: run)
        if copy != nil { driver.handle(.offline(true)) }
        openNetwork()
        let lifecycle = SessionLifecycle(daemon: self)
        for session in home.sessions { lifecycle.adopt(session) }
        driver.handle(.timePassed)
        repairMonitor.start(reporting: home.damaged, missing: home.missing)
        try startTicking()
        try listen(paths, lock)
        log.write(.info, "ready as \(home.name) on port \(network.port), home \(home.directory)")
    }

    /// Listens, announces and looks for the start peers, as far as that was not possible before.
    private func openNetwork() {
        guard copy == nil else { return }
        network.open()
        addresses.findStartPeers()
    }

    // MARK: Regular checks

    private func startTicking() throws(ControlError) {
        // The timer's clock also runs while the machine sleeps, so a check is due when it wakes.
        let descriptor = platform_ticks(Int32(Daemon.tickSeconds * 1000))
        guard descriptor >= 0 else {
            throw .failed("cannot create a timer (error \(-descriptor))")
        }
        let ticks = DescriptorEvents(descriptor, queue: queue)
        ticks.startReading { [weak self] in
            platform_drain_ticks(descriptor)
            self?.tick()
        }
        self.ticks = ticks
        shortenJournals()
    }

    /// Detects that the machine was asleep, and runs the regular checks that are due.
    private func tick() {
        let slept = Clock.slept
        defer { lastSlept = slept }
        if slept > lastSlept + 1000 {
            log.write(.info, "woke after \((slept - lastSlept) / 1000) s of sleep")
            driver.handle(.resumed)
        }
        links.dropStalled()
        invites.closeExpired()
        openNetwork()
        checkSocket()
        restartIfWritable()
        EventLoop.start { [repairMonitor] in await repairMonitor.checkFiles() }
        tickCount += 1
        if isDue(every: 60) {
            saveAcknowledged()
            commits.loadMissing()
            let holdsSessions = copy == nil && !sessions.all.isEmpty
            backups.makeIfDue(at: Clock.now, holdsSessions: holdsSessions)
        }
        if isDue(every: 600) { for session in sessions.all { session.dropUnusedBoard() } }
        if isDue(every: 3600) { shortenJournals() }
        if isDue(every: 86_400) { repairMonitor.checkPages() }
    }

    /// Restarts a daemon that only reads its home, once it can write there.
    private func restartIfWritable() {
        guard let copy, !isStopping, copy.isHomeWritable else { return }
        log.write(.info, "the state directory can be written again: restarting")
        isRestarting = true
        stop()
    }

    private func isDue(every seconds: Int) -> Bool {
        tickCount % (seconds / Daemon.tickSeconds) == 0
    }

    private func saveAcknowledged() {
        for session in sessions.all { session.saveAcknowledged() }
    }

    private func shortenJournals() {
        for session in sessions.all { session.shortenJournal(to: options.journalLines) }
    }

    // MARK: Calls

    var router: ControlRouter {
        var router = ControlRouter(refusing: copy?.refusal, except: ReadOnlyCopy.allowedCalls)
        let groups: [any CallGroup] = [
            DaemonCalls(daemon: self), DiagnosisCalls(daemon: self), BackupCalls(daemon: self),
            SessionCalls(daemon: self), NewSessionCalls(daemon: self), NextGameCalls(self),
            RestoreCalls(daemon: self), ExportCalls(self), ImportCalls(self),
            PlayerCalls(daemon: self), PeopleCalls(daemon: self), PeerCalls(daemon: self),
            GameCalls(daemon: self), OptionCalls(daemon: self), ScoreCalls(daemon: self),
            PlayCalls(daemon: self), UndoCalls(daemon: self), PhoneCalls(daemon: self),
            SheetCalls(daemon: self), WaitCalls(daemon: self),
            ResultCalls(daemon: self), ChartCalls(daemon: self),
        ]
        for group in groups { group.register(on: &router) }
        return router
    }

    private func listen(_ paths: ControlPaths, _ lock: ControlLock) throws(ControlError) {
        do throws(ControlSocketError) {
            let control = try ControlListener(
                paths: paths,
                lock: lock,
                queue: queue,
                router: router,
                build: ProgramBuild.ofThisProcess,
                options: options.restartArguments
            )
            control.start()
            self.control = control
            report(control.fallbackReason)
        } catch { throw error.controlError }
    }

    /// Recreates the control socket if it is missing; called by the regular checks, and by the
    /// signal of a client that did not find it.
    func checkSocket() {
        guard !isStopping, let control else { return }
        do throws(ControlSocketError) {
            try control.checkSocket()
            report(control.fallbackReason)
        } catch { report(error) }
    }

    /// Logs a problem with the control socket, unless it was the last one logged.
    private func report(_ problem: ControlSocketError?) {
        let text = problem.map { "the control socket is not in its usual place: \($0)" } ?? ""
        if text != socketWarning, !text.isEmpty { log.write(.warning, text) }
        socketWarning = text
    }

    // MARK: The end

    /// Stops the daemon: finishes all writes, says goodbye to all peers, and ends the process.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        log.write(.info, "stopping")
        // A service manager would end the program that starts in this process.
        if !isRestarting { Launcher.notifyServiceManager("STOPPING=1") }
        computers.stop()
        network.close()
        saveAcknowledged()
        watchers.stop()
        control?.stop()
        finish(by: .now.advanced(by: .seconds(1)))
    }

    /// Starts the program again in this process; returns if that fails, as when it was removed.
    private func restart() {
        // A client that does not find the control socket sends it.
        platform_hold_signal(platform_signal_user())
        let result = InstalledProgram("scoresyncd")?.become(
            Array(CommandLine.arguments.dropFirst())
        )
        log.write(.error, "cannot restart (error \(-(result ?? -ENOENT)))")
    }

    /// Ends the process after all calls are answered and all accepted writes are on disk.
    private func finish(by end: SuspendingClock.Instant) {
        let isQuiet = writer.isIdle && control?.connectionCount ?? 0 == 0
        guard isQuiet || SuspendingClock.now >= end else {
            queue.async(after: .milliseconds(5)) { [self] in finish(by: end) }
            return
        }
        let hadLinks = !links.isEmpty
        driver.handle(.stopping)
        control?.abort()
        // The last messages are sent within this time, so nothing else needs to be awaited.
        let pause = Duration.milliseconds(hadLinks ? 100 : 20)
        queue.async(after: pause) { [self] in
            storage.queue.finish()
            copy?.remove()
            if isRestarting { restart() }
            platform_exit(0)
        }
    }
}

/// A part of the daemon, with access to the other parts by their names.
@EventLoop
protocol DaemonPart {
    var daemon: Daemon { get }
}

extension DaemonPart {
    var queue: EventQueue { daemon.queue }
    var log: Log { daemon.log }
    var alarms: Alarms { daemon.alarms }
    var storage: Storage { daemon.storage }
    var driver: EngineDriver { daemon.driver }
    /// This device and this run of its daemon.
    var device: Device { daemon.driver.engine.device }
    var watchers: Watchers { daemon.watchers }
    var settings: DeviceSettings { daemon.settings }
    var userSheets: UserSheets { daemon.userSheets }
    var sessions: SessionCatalog { daemon.sessions }
    var lifecycle: SessionLifecycle { SessionLifecycle(daemon: daemon) }
    var writer: SessionWriter { daemon.writer }
    var gameOptions: GameOptions { daemon.gameOptions }
    var computers: ComputerPlayers { daemon.computers }
    var addresses: PeerAddresses { daemon.addresses }
    var invites: Invites { daemon.invites }
    var joining: Joining { daemon.joining }
    var knocks: Knocks { daemon.knocks }
    var nearby: Nearby { daemon.nearby }
    var links: Links { daemon.links }
    var network: PeerNetwork { daemon.network }
    var summaries: SessionSummaries { SessionSummaries(daemon: daemon) }
    var peers: PeerList { PeerList(daemon: daemon) }
}

@EventLoop
protocol CallGroup: DaemonPart {
    func register(on router: inout ControlRouter)
}

extension ControlRouter {
    /// Registers a synchronous handler of a method; a thrown error becomes the reply.
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

    /// Registers an asynchronous handler of a method; a thrown error becomes the reply.
    mutating func answer<Parameters: Sendable, Reply>(
        _ method: Method<Parameters, Reply>,
        with reply: @escaping @EventLoop (Parameters) async throws(ControlError) -> Reply
    ) {
        answerConnection(method) { parameters, _ async throws(ControlError) in
            try await reply(parameters)
        }
    }

    /// Registers an asynchronous handler that also receives the calling connection.
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
