package import SessionCRDT

/// The rules of darts: X01 in legs and sets, for one player or more.
///
/// A visit is a fact in the row `visit`, its round is the turn of the whole match. Source: the
/// playing rules of the Darts Regulation Authority, with what pubs do for more than two players.
/// Deliberate choices: a visit that goes bust takes back the double that opened the leg too; best
/// of N means the first to win more than half of N, and is played on where several players share N
/// without that; a newcomer throws at once, at their seat.
package struct DartsRules: GameRules, Hashable {
    package let sheet: Sheet

    /// The rules of a sheet.
    package init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// A match.
    package var outcomeWord: String { "match" }

    /// A leg.
    package var partWord: String? { "leg" }

    /// The points of the visits that count.
    package var courseLabel: String? { "Points" }

    /// The order, by the first visit.
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    package func statistics(of outcomes: [PlayerOutcome]) -> [Statistic] {
        DartsStatistics(outcomes).all
    }

    package func start(_ book: Book) -> any GameState { DartsGame(self, book) }
}

/// Which dart may take a player to zero.
package enum DartsOut: String, Hashable, Sendable, CaseIterable {
    /// Any dart that scores.
    case straight
    /// A double, the inner bull among them.
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

    /// The least that can be left without being bust: with one left no double is possible.
    package var least: Int {
        switch self {
        case .straight: 1
        case .double, .master: 2
        }
    }
}

/// How a match is set.
struct DartsMode: TurnMode {
    /// The points of each leg.
    let start: Int
    /// Which dart may be the last.
    let out: DartsOut
    /// Whether nothing counts before a double.
    let needsDoubleIn: Bool
    /// Of how many legs a set is the best.
    let legs: Int
    /// Of how many sets the match is the best.
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
        start = number("start", 501, DartsMode.starts)
        legs = number("legs", 1, DartsMode.lengths)
        sets = number("sets", 1, DartsMode.lengths)
        out = settings.values[Symbol(known: "out")]?.string.flatMap(DartsOut.init) ?? .double
        needsDoubleIn = settings.values[Symbol(known: "in")]?.string == "double"
    }

    init?(values: [Substring]) {
        guard let start = Int(values[0]), DartsMode.starts.contains(start),
            let out = DartsOut(rawValue: String(values[1])),
            let legs = Int(values[3]), DartsMode.lengths.contains(legs),
            let sets = Int(values[4]), DartsMode.lengths.contains(sets)
        else { return nil }
        self.start = start
        self.out = out
        needsDoubleIn = values[2] == "double"
        self.legs = legs
        self.sets = sets
    }

    static let row = Symbol(known: "visit")

    static let words = TurnWords(game: "match", turn: "visit", verb: "throw", part: "leg")

    static let options = ["start", "out", "in", "legs", "sets"]

    static func move(of value: Value) throws(RuleViolation) -> DartsVisit {
        if let visit = value.string.flatMap(DartsVisit.init(spelling:)) { return visit }
        let words = value.string ?? value.integer.map(String.init) ?? ""
        let meant = try? DartsVisit(typed: [words])
        throw DartsRule.misspelled(value.words, canonical: meant?.description).violation
    }

    var values: [String] {
        ["\(start)", out.rawValue, needsDoubleIn ? "double" : "straight", "\(legs)", "\(sets)"]
    }

    /// How many legs win a set: more than half.
    var legsToWin: Int { legs / 2 + 1 }

    /// How many sets win the match: more than half.
    var setsToWin: Int { sets / 2 + 1 }

    /// Whether the match is counted in sets.
    var hasSets: Bool { sets > 1 }
}

/// Why a visit cannot be entered or does not count, in words.
package enum DartsRule: Error, Hashable, Sendable {
    /// `play` without words.
    case nothingTyped
    /// The word is neither a total nor a dart.
    case notADart(String)
    /// More darts than a visit has.
    case tooManyDarts(Int)
    /// Fewer darts than a visit has, typed one by one, though the visit was not over with them.
    case tooFewDarts(Int)
    /// The number of darts beside the visit is none.
    case dartCount(String)
    /// The number of darts beside the visit is not how many are typed.
    case otherCount(said: Int, typed: Int)
    /// What is written is not the spelling of a visit.
    case misspelled(String, canonical: String?)
    /// No darts make this total.
    case impossible(String, darts: Int, isOpening: Bool)
    /// There is too much left for going bust.
    case cannotBust(left: Int, darts: Int)
    /// There are darts after the one that ended the visit.
    case dartsAfterEnd(Dart, isBust: Bool)

    /// The rule as the other parts of the program pass it on.
    var violation: RuleViolation { .game(.darts(self)) }
}

extension DartsRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingTyped: "say what was thrown: play 60, play T20 T19 D12, play bust"
        case .notADart(let word):
            "\(word.quoted) is no dart: T20, D16, S5 or 5, 25, BULL, MISS; a total stands alone"
        case .tooManyDarts(let count): "a visit has three darts, not \(count)"
        case .tooFewDarts(let count):
            "a visit has three darts, \(count == 1 ? "here is one" : "here are two"); "
                + "add the others, MISS for one that missed"
        case .dartCount(let text): "a visit has 1, 2 or 3 darts, not \(text.quoted)"
        case .otherCount(let said, let typed):
            "\(DartsRule.darts(typed)) and --darts \(said) contradict each other"
        case .misspelled(let text, .some(let canonical)):
            "a visit is written in one way: \(canonical), not \(text)"
        case .misspelled(let text, nil):
            "\(text) is no visit: 60, 26/2 for two darts, T20 T19 D12, or BUST"
        case .impossible(let total, let darts, let isOpening):
            "\(total) cannot be scored with \(DartsRule.darts(darts))"
                + (isOpening ? " of which a double is the first that counts" : "")
        case .cannotBust(let left, let darts):
            "nobody can bust \(left) with \(DartsRule.darts(darts))"
        case .dartsAfterEnd(let dart, let isBust):
            "\(dart) \(isBust ? "went bust" : "won the leg"); leave out the darts after it"
        }
    }

    /// So many darts in words: `one dart`, `three darts`.
    static func darts(_ count: Int) -> String {
        switch count {
        case 1: "one dart"
        case 2: "two darts"
        case 3: "three darts"
        default: "\(count) darts"
        }
    }
}

/// What darts tell: of a visit that was just entered, and below the table.
package enum DartsNote: Hashable, Sendable {
    /// A visit scored, and leaves so many; who `needsIn` has yet to begin with a double.
    case scored(player: String, points: Int, left: Int, needsIn: Bool)
    /// A visit was bust.
    case bust(player: String, left: Int)
    /// A total that would have ended the leg, and no darts do.
    case noFinish(Int, darts: Int, out: DartsOut)
    /// A total that ended the leg could have taken fewer darts than are counted.
    case fewerDarts([Int])
    /// A leg was won, which is called `leg 2`.
    case leg(String, winner: String, darts: Int, checkout: Int)
    /// The match was won, with what everybody won of it, the winner first.
    case match(inSets: Bool, won: [Won])
    /// Who throws, with what is left and how that can be finished with one visit.
    case turn(player: String, left: Int, finish: Finish)

    /// How many sets or legs a player won.
    package struct Won: Hashable, Sendable {
        /// The player.
        package let player: String
        /// How many.
        package let count: Int

        /// So many of a player.
        package init(_ player: String, _ count: Int) {
            self.player = player
            self.count = count
        }
    }

    /// How somebody can finish.
    package enum Finish: Hashable, Sendable {
        /// Not with one visit.
        case none
        /// Not before a double.
        case afterDouble
        /// With these darts.
        case route([Dart])
    }
}

extension DartsNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scored(let player, let points, let left, let needsIn):
            "\(player): \(points), \(left) left"
                + (needsIn ? ", still needs a double to begin" : "")
        case .bust(let player, let left): "bust: \(player) stays at \(left)"
        case .noFinish(let total, let darts, let out):
            "\(total) cannot be finished with \(DartsRule.darts(darts)) (\(out.rawValue) out)"
        case .fewerDarts(let counts):
            "counted as three darts; if it took fewer, undo and add --darts "
                + counts.map(String.init).joined(separator: " or ")
        case .leg(let leg, let winner, let darts, let checkout):
            "\(winner) won \(leg) with \(darts) \(darts == 1 ? "dart" : "darts"), \(checkout) out"
        case .match(let inSets, let won):
            "\(won.first?.player ?? "nobody") won the match; \(inSets ? "sets" : "legs"): "
                + won.map { "\($0.player) \($0.count)" }.joined(separator: ", ")
        case .turn(let player, let left, let finish):
            "\(player) to throw, \(left) left" + DartsNote.words(finish)
        }
    }

    private static func words(_ finish: Finish) -> String {
        switch finish {
        case .none: ""
        case .afterDouble: ", needs a double to begin"
        case .route(let darts): ": " + darts.map(\.words).joined(separator: " ")
        }
    }
}
