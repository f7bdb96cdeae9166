/// What a player did at the board in one turn, as it was entered.
///
/// What it comes to depends on what was left, and is derived.
package enum DartsVisit: Hashable, Sendable {
    /// So many points with one to three darts.
    case total(Int, darts: Int)
    /// One to three darts, each said.
    case darts([Dart])
    /// A visit that went bust, whatever was hit.
    case bust(darts: Int)

    /// How many darts a visit has where nobody says.
    package static let most = 3

    /// How many darts were thrown.
    package var dartCount: Int {
        switch self {
        case .total(_, let darts), .bust(let darts): darts
        case .darts(let darts): darts.count
        }
    }

    /// The visit of the one spelling in which it is stored: `60`, `26/2`, `T20 T19 D12`, `BUST`,
    /// `BUST/2`.
    package init?(spelling: String) {
        let bytes = Array(spelling.utf8.prefix(DartsVisit.longest + 1))
        guard let first = bytes.first, bytes.count <= DartsVisit.longest else { return nil }
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) {
            self.init(total: bytes)
        } else if bytes.starts(with: "BUST".utf8) {
            guard let darts = DartsVisit.dartCount(bytes.dropFirst(4)) else { return nil }
            self = .bust(darts: darts)
        } else {
            var darts: [Dart] = []
            for word in bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            {
                guard let dart = Dart(spelling: word) else { return nil }
                darts.append(dart)
            }
            guard darts.count <= DartsVisit.most else { return nil }
            self = .darts(darts)
        }
    }

    /// `MISS MISS MISS` is the longest.
    private static let longest = 14

    private init?(total bytes: [UInt8]) {
        let digits = bytes.prefix { $0 != UInt8(ascii: "/") }
        guard digits.count <= 3, digits.count == 1 || digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let darts = DartsVisit.dartCount(bytes.dropFirst(digits.count))
        else { return nil }
        self = .total(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, darts: darts)
    }

    /// The number of darts after a total: nothing is three, else `/1` or `/2`.
    private static func dartCount(_ rest: ArraySlice<UInt8>) -> Int? {
        if rest.isEmpty { return most }
        if rest.elementsEqual("/1".utf8) { return 1 }
        return rest.elementsEqual("/2".utf8) ? 2 : nil
    }
}

extension DartsVisit: CustomStringConvertible {
    /// The one spelling, which `init(spelling:)` reads.
    package var description: String {
        switch self {
        case .total(let points, let darts): "\(points)" + DartsVisit.suffix(darts)
        case .bust(let darts): "BUST" + DartsVisit.suffix(darts)
        case .darts(let darts): darts.map(\.description).joined(separator: " ")
        }
    }

    private static func suffix(_ darts: Int) -> String { darts == most ? "" : "/\(darts)" }
}
