package import SessionCRDT

/// The rules of cricket, the darts game of 20 to 15 and the bull, for one player or more.
///
/// A visit is an entry in the row `visit`; its round is the turn of the whole game. Source: the
/// rules that dart leagues and makers of boards publish, which agree on all but names. Deliberate
/// choices: a number scores while any other player has it open; whoever has closed all numbers and
/// is not behind wins with the dart that makes it so, even if somebody else throws it; newcomers
/// start without marks and points.
package struct CricketRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [.moves(CricketOptions.row)] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        CricketStatistics.all(of: outcomes)
    }

    package func game(of book: Book) -> any Game { CricketGame(self, book) }
}

/// The rule for who gets the points of cricket.
enum CricketVariant: String {
    /// The thrower.
    case standard
    /// Everyone else who has the number open; the fewest win.
    case cutThroat = "cut-throat"
    /// Nobody: the first to close all numbers wins.
    case noScore = "no-score"
}

/// The options of a game of cricket.
struct CricketOptions: TurnOptions {
    let variant: CricketVariant

    static let row = Symbol(known: "visit")
    static let words = TurnWords(game: "game", turn: "visit", verb: "throw", part: "game")
    static let names = ["variant"]

    var values: [String] { [variant.rawValue] }

    static func move(of value: Value) throws(RuleViolation) -> CricketVisit {
        if let visit = value.string.flatMap(CricketVisit.init(spelling:)) { return visit }
        let typed = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? CricketVisit(typed: [typed])
        throw RuleViolation(
            meant.map { "a visit is written in one way: \($0), not \(value.words)" }
                ?? "\(value.words) is no visit: T20 S19 D18, or MISS MISS MISS"
        )
    }

    init(_ settings: Settings) {
        let chosen = settings.values[Symbol(known: "variant")]?.string
        variant = chosen.flatMap(CricketVariant.init) ?? .standard
    }

    init?(values: [Substring]) {
        guard let variant = CricketVariant(rawValue: String(values[0])) else { return nil }
        self.variant = variant
    }
}

/// One to three darts that a player threw in one turn, stored as in darts: `T20 S19 MISS`.
struct CricketVisit: Hashable, Sendable {
    let darts: [Dart]

    /// Reads the one spelling in which a visit is stored.
    init?(spelling: String) {
        guard case .darts(let darts) = DartsVisit(spelling: spelling) else { return nil }
        self.darts = darts
    }

    /// Reads what people type after `play`, and the number of darts given with it.
    init(typed words: [String], darts given: String? = nil) throws(RuleViolation) {
        let words = DartsVisit.words(in: words)
        guard !words.isEmpty else {
            throw RuleViolation(
                "no darts given",
                hint: "for example: scorectl play T20 S19 D18"
            )
        }
        darts = try DartsVisit.darts(typed: words, given: given, orTotal: false)
    }
}

extension CricketVisit: CustomStringConvertible {
    var description: String { darts.map(\.description).joined(separator: " ") }
}
