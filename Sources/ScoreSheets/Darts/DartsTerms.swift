import SessionCRDT

/// What a match is played by and with whom: all of a book that its visits do not change.
struct DartsTerms {
    /// The sheet.
    let sheet: Sheet
    /// The options as they hold.
    let settings: Settings
    /// How the match is set: as its first visit recorded, else as it is chosen now.
    let mode: DartsMode
    /// How the next match would be set.
    let chosen: DartsMode
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// Where everybody sits.
    let seats: [PlayerID: Int]
    /// Who is here, by seat.
    let present: [Int]
    /// The recorded order; nil where there is none, or what is there is not one.
    let recorded: DartsOrder?
    /// Whether nobody has entered anything: a match that is to begin is set as it is chosen, also
    /// where a visit that was taken back has recorded something else.
    let isBlank: Bool

    /// The option that keeps the throwing order.
    static let orderOption = Symbol(known: "order")

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        players = book.players
        seats = Dictionary(zip(book.players.map(\.id), 0...)) { _, last in last }
        present = book.players.indices.filter { book.players[$0].isPresent }
        recorded = settings.values[DartsTerms.orderOption]?.string.flatMap { DartsOrder($0) }
        isBlank = !book.hasEntries
        chosen = DartsMode(settings)
        mode = (isBlank ? nil : recorded?.mode) ?? chosen
    }

    /// The options that were chosen too late for this match, with what it has instead.
    var late: [(option: Symbol, rule: DartsRule)] {
        zip(DartsMode.options, zip(mode.values, chosen.values)).compactMap { option, values in
            guard values.0 != values.1, let name = Symbol(option) else { return nil }
            return (name, .modeRecorded(mode: values.0, chosen: values.1))
        }
    }

    /// The cell of a turn of whoever sits there.
    func cell(_ seat: Int, _ turn: Int) -> Cell {
        Cell(player: players[seat].id, row: DartsColumn.row, round: UInt32(clamping: turn))
    }
}
