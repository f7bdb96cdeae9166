import SessionCRDT

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
