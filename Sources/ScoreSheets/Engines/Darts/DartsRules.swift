package import SessionCRDT

/// The rules of darts: X01 in legs and sets, for one player or more.
///
/// A visit is an entry in the row `visit`; its round is the turn of the whole match. Source: the
/// playing rules of the Darts Regulation Authority, with what pubs do for more than two players.
/// Deliberate choices: a visit that goes bust also takes back the double that opened the leg; best
/// of N means the first to win more than half of N, and play goes on if no player has done so after
/// N; a newcomer throws at once, at their seat.
package struct DartsRules: GameRules, Hashable {
    package static var codedRows: [CodedRow]? { [(DartsOptions.row, .moves)] }
    package static var teamRules: [TeamRule] { [.none, .together] }

    package let sheet: Sheet

    package init(sheet: Sheet) { self.sheet = sheet }

    package var outcomeName: String { "match" }
    package var partName: String? { "leg" }
    package var historyLabel: String? { "Points" }
    package var recordedOptions: Set<Symbol> { [TurnOrder.option] }

    /// The points that a player may start with.
    static let starts = 2...100_000

    package func check(start points: Points, in book: Book) throws(RuleViolation) {
        guard let whole = points.whole, Self.starts ~= Int(clamping: whole) else {
            let (least, most) = (Self.starts.lowerBound, Self.starts.upperBound)
            throw RuleViolation("a player starts with \(least) to \(most) points, not \(points)")
        }
        guard !book.hasEntries else {
            throw RuleViolation("visits count already; a new match can have other starts")
        }
    }

    package func game(ofScorers book: Book) -> any Game { DartsGame(self, book) }
}

/// The rule for the dart that takes a player to zero.
package enum DartsOut: String, Hashable, Sendable, CaseIterable {
    /// Any dart that scores.
    case straight
    /// A double, or the inner bull.
    case double
    case master

    var index: Int {
        switch self {
        case .straight: 0
        case .double: 1
        case .master: 2
        }
    }

    package func allows(_ dart: Dart) -> Bool {
        switch (self, dart.ring) {
        case (_, .miss), (.double, .single), (.double, .triple), (.master, .single): false
        case (.straight, _), (.double, .double), (.master, .double), (.master, .triple): true
        }
    }

    /// The minimum that a visit can leave without being bust: no double finishes 1.
    package var minLeft: Int { self == .straight ? 1 : 2 }
}

struct DartsOptions: TurnOptions {
    let start: Int
    let out: DartsOut
    /// Whether nothing counts before a double.
    let needsDoubleIn: Bool
    /// The number of legs that a set is the best of.
    let legs: Int
    /// The number of sets that the match is the best of.
    let sets: Int
    /// Whether all legs are played, also after one player has more than half of them.
    let playsAll: Bool

    init(_ settings: Settings) {
        start = settings.number("start", within: DartsRules.starts) ?? 501
        legs = settings.number("legs", within: 1...100_000) ?? 1
        sets = settings.number("sets", within: 1...100_000) ?? 1
        playsAll = settings.values[Symbol(known: "all-legs")] == .boolean(true)
        out = settings.choice("out") ?? .double
        needsDoubleIn = settings.values[Symbol(known: "in")]?.string == "double"
    }

    static let row = Symbol(known: "visit")
    static let words = TurnWords(game: "match", turn: "visit", verb: "throw", part: "leg")
    static let names = ["start", "out", "in", "legs", "sets", "all-legs"]
    static let unrecorded = ["all-legs": "no"]

    static func move(of value: Value) throws(RuleViolation) -> DartsVisit {
        if let visit = value.string.flatMap(DartsVisit.init(spelling:)) { return visit }
        throw words.misspelt(
            value,
            meant: (try? DartsVisit(typed: [value.typed]))?.description,
            examples: "60, 26/2 for two darts, T20 T19 D12, or BUST"
        )
    }

    var values: [String] {
        [
            "\(start)", out.rawValue, needsDoubleIn ? "double" : "straight", "\(legs)", "\(sets)",
            playsAll ? "yes" : "no",
        ]
    }

    /// Whether the match ends after its last leg, whoever has won how many: all legs are played, or
    /// an even number, which may end in a draw.
    var endsAfterLegs: Bool { !hasSets && (playsAll || legs.isMultiple(of: 2)) }

    var legsToWin: Int { legs / 2 + 1 }
    var setsToWin: Int { sets / 2 + 1 }
    var hasSets: Bool { sets > 1 }
    /// Whether the match is more than a single leg.
    var hasParts: Bool { hasSets || legs > 1 }
}
