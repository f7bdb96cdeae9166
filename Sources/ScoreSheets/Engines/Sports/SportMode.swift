import SessionCRDT

/// How the points of a match make games, sets and the end of it.
///
/// A match is the best of so many parts, which people call games or sets. A part is won by points,
/// or, as in tennis, by games that are won by points.
package struct SportMode: Hashable, Sendable {
    /// What the last possible set is, where sets have games.
    package enum Final: String, Hashable, Sendable, CaseIterable {
        /// A set as the others.
        case same
        /// A set with a longer tie-break.
        case long
        /// A set without a tie-break.
        case advantage
        /// The longer tie-break in place of a set.
        case short
    }

    /// The best of how many parts the match is.
    package var best = 1
    /// How many points win a part, or a game of a set.
    package var points = 11
    /// By how many points they win.
    package var lead = 2
    /// How many points win by whatever lead; 0 of none.
    package var cap = 0
    /// How many points win the last possible part, or its longer tie-break; 0 as in the others.
    package var last = 0
    /// How many games win a set, by two; 0 where a part has points only.
    package var games = 0
    /// How many points win the tie-break at so many games all, by two; 0 where there is none.
    package var tieBreak = 0
    /// What the last possible set is.
    package var final = Final.same
    /// How many points one entry can bring at most.
    package var most = 1

    /// More of anything is cut to this: a match of more would be of nobody.
    static let limit = 999

    /// One game to 11.
    package init() {}

    /// The mode of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings) {
        func number(_ name: StaticString, _ least: Int = 0) -> Int? {
            settings.number(name, within: least...SportMode.limit)
        }
        best = number("best", 1) ?? 1
        points = number("points", 1) ?? 11
        lead = number("lead", 1) ?? 2
        cap = number("cap") ?? 0
        last = number("last") ?? 0
        games = number("games") ?? 0
        tieBreak = number("tie-break") ?? 0
        final = settings.values[Symbol(known: "final")]?.string.flatMap(Final.init) ?? .same
        most = number("most", 1) ?? 1
    }

    /// The mode of a book, as its options hold.
    package init(_ sheet: Sheet, _ book: Book) { self.init(Settings(sheet, book)) }

    /// How many parts win the match: more than half.
    package var partsToWin: Int { best / 2 + 1 }

    /// Whether a part has games.
    package var hasGames: Bool { games > 0 }
}
