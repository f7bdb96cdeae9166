/// One dart, identified by where it landed.
package struct Dart: Hashable, Sendable {
    package let ring: Ring
    /// The number: 1 to 20, 25 for the bull, 0 for a miss.
    package let number: Int

    /// The rings of a board by their factor; the bull has no triple.
    package enum Ring: Int, Hashable, Sendable {
        /// A dart that missed the board or did not stay in it.
        case miss = 0
        /// 25 for the outer bull.
        case single = 1
        /// 50 for the inner bull.
        case double = 2
        case triple = 3
    }

    package static let miss = Dart(.miss, 0)

    /// The 62 darts that score: triples, singles, bulls and doubles, the high numbers first.
    package static let scoring: [Dart] = {
        let numbers = (1...20).reversed()
        return numbers.map { Dart(.triple, $0) } + numbers.map { Dart(.single, $0) }
            + [Dart(.single, 25), Dart(.double, 25)] + numbers.map { Dart(.double, $0) }
    }()

    package var points: Int { ring.rawValue * number }

    private init(_ ring: Ring, _ number: Int) {
        self.ring = ring
        self.number = number
    }

    /// Creates the dart of a ring and a number; nil if a board does not have it.
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

    /// Parses the canonical form of a dart: `T20`, `S5`, `S25`, `D16`, `BULL`, `MISS`.
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
            guard let ring, let number = spelling.dropFirst().number(ofDigits: 2),
                ring != .double || number != 25
            else { return nil }
            self.init(ring: ring, number: number)
        default: return nil
        }
    }

    /// Parses what players type: the canonical form in any case, or `20`, `25`, `0`, `D25`, `DB`,
    /// `SB`, `M`.
    init?(typed word: String) {
        let word = word.uppercased()
        switch word {
        case "0", "M": self = .miss
        case "DB", "D25": self.init(.double, 25)
        case "SB": self.init(.single, 25)
        default:
            let bytes = Array(word.utf8)
            if let number = bytes.number(ofDigits: 2) {
                self.init(ring: .single, number: number)
            } else {
                self.init(spelling: bytes[...])
            }
        }
    }
}

extension Collection<UInt8> {
    /// Parses a number of at most `maxDigits` digits, without leading zeros.
    fileprivate func number(ofDigits maxDigits: Int) -> Int? {
        guard (1...maxDigits).contains(count), first != UInt8(ascii: "0") || count == 1,
            allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}

extension Dart: CustomStringConvertible {
    /// The dart for display: its canonical form, but `25` for the outer bull.
    package var words: String { self == Dart(.single, 25) ? "25" : description }

    package var description: String {
        switch ring {
        case .miss: "MISS"
        case .single: "S\(number)"
        case .double: number == 25 ? "BULL" : "D\(number)"
        case .triple: "T\(number)"
        }
    }
}

/// A player's turn at the board, as entered.
///
/// Its result is derived, because it depends on the points left before it.
package enum DartsVisit: Hashable, Sendable {
    case total(Int, darts: Int)
    /// One to three darts, each named.
    case darts([Dart])
    case bust(darts: Int)

    /// The number of darts of a visit unless fewer are given.
    package static let maxDarts = 3

    package var dartCount: Int {
        switch self {
        case .total(_, let darts), .bust(let darts): darts
        case .darts(let darts): darts.count
        }
    }

    /// Parses the canonical form of a visit: `60`, `26/2`, `T20 T19 D12`, `BUST`, `BUST/2`.
    package init?(spelling: String) {
        let bytes = Array(spelling.utf8.prefix(DartsVisit.maxBytes + 1))
        guard let first = bytes.first, bytes.count <= DartsVisit.maxBytes else { return nil }
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
            guard darts.count <= DartsVisit.maxDarts else { return nil }
            self = .darts(darts)
        }
    }

    /// The maximum length of a visit's spelling, that of `MISS MISS MISS`.
    private static let maxBytes = 14

    private init?(total bytes: [UInt8]) {
        let digits = bytes.prefix { $0 != UInt8(ascii: "/") }
        guard let points = digits.number(ofDigits: 3),
            let darts = DartsVisit.dartCount(bytes.dropFirst(digits.count))
        else { return nil }
        self = .total(points, darts: darts)
    }

    /// Parses the number of darts after a total: nothing for three, `/1` or `/2`.
    private static func dartCount(_ rest: ArraySlice<UInt8>) -> Int? {
        if rest.isEmpty { return maxDarts }
        if rest.elementsEqual("/1".utf8) { return 1 }
        return rest.elementsEqual("/2".utf8) ? 2 : nil
    }
}

extension [Dart] {
    /// The canonical form in which a visit is stored.
    var spelling: String { map(\.description).joined(separator: " ") }
}

extension DartsVisit: CustomStringConvertible {
    package var description: String {
        switch self {
        case .total(let points, let darts): "\(points)" + DartsVisit.suffix(darts)
        case .bust(let darts): "BUST" + DartsVisit.suffix(darts)
        case .darts(let darts): darts.spelling
        }
    }

    private static func suffix(_ darts: Int) -> String { darts == maxDarts ? "" : "/\(darts)" }

    /// Parses what players type after `play`, and the number of darts given with it.
    ///
    /// One number is a total, which may be a sum and may end in `/2`; anything else is a list of
    /// darts, in which a bare number is a single. Case is ignored; spaces and commas separate
    /// darts.
    package init(typed words: [String], darts given: String? = nil) throws(RuleViolation) {
        let words = words.typedWords
        guard !words.isEmpty else {
            throw RuleViolation(
                "no visit given; enter a total (60), the darts (T20 T19 D12), or bust",
                hint: "for example: scorectl play T20 T19 D12"
            )
        }
        if words.count == 1, let total = try DartsVisit.total(words[0], given) {
            self = total
        } else {
            self = .darts(
                try DartsVisit.darts(typed: words, given: given, as: Dart.init(typed:))
            )
        }
    }

    /// Parses darts, and checks their number against the given one.
    static func darts<Thrown>(
        typed words: [String],
        given: String?,
        orTotal allowsTotal: Bool = true,
        as dart: (String) -> Thrown?
    ) throws(RuleViolation) -> [Thrown] {
        let count: Int? = if let given { try dartCount(given) } else { nil }
        var darts: [Thrown] = []
        for word in words.prefix(maxDarts) {
            guard let dart = dart(word) else { throw notADart(word, allowsTotal) }
            darts.append(dart)
        }
        guard words.count <= maxDarts else {
            throw RuleViolation("a visit has three darts, not \(words.count)")
        }
        if let count, count != darts.count { throw contradiction(count, darts.count) }
        return darts
    }

    /// Returns the rejection of fewer than three darts without a confirmed number.
    ///
    /// Otherwise players who enter darts one at a time would lose the rest of the visit.
    static func tooFewDarts(_ count: Int) -> RuleViolation {
        RuleViolation(
            "a visit has three darts, but only \(count == 1 ? "one was" : "two were") given; "
                + "add the others (MISS for a miss)"
        )
    }

    /// Returns the count in words: `one dart`, `three darts`.
    static func count(_ darts: Int) -> String {
        [1: "one dart", 2: "two darts", 3: "three darts"][darts] ?? "\(darts) darts"
    }

    static func impossible(_ total: String, darts: Int, isOpening: Bool = false) -> RuleViolation {
        RuleViolation(
            "\(total) cannot be scored with \(count(darts))"
                + (isOpening ? " of which a double is the first that counts" : "")
        )
    }

    /// Parses a total or a bust; nil if the word can only be a dart.
    private static func total(
        _ word: String,
        _ given: String?
    ) throws(RuleViolation) -> DartsVisit? {
        let given: Int? = if let given { try dartCount(given) } else { nil }
        let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let head = parts.first, parts.count <= 2 else { throw notADart(word) }
        var count = given
        if parts.count == 2 {
            let typed = try dartCount(String(parts[1]))
            if let given, given != typed { throw contradiction(given, typed) }
            count = typed
        }
        if head.uppercased() == "BUST" { return .bust(darts: count ?? maxDarts) }
        guard let sum = Sum(String(head)), !sum.hasFraction else {
            guard parts.count == 1 else { throw notADart(word) }
            return nil
        }
        guard let points = sum.whole, (0...999).contains(points) else {
            let shown = sum.number.map { "\($0)" } ?? String(head).quoted
            throw impossible(shown, darts: count ?? maxDarts)
        }
        return .total(Int(points), darts: count ?? maxDarts)
    }

    private static func dartCount(_ text: String) throws(RuleViolation) -> Int {
        guard let count = Int(text), (1...maxDarts).contains(count) else {
            throw RuleViolation("a visit has 1, 2 or 3 darts, not \(text.quoted)")
        }
        return count
    }

    private static func notADart(_ word: String, _ allowsTotal: Bool = true) -> RuleViolation {
        RuleViolation(
            "\(word.quoted) is not on the board; enter up to three darts "
                + "(T20 D16 5 25 BULL MISS)" + (allowsTotal ? " or one total" : "")
        )
    }

    private static func contradiction(_ given: Int, _ typed: Int) -> RuleViolation {
        RuleViolation("\(count(typed)) and --darts \(given) contradict each other")
    }
}
