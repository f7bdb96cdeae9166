import SessionCRDT

/// Who plays Reversi, black first; nobody until there are two.
///
/// The first move records it, and from then on it holds: whoever comes, leaves or changes seats
/// later, on a device that was away perhaps, changes no move of the past. Moves that came without
/// `play`, so that nothing is recorded, are read by the first two seats of now.
struct ReversiTerms: TurnTerms {
    static let row = Symbol(known: "move")

    static let words = TurnWords(game: "game", turn: "move", verb: "move", part: "game")

    /// The option that records who plays black and who white.
    static let sides = Symbol(known: "sides")

    let sheet: Sheet
    let players: [Player]
    let seats: [PlayerID: Int]
    /// Whether the first move recorded who plays, and stands.
    let isRecorded: Bool

    private let settings: Settings
    private let presentCount: Int

    /// The terms of a book.
    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        presentCount = book.players.count(where: \.isPresent)
        (players, isRecorded) = ReversiTerms.players(of: book, settings)
        seats = players.seats
    }

    static func move(of value: Value) -> Value { value }

    /// Who is recorded, while a move of theirs stands: the first, which is black's, or the second,
    /// white's; else the first two seats.
    ///
    /// What an earlier game recorded, or one whose moves were taken back, binds nobody.
    private static func players(
        of book: Book,
        _ settings: Settings
    ) -> (players: [Player], isRecorded: Bool) {
        let recorded = recorded(settings).compactMap(book.player)
        let isBegun = recorded.enumerated().contains { index, player in
            let cell = Cell(player: player.id, row: row, round: UInt32(index + 1))
            return book[cell].map { $0.winner.value != .null } ?? false
        }
        if recorded.count == 2, isBegun { return (recorded, true) }
        let present = book.players.lazy.filter(\.isPresent).prefix(2)
        return (present.count < 2 ? [] : Array(present), false)
    }

    /// Who is recorded, black first; empty where nobody is, or what is there says nothing.
    private static func recorded(_ settings: Settings) -> [PlayerID] {
        let words = settings.values[sides]?.string?.split(separator: " ") ?? []
        let players = words.compactMap { PlayerID($0) }
        return words.count == 2 && Set(players).count == 2 ? players : []
    }

    /// What the first move records; nothing where that holds already.
    var toRecord: [Symbol: Value] {
        guard !isRecorded, sheet.option(ReversiTerms.sides) != nil else { return [:] }
        return [ReversiTerms.sides: .text(players.map(\.id.description).joined(separator: " "))]
    }

    func hold(in book: Book, after change: BookChange) -> Bool {
        let now = ReversiTerms.players(of: book, settings)
        return now.isRecorded == isRecorded && now.players == players
    }

    func flags(of book: Book) -> [Flag] {
        let sides = settings.values[Self.sides] ?? .null
        let isSpoilt = sides != .null && Self.recorded(settings).isEmpty
        let spoilt = isSpoilt ? [Flag(.option(Self.sides), ReversiRule.wrongSides.violation)] : []
        return (crowd.map { [Flag(.game, $0)] } ?? []) + settings.flags + spoilt
    }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        let name = player?.name ?? ""
        if player?.isPresent != true { return .removedPlayer(name: name) }
        return missing ?? ReversiRule.noSeat(name, players: whoPlays).violation
    }

    func violation(atPast turn: UInt32, of seat: Int) -> RuleViolation {
        ReversiRule.moved(Int(turn), by: name(seat)).violation
    }

    /// What a side's player is called.
    func name(of side: ReversiSide) -> String {
        players.isEmpty ? side.name : name(side.seat)
    }

    /// Who plays and was removed, so that the game waits; nil of nobody.
    var absent: Player? { players.first { !$0.isPresent } }

    /// Why there is no game; nil where there is one, though perhaps somebody only watches.
    var missing: RuleViolation? {
        let allowed = Bounds(within: 2...2)
        return players.isEmpty ? .playerCount(presentCount, allowed: allowed) : nil
    }

    /// What is wrong with the number of players; nil where it is right, or the game has begun.
    var crowd: RuleViolation? {
        presentCount > 2 && !isRecorded ? sheet.violation(ofPlayerCount: presentCount) : nil
    }

    /// Whose game it is, for those who only watch: `Ann and Bob`, or `the first two players`.
    var whoPlays: String {
        isRecorded ? players.map(\.name).joined(separator: " and ") : "the first two players"
    }
}
