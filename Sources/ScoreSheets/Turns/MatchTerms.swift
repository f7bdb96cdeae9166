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

/// Where a game stands in which everybody moves in turn, in a recorded order.
protocol MatchStand: TurnStand where Terms == MatchTerms<Mode> {
    /// How the game is set.
    associatedtype Mode: TurnMode

    /// Who moves in which order.
    var rotation: TurnRotation { get set }
}

extension MatchStand {
    var mover: Int? { isOver ? nil : rotation.mover }

    mutating func begin(_ turn: UInt32, _ terms: Terms) {
        rotation.begin(terms.order, at: turn, terms.seats)
    }

    func seating(_ terms: Terms, isPast: Bool) -> Self {
        guard !isOver else { return self }
        var stand = self
        stand.rotation = rotation.seating(terms.players, terms.present, isPast: isPast)
        return stand
    }
}

extension TurnRecord where Stand: MatchStand {
    /// The order that the next turn has to record; nil where what is recorded holds.
    var orderToRecord: TurnOrder? {
        guard !stand.isOver else { return nil }
        var next = terms.order.setting(terms.mode.text)
        let seats = stand.rotation.seats
        if seats != recorded.rotation.seats {
            next = next.changing(at: openTurn, to: seats.map { terms.players[$0].id })
        }
        return next == terms.recorded ? nil : next
    }
}

/// How a game is set whose first turn records that, and what is always so of it.
protocol TurnMode: Hashable, Sendable {
    /// What a cell of a turn says, once it is read.
    associatedtype Move: Hashable, Sendable

    /// The row that holds the turns.
    static var row: Symbol { get }

    /// What the game calls its turns and itself.
    static var words: TurnWords { get }

    /// The options that make a mode, which hold from the first turn on.
    static var options: [String] { get }

    /// The move that a value says; refused where it says none.
    static func move(of value: Value) throws(RuleViolation) -> Move

    /// The mode of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings)

    /// The mode of what the options say, in their order; nil where they cannot say that.
    init?(values: [Substring])

    /// What the options say, in their order.
    var values: [String] { get }
}

extension TurnMode {
    /// The mode of a text; nil where it is not one, or is spelled otherwise.
    init?(text: some StringProtocol) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map {
            Substring($0)
        }
        let values = zip(Self.options, words).compactMap { option, word in
            word.hasPrefix("\(option)=") ? word.dropFirst(option.utf8.count + 1) : nil
        }
        guard words.count == Self.options.count, values.count == words.count else { return nil }
        self.init(values: values)
        // Numbers can be spelled in several ways.
        guard self.text.map({ $0 == text }) == true else { return nil }
    }

    /// `start=501 out=double in=straight legs=3 sets=1`; nil where there are no options.
    var text: String? {
        guard !Self.options.isEmpty else { return nil }
        return zip(Self.options, values).map { "\($0)=\($1)" }.joined(separator: " ")
    }
}
