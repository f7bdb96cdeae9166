import ScoreSheets
import SessionCRDT
import SyncProtocol

/// A session that the daemon holds, as watching sees it.
struct DaemonSession: WatchedSession {
    let session: Session
    let reader: SheetReader

    var id: SessionID { session.id }
    var board: Scoreboard { session.board }
    var deviceNames: DeviceNames { session.deviceNames }
    var surroundings: SheetSurroundings { reader.surroundings(of: session) }

    func sheet() throws(ControlError) -> Sheet { try session.board.playedSheet() }

    func name(of device: DeviceID) -> String { reader.sessions.name(of: device, in: session) }
}
