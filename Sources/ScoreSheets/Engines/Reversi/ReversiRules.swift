package import SessionCRDT

/// The rules of Reversi as Othello is played: a fixed start, black moves first, and only a side
/// without a move is passed over.
///
/// Turn n is the n-th disc, in the cell of the player who placed it; the value is the square. The
/// first move records who plays black and who white.
package struct ReversiRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(ReversiSetup.row, .moves)] }

    package let sheet: Sheet
    package let hasComputer = true

    package init(sheet: Sheet) { self.sheet = sheet }

    package func game(ofScorers book: Book) -> any Game { ReversiGame(self, book) }

    package var recordedOptions: Set<Symbol> { [ReversiSetup.sides] }
}

/// The two players of Reversi, black first; none until there are two.
///
/// The first move records them. From then on players who come, leave or change seats, on a
/// disconnected device for example, change no past move. Moves entered without `play` record
/// nothing and are read with the current first two seats.
struct ReversiSetup: TurnSetup {
    static let row = Symbol(known: "move")
    static let words = TurnWords(game: "game", turn: "move", verb: "move", part: "game")

    /// The option that records who plays black and who white.
    static let sides = Symbol(known: "sides")

    let sheet: Sheet
    let players: [Player]
    let seats: [PlayerID: Int]
    /// Whether the first move recorded the players, and still counts.
    let isRecorded: Bool
    private let settings: Settings
    private let presentCount: Int

    init(_ sheet: Sheet, _ book: Book) {
        self.sheet = sheet
        settings = Settings(sheet, book)
        presentCount = book.players.count(where: \.isPresent)
        (players, isRecorded) = ReversiSetup.players(of: book, settings)
        seats = players.seats
    }

    static func move(of value: Value) -> Value { value }

    /// Returns the recorded players while the first move of black or white exists; else the first
    /// two seats.
    ///
    /// A record of an earlier game, or of undone moves, is not binding.
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

    /// Returns the recorded players, black first; empty if there are none or the text is invalid.
    private static func recorded(_ settings: Settings) -> [PlayerID] {
        let words = settings.values[sides]?.string?.split(separator: " ") ?? []
        let players = words.compactMap { PlayerID($0) }
        return words.count == 2 && Set(players).count == 2 ? players : []
    }

    /// The option that the first move records; none if it is recorded already.
    var toRecord: [Symbol: Value] {
        guard !isRecorded, sheet.option(ReversiSetup.sides) != nil else { return [:] }
        return [ReversiSetup.sides: .text(players.map(\.id.description).joined(separator: " "))]
    }

    func isCurrent(in book: Book, afterChangesIn cells: [Cell]) -> Bool {
        let now = ReversiSetup.players(of: book, settings)
        return now.isRecorded == isRecorded && now.players == players
    }

    func flags(of book: Book) -> [Flag] {
        let sides = settings.values[Self.sides] ?? .null
        let isInvalid = sides != .null && Self.recorded(settings).isEmpty
        let reason = RuleViolation(
            "this does not say who plays black and white; the game writes it by itself"
        )
        return (tooManyPlayers.map { [Flag(.game, $0)] } ?? []) + settings.flags
            + (isInvalid ? [Flag(.option(Self.sides), reason)] : [])
    }

    func violation(byStranger player: Player?, at turn: UInt32) -> RuleViolation {
        let name = player?.name ?? ""
        if player?.isPresent != true { return .removedPlayer(name: name) }
        return tooFewPlayers ?? onlyWatches(name)
    }

    func onlyWatches(_ name: String) -> RuleViolation {
        RuleViolation("\(name) is not playing this game: the players are \(playerNames)")
    }

    func violation(atPast turn: UInt32, of seat: Int) -> RuleViolation {
        RuleViolation("move \(turn) was \(name(seat))'s")
    }

    func name(of side: ReversiSide) -> String { players.isEmpty ? side.name : name(side.seat) }

    var removedPlayer: Player? { players.first { !$0.isPresent } }

    /// The reason why there is no game: fewer than two players.
    var tooFewPlayers: RuleViolation? {
        players.isEmpty ? .playerCount(presentCount, allowed: Bounds(within: 2...2)) : nil
    }

    /// The reason why a game cannot start: more than two players.
    var tooManyPlayers: RuleViolation? {
        presentCount > 2 && !isRecorded ? sheet.violation(ofPlayerCount: presentCount) : nil
    }

    /// `Ann and Bob`, or `the first two` before the first move.
    var playerNames: String {
        isRecorded ? players.map(\.name).joined(separator: " and ") : "the first two"
    }
}
