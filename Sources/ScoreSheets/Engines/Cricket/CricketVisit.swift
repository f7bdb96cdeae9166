/// A dart of cricket: where it landed, and what it counts for.
struct CricketDart: Hashable, Sendable {
    let dart: Dart
    /// Whether it counts as one of the doubles or triples instead of as marks of its number.
    var isOfRing = false

    /// Parses the stored form: `T20`, or `TT20` for one of the triples.
    init?(spelling: ArraySlice<UInt8>) {
        if let dart = Dart(spelling: spelling) {
            self.dart = dart
            return
        }
        guard let ring = CricketDart.ring(spelling.first),
            let dart = Dart(spelling: spelling.dropFirst()), dart.ring == ring
        else { return nil }
        (self.dart, isOfRing) = (dart, true)
    }

    /// Parses a dart as players type it, or with the letter of its ring in front: `tt20`, `DD25`.
    init?(typed word: String) {
        if let dart = Dart(typed: word) {
            self.dart = dart
            return
        }
        guard let ring = CricketDart.ring(word.uppercased().utf8.first),
            let dart = Dart(typed: String(word.dropFirst())), dart.ring == ring
        else { return nil }
        (self.dart, isOfRing) = (dart, true)
    }

    private static func ring(_ letter: UInt8?) -> Dart.Ring? {
        switch letter {
        case UInt8(ascii: "D"): .double
        case UInt8(ascii: "T"): .triple
        default: nil
        }
    }

    var spelling: String {
        isOfRing ? (dart.ring == .double ? "D" : "T") + dart.description : dart.description
    }
}

/// A visit of cricket, as entered.
enum CricketVisit: Hashable, Sendable {
    case darts([CricketDart])
    /// Three darts in one bed, which count for nothing else.
    case bed(Dart)

    private static let bedWord = "BED"

    /// The maximum length of a visit's spelling, that of `DBULL DBULL DBULL`.
    private static let maxBytes = 17

    var dartCount: Int {
        switch self {
        case .darts(let darts): darts.count
        case .bed: DartsVisit.maxDarts
        }
    }

    /// Parses the stored form: `T20 S19 DD18`, `BED S20`.
    init?(spelling: String) {
        let bytes = Array(spelling.utf8.prefix(CricketVisit.maxBytes + 1))
        guard bytes.count <= CricketVisit.maxBytes else { return nil }
        let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        if words.first?.elementsEqual(CricketVisit.bedWord.utf8) == true {
            guard words.count == 2, let dart = Dart(spelling: words[1]), dart != .miss else {
                return nil
            }
            self = .bed(dart)
            return
        }
        let darts = words.compactMap(CricketDart.init(spelling:))
        guard darts.count == words.count, darts.count <= DartsVisit.maxDarts else { return nil }
        self = .darts(darts)
    }

    /// Parses what players type after `play`: one to three darts, or `bed 20`, `BEDT20`.
    init(typed words: [String], darts given: String? = nil) throws(RuleViolation) {
        var words = words.typedWords
        guard let first = words.first?.uppercased() else {
            throw RuleViolation("no darts given", hint: "for example: scorectl play T20 S19 D18")
        }
        guard first.hasPrefix(CricketVisit.bedWord) else {
            self = .darts(
                try DartsVisit.darts(
                    typed: words,
                    given: given,
                    orTotal: false,
                    as: CricketDart.init(typed:)
                )
            )
            return
        }
        words[0] = String(first.dropFirst(CricketVisit.bedWord.count))
        let darts = words.filter { !$0.isEmpty }.map { Dart(typed: $0) }
        guard let bed = darts.first ?? nil, bed != .miss, darts.allSatisfy({ $0 == bed }),
            darts.count == 1 || darts.count == DartsVisit.maxDarts,
            given ?? "\(DartsVisit.maxDarts)" == "\(DartsVisit.maxDarts)"
        else {
            throw RuleViolation(
                "three darts in one bed are entered as BED and one of them",
                hint: "for example: scorectl play BED T20"
            )
        }
        self = .bed(bed)
    }

    var spelling: String {
        switch self {
        case .darts(let darts): darts.map(\.spelling).joined(separator: " ")
        case .bed(let dart): "\(CricketVisit.bedWord) \(dart)"
        }
    }
}
