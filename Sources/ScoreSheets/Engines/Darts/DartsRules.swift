package import SessionCRDT

/// The rules of darts: X01 in legs and sets, for one player or more.
///
/// A visit is an entry in the row `visit`; its round is the turn of the whole match. Source: the
/// playing rules of the Darts Regulation Authority, with what pubs do for more than two players.
/// Deliberate choices: a visit that goes bust also takes back the double that opened the leg; best
/// of N means the first to win more than half of N, and play goes on if several players share N
/// without that; a newcomer throws at once, at their seat.
package struct DartsRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [.moves(DartsOptions.row)] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package var outcomeName: String { "match" }
    package var partName: String? { "leg" }
    package var historyLabel: String? { "Points" }
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        DartsStatistics(outcomes).all
    }

    package func game(of book: Book) -> any Game { DartsGame(self, book) }
}

/// The rule for the dart that takes a player to zero.
package enum DartsOut: String, Hashable, Sendable, CaseIterable {
    /// Any dart that scores.
    case straight
    /// A double, or the inner bull.
    case double
    /// A double or a triple.
    case master

    /// Whether this dart may be the last one.
    package func allows(_ dart: Dart) -> Bool {
        switch (self, dart.ring) {
        case (_, .miss), (.double, .single), (.double, .triple), (.master, .single): false
        case (.straight, _), (.double, .double), (.master, .double), (.master, .triple): true
        }
    }

    /// The least that can be left without being bust: with 1 left no double is possible.
    package var minLeft: Int {
        switch self {
        case .straight: 1
        case .double, .master: 2
        }
    }
}

/// The options of a match.
struct DartsOptions: TurnOptions {
    /// The points of each leg.
    let start: Int
    let out: DartsOut
    /// Whether nothing counts before a double.
    let needsDoubleIn: Bool
    /// A set is the best of so many legs.
    let legs: Int
    /// The match is the best of so many sets.
    let sets: Int

    private static let starts = 2...100_000
    private static let lengths = 1...100_000

    init(_ settings: Settings) {
        func number(_ name: StaticString, _ standard: Int, _ range: ClosedRange<Int>) -> Int {
            let value = settings.values[Symbol(known: name)]?.integer
            return value.map { Int(clamping: $0) }.map {
                min(max($0, range.lowerBound), range.upperBound)
            } ?? standard
        }
        start = number("start", 501, DartsOptions.starts)
        legs = number("legs", 1, DartsOptions.lengths)
        sets = number("sets", 1, DartsOptions.lengths)
        out = settings.values[Symbol(known: "out")]?.string.flatMap(DartsOut.init) ?? .double
        needsDoubleIn = settings.values[Symbol(known: "in")]?.string == "double"
    }

    init?(values: [Substring]) {
        guard let start = Int(values[0]), DartsOptions.starts.contains(start),
            let out = DartsOut(rawValue: String(values[1])),
            let legs = Int(values[3]), DartsOptions.lengths.contains(legs),
            let sets = Int(values[4]), DartsOptions.lengths.contains(sets)
        else { return nil }
        self.start = start
        self.out = out
        needsDoubleIn = values[2] == "double"
        self.legs = legs
        self.sets = sets
    }

    static let row = Symbol(known: "visit")

    static let words = TurnWords(game: "match", turn: "visit", verb: "throw", part: "leg")

    static let names = ["start", "out", "in", "legs", "sets"]

    static func move(of value: Value) throws(RuleViolation) -> DartsVisit {
        if let visit = value.string.flatMap(DartsVisit.init(spelling:)) { return visit }
        let words = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? DartsVisit(typed: [words])
        throw RuleViolation(
            meant.map { "a visit is written in one way: \($0), not \(value.words)" }
                ?? "\(value.words) is no visit: 60, 26/2 for two darts, T20 T19 D12, or BUST"
        )
    }

    var values: [String] {
        ["\(start)", out.rawValue, needsDoubleIn ? "double" : "straight", "\(legs)", "\(sets)"]
    }

    var legsToWin: Int { legs / 2 + 1 }

    var setsToWin: Int { sets / 2 + 1 }

    var hasSets: Bool { sets > 1 }
}
