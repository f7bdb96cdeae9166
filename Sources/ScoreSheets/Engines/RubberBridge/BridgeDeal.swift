/// The result of a deal of contract bridge, as entered: the contract of a side, and its tricks.
package struct BridgeDeal: Hashable, Sendable {
    package enum Strain: String, Hashable, Sendable, CaseIterable {
        case clubs = "C"
        case diamonds = "D"
        case hearts = "H"
        case spades = "S"
        case notrump = "NT"
    }

    /// The factor of the trick points.
    package enum Risk: Int, Hashable, Sendable, CaseIterable {
        case undoubled = 1
        case doubled = 2
        case redoubled = 4

        var spelling: String {
            switch self {
            case .undoubled: ""
            case .doubled: "X"
            case .redoubled: "XX"
            }
        }
    }

    /// The points of honours in one hand, and whether it is one of the defenders'.
    package struct Honours: Hashable, Sendable {
        package let points: Int
        package let isOfDefenders: Bool
    }

    /// The number of odd tricks of the contract, 1 to 7.
    package let level: Int
    package let strain: Strain
    package let risk: Risk
    /// The tricks of the declarer's side, 0 to 13.
    package let tricks: Int
    package let honours: Honours?

    /// The tricks that do not count, six.
    static let book = 6
    static let allTricks = 13

    /// The tricks above those of the contract; negative if it failed.
    package var margin: Int { tricks - level - BridgeDeal.book }

    /// The canonical form, in which a deal is stored: `4S+1`, `3NTXX-2`, `6H= H100`, `1C= D100`.
    var spelling: String {
        let result = margin == 0 ? "=" : margin > 0 ? "+\(margin)" : "\(margin)"
        let honours = honours.map { " \($0.isOfDefenders ? "D" : "H")\($0.points)" } ?? ""
        return "\(level)\(strain.rawValue)\(risk.spelling)\(result)\(honours)"
    }
}

/// The points of a deal: trick points, which count for a game, and premium points.
package struct BridgePoints: Hashable, Sendable {
    /// Points of the declarer's side below the line.
    package var below = 0
    /// Points of the declarer's side above the line.
    package var above = 0
    /// Points of the defenders, above the line.
    package var ofDefenders = 0
}

extension BridgeDeal {
    /// Returns the points by the Laws of Contract Bridge, Law 81, for a declarer's side that is
    /// vulnerable or not.
    package func points(isVulnerable: Bool) -> BridgePoints {
        var points = BridgePoints()
        if margin < 0 {
            points.ofDefenders = penalty(-margin, isVulnerable)
        } else {
            points.below = risk.rawValue * (level * trickPoints + (strain == .notrump ? 10 : 0))
            points.above = margin * overtrickPoints(isVulnerable) + slam(isVulnerable)
            if risk != .undoubled { points.above += 25 * risk.rawValue }
        }
        if let honours {
            if honours.isOfDefenders {
                points.ofDefenders += honours.points
            } else {
                points.above += honours.points
            }
        }
        return points
    }

    /// The points of an odd trick; the first at no trumps has ten more.
    private var trickPoints: Int {
        switch strain {
        case .clubs, .diamonds: 20
        case .hearts, .spades, .notrump: 30
        }
    }

    private func overtrickPoints(_ isVulnerable: Bool) -> Int {
        risk == .undoubled ? trickPoints : 50 * risk.rawValue * (isVulnerable ? 2 : 1)
    }

    private func slam(_ isVulnerable: Bool) -> Int {
        switch level {
        case 6: isVulnerable ? 750 : 500
        case 7: isVulnerable ? 1500 : 1000
        default: 0
        }
    }

    /// Returns the points for undertricks: doubled the second and third of a side that is not
    /// vulnerable are 200 each, and all later ones 300.
    private func penalty(_ undertricks: Int, _ isVulnerable: Bool) -> Int {
        guard risk != .undoubled else { return undertricks * (isVulnerable ? 100 : 50) }
        let doubled =
            isVulnerable
            ? 300 * undertricks - 100
            : 200 * undertricks - 100 + 100 * max(0, undertricks - 3)
        return doubled * risk.rawValue / Risk.doubled.rawValue
    }
}

extension BridgeDeal {
    /// Parses what players type: `4S +1`, `3NT X -2`, `6h = honours 100`, or the tricks: `4S 11`.
    init(typed words: some Collection<String>) throws(RuleViolation) {
        var reader = DealReader(words)
        guard let level = reader.level(), let strain = reader.strain() else {
            throw BridgeDeal.notADeal(words)
        }
        self.level = level
        self.strain = strain
        var risk: Risk?
        var tricks: Int?
        var honours: Honours?
        while let part = reader.part() {
            switch part {
            case .risk(let found) where risk == nil: risk = found
            case .margin(let margin) where tricks == nil: tricks = level + BridgeDeal.book + margin
            case .tricks(let count) where tricks == nil: tricks = count
            case .honours(let found) where honours == nil: honours = found
            case .risk, .margin, .tricks, .honours: throw BridgeDeal.notADeal(words)
            }
        }
        guard reader.isAtEnd else { throw BridgeDeal.notADeal(words) }
        let contract = "\(level)\(strain.rawValue)"
        guard let tricks else {
            throw RuleViolation(
                "how did \(contract) end?",
                hint: "for example: \(contract) =, \(contract) +1, \(contract) -2"
            )
        }
        guard (0...BridgeDeal.allTricks).contains(tricks) else {
            throw RuleViolation("\(contract) cannot end like that: a deal has 13 tricks")
        }
        if let honours, honours.points != 150, honours.points != 100 || strain == .notrump {
            throw RuleViolation(
                "honours are 100 for four of the five top trumps in one hand, 150 for all five, and "
                    + "at no trumps 150 for four aces"
            )
        }
        (self.risk, self.tricks, self.honours) = (risk ?? .undoubled, tricks, honours)
    }

    private static func notADeal(_ words: some Collection<String>) -> RuleViolation {
        RuleViolation(
            "\(words.joined(separator: " ").quoted) is not the result of a deal",
            hint: "contract and result, for example: 4S +1, 3NT X -2, 6H = honours 100"
        )
    }

    /// Parses a deal after the words that name the side, of which there may be none.
    static func parsed(
        _ words: [String]
    ) throws(RuleViolation) -> (named: ArraySlice<String>, deal: BridgeDeal) {
        let starts = words.indices.filter { index in
            var reader = DealReader(words[index...])
            return reader.level() != nil && reader.strain() != nil
        }
        for start in starts {
            if let deal = try? BridgeDeal(typed: words[start...]) { return (words[..<start], deal) }
        }
        guard let start = starts.first else { throw notADeal(words) }
        return (words[..<start], try BridgeDeal(typed: words[start...]))
    }
}

/// A reader of the parts of a typed deal, in upper case and word by word.
private struct DealReader {
    enum Part {
        case risk(BridgeDeal.Risk)
        /// The tricks above those of the contract.
        case margin(Int)
        case tricks(Int)
        case honours(BridgeDeal.Honours)
    }

    private var rest: Substring

    init(_ words: some Collection<String>) {
        let text = words.joined(separator: " ")
        rest = text.utf8.count > DealReader.maxBytes ? "" : text.uppercased()[...]
    }

    /// No deal is longer; longer texts come from strangers.
    private static let maxBytes = 80

    private static let strains: [(String, BridgeDeal.Strain)] = [
        ("NOTRUMPS", .notrump), ("NOTRUMP", .notrump), ("NT", .notrump), ("N", .notrump),
        ("CLUBS", .clubs), ("C", .clubs), ("♣", .clubs), ("DIAMONDS", .diamonds),
        ("D", .diamonds), ("♦", .diamonds), ("HEARTS", .hearts), ("H", .hearts),
        ("♥", .hearts), ("SPADES", .spades), ("S", .spades), ("♠", .spades),
    ]

    private static let risks: [(String, BridgeDeal.Risk)] = [
        ("XX", .redoubled), ("REDOUBLED", .redoubled), ("X", .doubled), ("DOUBLED", .doubled),
    ]

    /// The words before the points of honours; those of the defenders have another one.
    private static let honours: [(String, Bool)] = [
        ("HONOURS", false), ("HONORS", false), ("H", false), ("DEFENDERS", true), ("D", true),
    ]

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

    var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

    /// Consumes the first of these words that comes next.
    private mutating func first<Meaning>(of words: [(String, Meaning)]) -> Meaning? {
        skipSpaces()
        guard let (word, meaning) = words.first(where: { rest.hasPrefix($0.0) }) else { return nil }
        rest = rest.dropFirst(word.count)
        return meaning
    }

    /// Consumes a number of up to three digits.
    private mutating func number() -> Int? {
        skipSpaces()
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard (1...3).contains(digits.count), let number = Int(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        return number
    }

    mutating func level() -> Int? {
        guard let digit = rest.first, digit.isASCII, let level = digit.wholeNumberValue,
            (1...7).contains(level)
        else { return nil }
        rest = rest.dropFirst()
        return level
    }

    mutating func strain() -> BridgeDeal.Strain? { first(of: DealReader.strains) }

    mutating func part() -> Part? {
        let start = rest
        if let risk = first(of: DealReader.risks) { return .risk(risk) }
        if first(of: [("=", true)]) != nil { return .margin(0) }
        if let isOfDefenders = first(of: DealReader.honours) {
            if isOfDefenders { _ = first(of: DealReader.honours.filter { !$0.1 }) }
            if let points = number() {
                return .honours(BridgeDeal.Honours(points: points, isOfDefenders: isOfDefenders))
            }
        } else if let sign = first(of: [("+", 1), ("-", -1), ("−", -1), ("–", -1)]) {
            if let count = number() { return .margin(sign * count) }
        } else if let count = number() {
            return .tricks(count)
        }
        rest = start
        return nil
    }
}
