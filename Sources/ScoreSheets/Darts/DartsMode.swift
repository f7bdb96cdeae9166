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

    private static let starts = 2...100_000
    private static let lengths = 1...100_000

    /// The mode of these settings; a sheet of somebody's own may lack any of them.
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

    /// The mode of a text; nil where it is not one, or is spelled otherwise.
    init?(_ text: Substring) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let values = zip(DartsMode.options, words).compactMap { option, word in
            word.hasPrefix("\(option)=") ? word.dropFirst(option.utf8.count + 1) : nil
        }
        guard words.count == DartsMode.options.count, values.count == words.count,
            let start = Int(values[0]), DartsMode.starts.contains(start),
            let out = DartsOut(rawValue: String(values[1])),
            let legs = Int(values[3]), DartsMode.lengths.contains(legs),
            let sets = Int(values[4]), DartsMode.lengths.contains(sets)
        else { return nil }
        self.start = start
        self.out = out
        needsDoubleIn = values[2] == "double"
        self.legs = legs
        self.sets = sets
        // Numbers can be spelled in several ways.
        guard description == text else { return nil }
    }

    /// The options that make a mode, which hold from the first visit on.
    static let options = ["start", "out", "in", "legs", "sets"]

    /// What the options say, in their order.
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

extension DartsMode: CustomStringConvertible {
    /// `start=501 out=double in=straight legs=3 sets=1`.
    var description: String {
        zip(DartsMode.options, values).map { "\($0)=\($1)" }.joined(separator: " ")
    }
}
