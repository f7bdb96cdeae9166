import SessionCRDT

/// Who serves when, and when ends are changed: what of a match is told and decides no point.
package struct SportService: Hashable, Sendable {
    /// Who serves next.
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// So many serves each by turns, and one each from the last point but one on.
        case turns
        /// Whoever has won the rally.
        case rally
        /// A game each by turns, and in a tie-break one serve, then two each.
        case games
        /// Nobody serves: whoever has won the end throws the jack.
        case jack
        /// Nobody.
        case none
    }

    /// Who serves first in the next part of a match.
    package enum Opening: String, Hashable, Sendable, CaseIterable {
        /// Whoever did not in the part before.
        case alternate
        /// Whoever has won the part before.
        case winner
    }

    /// When the sides change ends.
    package enum Ends: String, Hashable, Sendable, CaseIterable {
        /// Never.
        case never
        /// After each part, and in the last possible one once at so many points.
        case parts
        /// After each odd game of a set, and after every six points of a tie-break.
        case games
    }

    /// Who serves next.
    package var order = Order.none
    /// How many serves each has in a turn, where they serve by turns.
    package var serves = 2
    /// Who serves first in the next part.
    package var opening = Opening.alternate
    /// Who serves first in the match.
    package var first = SportSide.first
    /// Who serves first in the last possible part; nil where the order says it.
    package var last: SportSide?
    /// When ends are changed.
    package var ends = Ends.never
    /// With how many points of a side ends are changed in the last possible part; 0 of none.
    package var endsAt = 0

    /// Nobody serves and ends are kept.
    package init() {}

    /// The service of these settings; a sheet of somebody's own may lack any of them.
    init(_ settings: Settings) {
        func word(_ name: StaticString) -> String? {
            settings.values[Symbol(known: name)]?.string
        }
        func number(_ name: StaticString, _ range: ClosedRange<Int>) -> Int? {
            settings.number(name, within: range)
        }
        order = word("service").flatMap(Order.init) ?? .none
        serves = number("serves", 1...SportMode.limit) ?? 2
        opening = word("opens").flatMap(Opening.init) ?? .alternate
        first = word("server").flatMap(SportService.seats) ?? .first
        last = word("last-server").flatMap(SportService.seats)
        ends = word("ends").flatMap(Ends.init) ?? .never
        endsAt = number("ends-at", 0...SportMode.limit) ?? 0
    }

    /// The service of a book, as its options hold.
    package init(_ sheet: Sheet, _ book: Book) { self.init(Settings(sheet, book)) }

    /// The side of a seat as options name it.
    private static func seats(_ word: String) -> SportSide? {
        ["first": SportSide.first, "second": .second][word]
    }
}

extension Settings {
    /// The number of an option, cut to what a game can count with; nil where it is off.
    func number(_ name: StaticString, within range: ClosedRange<Int>) -> Int? {
        values[Symbol(known: name)]?.integer.map {
            min(max(Int(clamping: $0), range.lowerBound), range.upperBound)
        }
    }
}
