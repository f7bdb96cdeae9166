import ControlSocket
import SessionStore
import SyncEngine

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
        WeeklyCopies(CopyShelf(home: home), ground.disk, ground.alarms, ground.log)
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
