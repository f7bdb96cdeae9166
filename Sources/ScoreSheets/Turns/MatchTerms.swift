import SessionCRDT

/// The terms of a game in which everybody moves in turn, in an order that its first turn records,
/// with how it is set.
struct MatchTerms<Mode: TurnMode>: TurnTerms {
    /// The sheet.
    let sheet: Sheet
    /// The options as they hold.
    let settings: Settings
    /// How the game is set: as its first turn recorded, else as it is chosen now.
    let mode: Mode
    /// How the next game would be set.
    let chosen: Mode
    /// The players in seat order, removed ones too.
    let players: [Player]
    /// Where everybody sits.
    let seats: [PlayerID: Int]
    /// Who is here, by seat.
    let present: [Int]
    /// The recorded order; nil where there is none, or what is there is not one.
    let recorded: TurnOrder?
    /// Who moves in which order; where turns came by `score` only, nobody recorded it.
    let order: TurnOrder
    /// Whether nobody has entered anything: a game that is to begin is set as it is chosen, also
    /// where a turn that was taken back has recorded something else.
    let isBlank: Bool

    static var row: Symbol { Mode.row }

    static var words: TurnWords { Mode.words }

    static func move(of value: Value) throws(RuleViolation) -> Mode.Move {
        try Mode.move(of: value)
    }

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        players = book.players
        seats = book.players.seats
        present = book.players.indices.filter { book.players[$0].isPresent }
        recorded = settings.values[TurnOrder.option]?.string.flatMap { text in
            TurnOrder(text) { Mode(text: $0) != nil }
        }
        isBlank = !book.hasEntries
        chosen = Mode(settings)
        let past = isBlank ? nil : recorded?.mode.flatMap { Mode(text: $0) }
        mode = past ?? chosen
        order = recorded ?? TurnOrder(MatchTerms.whoPlays(book, sheet))
    }

    /// Who is here or has a move.
    private static func whoPlays(_ book: Book, _ sheet: Sheet) -> [PlayerID] {
        book.players.filter { player in
            player.isPresent
                || book.cells(of: player.id).contains {
                    (try? move(of: $0.value, in: $0.cell, by: sheet)) != nil
                }
        }
        .map(\.id)
    }

    func hold(in book: Book, after change: BookChange) -> Bool {
        // Who moves where nobody recorded it depends on which of those who left have moved.
        let isOtherOrder =
            recorded == nil
            && change.cells.contains { book.player($0.player)?.isPresent == false }
        return !isOtherOrder && isBlank != book.hasEntries
    }

    func flags(of book: Book) -> [Flag] {
        var flags = settings.flags
        if settings.values[TurnOrder.option] ?? .null != .null, recorded == nil {
            flags.append(Flag(.option(TurnOrder.option), violation(.wrongOrder)))
        }
        return flags + late
    }

    /// The options that were chosen too late for this game, with what it has instead.
    private var late: [Flag] {
        zip(Mode.options, zip(mode.values, chosen.values)).compactMap { option, values in
            guard values.0 != values.1, let name = Symbol(option) else { return nil }
            let rule = TurnRule.modeRecorded(mode: values.0, chosen: values.1)
            return Flag(.option(name), violation(rule))
        }
    }
}
