package import SessionCRDT

/// The rules of cricket, the darts game of 20 to 15 and the bull, for one player or more; of
/// tactics, which goes down to 10; and of both with doubles, triples and three in a bed as targets
/// of their own (Mickey Mouse, Minnesota cricket).
///
/// A visit is an entry in the row `visit`; its round is the turn of the whole game. Source: the
/// rules that dart leagues and makers of boards publish, which differ only in names; for the other
/// targets dcsdl.co.uk and bod-darts.com: a dart counts in one way, which the player says, and at a
/// number that is not in play for its ring. Deliberate choices: a number scores while any other
/// player has it open; a player wins as soon as all the player's numbers are closed and no other
/// player is ahead, even by a dart of another player; newcomers start without marks and points.
package struct CricketRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(CricketOptions.row, .moves)] }
    package static var teamRules: [TeamRule] { [.none, .together] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func game(ofScorers book: Book) -> any Game { CricketGame(self, book) }
}

enum CricketVariant: String {
    /// The thrower scores.
    case standard
    /// All other players who have the number open score; the lowest score wins.
    case cutThroat = "cut-throat"
    /// No points: the first to close all numbers wins.
    case noScore = "no-score"
}

/// The targets that have to be closed besides the numbers and the bull.
enum CricketTargets: String {
    case numbers
    /// Three doubles and three triples of any number.
    case rings
    /// These, and once three darts of a visit in one bed.
    case beds
}

struct CricketOptions: TurnOptions {
    let variant: CricketVariant
    /// The lowest number in play.
    let lowest: Int
    let targets: CricketTargets

    static let row = Symbol(known: "visit")
    static let words = TurnWords(game: "game", turn: "visit", verb: "throw", part: "game")
    static let names = ["variant", "lowest", "targets"]
    static let unrecorded = ["lowest": "15", "targets": "numbers"]

    var values: [String] { [variant.rawValue, "\(lowest)", targets.rawValue] }

    /// The numbers in play, by index in `CricketMarks.numbers`.
    var numbers: [Int] {
        CricketMarks.numbers.indices.filter { CricketMarks.numbers[$0] >= lowest }
    }

    /// All that has to be closed, by index in `CricketMarks`, in display order.
    var goals: [Int] {
        switch targets {
        case .numbers: numbers
        case .rings: numbers + [CricketMarks.doubles, CricketMarks.triples]
        case .beds: numbers + [CricketMarks.doubles, CricketMarks.triples, CricketMarks.bed]
        }
    }

    static func move(of value: Value) throws(RuleViolation) -> CricketVisit {
        if let visit = value.string.flatMap(CricketVisit.init(spelling:)) { return visit }
        throw words.misspelt(
            value,
            meant: (try? CricketVisit(typed: [value.typed]))?.spelling,
            examples: "T20 S19 D18, or MISS MISS MISS"
        )
    }

    init(_ settings: Settings) {
        variant = settings.choice("variant") ?? .standard
        lowest = settings.number("lowest", within: 10...15) ?? 15
        targets = settings.choice("targets") ?? .numbers
    }
}

extension CricketRules {
    private static let marks = Symbol(known: "marks")
    private static let visits = Symbol(known: "visits")
    private static let best = Symbol(known: "best-round")

    static func tally(_ seat: CricketState.Tally) -> [Symbol: Int64] {
        [marks: Int64(seat.made), visits: Int64(seat.visits), best: Int64(seat.best)]
    }

    package func statistics(of games: [PlayerOutcome]) -> [Statistic] {
        let (marks, visits) = (games.sum(of: Self.marks), games.sum(of: Self.visits))
        let average = Statistic.average(marks, visits)
        return [
            .wins("games-won", "Games won", games),
            Statistic("marks-per-round", "Marks per round", average),
            .most(Self.best, "Best round", games),
            .count("games", "Games", games),
            Statistic(Self.marks, "Marks", "\(marks)"),
            Statistic("rounds", "Rounds", "\(visits)"),
        ]
    }
}
