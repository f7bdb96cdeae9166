/// One dart: where it landed.
package struct Dart: Hashable, Sendable {
    /// How often the number counts.
    package let ring: Ring
    /// 1 to 20, 25 for the bull, 0 for a miss.
    package let number: Int

    /// The rings of a board by what they multiply with; the bull has no triple.
    package enum Ring: Int, Hashable, Sendable {
        /// Nothing: beside the board, bounced out, or short of it.
        case miss = 0
        /// Once; 25 for the outer bull.
        case single = 1
        /// Twice; 50 for the inner bull.
        case double = 2
        /// Three times.
        case triple = 3
    }

    /// A dart that scored nothing.
    package static let miss = Dart(.miss, 0)

    /// A dart in the ring around the bull.
    private static let outerBull = Dart(.single, 25)

    /// The 62 darts that score: triples, singles, the bulls and doubles, the high numbers first.
    package static let scoring: [Dart] = {
        let numbers = (1...20).reversed()
        return numbers.map { Dart(.triple, $0) } + numbers.map { Dart(.single, $0) }
            + [Dart(.single, 25), Dart(.double, 25)] + numbers.map { Dart(.double, $0) }
    }()

    /// What it is worth.
    package var points: Int { ring.rawValue * number }

    private init(_ ring: Ring, _ number: Int) {
        self.ring = ring
        self.number = number
    }

    /// The dart of a ring and a number, if a board has it.
    init?(ring: Ring, number: Int) {
        let isOnBoard =
            switch ring {
            case .miss: number == 0
            case .single, .double: (1...20).contains(number) || number == 25
            case .triple: (1...20).contains(number)
            }
        guard isOnBoard else { return nil }
        self.init(ring, number)
    }

    /// The dart of the one spelling in which it is stored: `T20`, `S5`, `S25`, `D16`, `BULL`,
    /// `MISS`.
    init?(spelling: ArraySlice<UInt8>) {
        switch (spelling.first, spelling.count) {
        case (UInt8(ascii: "B"), 4):
            guard spelling.elementsEqual("BULL".utf8) else { return nil }
            self.init(.double, 25)
        case (UInt8(ascii: "M"), 4):
            guard spelling.elementsEqual("MISS".utf8) else { return nil }
            self = .miss
        case (let letter, 2...3):
            let ring: Ring? =
                switch letter {
                case UInt8(ascii: "S"): .single
                case UInt8(ascii: "D"): .double
                case UInt8(ascii: "T"): .triple
                default: nil
                }
            guard let ring, let number = Dart.number(spelling.dropFirst()),
                ring != .double || number != 25
            else { return nil }
            self.init(ring: ring, number: number)
        default: return nil
        }
    }

    /// The dart that somebody types: as it is stored, in any case, or `20`, `25`, `0`, `D25`, `DB`,
    /// `SB`, `M`.
    init?(typed word: String) {
        let word = word.uppercased()
        switch word {
        case "0", "M": self = .miss
        case "DB", "D25": self.init(.double, 25)
        case "SB": self.init(.single, 25)
        default:
            let bytes = Array(word.utf8)
            if let number = Dart.number(bytes[...]) {
                self.init(ring: .single, number: number)
            } else {
                self.init(spelling: bytes[...])
            }
        }
    }

    /// The number that one or two digits say, without a zero before it.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...2).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension Dart: CustomStringConvertible {
    /// What people are told to throw: as it is stored, but `25` for the outer bull.
    package var words: String { self == Dart.outerBull ? "25" : description }

    /// The one spelling: `T20`, `S5`, `S25`, `D16`, `BULL`, `MISS`.
    package var description: String {
        switch ring {
        case .miss: "MISS"
        case .single: "S\(number)"
        case .double: number == 25 ? "BULL" : "D\(number)"
        case .triple: "T\(number)"
        }
    }
}

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

extension DartsVisit {
    /// The visit that somebody types after `play`, and the darts that they say beside it.
    ///
    /// One number is a total, which may be a sum and may end in `/2`; anything else is darts, of
    /// which a bare number is a single. Case does not count, a comma separates like a space.
    package init(typed words: [String], darts said: String? = nil) throws(DartsRule) {
        let words = DartsVisit.words(in: words)
        guard !words.isEmpty else { throw .nothingTyped }
        let count: Int? = if let said { try DartsVisit.dartCount(said) } else { nil }
        if words.count == 1, let total = try DartsVisit.total(words[0], count) {
            self = total
        } else {
            self = .darts(try DartsVisit.darts(typed: words, said: said))
        }
    }

    /// The words for themselves, of which several may come as one text.
    static func words(in texts: [String]) -> [String] {
        // By bytes, since a stranger may have written a long text where a visit belongs.
        texts.flatMap { text in
            text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
                .map { String(Substring($0)) }
        }
    }

    /// The darts of these words, and of as many as somebody says.
    static func darts(typed words: [String], said: String?) throws(DartsRule) -> [Dart] {
        guard !words.isEmpty else { throw .nothingTyped }
        let count: Int? = if let said { try dartCount(said) } else { nil }
        var darts: [Dart] = []
        for word in words.prefix(most) {
            guard let dart = Dart(typed: word) else { throw .notADart(word) }
            darts.append(dart)
        }
        guard words.count <= most else { throw .tooManyDarts(words.count) }
        if let count, count != darts.count { throw .otherCount(said: count, typed: darts.count) }
        return darts
    }

    /// The total or the bust that a word says; nil where it can only be a dart.
    private static func total(_ word: String, _ said: Int?) throws(DartsRule) -> DartsVisit? {
        let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let head = parts.first, parts.count <= 2 else { throw .notADart(word) }
        var count = said
        if parts.count == 2 {
            let typed = try dartCount(String(parts[1]))
            if let said, said != typed { throw .otherCount(said: said, typed: typed) }
            count = typed
        }
        if head.uppercased() == "BUST" { return .bust(darts: count ?? most) }
        guard let sum = Sum(String(head)) else {
            guard parts.count == 1 else { throw .notADart(word) }
            return nil
        }
        guard let points = sum.number, (0...999).contains(points) else {
            let shown = sum.number.map { "\($0)" } ?? String(head).quoted
            throw .impossible(shown, darts: count ?? most, isOpening: false)
        }
        return .total(Int(points), darts: count ?? most)
    }

    private static func dartCount(_ text: String) throws(DartsRule) -> Int {
        guard let count = Int(text), (1...most).contains(count) else { throw .dartCount(text) }
        return count
    }
}
