package import SessionCRDT

/// The rules of cricket, the darts game of 20 to 15 and the bull, for one player or more.
///
/// A visit is a fact in the row `visit`, its round is the turn of the whole game. Source: the rules
/// that dart leagues and makers of boards publish, which agree on all but names. Deliberate
/// choices: a number scores while anybody else of those who play has it open; whoever has closed
/// all and is not behind wins with the dart that makes it so, also with one of somebody else;
/// newcomers begin without marks and points.
package struct CricketRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// The order, by the first visit.
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        CricketStatistics.all(of: outcomes)
    }

    package func start(_ book: Book) -> any GameState { CricketGame(self, book) }
}

/// Who gets the points of cricket.
enum CricketVariant: String {
    /// Whoever throws.
    case standard
    /// Everybody else who has the number open; the fewest win.
    case cutThroat = "cut-throat"
    /// Nobody: the first to close all wins.
    case noScore = "no-score"
}

/// How a game of cricket is set.
struct CricketMode: TurnMode {
    /// Who gets the points.
    let variant: CricketVariant

    static let row = Symbol(known: "visit")

    static let words = TurnWords(game: "game", turn: "visit", verb: "throw", part: "game")

    static let options = ["variant"]

    var values: [String] { [variant.rawValue] }

    static func move(of value: Value) throws(RuleViolation) -> CricketVisit {
        if let visit = value.string.flatMap(CricketVisit.init(spelling:)) { return visit }
        let typed = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? CricketVisit(typed: [typed])
        throw CricketRule.misspelled(value.words, canonical: meant?.description).violation
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

/// Why a visit of cricket cannot be entered or does not count, beside the rules of darts.
package enum CricketRule: Hashable, Sendable {
    /// `play` without words.
    case nothingTyped
    /// The word is no dart.
    case notADart(String)
    /// What is written is not the spelling of a visit.
    case misspelled(String, canonical: String?)
    /// There are darts after the one with which somebody won.
    case dartsAfterEnd

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.cricket(self)) }
}

extension CricketRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingTyped: "say what was thrown, dart by dart: play T20 S19 D18, play 20 20 miss"
        case .notADart(let word): "\(word.quoted) is no dart: T20, D16, S5 or 5, 25, BULL, MISS"
        case .misspelled(let text, .some(let canonical)):
            "a visit is written in one way: \(canonical), not \(text)"
        case .misspelled(let text, nil): "\(text) is no visit: T20 S19 D18, or MISS MISS MISS"
        case .dartsAfterEnd: "a dart before won the game; leave out the darts after it"
        }
    }
}

/// What cricket tells.
package enum CricketNote: Hashable, Sendable {
    /// A visit made so many marks, scored, and closed these numbers.
    case scored(player: String, marks: Int, points: Int, closed: [String])
    /// These have won.
    case won([String])
    /// Who throws.
    case turn(String)
}

extension CricketNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scored(let player, let marks, let points, let closed):
            "\(player): \(marks == 1 ? "1 mark" : "\(marks) marks")"
                + (points > 0 ? ", \(points) points" : "")
                + (closed.isEmpty ? "" : ", closed " + closed.joined(separator: ", "))
        case .won(let winners): winners.joined(separator: " and ") + " won the game"
        case .turn(let player): "\(player) to throw"
        }
    }
}
