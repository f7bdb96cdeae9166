import SessionCRDT

/// What is written in the book of a game of Smash Up, sorted by what it says.
///
/// It is read once, cell by cell; what it comes to is for `SmashUpReplay` to say.
struct SmashUpFacts {
    /// A cell: whose, and which one of theirs.
    struct Place: Hashable {
        /// The player, by place in `players`.
        let player: Int
        /// The cell, by place in `cells`.
        let cell: Int
    }

    /// A number somewhere.
    struct Number {
        let place: Place
        let value: Int64
    }

    /// What ends a turn somewhere.
    struct Mark {
        let place: Place
        let mark: TurnMark
    }

    /// All players in seat order, removed ones too.
    let players: [Player]
    /// The cells of each player in which something is live, in the order of the sheet.
    let cells: [[BookCell]]
    /// The gains and losses of each turn.
    private(set) var points: [UInt32: [Number]] = [:]
    /// The Madness of each game, by its number.
    private(set) var madness: [UInt32: [Number]] = [:]
    /// What is said to end each turn.
    private(set) var turns: [UInt32: [Mark]] = [:]
    /// The deals.
    private(set) var deals: [(place: Place, deal: FactionDeal)] = []
    /// What is said to be revealed.
    private(set) var reveals: [(place: Place, value: Value)] = []
    /// What has a wrong form, and why.
    private(set) var flaws: [Place: RuleViolation] = [:]

    /// The facts of a book.
    init(_ sheet: Sheet, _ book: Book) {
        let form = SheetForm(sheet, Settings(sheet, book))
        players = book.players
        let factions = Set(sheet.factions.map(\.id))
        let columns = book.players.map { player in
            form.inOrder(book.cells(of: player.id)).filter { !$0.entry.isEmpty }
        }
        cells = columns.map { $0.map(\.entry) }
        for (player, column) in columns.enumerated() {
            for (index, (entry, row)) in column.enumerated() {
                let place = Place(player: player, cell: index)
                switch form.reading(of: entry, at: row) {
                case .failure(let violation): flaws[place] = violation
                case .success(let count):
                    guard let row, entry.value != .null else { continue }
                    read(entry, count ?? 0, form.rows[row].id, at: place, factions, book)
                }
            }
        }
    }

    private mutating func read(
        _ entry: BookCell,
        _ count: Int64,
        _ row: Symbol,
        at place: Place,
        _ factions: Set<Symbol>,
        _ book: Book
    ) {
        if let violation = SmashUpRow.violation(of: entry.cell) { flaws[place] = violation }
        guard let kind = SmashUpRow(row), flaws[place] == nil else { return }
        let round = entry.cell.round ?? 0
        switch kind {
        case .points:
            let number = Number(place: place, value: count)
            points[TurnRounds.turn(of: round), default: []].append(number)
        case .madness:
            let number = Number(place: place, value: count)
            madness[round, default: []].append(number)
        case .turn:
            if let mark = TurnMark(entry.value) {
                turns[round, default: []].append(Mark(place: place, mark: mark))
            } else {
                flaws[place] = SmashUpRule.notATurnMark(entry.value.words).violation
            }
        case .deal:
            if let deal = FactionDeal(entry.value, factions, book) {
                deals.append((place, deal))
            } else {
                flaws[place] = SmashUpRule.notADeal.violation
            }
        case .reveal: reveals.append((place, entry.value))
        }
    }

    /// The cell of a place.
    subscript(place: Place) -> BookCell { cells[place.player][place.cell] }
}
