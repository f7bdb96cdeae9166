import SessionCRDT
import SyncEngine
import SyncProtocol

/// Sessions as lists show them, read from a few fields of each: a thousand cost no scoreboard.
struct SessionSummaries {
    let sessions: SessionCatalog
    let invites: Invites
    let loop: EngineLoop

    /// A session as lists show it.
    func of(_ session: Session) -> SessionSummary {
        let header = session.header
        return SessionSummary(
            id: session.id.description,
            title: session.title,
            game: header.game?.description ?? "",
            status: header.isFinished ? "finished" : "open",
            current: session.id == sessions.current,
            players: session.playerCount,
            synced: loop.engine.isSynced(session.id),
            peersOnline: loop.engine.peers(session.id).count,
            inviteExpires: invites.expiry(of: session.id).map { Timestamp(milliseconds: $0) },
            me: session.myName
        )
    }

    /// The answer about a session that something was done with.
    func reply(_ session: Session) -> SessionReply { SessionReply(session: of(session)) }
}
