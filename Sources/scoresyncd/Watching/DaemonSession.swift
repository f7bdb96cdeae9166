import ScoreSheets
import SessionCRDT
import SyncEngine
import SyncProtocol

/// A session that the daemon holds, as watching sees it.
struct DaemonSession: WatchedSession {
    /// Its id.
    let id: SessionID
    /// Who holds it, as long as anybody can watch.
    unowned let daemon: Daemon

    var board: Scoreboard {
        Scoreboard(daemon.engine.replicas[id]?.committed.live ?? LiveSets()) {
            _ throws(SheetError) in
            try daemon.shelf.sheet(of: daemon.document(id))
        }
    }

    var surroundings: SheetSurroundings {
        SheetSurroundings(
            me: daemon.held[id]?.me,
            peers: daemon.peerSummaries(id),
            isOffline: daemon.engine.isOffline,
            unsynced: daemon.engine.unsyncedCells(id),
            notes: daemon.successorNotes(of: id) + daemon.alarms.alarms.map(\.text)
        )
    }

    func sheet() throws(ControlError) -> Sheet {
        try daemon.sheet(of: daemon.document(id))
    }

    func name(of device: DeviceID) -> String { daemon.name(of: device, in: id) }
}
