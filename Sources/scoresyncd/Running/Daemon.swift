import CPlatform
import ControlSocket
import Dispatch
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The shell around the engine: it runs effects and hands in what happens, and decides nothing
/// about sync.
///
/// Invariant for `@unchecked Sendable`: everything is touched on `queue` only, which the sources,
/// the store's completions and the control calls share.
final class Daemon: @unchecked Sendable {
    /// How often the daemon looks whether the machine was asleep.
    private static let glanceSeconds = 5

    let queue: DispatchQueue
    let options: DaemonOptions
    let paths: ControlPaths
    let log: Log
    let device: Device
    let store: StoreQueue

    var engine: SyncEngine
    var generator = SystemRandomNumberGenerator()
    /// What this device knows of its sessions beside their data.
    var held: [SessionID: HeldSession] = [:]
    /// The session that commands without one mean.
    var current: SessionID?
    var links: [LinkID: PeerLink] = [:]
    /// Dials under way, which must be kept until they end.
    var dials: [LinkID: TransportLink] = [:]
    var lastLink: UInt64 = 0
    /// The local writes that wait for the disk.
    var writes: [RequestID: (Result<Void, ControlError>) -> Void] = [:]
    var lastRequest: UInt64 = 0
    var alarms = AlarmBoard()
    var invites = InviteDesk()
    var joins: [ObjectIdentifier: JoinAttempt] = [:]
    /// What the devices that were linked in this run are called, also while they have not written.
    var metNames: [DeviceID: String] = [:]
    /// The addresses of the command line, which every session tries.
    var startPeers: [Endpoint] = []
    /// Those of them whose names have not been found yet.
    var unresolvedPeers: Set<String> = []
    /// Where invites were announced lately, whether the session is known here or not.
    var inviters: [Endpoint: UInt64] = [:]
    /// The people of this device, as they are on disk.
    var roster: Roster
    /// What is remembered beside sessions.
    var memory: DeviceMemory
    /// The successors of sessions that are on their way to disk, each with its origin.
    var takingUp: [SessionID: SessionID] = [:]
    /// The sessions whose next game is being begun.
    var beginningNext: Set<SessionID> = []
    let watchers: Watchers
    /// The sheets of this device and of its sessions.
    var shelf: SheetShelf
    /// The documents of what is on disk, derived once after each change.
    var documents: [SessionID: DerivedDocument] = [:]
    /// What has ended in the sessions, derived when somebody asks.
    var ended: [SessionID: EndedGames] = [:]
    /// What the computer players of this device are thinking about.
    var computers = ComputerDesk()
    /// What judges letters that are entered here.
    let words = WordLists()

    var listener: PeerListener?
    var beacon: Beacon?
    var monitor: InterfaceMonitor?
    private var control: ControlListener?
    private var timer: (any DispatchSourceTimer)?
    private var watch: (any DispatchSourceTimer)?
    private var lastSlept = Clock.slept
    private var glances = 0
    private(set) var isStopping = false
    /// What has happened and was not handed in yet; the first is being handled.
    private var inputs: [Input] = []

    /// Opens the store, loads the sessions, and begins to listen and to announce; on `queue`.
    init(
        _ options: DaemonOptions,
        paths: ControlPaths,
        lock: ControlLock,
        log: Log,
        on queue: DispatchQueue
    ) throws(ControlError) {
        self.options = options
        self.paths = paths
        self.log = log
        self.queue = queue
        watchers = Watchers(on: queue)
        let opened = try OpenedHome(paths.home, options, using: &generator, on: queue)
        device = Device(
            id: opened.device,
            instance: InstanceID.random(using: &generator),
            name: opened.name
        )
        engine = SyncEngine(device: device, generator: generator)
        current = opened.current
        roster = opened.roster
        memory = opened.memory
        store = opened.store
        shelf = SheetShelf(opened.games, unreadable: opened.unreadableGames)
        for notice in opened.notices {
            alarms.raise(kind: "storage", subject: notice, text: notice)
            log.write(.error, notice)
        }
        openNetwork()
        for session in opened.sessions { adopt(session) }
        for session in opened.unreadable { held[session.id] = session.held }
        startTimers()
        try listenToCalls(lock)
        unresolvedPeers = Set(options.peers)
        findPeers()
        let port = listener?.endpoint.port ?? 0
        log.write(.info, "ready as \(device.name) on port \(port), home \(paths.home)")
    }

    // MARK: The engine

    /// Hands in what happened and runs what the engine wants done.
    func handle(_ input: Input) {
        dispatchPrecondition(condition: .onQueue(queue))
        inputs.append(input)
        // What an effect brings about waits until all effects before it have run.
        guard inputs.count == 1 else { return }
        while let next = inputs.first {
            for effect in engine.handle(next, at: Clock.now) { run(effect) }
            inputs.removeFirst()
        }
    }

    /// Takes a session into the engine and begins to look for its members.
    func adopt(_ session: LoadedSession) {
        held[session.id] = session.held
        handle(.opened(session.id, session.opened))
        for endpoint in startPeers { handle(.addressTyped(session.id, endpoint)) }
    }

    /// Calls the engine again at this uptime.
    func wake(at uptime: UInt64) {
        let now = Clock.now.uptime
        let pause = Int(min(uptime > now ? uptime - now : 0, 86_400_000))
        timer?.schedule(deadline: .now() + .milliseconds(pause), leeway: .milliseconds(1))
    }

    // MARK: Beginning

    private func startTimers() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { @Sendable [weak self] in self?.handle(.timePassed) }
        timer.activate()
        self.timer = timer
        // By the wall clock, which goes on while the machine sleeps: due as soon as it wakes.
        let watch = DispatchSource.makeTimerSource(queue: queue)
        let pause = Daemon.glanceSeconds
        watch.schedule(
            wallDeadline: .now() + .seconds(pause),
            repeating: .seconds(pause),
            leeway: .milliseconds(100)
        )
        watch.setEventHandler { @Sendable [weak self] in self?.glance() }
        watch.activate()
        self.watch = watch
        handle(.timePassed)
        shortenJournals()
    }

    /// Looks whether the machine was asleep, and now and then does what need not be done at once.
    private func glance() {
        let slept = Clock.slept
        defer { lastSlept = slept }
        if slept > lastSlept + 1000 {
            log.write(.info, "woke after \((slept - lastSlept) / 1000) s of sleep")
            handle(.woke)
        }
        closeExpiredInvites()
        openNetwork()
        if !unresolvedPeers.isEmpty { findPeers() }
        for session in held.keys.sorted() where engine.replicas[session] == nil { load(session) }
        glances += 1
        if glances % (60 / Daemon.glanceSeconds) == 0 { saveAcknowledged() }
        if glances % (3600 / Daemon.glanceSeconds) == 0 { shortenJournals() }
    }

    private func listenToCalls(_ lock: ControlLock) throws(ControlError) {
        do throws(ControlSocketError) {
            let control = try ControlListener(
                paths: paths,
                lock: lock,
                queue: queue,
                router: makeRouter()
            )
            control.start()
            self.control = control
        } catch { throw error.controlError }
    }

    // MARK: The end

    /// Finishes what is being written, says goodbye to everybody, and ends the process.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        log.write(.info, "stopping")
        Readiness.tellStopping()
        listener?.close()
        beacon?.close()
        saveAcknowledged()
        finish(by: .now() + .seconds(1))
    }

    /// Waits until every accepted write has been answered, then goes.
    private func finish(by end: DispatchTime) {
        guard writes.isEmpty || DispatchTime.now() >= end else {
            queue.asyncAfter(deadline: .now() + .milliseconds(5)) { @Sendable [self] in
                finish(by: end)
            }
            return
        }
        let hadLinks = !links.isEmpty
        handle(.stopping)
        control?.stop()
        // What is said last is on its way within this time; nobody is kept waiting longer.
        let pause = DispatchTimeInterval.milliseconds(hadLinks ? 100 : 20)
        queue.asyncAfter(deadline: .now() + pause) { @Sendable [self] in
            store.finish()
            platform_exit(0)
        }
    }
}
