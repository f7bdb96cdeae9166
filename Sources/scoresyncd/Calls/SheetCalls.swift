import ControlSocket
import SessionCRDT
import SyncProtocol

/// The calls that look at a score sheet, once or for good.
struct SheetCalls {
    let sessions: SessionCatalog
    let sheets: SheetReader
    let watchers: Watchers

    func register(on router: inout ControlRouter) {
        router.answer(ShowRequest.self) { request throws(ControlError) in
            try sheets.show(try sessions.session(request.session))
        }
        router.answer(ConflictsRequest.self) { request throws(ControlError) in
            try conflicts(in: try sessions.session(request.session))
        }
        router.on(WatchRequest.self) { request, call in
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
                    label: cell.label,
                    values: [cell.shown] + cell.conflict
                )
            }
        }
        return ConflictsReply(conflicts: conflicts)
    }
}
