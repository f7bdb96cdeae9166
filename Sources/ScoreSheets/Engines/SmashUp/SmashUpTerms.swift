import SessionCRDT

/// What an evening is played by and with whom: all of a book that its facts do not change.
struct SmashUpTerms {
    /// The sheet.
    let sheet: Sheet
    /// The sheet as its cells are read.
    let form: SheetForm
    /// Which factions are dealt from.
    let choice: FactionChoice
    /// What is shown of that before the deal.
    let sets: Panel
    /// What is shown of it then.
    let setsOfDeal: Panel
    /// The factions of the sheet and what they are called.
    let factions: [Symbol: String]
    /// How many can play.
    let allowed: Bounds
    /// How few can play, whatever is set.
    let fewest: Int64
    /// How many points win.
    let target: Int64
    /// Whether somebody finished the session.
    let isFinished: Bool
    /// All players in seat order, removed ones too.
    let players: [Player]
    /// Where everybody sits.
    let seats: [PlayerID: Int]
    /// Who is at the table, by seat.
    let present: [Int]

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book) {
        let settings = Settings(sheet, book)
        self.sheet = sheet
        form = SheetForm(sheet, settings, players: book.players.count(where: \.isPresent))
        choice = FactionChoice(sheet, book)
        let title = "Sets: " + FactionChoice.words(ofPool: choice.pool.count)
        let (lines, unused) = (choice.lines, choice.unused)
        let more = unused.isEmpty ? [] : ["not used: \(unused.list)"]
        sets = .text(title: title, lines: lines + more)
        setsOfDeal = .text(title: title, lines: lines)
        factions = Dictionary(uniqueKeysWithValues: sheet.factions.map { ($0.id, $0.name) })
        allowed = settings.players(of: sheet)
        fewest = sheet.seats.map(\.players.from).reduce(sheet.players.from, min)
        target = sheet.target.flatMap { settings($0) } ?? 15
        isFinished = book.isFinished
        players = book.players
        seats = book.players.seats
        present = book.players.indices.filter { book.players[$0].isPresent }
    }
}
