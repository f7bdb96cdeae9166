package import SessionCRDT

/// The rules of rubber bridge between two sides, deal by deal.
///
/// A deal is an entry in the row `deal`, in the cell of the declarer's side; its round is the number
/// of the deal in the rubber. A deal that was passed out is not entered. Source: the Laws of
/// Contract Bridge, Laws 72–81.
package struct BridgeRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(BridgeOptions.row, .moves)] }
    package static var teamRules: [TeamRule] { [.none, .together] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package var acceptsMovesFromAnyone: Bool { true }
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func game(ofScorers book: Book) -> any Game { BridgeGame(self, book) }
}

/// The row and the words of rubber bridge, which has no options.
struct BridgeOptions: TurnOptions {
    static let row = Symbol(known: "deal")
    static let words = TurnWords(game: "rubber", turn: "deal", verb: "play", part: "rubber")
    static let names: [String] = []

    var values: [String] { [] }

    init(_ settings: Settings) {}

    static func move(of value: Value) throws(RuleViolation) -> BridgeDeal {
        let meant = try? BridgeDeal(typed: [value.typed])
        if let meant, meant.spelling == value.string { return meant }
        throw words.misspelt(value, meant: meant?.spelling, examples: "4S+1, or 3NTX-2")
    }
}

extension BridgeRules {
    private static let games = Symbol(known: "games-won")
    private static let declared = Symbol(known: "declared")
    private static let made = Symbol(known: "made")
    private static let slams = Symbol(known: "slams")

    static func tally(of state: BridgeState, _ side: MatchSide) -> [Symbol: Int64] {
        [
            games: Int64(state.games[side]), declared: Int64(state.declared[side]),
            made: Int64(state.made[side]), slams: Int64(state.slams[side]),
        ]
    }

    package func statistics(of rubbers: [PlayerOutcome]) -> [Statistic] {
        let (declared, made) = (rubbers.sum(of: Self.declared), rubbers.sum(of: Self.made))
        let share = Statistic.average(made * 100, declared)
        return [
            .count("rubbers", "Rubbers", rubbers),
            .wins("wins", "Rubbers with more points", rubbers),
            .sum(Self.games, "Games won", rubbers),
            Statistic(Self.declared, "Contracts", "\(declared)"),
            Statistic("made-share", "Contracts made", share.map { $0 + " %" }),
            .sum(Self.slams, "Slams", rubbers),
        ]
    }
}
