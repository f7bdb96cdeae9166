import ControlSocket
import Descriptors
import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The calls that look at a score sheet, once or for good.
@EventLoop
struct SheetCalls: CallGroup {
    let daemon: Daemon
    private var sheets: SheetReader { SheetReader(daemon: daemon) }

    func register(on router: inout ControlRouter) {
        router.answer(.show) { request throws(ControlError) in
            try sheets.show(try sessions.session(request.session))
        }
        router.answer(.conflicts) { request throws(ControlError) in
            try conflicts(in: try sessions.session(request.session))
        }
        router.on(.watch) { request, call in
            do throws(ControlError) {
                let session = try sessions.session(request.session)
                let watched = DaemonSession(session: session, reader: sheets)
                _ = try watched.sheet()
                call.respond(Done())
                watchers.add(call.connection, of: watched)
            } catch { call.fail(error) }
        }
    }

    private func conflicts(in session: Session) throws(ControlError) -> ConflictsReply {
        let shown = try sheets.show(session).document
        let conflicts = shown.players.flatMap { player in
            player.cells.filter { !$0.conflict.isEmpty }.map { cell in
                ConflictSummary(
                    player: player.name,
                    row: cell.row,
                    round: cell.round,
                    values: [cell.shown] + cell.conflict
                ).with { $0.label = cell.label }
            }
        }
        return ConflictsReply(conflicts)
    }
}

/// Score sheets as clients see them, with what only this device knows about them.
@EventLoop
struct SheetReader: DaemonPart {
    let daemon: Daemon

    /// The score sheet of a session.
    func show(_ session: Session) throws(ControlError) -> ShowReply {
        let watched = DaemonSession(session: session, reader: self)
        return try SheetRendering(watched).show(watched)
    }

    /// Facts about a session that only this device knows.
    func localContext(of session: Session) -> LocalContext {
        let next = daemon.nextGames.next(after: session)
        let others = [session.id, next?.id]
        let inUse = sessions.current.flatMap { others.contains($0) ? nil : sessions[$0] }
        return LocalContext(
            me: session.facts.me,
            peers: peers.of(session),
            isOffline: driver.engine.isOffline,
            unsynced: driver.engine.unsyncedCells(session.id),
            notes: daemon.nextGames.notes(on: session) + alarms.all.map(\.text),
            next: next.map(NamedSession.init),
            inUse: inUse.map(NamedSession.init)
        )
    }
}

extension NamedSession {
    @EventLoop
    fileprivate init(_ session: Session) {
        self.init(id: session.id.description, title: session.title)
    }
}

/// Facts about a session that only this device knows.
struct LocalContext: Hashable, Sendable {
    /// The player of this device.
    var me: PlayerID?
    var peers: [PeerSummary] = []
    /// Whether the user took this device offline.
    var isOffline = false
    /// The number of writes of this device that no linked peer is known to have.
    var unsynced = 0
    /// Warnings in addition to those of the game, in sentences.
    var notes: [String] = []
    /// The next game of these people.
    var next: NamedSession?
    /// The current session, where it is neither this one nor the next.
    var inUse: NamedSession?
}

/// A session that the daemon holds, as watching sees it.
@EventLoop
struct DaemonSession: WatchedSession {
    let session: Session
    let reader: SheetReader

    var id: SessionID { session.id }
    var board: Scoreboard { session.board }
    var deviceNames: DeviceNames { session.deviceNames }
    var localContext: LocalContext { reader.localContext(of: session) }

    func sheet() throws(ControlError) -> Sheet { try session.board.playedSheet() }

    func name(of device: DeviceID) -> String { reader.sessions.name(of: device, in: session) }
}
