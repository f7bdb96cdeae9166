import SessionCRDT

/// What a match is played by and with whom: all of a book that its visits do not change.
struct DartsTerms {
    /// The sheet.
    let sheet: Sheet
    /// The options as they hold.
    let settings: Settings
    /// How the match is set.
    let mode: DartsMode
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// Where everybody sits.
    let seats: [PlayerID: Int]
    /// Who is here, by seat.
    let present: [Int]
    /// The recorded order; nil where there is none, or what is there is not one.
    let recorded: DartsOrder?

    /// The option that keeps the throwing order.
    static let orderOption = Symbol(known: "order")

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        mode = DartsMode(settings)
        players = book.players
        seats = Dictionary(zip(book.players.map(\.id), 0...)) { _, last in last }
        present = book.players.indices.filter { book.players[$0].isPresent }
        recorded = settings.values[DartsTerms.orderOption]?.string.flatMap(DartsOrder.init)
    }

    /// The cell of a turn of whoever sits there.
    func cell(_ seat: Int, _ turn: Int) -> Cell {
        Cell(player: players[seat].id, row: DartsColumn.row, round: UInt32(clamping: turn))
    }
}
