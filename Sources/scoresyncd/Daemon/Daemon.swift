import CPlatform
import ControlSocket
import Descriptors
import PeerTransport
import SessionCRDT
import SessionStore
import SyncEngine
import SyncProtocol

/// The daemon: builds the parts and gives each the others that it needs, starts them, runs regular
/// checks, and stops.
///
/// Everything runs on one queue, which the sockets, the store's completions and the control calls
/// share. The parts live as long as the process, so they may own each other.
@EventLoop
final class Daemon {
    private let queue: EventQueue
    private let options: DaemonOptions
    private let log: Log
    private let rooms: DaemonContext
    private let copies: WeeklyBackups
    private var mending: DatabaseRepair?
    private var control: ControlListener?
    private var ticks: DescriptorEvents?
    private var lastSlept = Clock.slept
    private var glances = 0
    private var isStopping = false
    /// The last warning about the control socket.
    private var socketNews = ""

    /// The interval of regular checks.
    private static let glanceSeconds = 5

    /// Opens the store, loads the sessions, and begins to listen and to announce; on `queue`.
    init(
        _ options: DaemonOptions,
        paths: ControlPaths,
        lock: ControlLock,
        log: Log,
        on queue: EventQueue
    ) throws(ControlError) {
        self.options = options
        self.log = log
        self.queue = queue
        let home = try OpenedHome(paths.home, options, on: queue)
        rooms = DaemonContext(home, options, CoreServices(home, log, on: queue))
        copies = rooms.weeklyCopies(home: paths.home)
        rooms.start(home)
        mending = rooms.mending(home.damaged, home: paths.home) { [self] in
            log.write(.error, "another daemon runs in the place of this one's home: this one ends")
            stop()
        }
        mending?.lookThrough()
        try startGlancing()
        try listen(paths, lock)
        rooms.peers.addresses.findStartPeers()
        let port = rooms.peers.network.port
        log.write(.info, "ready as \(home.name) on port \(port), home \(paths.home)")
    }

    // MARK: Now and then

    private func startGlancing() throws(ControlError) {
        // By a clock that goes on while the machine sleeps: due as soon as it wakes.
        let descriptor = platform_ticks(Int32(Daemon.glanceSeconds * 1000))
        guard descriptor >= 0 else {
            throw ControlError(.failed, "cannot make a timer (error \(-descriptor))")
        }
        let ticks = DescriptorEvents(descriptor, queue: queue)
        ticks.startReading { [weak self] in
            platform_drain_ticks(descriptor)
            self?.glance()
        }
        self.ticks = ticks
        shortenJournals()
    }

    /// Looks whether the machine was asleep, and now and then does what need not be done at once.
    private func glance() {
        let slept = Clock.slept
        defer { lastSlept = slept }
        if slept > lastSlept + 1000 {
            log.write(.info, "woke after \((slept - lastSlept) / 1000) s of sleep")
            rooms.ground.driver.handle(.resumed)
        }
        rooms.peers.links.dropStalled()
        rooms.peers.invites.closeExpired()
        rooms.peers.network.open()
        rooms.peers.addresses.findStartPeers()
        checkSocket()
        if let mending { EventLoop.start { await mending.check() } }
        glances += 1
        if isDue(every: 60) {
            saveAcknowledged()
            rooms.commits.loadMissing()
            copies.look(at: Clock.now, holdsSessions: !rooms.sessions.all.isEmpty)
        }
        if isDue(every: 600) { for session in rooms.sessions.all { session.restBoard() } }
        if isDue(every: 3600) { shortenJournals() }
        if isDue(every: 86_400) { mending?.lookThrough() }
    }

    private func isDue(every seconds: Int) -> Bool {
        glances % (seconds / Daemon.glanceSeconds) == 0
    }

    private func saveAcknowledged() {
        for session in rooms.sessions.all { session.saveAcknowledged() }
    }

    private func shortenJournals() {
        for session in rooms.sessions.all { session.shortenJournal(to: options.journalLines) }
    }

    // MARK: Calls

    private func listen(_ paths: ControlPaths, _ lock: ControlLock) throws(ControlError) {
        let router = rooms.router(home: paths.home) { [self] in
            queue.async(after: .milliseconds(5)) { [self] in stop() }
        }
        do throws(ControlSocketError) {
            let control = try ControlListener(
                paths: paths,
                lock: lock,
                queue: queue,
                router: router,
                build: ProgramBuild.ofThisProcess,
                options: options.kept
            )
            control.start()
            self.control = control
            tellAboutSocket(control.detour)
        } catch { throw error.controlError }
    }

    /// Makes the control socket anew if it is gone; not only now and then, but whenever somebody
    /// who looked for it in vain asks for that.
    func checkSocket() {
        guard !isStopping, let control else { return }
        do throws(ControlSocketError) {
            try control.checkSocket()
            tellAboutSocket(control.detour)
        } catch { tellAboutSocket(error) }
    }

    /// Once, since it is looked at again and again.
    private func tellAboutSocket(_ trouble: ControlSocketError?) {
        let news = trouble.map { "the control socket is not in its usual place: \($0)" } ?? ""
        if news != socketNews, !news.isEmpty { log.write(.warning, news) }
        socketNews = news
    }

    // MARK: The end

    /// Finishes what is being written, says goodbye to everybody, and ends the process.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        log.write(.info, "stopping")
        Readiness.tellStopping()
        rooms.games.computers.stop()
        rooms.peers.network.close()
        saveAcknowledged()
        rooms.watchers.stop()
        control?.stop()
        finish(by: .now.advanced(by: .seconds(1)))
    }

    /// Waits until every call has been answered and every accepted write is on disk, then goes.
    private func finish(by end: SuspendingClock.Instant) {
        let isQuiet = rooms.writer.isIdle && control?.connectionCount ?? 0 == 0
        guard isQuiet || SuspendingClock.now >= end else {
            queue.async(after: .milliseconds(5)) { [self] in
                finish(by: end)
            }
            return
        }
        let hadLinks = !rooms.peers.links.isEmpty
        rooms.ground.driver.handle(.stopping)
        control?.abort()
        // What is said last is on its way within this time; nobody is kept waiting longer.
        let pause = Duration.milliseconds(hadLinks ? 100 : 20)
        queue.async(after: pause) { [self] in
            rooms.ground.storage.queue.finish()
            platform_exit(0)
        }
    }
}
