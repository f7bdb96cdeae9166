import SyncEngine

/// The rooms about games: which there are, how they are set, and who moves.
struct GameRooms {
    let shelf: SheetShelf
    let options: GameOptions
    let moves: Moves
    let computers: ComputerPlayers

    init(
        _ shelf: SheetShelf,
        _ sessions: SessionCatalog,
        _ notes: DeviceNotes,
        _ writer: SessionWriter,
        _ ground: Ground
    ) {
        let device = ground.device.id
        self.shelf = shelf
        options = GameOptions(notes, on: ground.queue)
        moves = Moves(options: options, writer: writer)
        computers = ComputerPlayers(
            sessions,
            moves,
            of: device,
            ground.log,
            on: ground.queue
        )
    }
}
