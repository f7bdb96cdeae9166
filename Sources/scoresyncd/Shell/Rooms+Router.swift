import ControlSocket
import SyncEngine

extension Rooms {
    /// Which call is answered by whom; `stop` ends the daemon once the answer is on its way.
    func router(home: String, stop: @escaping @Sendable () -> Void) -> ControlRouter {
        var router = ControlRouter()
        registerSessions(on: &router)
        registerPlay(on: &router)
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
        DaemonCalls(
            sessions: sessions,
            summaries: summaries,
            network: peers.network,
            loop: ground.loop,
            alarms: ground.alarms,
            home: home,
            stop: stop
        )
        .register(on: &router)
        return router
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
            device: ground.device,
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
            by: ground.device
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
        ScoreCalls(
            sessions: sessions,
            computers: games.computers,
            writer: writer,
            device: device
        )
        .register(on: &router)
        UndoCalls(
            sessions: sessions,
            writer: writer,
            computers: games.computers,
            disk: ground.disk,
            device: device
        )
        .register(on: &router)
        PlayCalls(
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
        .register(on: &router)
        let sheets = SheetReader(
            sessions: sessions,
            successors: successors,
            peers: peerList,
            loop: ground.loop,
            alarms: ground.alarms
        )
        SheetCalls(sessions: sessions, sheets: sheets, watchers: watchers).register(on: &router)
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
