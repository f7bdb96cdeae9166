import SyncEngine

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
