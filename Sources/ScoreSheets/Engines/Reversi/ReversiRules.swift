package import SessionCRDT

/// The rules of Reversi as Othello is played: a fixed start, black moves first, and only a side
/// without a move is passed over.
///
/// Turn n is the n-th disc that was put, in the cell of whoever put it; the value is the square.
/// The first move records who plays black and who white.
package struct ReversiRules: GameRules, Hashable {
    package let sheet: Sheet
    package let hasComputer = true

    /// The rules of this sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    package func start(_ book: Book) -> any GameState { ReversiGame(self, book) }

    /// Who plays, by the first move.
    package var recordedOptions: Set<Symbol> { [ReversiTerms.sides] }

    /// The general ones, and how somebody fares with either colour.
    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        func wins(as side: ReversiSide) -> String {
            let games = outcomes.filter { $0.tally[side.symbol] == 1 }
            return "\(games.count { $0.isWinner && $0.tally[ReversiGame.drawn] != 1 })"
                + " of \(games.count)"
        }
        let draws = outcomes.count { $0.tally[ReversiGame.drawn] == 1 }
        return Statistic.general(of: outcomes) + [
            Statistic(Symbol(known: "draws"), "Draws", "\(draws)"),
            Statistic(Symbol(known: "black"), "Wins as black", wins(as: .black)),
            Statistic(Symbol(known: "white"), "Wins as white", wins(as: .white)),
        ]
    }
}

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

/// Why a disc cannot be put somewhere, or why one that somebody recorded does not count.
package enum ReversiRule: Error, Hashable {
    /// There is no such square; the text is in quotation marks where it is not short.
    case noSquare(String)
    /// Nothing was named.
    case nothingNamed
    /// There is a disc already.
    case taken(ReversiSquare)
    /// No disc of the other side would be turned.
    case turnsNothing(ReversiSquare)
    /// The other player made this move.
    case moved(Int, by: String)
    /// Neither side can move.
    case over
    /// A pass was typed.
    case pass
    /// Only two play.
    case noSeat(String, players: String)
    /// Moves were made, so that nobody else can play.
    case sidesFixed(players: String)
    /// Who plays black and white is not chosen.
    case recorded
    /// What is recorded does not say who plays.
    case wrongSides
    /// One of several moves is illegal.
    indirect case inTranscript(Int, ReversiRule)
}

extension ReversiRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noSquare(let text): "\(text) is not a square; squares are a1 to h8"
        case .nothingNamed: "say which square, as in play d3"
        case .taken(let square): "\(square) is taken"
        case .turnsNothing(let square): "\(square) turns no disc"
        case .moved(let number, let name): "move \(number) was \(name)'s"
        case .over: "the game is over"
        case .pass: "nobody passes by hand: a side without a move is passed over"
        case .noSeat(let name, let players): "\(name) only watches: \(players) play"
        case .sidesFixed(let players):
            "the sides are fixed once moves are made: \(players) play, and a computer that comes "
                + "now would only watch; take the moves back first with: scorectl reset"
        case .recorded:
            "sides is recorded by the first move; choose who is black before it, with player order"
        case .wrongSides:
            "this does not say who plays black and white; the game writes it by itself"
        case .inTranscript(let number, let rule): "move \(number): \(rule)"
        }
    }

    /// The rule as the reason of a refusal or a flag.
    var violation: RuleViolation { .game(.reversi(self)) }
}

/// What Reversi tells.
package enum ReversiNote: Hashable, Sendable {
    /// A side has to pass, and the other moves again; nil where a move was just made.
    case passes(String, next: String?)
    /// A side had to pass after one of several moves.
    case passed(String, afterMove: Int)
    /// A player of the game was removed.
    case absent(String)
    /// The game is over.
    case over([Result])

    /// How a side stands at the end.
    package struct Result: Hashable, Sendable {
        /// The player.
        package let player: String
        /// The discs on the board.
        package let discs: Int
        /// The result as tournaments count it: with the empty squares for the winner.
        package let result: Int
    }
}

extension ReversiNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .passes(let player, nil): "\(player) must pass"
        case .passes(let player, let next?): "\(player) must pass: \(next) moves again"
        case .passed(let player, let number): "\(player) had to pass after move \(number)"
        case .absent(let player):
            "\(player) was removed: restore the player to go on, or finish the session"
        case .over(let results):
            "the game is over: "
                + results.map { "\($0.player) \($0.discs)" }.joined(separator: ", ")
                + "; tournament result: "
                + results.map { "\($0.player) \($0.result)" }.joined(separator: ", ")
        }
    }
}
