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
struct DartsMode: Hashable {
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

    /// The mode of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings) {
        func number(_ name: StaticString, _ standard: Int, _ range: ClosedRange<Int>) -> Int {
            let value = settings.values[Symbol(known: name)]?.integer
            return value.map { Int(clamping: $0) }.map {
                min(max($0, range.lowerBound), range.upperBound)
            } ?? standard
        }
        start = number("start", 501, 2...100_000)
        legs = number("legs", 1, 1...100_000)
        sets = number("sets", 1, 1...100_000)
        out = settings.values[Symbol(known: "out")]?.string.flatMap(DartsOut.init) ?? .double
        needsDoubleIn = settings.values[Symbol(known: "in")]?.string == "double"
    }

    /// What may not be changed once a visit counts.
    static let options = ["start", "out", "in", "legs", "sets"]

    /// How many legs win a set: more than half.
    var legsToWin: Int { legs / 2 + 1 }

    /// How many sets win the match: more than half.
    var setsToWin: Int { sets / 2 + 1 }

    /// Whether the match is counted in sets.
    var hasSets: Bool { sets > 1 }
}
