import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// The score sheet of a session as clients see it, with what only this device knows about it.
struct SheetReader {
    let sessions: SessionCatalog
    let successors: Successors
    let peers: PeerList
    let loop: EngineLoop
    let alarms: Alarms

    /// The score sheet.
    func show(_ session: Session) throws(ControlError) -> ShowReply {
        let board = session.board
        let sheet = try board.playedSheet()
        let view = SheetView(
            session: session.id,
            board: board,
            sheet: sheet,
            standings: board.standings ?? sheet.rules.standings(of: board.book),
            nameOfDevice: { sessions.name(of: $0, in: session) }
        )
        return ShowReply(document: view.document, context: context(of: session, view))
    }

    private func context(of session: Session, _ view: SheetView) -> ShowContext {
        ShowContext(
            gameName: view.sheet.name,
            rows: view.rows,
            totalLabel: view.standings.totalLabel,
            lowestWins: view.lowestWins,
            me: session.facts.me?.description,
            leaders: view.standings.leaders.map(\.description),
            peers: peers.of(session),
            offline: loop.engine.isOffline,
            unsynced: loop.engine.unsyncedCells(session.id),
            notes: view.notes + successors.notes(on: session) + alarms.all.map(\.text)
        )
    }
}
