import ScoreSheets
import SessionCRDT
import SyncProtocol

/// What watching asks of a session.
protocol WatchedSession: Sendable {
    /// Its id.
    var id: SessionID { get }
    /// What it comes to, as it is on disk.
    var board: Scoreboard { get }
    /// What only this device knows about it, now.
    var surroundings: SheetSurroundings { get }

    /// What the devices that have written are called, as on every device.
    var deviceNames: DeviceNames { get }

    /// The sheet that it is played by; throws what users are told where there is none.
    func sheet() throws(ControlError) -> Sheet
    /// What a device is called here, which is not the same on every device.
    func name(of device: DeviceID) -> String
}

extension WatchedSession {
    /// Where the move is made, when a computer is to move.
    func notes(ofTurn turn: PlayerID?) -> [String] {
        guard let player = turn.flatMap(board.book.player), let computer = player.computer
        else { return [] }
        return ["\(player.name) is a computer; \(name(of: computer.device)) moves for it"]
    }
}
