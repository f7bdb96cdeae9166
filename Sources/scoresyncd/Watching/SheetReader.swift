import SessionCRDT
import SyncEngine
import SyncProtocol

/// Score sheets as clients see them, with what only this device knows about them.
struct SheetReader {
    let sessions: SessionCatalog
    let successors: Successors
    let peers: PeerList
    let loop: EngineLoop
    let alarms: Alarms

    /// The score sheet of a session.
    func show(_ session: Session) throws(ControlError) -> ShowReply {
        let watched = DaemonSession(session: session, reader: self)
        return try SheetRendering(watched).show(watched)
    }

    /// What only this device knows about a session.
    func surroundings(of session: Session) -> SheetSurroundings {
        let next = successors.next(after: session)
        let others = [session.id, next?.id]
        let inUse = sessions.current.flatMap { others.contains($0) ? nil : sessions[$0] }
        return SheetSurroundings(
            me: session.facts.me,
            peers: peers.of(session),
            isOffline: loop.engine.isOffline,
            unsynced: loop.engine.unsyncedCells(session.id),
            notes: successors.notes(on: session) + alarms.all.map(\.text),
            next: next.map(NamedSession.init),
            inUse: inUse.map(NamedSession.init)
        )
    }
}

extension NamedSession {
    fileprivate init(_ session: Session) {
        self.init(id: session.id.description, title: session.title)
    }
}
